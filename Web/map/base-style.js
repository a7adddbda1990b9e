// How the base map looks, light and dark. Its data is `map/world.pmtiles`, made by Scripts/page/base-map.py: layers `land`,
// `country` (points with `name`, `rank`) and `city` (points with `name`, `rank`); and the server's streets, where it has
// some. No glyphs: text is drawn with the fonts of the device, so nothing has to be fetched for it.
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

/**
 * @param {{isDark: boolean, base?: 'tiles'|'world'|'none', tiles?: {url: string, attribution?: string, maximum_zoom?: number},
 *   streets?: {tiles?: string, zooms?: {least: number, most: number}, attribution?: string, regions: {bounds: number[]}[]}}} look `tiles` are
 *   raster tiles of the person's own choice, laid over the countries unless `base` is another; `none` is plain ground;
 *   `streets` is what `knownStreets` says of this server
 */
export function baseStyle({ isDark, base = 'tiles', tiles, streets }) {
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
        url: `pmtiles://${new URL('map/world.pmtiles', document.baseURI)}`,
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
  const isCovered = base === 'tiles' && tiles?.url;
  if (streets?.tiles && !isCovered) addStreets(style, streets, isDark);
  if (isCovered) {
    style.sources.tiles = {
      type: 'raster',
      tiles: [tiles.url],
      tileSize: 256,
      attribution: tiles.attribution ?? '',
      ...(tiles.maximum_zoom && { maxzoom: tiles.maximum_zoom }),
    };
    style.layers.push({
      id: 'tiles',
      type: 'raster',
      source: 'tiles',
      paint: isDark ? { 'raster-brightness-max': 0.7, 'raster-saturation': -0.3 } : {},
    });
  }
  return style;
}

/** Streets lie over the world, names over both; the world's towns are not named again where the streets name them. */
function addStreets(style, { zooms, attribution, regions }, isDark) {
  style.sources.streets = {
    type: 'vector',
    // `streetTiles` answers.
    tiles: ['streets://{z}/{x}/{y}'],
    minzoom: zooms.least,
    maxzoom: zooms.most,
    attribution,
  };
  const { ground, names } = streetLayers(isDark, fonts);
  const own = (layer) => ({ ...layer, source: 'streets' });
  const at = style.layers.findIndex(({ id }) => id === 'country');
  style.layers.splice(at, 0, ...ground.map(own));
  style.layers.push(...names.map(own));
  style.layers.find(({ id }) => id === 'city').filter = ['!', ['within', areaOf(regions)]];
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
