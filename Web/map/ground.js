// Chooses the base map: this server's streets in their regions, the world map elsewhere, or the person's own choice.
import { keyOfGround } from './archives/chosen-ground.js';
import { reaches } from './streets/streets.js';

/** OpenStreetMap's public tiles, drawn only for people who asked for them. */
export const publicMap = {
  url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  attribution: '© OpenStreetMap contributors',
  maximum_zoom: 19,
};
/** The lowest zoom at which streets show more than the world map. */
const streetZoom = 12;
const publicZoom = 5;

/**
 * The base map for a view.
 * @param {{map_base?: string, map_file?: string, tile_url?: string, tile_attribution?: string}} settings
 * @param {{regions: object[], public_maps?: boolean}} streets
 * @param {{center: [number, number], zoom: number}} view latitude first
 * @param {object} [opened] the result of `ChosenGround.of` for these settings; until there is one, the world is drawn
 * @returns {{base: 'tiles'|'world'|'none'|'archive'|'style', key?: string, tiles?: {url: string, attribution?: string,
 *   maximum_zoom?: number}, description?: object, style?: object}}
 */
export function groundOf(settings, streets, { center, zoom }, opened) {
  const { map_base: base, tile_url: url, tile_attribution: attribution } = settings;
  if (base === 'none' || base === 'world') return { base };
  if (base === 'public' && streets.public_maps) {
    // Where this server has streets, no other server learns which place is viewed.
    const isNeeded = zoom >= publicZoom && !reaches(streets, center);
    return isNeeded ? { base: 'tiles', tiles: publicMap } : { base: 'world' };
  }
  if (keyOfGround(settings)) {
    if (!opened) return { base: 'world' };
    const { key, description, style } = opened;
    return style ? { base: 'style', key, style, attribution } : { base: 'archive', key, description, attribution };
  }
  return url && base !== 'file' ? { base: 'tiles', tiles: { url, attribution } } : { base: 'world' };
}

/** True if the view shows a place at the zoom of streets, but no streets. */
export const lacksStreets = (settings, streets, view) =>
  streets.public_maps === true &&
  view.zoom >= streetZoom &&
  !['none', 'public', 'file'].includes(settings.map_base) &&
  (settings.map_base === 'world' || !settings.tile_url) &&
  !reaches(streets, view.center);
