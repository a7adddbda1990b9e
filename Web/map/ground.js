// What lies below the zones: streets of this server where they reach, the world elsewhere, or what a person has chosen.
import { keyOfGround } from './archives/chosen-ground.js';
import { reaches } from './streets/streets.js';

/** OpenStreetMap's own map, for who asked for it. */
export const publicMap = {
  url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  attribution: '© OpenStreetMap contributors',
  maximum_zoom: 19,
};
/** Farther out the world map says as much as any other. */
const streetZoom = 12;
const publicZoom = 5;

/**
 * @param {{map_base?: string, map_file?: string, tile_url?: string, tile_attribution?: string}} settings
 * @param {{regions: object[], public_maps?: boolean}} streets
 * @param {{center: [number, number], zoom: number}} view latitude first
 * @param {object} [opened] what `ChosenGround.of` these settings has; until it is there, the world is drawn
 * @returns {{base: 'tiles'|'world'|'none'|'archive'|'style', key?: string,
 *   tiles?: {url: string, attribution?: string, maximum_zoom?: number}, description?: object, style?: object}}
 */
export function groundOf(settings, streets, { center, zoom }, opened) {
  const { map_base: base, tile_url: url, tile_attribution: attribution } = settings;
  if (base === 'none' || base === 'world') return { base };
  if (base === 'public' && streets.public_maps) {
    // Where this server has streets nobody else hears what is looked at.
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

/** True if streets would be looked for here, and there are none. */
export const lacksStreets = (settings, streets, view) =>
  streets.public_maps === true &&
  view.zoom >= streetZoom &&
  !['none', 'public', 'file'].includes(settings.map_base) &&
  (settings.map_base === 'world' || !settings.tile_url) &&
  !reaches(streets, view.center);
