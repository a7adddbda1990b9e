// The range of a map: the distance in metres from its center to the nearer side.
import { pixel_m } from '../scripts/page/metres.js';

export function rangeOf(map) {
  const { clientWidth: width, clientHeight: height } = map.getContainer();
  return (Math.min(width, height) / 2) * pixel_m(map.getCenter().lat, map.getZoom());
}

/** The last range is stored on the device (S44). The first range is a setting, if the person has chosen one. */
export async function keptRange(app) {
  const chosen = app.settings.map_selector_range_km;
  return (await app.storage.kept('map_range_m')) ?? (chosen && chosen * 1000);
}
export const keepRange = (app, map) => app.storage.keep('map_range_m', rangeOf(map));

/** The range around the own position while there are no zones (S43, S164), in metres. */
export const firstRange_m = 500_000;

/** The largest number of zones that are fitted into the view. */
const mostFitted = 8;
/** A zone is fitted if it is at most `farther` times as far away as the nearest one, or within `near_m` metres. */
const farther = 10;
const near_m = 5_000;

/** The bounding box of the own position and the zones around it, for a map that was not moved yet; undefined without zones. */
export function surroundings(app, place) {
  const { rows } = app.ask('locate', { place, count: mostFitted });
  const farthest = Math.max(near_m, farther * (rows[0]?.distance_m ?? 0));
  const boxes = rows
    .filter((row) => row.distance_m <= farthest)
    .map(({ id }) => app.ask('draw', { zone: app.zoneOf(id), tolerance_m: 10, coarse: true }))
    .filter(({ problem }) => !problem);
  if (!boxes.length) return undefined;
  const [latitude, longitude] = place;
  // Moves each box by whole turns of the world, to the turn of the own position.
  const turned = boxes.map(({ west, east }) => {
    const turns = 360 * Math.round((longitude - (west + east) / 2) / 360);
    return [west + turns, east + turns];
  });
  return [
    [Math.min(latitude, ...boxes.map(({ south }) => south)), Math.min(longitude, ...turned.map(([west]) => west))],
    [Math.max(latitude, ...boxes.map(({ north }) => north)), Math.max(longitude, ...turned.map(([, east]) => east))],
  ];
}

/** Fitted zones stay clear of the tools. The zoom limit shows the surroundings of a single small zone. */
export const fitted = { margin: { top: 96, right: 84, bottom: 64, left: 44 }, most: 15 };
