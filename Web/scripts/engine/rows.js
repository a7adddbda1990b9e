// Positions in the engine's format: rows of ten little-endian doubles.

export const width = 10;
export const rowBytes = 8 * width;
/** The number of doubles in a row before rows had heights. */
const formerWidth = 7;

/** @typedef {{latitude, longitude, accuracy?, measured, received?, speed?, course?, altitude?, altitudeError?, overSea?}} Fix degrees,
 *    metres, ms, m/s; `overSea`: the altitude is above sea level; if false, it may be above the ellipsoid */

/** @param {Fix[]} fixes */
export function rows(fixes) {
  const bytes = new Uint8Array(fixes.length * width * 8);
  const view = new DataView(bytes.buffer);
  fixes.forEach((fix, index) => {
    const numbers = [
      fix.latitude,
      fix.longitude,
      fix.accuracy ?? NaN,
      fix.measured,
      fix.received ?? fix.measured,
      fix.speed ?? NaN,
      fix.course ?? NaN,
      fix.altitude ?? NaN,
      fix.altitudeError ?? NaN,
      fix.overSea ? 0 : 1,
    ];
    numbers.forEach((number, place) => view.setFloat64((index * width + place) * 8, number, true));
  });
  return bytes;
}

/** A fix from a position of the browser. Browsers state heights above the ellipsoid or above the sea without saying which. */
export const fix = ({ coords, timestamp }, received) => ({
  latitude: coords.latitude,
  longitude: coords.longitude,
  accuracy: coords.accuracy,
  measured: Math.round(timestamp),
  received,
  speed: coords.speed,
  course: Number.isNaN(coords.heading) ? null : coords.heading,
  altitude: coords.altitude,
  altitudeError: coords.altitudeAccuracy,
});

/**
 * Reads the output of `rows`; unknown values are NaN.
 * @param {number} [written] the number of doubles in a row, if not today's
 * @returns {Fix[]}
 */
export function fromRows(bytes, written = width) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / (written * 8)) }, (_, index) => {
    const number = (place) => (place < written ? view.getFloat64((index * written + place) * 8, true) : NaN);
    return {
      latitude: number(0),
      longitude: number(1),
      accuracy: number(2),
      measured: number(3),
      received: number(4),
      speed: number(5),
      course: number(6),
      altitude: number(7),
      altitudeError: number(8),
      overSea: number(9) === 0,
    };
  });
}

/** The fixes of a stored piece of history, also of one stored before rows had heights. */
export const fromPiece = ({ rows: bytes, width: written = formerWidth }) => fromRows(bytes, written);
