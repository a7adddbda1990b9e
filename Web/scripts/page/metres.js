// Distances and directions on a sphere, for display and sorting; the engine measures those that decide an alarm.

const radius_m = 6_371_008;
const radians = Math.PI / 180;

/** The metres per CSS pixel at a latitude and zoom: the world is 512 pixels wide at zoom 0. */
export const pixel_m = (latitude, zoom) => (40_075_017 / 512 / 2 ** zoom) * Math.cos(latitude * radians);

/** The distance in metres between two places, each with latitude first. */
export function apart_m([a, b], [c, d]) {
  const up = Math.sin(((c - a) * radians) / 2);
  const across = Math.sin(((d - b) * radians) / 2);
  const square = up * up + Math.cos(a * radians) * Math.cos(c * radians) * across * across;
  return 2 * radius_m * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** The direction from the first place to the second, in degrees clockwise from north. */
export function bearing_deg([a, b], [c, d]) {
  const turn = (d - b) * radians;
  const east = Math.sin(turn) * Math.cos(c * radians);
  const north =
    Math.cos(a * radians) * Math.sin(c * radians) - Math.sin(a * radians) * Math.cos(c * radians) * Math.cos(turn);
  return (Math.atan2(east, north) / radians + 360) % 360;
}
