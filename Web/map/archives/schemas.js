// Vector tiles of other schemas, drawn in our style: their layers and attributes for each of ours (docs/map.md).
// A `part` describes one of their layers: `only` filters its features, all other members are our attributes as expressions on
// theirs. An attribute without an expression has the same name in both schemas.

const get = (name) => ['get', name];
const is = (name, value) => ['==', get(name), value];
const shapes = (...types) => ['match', ['geometry-type'], types.flatMap((type) => [type, `Multi${type}`]), true, false];
/** Maps values by a table of `[their values, ours]`. No layer draws a value that is not in the table. */
const chosen = (value, table, otherwise = '') => ['match', value, ...table.flat(), otherwise];

const highways = ['motorway', 'trunk', 'primary', 'secondary', 'tertiary'];

// MARK: OpenMapTiles (openmaptiles.org/schema)

const type = get('class');
const bored = ['case', is('brunnel', 'tunnel'), 1, 0];
const openMapTiles = {
  ground: [
    {
      layer: 'landcover',
      kind: chosen(type, [
        [['wood', 'forest'], 'wood'],
        ['farmland', 'farm'],
        [['grass', 'wetland', 'sand', 'rock', 'ice'], type],
      ]),
    },
    {
      layer: 'landuse',
      kind: chosen(type, [
        [['residential', 'suburb', 'quarter', 'neighbourhood'], 'town'],
        [['industrial', 'commercial', 'retail', 'railway', 'garages', 'bus_station'], 'industry'],
        [['school', 'university', 'college', 'kindergarten', 'library'], 'school'],
        [['pitch', 'playground', 'track', 'stadium'], 'pitch'],
        [['theme_park', 'zoo'], 'park'],
        [['cemetery', 'military', 'quarry', 'hospital'], type],
      ]),
    },
    { layer: 'park', only: shapes('Polygon'), kind: 'park' },
  ],
  water: [{ layer: 'water', only: shapes('Polygon'), kind: 'lake' }],
  waterway: [{ layer: 'waterway', kind: type, tunnel: bored }],
  boundary: [{ layer: 'boundary', only: ['!', is('maritime', 1)], level: ['coalesce', get('admin_level'), 99] }],
  building: [{ layer: 'building' }],
  road: [
    {
      layer: 'transportation',
      kind: [
        'case',
        ['all', is('class', 'path'), ['match', get('subclass'), ['steps', 'pedestrian'], true, false]],
        get('subclass'),
        ['all', is('ramp', 1), ['match', type, highways, true, false]],
        ['concat', type, '_link'],
        chosen(type, [
          [[...highways, 'minor', 'service', 'track', 'path'], type],
          [['raceway', 'busway', 'bus_guideway'], 'minor'],
        ]),
      ],
      tunnel: bored,
    },
    { layer: 'aeroway', only: shapes('LineString'), kind: type },
  ],
  road_name: [{ layer: 'transportation_name', kind: type }],
  rail: [
    {
      layer: 'transportation',
      kind: chosen(type, [
        ['rail', 'rail'],
        ['transit', chosen(get('subclass'), [['subway', 'subway']], 'tram')],
      ]),
      tunnel: bored,
    },
  ],
  water_name: [{ layer: 'water_name', only: shapes('Point') }],
  place: [
    {
      layer: 'place',
      only: ['match', type, ['continent', 'country', 'state', 'province'], false, true],
      kind: type,
      rank: chosen(
        type,
        [
          ['city', 1],
          ['town', 2],
          ['village', 3],
        ],
        5,
      ),
    },
  ],
  point: [
    {
      layer: 'poi',
      kind: chosen(
        type,
        [
          ['railway', chosen(get('subclass'), [[['station', 'subway'], get('subclass')]], 'stop')],
          ['bus', chosen(get('subclass'), [['bus_station', 'bus_station']], 'stop')],
          ['ferry_terminal', 'ferry'],
        ],
        'sight',
      ),
      // Their rank is relative to the tile.
      rank: ['step', ['coalesce', get('rank'), 99], 2, 4, 4, 10, 5, 20, 7, 40, 9],
    },
    { layer: 'mountain_peak', only: shapes('Point'), kind: 'peak', height: get('ele'), rank: 3 },
    { layer: 'aerodrome_label', kind: 'airport', rank: 2 },
  ],
  house: [{ layer: 'housenumber', number: get('housenumber') }],
};

// MARK: Protomaps basemap (docs.protomaps.com/basemaps/layers), versions 3 and 4

