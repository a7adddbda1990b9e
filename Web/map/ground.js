// What lies below the zones: streets of this server where they reach, the world elsewhere, or what a person has chosen.
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
 * @param {{map_base?: string, tile_url?: string, tile_attribution?: string}} settings
 * @param {{regions: object[], public_maps?: boolean}} streets
 * @param {{center: [number, number], zoom: number}} view latitude first
 * @returns {{base: 'tiles'|'world'|'none', tiles?: {url: string, attribution?: string, maximum_zoom?: number}}}
 */
export function groundOf({ map_base: base, tile_url: url, tile_attribution: attribution }, streets, { center, zoom }) {
  if (base === 'none' || base === 'world') return { base };
  if (base === 'public' && streets.public_maps) {
    // Where this server has streets nobody else hears what is looked at.
    const isNeeded = zoom >= publicZoom && !reaches(streets, center);
    return isNeeded ? { base: 'tiles', tiles: publicMap } : { base: 'world' };
  }
  return url ? { base: 'tiles', tiles: { url, attribution } } : { base: 'world' };
}

/** Whether streets would be looked for here, and there are none. */
export const lacksStreets = (settings, streets, view) =>
  streets.public_maps === true &&
  view.zoom >= streetZoom &&
  !['none', 'public'].includes(settings.map_base) &&
  (settings.map_base === 'world' || !settings.tile_url) &&
  !reaches(streets, view.center);
