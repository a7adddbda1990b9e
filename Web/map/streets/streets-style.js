// The style of streets, light and dark: a muted background and legible streets, so that zones stand out. For layers and
// attributes see docs/map.md.

export const colours = {
  light: {
    ground: '#f1f0eb',
    sea: '#b9d8e3',
    water: '#b9d8e3',
    waterName: '#2c5f74',
    wood: '#d3e3cb',
    park: '#d9e8cf',
    grass: '#e3ebd7',
    farm: '#ecebdc',
    sand: '#f2ead0',
    rock: '#e3e1dc',
    town: '#ebe8e1',
    industry: '#e6e4e0',
    school: '#ece6da',
    parking: '#e9e7e2',
    square: '#f5f1e8',
    building: '#e0dcd2',
    buildingEdge: '#cfcabd',
    road: '#ffffff',
    roadEdge: '#d6d1c5',
    main: '#fdf1cf',
    mainEdge: '#dccb95',
    motorway: '#f9dcae',
    motorwayEdge: '#d3ac66',
    path: '#c4b79f',
    rail: '#b3afa6',
    border: '#a39eb0',
    name: '#4a4f4d',
    placeName: '#2b3230',
    pointName: '#5a5148',
    transit: '#33424a',
    house: '#6b675e',
    halo: '#ffffff',
  },
  dark: {
    ground: '#161d20',
    sea: '#0f2a38',
    water: '#0f2a38',
    waterName: '#8fbcd0',
    wood: '#17291f',
    park: '#1a2c22',
    grass: '#1a2721',
    farm: '#1b2320',
    sand: '#24251f',
    rock: '#1e2528',
    town: '#1a2225',
    industry: '#1b2226',
    school: '#1f2526',
    parking: '#1d2528',
    square: '#222a2c',
    building: '#232d31',
    buildingEdge: '#303b40',
    road: '#37444a',
    roadEdge: '#12181b',
    main: '#4a4f45',
    mainEdge: '#12181b',
    motorway: '#5c5641',
    motorwayEdge: '#12181b',
    path: '#4a4f4c',
    rail: '#465056',
    border: '#5a6475',
    name: '#c2ccce',
    placeName: '#e4eaeb',
    pointName: '#bcb5a8',
    transit: '#b3c1c6',
    house: '#99a4a7',
    halo: '#12181b',
  },
};

/** Points that help a person to find the way. */
const landmarks = ['station', 'subway', 'airport', 'ferry', 'bus_station', 'peak'];

/** Widths in pixels at given zooms, with exponential interpolation between them. */
const width = (...stops) => ['interpolate', ['exponential', 1.6], ['zoom'], ...stops];
const kinds = (...names) => ['match', ['get', 'kind'], names, true, false];

const roads = [
  { id: 'service', kinds: ['service', 'taxiway'], road: width(13, 0.5, 16, 4, 19, 22), edge: 0.7, from: 14 },
  {
    id: 'minor',
    kinds: ['minor', 'pedestrian', 'tertiary_link'],
    road: width(12, 0.5, 14, 3, 16, 9, 19, 44),
    edge: 0.9,
  },
  { id: 'tertiary', kinds: ['tertiary', 'secondary_link'], road: width(11, 0.6, 14, 4.2, 16, 11, 19, 52), edge: 0.9 },
  { id: 'secondary', kinds: ['secondary', 'primary_link'], tone: 'main', road: width(9, 0.7, 14, 5, 16, 13, 19, 58) },
  { id: 'primary', kinds: ['primary', 'trunk_link'], tone: 'main', road: width(8, 0.8, 14, 6, 16, 14, 19, 62) },
  {
    id: 'motorway',
    kinds: ['motorway', 'trunk', 'motorway_link', 'runway'],
    tone: 'motorway',
    road: width(5, 0.7, 14, 7, 16, 16, 19, 70),
  },
];
const grounds = {
  wood: ['wood', 'scrub'],
  park: ['park', 'cemetery', 'reserve'],
  grass: ['grass', 'pitch', 'wetland'],
  farm: ['farm'],
  sand: ['sand'],
  rock: ['rock', 'ice', 'quarry'],
  town: ['town'],
  industry: ['industry', 'military', 'airfield'],
  school: ['school', 'hospital'],
  parking: ['parking'],
  square: ['square'],
};

