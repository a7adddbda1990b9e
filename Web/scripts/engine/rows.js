// Positions as the engine takes them: rows of seven little-endian doubles.

export const width = 7;
export const rowBytes = 8 * width;

/** @param {{latitude, longitude, accuracy?, measured, received?, speed?, course?}[]} fixes degrees, metres, ms, m/s */
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
    ];
    numbers.forEach((number, place) => view.setFloat64((index * width + place) * 8, number, true));
  });
  return bytes;
}

/** A position of the browser. */
export const fix = ({ coords, timestamp }, received) => ({
  latitude: coords.latitude,
  longitude: coords.longitude,
  accuracy: coords.accuracy,
  measured: Math.round(timestamp),
  received,
  speed: coords.speed,
  course: Number.isNaN(coords.heading) ? null : coords.heading,
});

/** What `rows` wrote: what was not known is NaN. */
export function fromRows(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / (width * 8)) }, (_, index) => {
    const number = (place) => view.getFloat64((index * width + place) * 8, true);
    return {
      latitude: number(0),
      longitude: number(1),
      accuracy: number(2),
      measured: number(3),
      received: number(4),
      speed: number(5),
      course: number(6),
    };
  });
}
