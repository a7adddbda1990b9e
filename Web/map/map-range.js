// How much of the world a map shows: its range, metres from the middle to the nearer side.

export function rangeOf(map) {
  const { clientWidth: width, clientHeight: height } = map.getContainer();
  const pixel_m = 40_075_017 / 512 / 2 ** map.getZoom() * Math.cos(map.getCenter().lat * Math.PI / 180);
  return Math.min(width, height) / 2 * pixel_m;
}

/** The last range is kept on the device (S44); the first is a setting (S43, S164). */
export const keptRange = async (app) => (await app.storage.kept('map_range_m')) ?? (app.settings.map_selector_range_km ?? 500) * 1000;
export const keepRange = (app, map) => app.storage.keep('map_range_m', rangeOf(map));
