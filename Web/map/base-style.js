// How the base map looks, light and dark. Its data is `map/world.pmtiles`, made by Scripts/make-base-map: layers `land`,
// `country` (points with `name`, `rank`) and `city` (points with `name`, `rank`). No glyphs: text is drawn with the
// fonts of the device, so nothing has to be fetched for it.

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
 * @param {{isDark: boolean, base?: 'tiles'|'world'|'none', tiles?: {url: string, attribution?: string}}} look `tiles` are
 *   raster tiles of the person's own choice, laid over the countries unless `base` is another; `none` is plain ground
 */
export function baseStyle({ isDark, base = 'tiles', tiles }) {
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
  if (base === 'tiles' && tiles?.url) {
    style.sources.tiles = { type: 'raster', tiles: [tiles.url], tileSize: 256, attribution: tiles.attribution ?? '' };
    style.layers.push({
      id: 'tiles',
      type: 'raster',
      source: 'tiles',
      paint: isDark ? { 'raster-brightness-max': 0.7, 'raster-saturation': -0.3 } : {},
    });
  }
  return style;
}
