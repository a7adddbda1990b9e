// The style of the base map, light and dark. Its data is `map/world.pmtiles`, made by Scripts/page/base-map.py, with the layers
// `land`, `country` (points with `name`, `rank`) and `city` (points with `name`, `rank`), and the server's streets, if it has
// any. There are no glyphs: text is drawn with the fonts of the device, so nothing has to be downloaded for it.
import { hasLand, translated } from './archives/schemas.js';
import { streetLayers } from './streets/streets-style.js';

const light = {
  land: '#f1f0eb',
  water: '#b9d8e3',
  border: '#c9c5ba',
  label: '#5f625f',
  halo: '#ffffff',
  city: '#3f4543',
};
const dark = {
  land: '#161d20',
  water: '#0f2a38',
  border: '#33424a',
  label: '#b3bfc2',
  halo: '#12181b',
  city: '#c8d2d4',
};
export const fonts = ['Inter', 'Roboto', 'sans-serif'];
export const worldAddress = () => new URL('map/world.pmtiles', document.baseURI).href;

/**
 * The style for a base map.
 * @param {{isDark: boolean, base?: 'tiles'|'world'|'none'|'archive'|'style', tiles?: {url: string, attribution?: string,
 *   maximum_zoom?: number}, description?: object, style?: object, attribution?: string, streets?: {tiles?: string, zooms?:
 *   {least: number, most: number}, attribution?: string, regions: {bounds: number[]}[]}}} look `tiles` are raster tiles that
 *   the person has chosen, drawn over the countries unless `base` is another; `none` is a plain background; `description`
 *   belongs to an archive, `style` is a style from elsewhere; `streets` is the result of `knownStreets`
 */
export function baseStyle({ isDark, base = 'tiles', tiles, description, style: theirs, attribution, streets }) {
  const c = isDark ? dark : light;
  if (base === 'none')
    return {
      version: 8,
      sources: {},
      layers: [{ id: 'ground', type: 'background', paint: { 'background-color': c.land } }],
    };
  const label = (size, more) => ({
    'text-field': ['get', 'name'],
    'text-font': fonts,
    'text-size': size,
    'text-max-width': 8,
    'symbol-sort-key': ['get', 'rank'],
    ...more,
  });
  const ink = (colour) => ({ 'text-color': colour, 'text-halo-color': c.halo, 'text-halo-width': 1.4 });
  const style = {
    version: 8,
    sources: {
      world: {
        type: 'vector',
        url: `pmtiles://${worldAddress()}`,
        attribution: 'Natural Earth · GeoNames',
      },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': c.water } },
      {
        id: 'land',
        type: 'fill',
        source: 'world',
        'source-layer': 'land',
        paint: { 'fill-color': c.land, 'fill-antialias': true },
      },
      {
        id: 'border',
        type: 'line',
        source: 'world',
        'source-layer': 'land',
        paint: { 'line-color': c.border, 'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.5, 8, 1.4] },
      },
      {
        id: 'country',
        type: 'symbol',
        source: 'world',
        'source-layer': 'country',
        maxzoom: 7,
        layout: label(['interpolate', ['linear'], ['zoom'], 2, 11, 6, 16], { 'text-letter-spacing': 0.06 }),
        paint: ink(c.label),
      },
      {
        id: 'city',
        type: 'symbol',
        source: 'world',
        'source-layer': 'city',
        minzoom: 4,
        layout: label(['interpolate', ['linear'], ['zoom'], 4, 11, 10, 15]),
        paint: ink(c.city),
      },
    ],
  };
  if (base === 'style') {
    // Their glyphs are left out: text is drawn with the fonts of the device.
    Object.assign(style.sources, theirs.sources);
    style.layers.push(...theirs.layers);
    if (theirs.sprite) style.sprite = theirs.sprite;
    if (attribution) style.sources.world.attribution += ` · ${attribution}`;
  } else if (base === 'archive') addArchive(style, { ...description, given: attribution }, isDark);
  else if (base === 'tiles' && tiles?.url)
    addPictures(style, { tiles: [tiles.url], attribution: tiles.attribution ?? '' }, tiles.maximum_zoom, isDark);
  else if (streets?.tiles)
    // `streetTiles` answers these requests.
    addStreets(style, { ...streets, url: 'streets://{z}/{x}/{y}' }, isDark);
  return style;
}

function addPictures(style, source, maximum_zoom, isDark) {
  style.sources.tiles = { type: 'raster', tileSize: 256, ...source, ...(maximum_zoom && { maxzoom: maximum_zoom }) };
  style.layers.push({
    id: 'tiles',
    type: 'raster',
    source: 'tiles',
    paint: isDark ? { 'raster-brightness-max': 0.7, 'raster-saturation': -0.3 } : {},
  });
}

/** Draws an archive over the world map, within the archive's bounds. `ChosenGround.tile` answers the requests for its tiles. */
function addArchive(style, { kind, schema, zooms, bounds, attribution, given }, isDark) {
  const url = 'archive://{z}/{x}/{y}';
  const credit = given || attribution;
  if (kind === 'raster') {
    addPictures(style, { tiles: [url], attribution: credit, minzoom: zooms.least, bounds }, zooms.most, isDark);
    return;
  }
  addStreets(style, { url, zooms, attribution: credit, regions: [{ bounds }], schema }, isDark);
}

/** Draws streets over the world map, and names over both. The world map's towns are hidden where the streets name them. */
function addStreets(style, { url, zooms, attribution, regions, schema }, isDark) {
  style.sources.streets = {
    type: 'vector',
    tiles: [url],
    minzoom: zooms.least,
    maxzoom: zooms.most,
    ...(schema && { bounds: regions[0].bounds }),
    attribution,
  };
  const { ground, names } = streetLayers(isDark, fonts);
  const own = (layers) => translated(layers, schema).map((layer) => ({ ...layer, source: 'streets' }));
  const at = style.layers.findIndex(({ id }) => id === 'country');
  style.layers.splice(at, 0, ...(hasLand(schema) ? [] : plainLand(style, regions, isDark)), ...own(ground));
  style.layers.push(...own(names));
  style.layers.find(({ id }) => id === 'city').filter = ['!', ['within', areaOf(regions)]];
}

/** Draws plain land below tiles that have water but no land: the world map's coast is kilometres less exact. */
function plainLand(style, regions, isDark) {
  style.sources.reach = { type: 'geojson', data: areaOf(regions) };
  return [{ id: 'reach', type: 'fill', source: 'reach', paint: { 'fill-color': (isDark ? dark : light).land } }];
}

const areaOf = (regions) => ({
  type: 'MultiPolygon',
  coordinates: regions.map(({ bounds: [west, south, east, north] }) => [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ]),
});
