// Tracks of other programs as rows of numbers: GPX, KML (gx:Track), GeoJSON, CSV. Nothing is judged here: a number that is
// missing stays missing, and the engine refuses the row by name.

const number = (text) => (text === null || text === undefined || String(text).trim() === '' ? NaN : Number(text));
const byName = (node, name) => [...node.getElementsByTagNameNS('*', name)];
const words = (node, name) => byName(node, name)[0]?.textContent.trim();

/**
 * @typedef {{latitude: number, longitude: number, accuracy?: number, speed?: number, course?: number, measured: number}} Fix
 * @typedef {{name: string, fixes: Fix[], untimed: number}} Track `untimed` counts points that say no time
 */

/** Notes a point, unless it has no time: without one it cannot be replayed. */
function collector(name = '') {
  const track = { name, fixes: [], untimed: 0 };
  return {
    track,
    add(fix) {
      if (Number.isFinite(fix.measured)) track.fixes.push(fix); else track.untimed += 1;
    },
  };
}

/** @param {Document} document of a GPX file. @returns {Track} */
export function fromGPX(document) {
  const metadata = byName(document, 'metadata')[0];
  const { track, add } = collector(words(byName(document, 'trk')[0] ?? document, 'name') ?? (metadata && words(metadata, 'name')) ?? '');
  for (const point of [...byName(document, 'trkpt'), ...byName(document, 'rtept')]) {
    const first = (...names) => { for (const name of names) { const found = words(point, name); if (found !== undefined) return found; } return undefined; };
    const fix = {
      latitude: number(point.getAttribute('lat')), longitude: number(point.getAttribute('lon')), measured: Date.parse(first('time') ?? ''),
      // hdop is no accuracy.
      accuracy: number(first('hAcc', 'hacc', 'accuracy', 'horizontalAccuracy')), speed: number(first('speed')), course: number(first('course', 'bearing')),
    };
    const received = Date.parse(first('receivedAt') ?? '');
    add(Number.isFinite(received) ? { ...fix, received } : fix);
  }
  return track;
}

/** @param {Document} document of a KML file. @returns {Track} */
export function fromKML(document) {
  const { track, add } = collector(words(document, 'name'));
  for (const line of byName(document, 'Track')) {
    const times = byName(line, 'when').map((when) => Date.parse(when.textContent.trim()));
    byName(line, 'coord').forEach((coordinate, index) => {
      const [longitude, latitude] = coordinate.textContent.trim().split(/\s+/).map(number);
      add({ latitude, longitude, measured: times[index] });
    });
  }
  return track;
}

const instant = (value) => (typeof value === 'number' ? (value < 1e11 ? value * 1000 : value) : Date.parse(value ?? ''));
const timesOf = (properties) => {
  const found = properties?.coordinateProperties?.times ?? properties?.coordTimes ?? properties?.times ?? properties?.timestamps;
  return Array.isArray(found) ? found : null;
};

/** Whether a GeoJSON document has positions in time. */
export const isTrack = (content) => features(content).some(({ geometry, properties }) => geometry?.coordinates
  && (timesOf(properties) || (geometry.type === 'Point' && (properties?.time ?? properties?.timestamp ?? properties?.tst) !== undefined)));

const features = (content) => (Array.isArray(content?.features) ? content.features : content?.type === 'Feature' ? [content] : []);

/** @returns {Track} */
export function fromGeoJSON(content) {
  const { track, add } = collector(content.name);
  const place = ([longitude, latitude]) => ({ latitude: number(latitude), longitude: number(longitude) });
  for (const { geometry, properties } of features(content)) {
    if (geometry?.type === 'Point') {
      const time = properties?.time ?? properties?.timestamp ?? properties?.tst;
      add({ ...place(geometry.coordinates), measured: instant(time), accuracy: number(properties?.accuracy ?? properties?.horizontal_accuracy), speed: number(properties?.speed) });
      continue;
    }
    const lines = geometry?.type === 'LineString' ? [geometry.coordinates] : geometry?.type === 'MultiLineString' ? geometry.coordinates : [];
    const times = timesOf(properties) ?? [];
    lines.forEach((line, part) => line.forEach((position, index) => add({ ...place(position), measured: instant(Array.isArray(times[part]) ? times[part][index] : times[index]) })));
    track.name ||= properties?.name ?? '';
  }
  return track;
}

const columns = {
  latitude: /^(lat|latitude)(_deg)?$/, longitude: /^(lon|lng|long|longitude)(_deg)?$/, measured: /^(time|timestamp|measured_at|datetime|date_time|tst|utc|measured_at_ms)$/,
  accuracy: /^(acc|accuracy|accuracy_m|horizontal_accuracy|hacc)$/, speed: /^(speed|speed_m_s|velocity)$/, course: /^(course|bearing|heading|course_deg)$/,
};

/** A CSV file with a header row. @returns {Track|null} null where the header names no places */
export function fromCSV(text) {
  const lines = text.split(/\r\n|\n|\r/);
  const separator = [',', ';', '\t'].find((each) => lines[0].includes(each)) ?? ',';
  const cells = (line) => line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const header = cells(lines[0].replace(/^\ufeff/, '')).map((name) => name.toLowerCase().replaceAll(' ', '_'));
  const at = Object.fromEntries(Object.entries(columns).map(([name, pattern]) => [name, header.findIndex((cell) => pattern.test(cell))]));
  if (at.latitude < 0 || at.longitude < 0 || at.measured < 0) return null;
  const { track, add } = collector();
  for (const line of lines.slice(1)) {
    if (!line.trim()) continue;
    const found = cells(line);
    const value = (name) => number(at[name] < 0 ? '' : separator === ';' ? found[at[name]]?.replace(',', '.') : found[at[name]]);
    const time = found[at.measured] ?? '';
    add({
      latitude: value('latitude'), longitude: value('longitude'), accuracy: value('accuracy'), speed: value('speed'), course: value('course'),
      measured: /^\d+(\.\d+)?$/.test(time) ? instant(Number(time)) : Date.parse(time),
    });
  }
  return track;
}

const escaped = (text) => text.replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter])
  // Control characters have no place in XML, however they are written.
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');

/** XML Schema's decimal has no exponent. */
const decimal = (value) => (/e/.test(String(value)) ? value.toFixed(20).replace(/0+$/, '') : String(value));

/** GPX 1.1 of fixes, with what the phone said of accuracy, speed and course as all our programs read and write it. */
export function toGPX(name, fixes) {
  const point = ({ latitude, longitude, measured, received, accuracy, speed, course }) => {
    const stated = [['speed', speed], ['course', course], ['hAcc', accuracy]].filter(([, value]) => Number.isFinite(value) && value >= 0).map(([key, value]) => `<${key}>${decimal(value)}</${key}>`);
    if (Number.isFinite(received) && received !== measured) stated.push(`<receivedAt>${new Date(received).toISOString()}</receivedAt>`);
    return `      <trkpt lat="${decimal(latitude)}" lon="${decimal(longitude)}"><time>${new Date(measured).toISOString()}</time>${stated.length ? `<extensions>${stated.join('')}</extensions>` : ''}</trkpt>`;
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