/** The edges of all streets are drawn below the streets, so that crossings stay open. */
function roadLayers(c) {
  const line = { 'line-cap': 'round', 'line-join': 'round' };
  const within = (road, tunnel) => [
    'all',
    kinds(...road.kinds),
    [tunnel ? '==' : '!=', ['coalesce', ['get', 'tunnel'], 0], 1],
  ];
  const edge = (road) => c[`${road.tone ?? 'road'}Edge`];
  const wide = (road) => {
    const [head, curve, zoom, ...stops] = road.road;
    return [head, curve, zoom, ...stops.map((stop, at) => (at % 2 ? stop + 2 * (road.edge ?? 1) : stop))];
  };
  const make = (road, part, paint, tunnel = false) => ({
    id: `road-${road.id}-${part}`,
    type: 'line',
    'source-layer': 'road',
    ...(road.from && { minzoom: road.from - 1 }),
    filter: within(road, tunnel),
    layout: line,
    paint,
  });
  return [
    ...roads.map((road) =>
      make(
        road,
        'tunnel',
        { 'line-color': edge(road), 'line-width': road.road, 'line-opacity': 0.5, 'line-dasharray': [1, 1.2] },
        true,
      ),
    ),
    ...roads.map((road) =>
      make(road, 'edge', {
        'line-color': edge(road),
        'line-width': wide(road),
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 11, 0.4, 13.5, 1],
      }),
    ),
    ...roads.map((road) => make(road, 'face', { 'line-color': c[road.tone ?? 'road'], 'line-width': road.road })),
  ];
}

/**
 * The layers for streets.
 * @param {boolean} isDark
 * @param {string[]} fonts
 * @returns {{ground: object[], names: object[]}} layers without a source, lowest first: those below zones, and names
 */
