// How much of the world a map shows: its range, metres from the middle to the nearer side.
import { pixel_m } from '../scripts/page/metres.js';

export function rangeOf(map) {
  const { clientWidth: width, clientHeight: height } = map.getContainer();
  return (Math.min(width, height) / 2) * pixel_m(map.getCenter().lat, map.getZoom());
}

/** The last range is kept on the device (S44); the first is a setting, where somebody has chosen one. */
export async function keptRange(app) {
  const chosen = app.settings.map_selector_range_km;
  return (await app.storage.kept('map_range_m')) ?? (chosen && chosen * 1000);
}
export const keepRange = (app, map) => app.storage.keep('map_range_m', rangeOf(map));

/** The range around oneself while there are no zones (S43, S164). */
export const firstRange_m = 500_000;

/** So many zones are fitted at most, besides oneself. */
const mostFitted = 8;
/** Zones are left out that are so many times as far as the nearest; and none that is nearer than so many metres. */
const farther = 10;
const near_m = 5_000;

/** The box of oneself and the zones around, for a map that nobody has moved yet; undefined without zones. */
export function surroundings(app, place) {
  const { rows } = app.ask('locate', { place, count: mostFitted });
  const farthest = Math.max(near_m, farther * (rows[0]?.distance_m ?? 0));
  const boxes = rows
    .filter((row) => row.distance_m <= farthest)
    .map(({ id }) => app.ask('draw', { zone: app.zoneOf(id), tolerance_m: 10, coarse: true }))
    .filter(({ problem }) => !problem);
  if (!boxes.length) return undefined;
  const [latitude, longitude] = place;
  // On the turn of the world on which oneself is.
  const turned = boxes.map(({ west, east }) => {
    const turns = 360 * Math.round((longitude - (west + east) / 2) / 360);
    return [west + turns, east + turns];
  });
  return [
    [Math.min(latitude, ...boxes.map(({ south }) => south)), Math.min(longitude, ...turned.map(([west]) => west))],
    [Math.max(latitude, ...boxes.map(({ north }) => north)), Math.max(longitude, ...turned.map(([, east]) => east))],
  ];
}

/** Zones that are fitted keep clear of the tools; a single one is not shown larger than its surroundings. */
export const fitted = { margin: { top: 96, right: 84, bottom: 64, left: 44 }, most: 15 };
