// How much of the world a map shows: its range, metres from the middle to the nearer side.
import { pixel_m } from './pixel.js';

export function rangeOf(map) {
  const { clientWidth: width, clientHeight: height } = map.getContainer();
  return (Math.min(width, height) / 2) * pixel_m(map.getCenter().lat, map.getZoom());
}

/** The last range is kept on the device (S44); the first is a setting (S43, S164). */
export const keptRange = async (app) =>
  (await app.storage.kept('map_range_m')) ?? (app.settings.map_selector_range_km ?? 500) * 1000;
export const keepRange = (app, map) => app.storage.keep('map_range_m', rangeOf(map));
