// A track as a GPX file, in the form that the program writes (`GPXWriter`).

/**
 * @typedef {{latitude: number, longitude: number, accuracy?: number, speed?: number, course?: number, measured: number,
 *   received?: number, altitude?: number, altitudeError?: number, overSea?: boolean}} Fix
 */

const escaped = (text) =>
  text
    .replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter])
    // XML does not allow control characters, not even as character references.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');

/** A decimal number of XML Schema, which has no exponent. */
const decimal = (value) => (/e/.test(String(value)) ? value.toFixed(20).replace(/0+$/, '') : String(value));

/** GPX 1.1 of fixes, with the phone's accuracy, speed and course, in the form that all our programs read and write. */
export function toGPX(name, fixes) {
  const point = ({ latitude, longitude, measured, received, accuracy, speed, course, ...height }) => {
    const stated = [
      ['speed', speed],
      ['course', course],
      ['hAcc', accuracy],
      ['vAcc', height.altitudeError],
    ]
      .filter(([, value]) => Number.isFinite(value) && value >= 0)
      .map(([key, value]) => `<${key}>${decimal(value)}</${key}>`);
    const isHigh = Number.isFinite(height.altitude);
    if (isHigh && height.overSea) stated.push('<eleReference>sea_level</eleReference>');
    if (Number.isFinite(received) && received !== measured)
      stated.push(`<receivedAt>${new Date(received).toISOString()}</receivedAt>`);
    const more = stated.length ? `<extensions>${stated.join('')}</extensions>` : '';
    const [place, time] = [`lat="${decimal(latitude)}" lon="${decimal(longitude)}"`, new Date(measured).toISOString()];
    const ele = isHigh ? `<ele>${decimal(height.altitude)}</ele>` : '';
    return `      <trkpt ${place}>${ele}<time>${time}</time>${more}</trkpt>`;
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Proximity Alarm" xmlns="http://www.topografix.com/GPX/1/1">
  <trk>
    <name>${escaped(name)}</name>
    <trkseg>
${fixes.map(point).join('\n')}
    </trkseg>
  </trk>
</gpx>
`;
}
