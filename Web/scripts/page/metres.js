// Distances and directions on a sphere, for people to read and for an order; what decides an alarm the engine measures.

const radius_m = 6_371_008;
const radians = Math.PI / 180;

/** How many metres a CSS pixel is, at a latitude and zoom: the world is 512 pixels wide at zoom 0. */
export const pixel_m = (latitude, zoom) => (40_075_017 / 512 / 2 ** zoom) * Math.cos(latitude * radians);

/** Metres between two places, latitude first. */
export function apart_m([a, b], [c, d]) {
  const up = Math.sin(((c - a) * radians) / 2);
  const across = Math.sin(((d - b) * radians) / 2);
  const square = up * up + Math.cos(a * radians) * Math.cos(c * radians) * across * across;
  return 2 * radius_m * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** Degrees clockwise from north, from the first place to the second. */
export function bearing_deg([a, b], [c, d]) {
  const turn = (d - b) * radians;
  const east = Math.sin(turn) * Math.cos(c * radians);
  const north =
    Math.cos(a * radians) * Math.sin(c * radians) - Math.sin(a * radians) * Math.cos(c * radians) * Math.cos(turn);
  return (Math.atan2(east, north) / radians + 360) % 360;
}
