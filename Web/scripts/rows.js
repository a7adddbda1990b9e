// Positions as the engine takes them: rows of seven little-endian doubles.

export const width = 7;

/** @param {{latitude, longitude, accuracy?, measured, received?, speed?, course?}[]} fixes degrees, metres, ms, m/s */
export function rows(fixes) {
  const bytes = new Uint8Array(fixes.length * width * 8);
  const view = new DataView(bytes.buffer);
  fixes.forEach((fix, index) => {
    const numbers = [
      fix.latitude, fix.longitude, fix.accuracy ?? NaN, fix.measured, fix.received ?? fix.measured, fix.speed ?? NaN, fix.course ?? NaN,
    ];
    numbers.forEach((number, place) => view.setFloat64((index * width + place) * 8, number, true));
  });
  return bytes;
}

/** A position of the browser. */
export const fix = ({ coords, timestamp }, received) => ({
  latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy, measured: Math.round(timestamp),
  received, speed: coords.speed, course: Number.isNaN(coords.heading) ? null : coords.heading,
});

/** The track points of a GPX file, in file order; those without a time are counted in `untimed`. */
export function readGPX(text) {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  if (document.querySelector('parsererror')) throw new Error('This is not a GPX file: its markup is broken.');
  const points = [...document.getElementsByTagNameNS('*', 'trkpt'), ...document.getElementsByTagNameNS('*', 'rtept')];
  const fixes = [];
  let untimed = 0;
  for (const point of points) {
    const time = Date.parse(point.getElementsByTagNameNS('*', 'time')[0]?.textContent ?? '');
    if (Number.isNaN(time)) { untimed += 1; continue; }
    fixes.push({ latitude: Number(point.getAttribute('lat')), longitude: Number(point.getAttribute('lon')), measured: time });
  }
  return { fixes, untimed };
}