const sort = get('kind');
const detail = ['coalesce', get('kind_detail'), get('pmap:kind_detail'), ''];
const links = highways.map((name) => `${name}_link`);
const below = ['case', ['any', is('is_tunnel', true), ['==', get('pmap:level'), -1]], 1, 0];
const covers = chosen(sort, [
  [['forest', 'wood'], 'wood'],
  [['grass', 'grassland', 'meadow', 'village_green', 'golf_course', 'garden', 'allotments'], 'grass'],
  [['park', 'recreation_ground', 'zoo'], 'park'],
  [['national_park', 'nature_reserve', 'protected_area'], 'reserve'],
  [['farmland', 'orchard', 'vineyard'], 'farm'],
  [['beach', 'sand', 'barren'], 'sand'],
  [['glacier', 'bare_rock'], 'ice'],
  [['residential', 'urban_area', 'neighbourhood'], 'town'],
  [['industrial', 'commercial', 'railway'], 'industry'],
  [['military', 'naval_base', 'airfield', 'aerodrome'], 'military'],
  [['school', 'university', 'college', 'kindergarten'], 'school'],
  [['pitch', 'playground', 'stadium'], 'pitch'],
  [['pedestrian', 'platform'], 'square'],
  [['scrub', 'wetland', 'cemetery', 'hospital', 'quarry'], sort],
]);
const protomaps = {
  land: [{ layer: 'earth', only: shapes('Polygon') }],
  ground: [
    { layer: 'landcover', kind: covers },
    { layer: 'landuse', only: shapes('Polygon'), kind: covers },
  ],
  water: [{ layer: 'water', only: shapes('Polygon'), kind: 'lake' }],
  waterway: [{ layer: 'water', only: shapes('LineString') }],
  boundary: [
    {
      layer: 'boundaries',
      level: chosen(
        sort,
        [
          ['country', 2],
          ['region', 4],
          ['county', 6],
        ],
        ['coalesce', get('pmap:min_admin_level'), 99],
      ),
    },
  ],
  building: [{ layer: 'buildings', only: shapes('Polygon') }],
  road: [
    {
      layer: 'roads',
      kind: chosen(
        detail,
        [
          [[...highways, ...links, 'service', 'pedestrian', 'steps', 'track', 'runway', 'taxiway'], detail],
          [['residential', 'unclassified', 'living_street', 'road'], 'minor'],
          [['footway', 'cycleway', 'path', 'bridleway', 'sidewalk', 'crossing'], 'path'],
        ],
        chosen(sort, [
          ['highway', 'motorway'],
          ['major_road', 'primary'],
          ['medium_road', 'secondary'],
          ['minor_road', 'minor'],
          ['path', 'path'],
          ['aeroway', 'taxiway'],
        ]),
      ),
      tunnel: below,
    },
  ],
  road_name: [
    {
      layer: 'roads',
      only: ['match', sort, ['rail', 'ferry', 'aeroway'], false, true],
      kind: chosen(detail, [[[...highways], detail]], 'minor'),
    },
  ],
  rail: [
    {
      layer: 'roads',
      only: is('kind', 'rail'),
      kind: chosen(detail, [[['tram', 'subway'], detail]], 'rail'),
      tunnel: below,
    },
    { layer: 'transit', only: is('kind', 'rail'), kind: 'rail', tunnel: below },
  ],
  water_name: [{ layer: 'water', only: shapes('Point') }],
  place: [
    {
      layer: 'places',
      only: ['match', sort, ['locality', 'macrohood', 'neighbourhood'], true, false],
      rank: [
        'case',
        ['!=', sort, 'locality'],
        5,
        chosen(
          detail,
          [
            ['city', 1],
            ['town', 2],
          ],
          3,
        ),
      ],
    },
  ],
  point: [
    {
      layer: 'pois',
      kind: chosen(
        sort,
        [
          [['station', 'bus_station', 'peak'], sort],
          ['aerodrome', 'airport'],
          ['ferry_terminal', 'ferry'],
        ],
        'sight',
      ),
      rank: ['step', ['coalesce', get('min_zoom'), get('pmap:min_zoom'), 99], 2, 14, 4, 15, 5, 16, 7, 17, 9],
    },
  ],
  house: [{ layer: 'buildings', only: is('kind', 'address'), number: get('addr_housenumber') }],
};

/** Attributes that hold a name. The local name comes first; some programs write only a transcription. */
const names = ['name', 'name:latin', 'name_int', 'name:en'];
/** The name of a feature, in any schema. */
export const nameOf = (properties) => names.map((member) => properties[member]).find(Boolean);
const anyName = ['coalesce', ...names.map(get)];

const schemas = { openmaptiles: openMapTiles, protomaps };
/** Combinations of layers that occur in one schema only. */
const signs = { own: ['road', 'road_name'], openmaptiles: ['transportation'], protomaps: ['roads', 'water'] };

/** @param {string[]} layers of an archive @returns {'own'|'openmaptiles'|'protomaps'|undefined} */
export const schemaOf = (layers) =>
  Object.keys(signs).find((schema) => signs[schema].every((layer) => layers.includes(layer)));

/** The layers of a schema that stand for one of ours. */
export const layersFor = (schema, layer) =>
  schemas[schema] ? [...new Set((schemas[schema][layer] ?? []).map((part) => part.layer))] : [layer];

/** True if the tiles tell land from sea; in others, everything that is not water is land. */
export const hasLand = (schema) => !schemas[schema] || Boolean(schemas[schema].land);

/**
 * The layers of our style, changed for tiles of another schema. Layers without a counterpart are omitted.
 * @param {object[]} layers as made by `streetLayers`
 */
export function translated(layers, schema) {
  const table = schemas[schema];
  if (!table) return layers;
  return layers.flatMap((layer) =>
    (table[layer['source-layer']] ?? []).map((part, at) => {
      const { layer: theirs, only, ...told } = part;
      const attributes = { name: anyName, ...told };
      const { id, filter, ...rest } = layer;
      const own = filter && inTheirWords(filter, attributes);
      const both = [own, only].filter(Boolean);
      return {
        ...inTheirWords(rest, attributes),
        id: at ? `${id}-${at}` : id,
        'source-layer': theirs,
        ...(both.length && { filter: both.length > 1 ? ['all', ...both] : both[0] }),
      };
    }),
  );
}

function inTheirWords(value, attributes) {
  if (!Array.isArray(value)) {
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inTheirWords(each, attributes)]));
  }
  const [head, name] = value;
  if (value.length === 2 && Object.hasOwn(attributes, name)) {
    if (head === 'get') return attributes[name];
    if (head === 'has') return ['!=', ['to-string', attributes[name]], ''];
  }
  return value.map((each) => inTheirWords(each, attributes));
}