export function streetLayers(isDark, fonts) {
  const c = colours[isDark ? 'dark' : 'light'];
  const name = ['get', 'name'];
  const text = (size, more) => ({
    'text-field': name,
    'text-font': fonts,
    'text-size': size,
    'text-max-width': 8,
    ...more,
  });
  const ink = (colour, width = 1.3) => ({ 'text-color': colour, 'text-halo-color': c.halo, 'text-halo-width': width });
  const fill = (id, layer, colour, more = {}) => ({
    id,
    type: 'fill',
    'source-layer': layer,
    paint: { 'fill-color': colour, 'fill-antialias': true },
    ...more,
  });
  const ground = [
    fill('streets-land', 'land', c.ground),
    ...Object.entries(grounds).map(([tone, values]) =>
      fill(`ground-${tone}`, 'ground', c[tone], { filter: kinds(...values) }),
    ),
    fill('streets-sea', 'sea', c.sea),
    fill('streets-water', 'water', c.water),
    {
      id: 'waterway',
      type: 'line',
      'source-layer': 'waterway',
      filter: ['!=', ['coalesce', ['get', 'tunnel'], 0], 1],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': c.water,
        'line-width': ['match', ['get', 'kind'], ['river', 'canal'], 3, 1.2],
      },
    },
    fill('pier', 'pier', c.ground, { filter: ['==', ['geometry-type'], 'Polygon'] }),
    {
      id: 'pier-line',
      type: 'line',
      'source-layer': 'pier',
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': c.ground, 'line-width': width(13, 1, 17, 5) },
    },
    {
      id: 'boundary',
      type: 'line',
      'source-layer': 'boundary',
      filter: ['<=', ['get', 'level'], 6],
      paint: { 'line-color': c.border, 'line-width': ['match', ['get', 'level'], 2, 1.6, 1], 'line-dasharray': [4, 2] },
    },
    fill('building', 'building', c.building, {
      minzoom: 14,
      paint: {
        'fill-color': c.building,
        'fill-outline-color': c.buildingEdge,
        'fill-opacity': ['interpolate', ['linear'], ['zoom'], 14, 0, 15, 1],
      },
    }),
    {
      id: 'path',
      type: 'line',
      'source-layer': 'road',
      minzoom: 13,
      filter: kinds('path', 'track'),
      paint: { 'line-color': c.path, 'line-width': width(13, 0.6, 17, 2), 'line-dasharray': [3, 1.5] },
    },
    {
      id: 'steps',
      type: 'line',
      'source-layer': 'road',
      minzoom: 14,
      filter: kinds('steps'),
      paint: { 'line-color': c.path, 'line-width': width(14, 1.5, 18, 6), 'line-dasharray': [0.5, 0.4] },
    },
    ...roadLayers(c),
    {
      id: 'rail',
      type: 'line',
      'source-layer': 'rail',
      filter: ['all', kinds('rail'), ['!=', ['coalesce', ['get', 'tunnel'], 0], 1]],
      paint: { 'line-color': c.rail, 'line-width': width(9, 0.6, 14, 1.4, 18, 3) },
    },
    {
      id: 'rail-ties',
      type: 'line',
      'source-layer': 'rail',
      minzoom: 14,
      filter: ['all', kinds('rail'), ['!=', ['coalesce', ['get', 'tunnel'], 0], 1]],
      paint: { 'line-color': c.rail, 'line-width': width(14, 4, 18, 9), 'line-dasharray': [0.2, 2] },
    },
    {
      id: 'tram',
      type: 'line',
      'source-layer': 'rail',
      minzoom: 13,
      filter: kinds('tram'),
      paint: { 'line-color': c.rail, 'line-width': width(13, 0.6, 18, 1.6) },
    },
  ];
  const names = [
    {
      id: 'house',
      type: 'symbol',
      'source-layer': 'house',
      minzoom: 17,
      layout: text(10, { 'text-field': ['get', 'number'], 'text-padding': 2 }),
      paint: ink(c.house, 1),
    },
    {
      id: 'road-name',
      type: 'symbol',
      'source-layer': 'road_name',
      minzoom: 12,
      filter: ['has', 'name'],
      layout: text(['interpolate', ['linear'], ['zoom'], 12, 10, 16, 12.5, 19, 15], {
        'symbol-placement': 'line',
        'symbol-spacing': 320,
        'symbol-sort-key': [
          'match',
          ['get', 'kind'],
          ['motorway', 'trunk', 'primary'],
          1,
          'secondary',
          2,
          'tertiary',
          3,
          ['minor', 'pedestrian'],
          4,
          5,
        ],
        'text-padding': 6,
      }),
      paint: ink(c.name),
    },
    {
      id: 'water-name',
      type: 'symbol',
      'source-layer': 'water_name',
      minzoom: 11,
      layout: text(12, { 'text-letter-spacing': 0.04 }),
      paint: ink(c.waterName),
    },
    {
      id: 'waterway-name',
      type: 'symbol',
      'source-layer': 'waterway',
      minzoom: 13,
      filter: ['has', 'name'],
      layout: text(11.5, { 'symbol-placement': 'line', 'symbol-spacing': 400, 'text-letter-spacing': 0.04 }),
      paint: ink(c.waterName),
    },
    {
      id: 'point',
      type: 'symbol',
      'source-layer': 'point',
      minzoom: 14,
      // The important ones first, and all of them at zooms with room for them.
      filter: ['all', ['<=', ['get', 'rank'], ['step', ['zoom'], 2, 15, 4, 16, 5, 17, 9]], ['!', kinds(...landmarks)]],
      layout: text(11, {
        'symbol-sort-key': ['get', 'rank'],
        'text-padding': 4,
        'text-max-width': 7,
      }),
      paint: ink(c.pointName),
    },
    {
      id: 'landmark',
      type: 'symbol',
      'source-layer': 'point',
      minzoom: 11,
      filter: kinds(...landmarks),
      layout: text(['interpolate', ['linear'], ['zoom'], 12, 11, 17, 13], {
        'text-field': [
          'case',
          ['has', 'height'],
          ['concat', ['coalesce', name, '▲'], '\n', ['to-string', ['get', 'height']], ' m'],
          ['coalesce', name, ''],
        ],
        'symbol-sort-key': ['get', 'rank'],
      }),
      paint: ink(c.transit),
    },
    {
      id: 'quarter',
      type: 'symbol',
      'source-layer': 'place',
      minzoom: 11,
      maxzoom: 17,
      filter: ['>=', ['get', 'rank'], 4],
      layout: text(['interpolate', ['linear'], ['zoom'], 11, 10.5, 16, 14], {
        'symbol-sort-key': ['get', 'rank'],
        'text-letter-spacing': 0.05,
        'text-padding': 8,
      }),
      paint: ink(c.name, 1.6),
    },
    {
      id: 'town',
      type: 'symbol',
      'source-layer': 'place',
      maxzoom: 16,
      filter: ['<', ['get', 'rank'], 4],
      layout: text(
        [
          'interpolate',
          ['linear'],
          ['zoom'],
          6,
          ['match', ['get', 'rank'], 1, 13, 11],
          14,
          ['match', ['get', 'rank'], 1, 22, 2, 18, 15],
        ],
        { 'symbol-sort-key': ['get', 'rank'], 'text-padding': 6 },
      ),
      paint: ink(c.placeName, 1.8),
    },
  ];
  return { ground, names };
}
