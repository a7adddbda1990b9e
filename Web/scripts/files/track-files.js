// Tracks of other programs as rows of numbers: GPX, KML (gx:Track), GeoJSON, CSV. Values are not judged here: a missing number
// stays missing, and the engine refuses the row and names the value.

import { degrees, degreesOn, hemisphereColumns, number, plain, time as timeOf } from './numerals.js';

/**
 * @typedef {{latitude: number, longitude: number, accuracy?: number, speed?: number, course?: number, measured: number,
 *   altitude?: number, altitudeError?: number, overSea?: boolean}} Fix
 */

/** Collects points that have a time, and counts those without one, which cannot be replayed. */
export class TrackCollector {
  name = '';
  fixes = [];
  untimed = 0;
  add(fix) {
    if (Number.isFinite(fix.measured)) this.fixes.push(fix);
    else this.untimed += 1;
  }
}

/** The handlers for the elements of a GPX file, called as they end. @param {TrackCollector} track */
export function gpxElements(track) {
  let named = '';
  const point = (node) => {
    const first = (...names) => {
      for (const name of names) {
        const [found] = node.all(name);
        if (found) return found.content;
      }
      return undefined;
    };
    const fix = {
      latitude: degrees(node.attribute('lat')),
      longitude: degrees(node.attribute('lon')),
      measured: timeOf(first('time')),
      // hdop is not an accuracy.
      accuracy: number(first('hAcc', 'hacc', 'accuracy', 'horizontalAccuracy')),
      speed: number(first('speed')),
      course: number(first('course', 'bearing')),
      altitude: number(first('ele')),
      altitudeError: number(first('vAcc', 'vacc', 'verticalAccuracy')),
      overSea: first('eleReference')?.trim() === 'sea_level',
    };
    const received = timeOf(first('receivedAt'));
    track.add(Number.isFinite(received) ? { ...fix, received } : fix);
  };
  return {
    trkpt: point,
    rtept: point,
    // The track's own name takes precedence over the file's.
    trk: (node) => {
      named ||= node.child('name')?.content ?? '';
      track.name = named || track.name;
    },
    metadata: (node) => {
      track.name ||= node.child('name')?.content ?? '';
    },
  };
}

/** Adds the points of a `gx:Track`. @param {TrackCollector} track */
export function kmlTrack(track, node) {
  const times = node.all('when').map((when) => timeOf(when.content));
  // In other modes the altitude is relative to the ground, or ignored.
  const overSea = node.child('altitudeMode')?.content.trim() === 'absolute';
  node.all('coord').forEach((coordinate, index) => {
    const parts = coordinate.content.trim().split(/\s+/);
    // More than three parts are another format: no coordinate is taken.
    const [longitude, latitude] = parts.length > 3 ? [NaN, NaN] : parts.map(degrees);
    const altitude = number(parts[2]);
    track.add({ latitude, longitude, measured: times[index], ...(overSea && { altitude, overSea }) });
  });
}

const instant = (value) => (typeof value === 'number' ? (value < 1e11 ? value * 1000 : value) : timeOf(value));
const timesOf = (properties) => {
  const found =
    properties?.coordinateProperties?.times ?? properties?.coordTimes ?? properties?.times ?? properties?.timestamps;
  return Array.isArray(found) ? found : null;
};

/** True if a GeoJSON document has positions with times. */
export const isTrack = (content) =>
  features(content).some(
    ({ geometry, properties }) =>
      geometry?.coordinates &&
      (timesOf(properties) ||
        (geometry.type === 'Point' && (properties?.time ?? properties?.timestamp ?? properties?.tst) !== undefined)),
  );

const features = (content) =>
  Array.isArray(content?.features) ? content.features : content?.type === 'Feature' ? [content] : [];

/** @returns {TrackCollector} */
export function fromGeoJSON(content) {
  const track = new TrackCollector();
  track.name = content.name ?? '';
  const add = (fix) => track.add(fix);
  const place = ([longitude, latitude, altitude]) => ({
    latitude: degrees(latitude),
    longitude: degrees(longitude),
    altitude: number(altitude),
  });
  for (const { geometry, properties } of features(content)) {
    if (geometry?.type === 'Point') {
      const time = properties?.time ?? properties?.timestamp ?? properties?.tst;
      add({
        ...place(geometry.coordinates),
        measured: instant(time),
        accuracy: number(properties?.accuracy ?? properties?.horizontal_accuracy),
        speed: number(properties?.speed),
        altitude: number(properties?.altitude ?? geometry.coordinates[2]),
        altitudeError: number(properties?.vertical_accuracy ?? properties?.altitude_accuracy),
      });
      continue;
    }
    const lines =
      geometry?.type === 'LineString'
        ? [geometry.coordinates]
        : geometry?.type === 'MultiLineString'
          ? geometry.coordinates
          : [];
    const times = timesOf(properties) ?? [];
    lines.forEach((line, part) =>
      line.forEach((position, index) =>
        add({ ...place(position), measured: instant(Array.isArray(times[part]) ? times[part][index] : times[index]) }),
      ),
    );
    track.name ||= properties?.name ?? '';
  }
  return track;
}

const columns = {
  latitude: /^(lat|latitude|gps_?lat(itude)?|breite(ngrad)?)(_deg)?$/,
  longitude: /^(lon|lng|long|longitude|gps_?(lon|lng|long|longitude)|länge(ngrad)?)(_deg)?$/,
  measured: /^(time|timestamp|measured_at|datetime|date_time|tst|utc|measured_at_ms)$/,
  accuracy: /^(acc|accuracy|accuracy_m|horizontal_accuracy|hacc)$/,
  speed: /^(speed|speed_m_s|velocity)$/,
  course: /^(course|bearing|heading|course_deg)$/,
  altitude: /^(alt|altitude|altitude_m|ele|elevation)$/,
  altitudeError: /^(vacc|vac|vertical_accuracy|vertical_accuracy_m|altitude_accuracy)$/,
};

/** A CSV file with a header row, line by line. */
export class CSVTrack {
  track = new TrackCollector();
  #at;
  #hemispheres;
  #separator;

  /** @returns {CSVTrack|null} null if the header has no column for latitude, longitude or time */
  static of(header) {
    const csv = new CSVTrack();
    csv.#separator = [',', ';', '\t'].find((each) => header.includes(each)) ?? ',';
    const names = csv.#cells(header.replace(/^\ufeff/, '')).map((name) => name.toLowerCase().replaceAll(' ', '_'));
    csv.#at = Object.fromEntries(
      Object.entries(columns).map(([name, pattern]) => [name, names.findIndex((cell) => pattern.test(cell))]),
    );
    csv.#hemispheres = hemisphereColumns(names, csv.#at.latitude, csv.#at.longitude);
    return csv.#at.latitude < 0 || csv.#at.longitude < 0 || csv.#at.measured < 0 ? null : csv;
  }

  #cells(line) {
    if (!line.includes('"')) return line.split(this.#separator).map((cell) => cell.trim());
    // A separator inside quotes does not separate.
    const quoted = new RegExp(
      `(?:^|${this.#separator})\\s*(?:"((?:[^"]|"")*)"\\s*(?=${this.#separator}|$)|([^${this.#separator}]*))`,
      'g',
    );
    return [...line.matchAll(quoted)].map(([, inside, bare]) => (inside?.replaceAll('""', '"') ?? bare).trim());
  }

  take(line) {
    if (!line.trim()) return;
    const found = this.#cells(line);
    const at = this.#at;
    // The degrees of a row show whether commas are decimal marks.
    const hasComma = [at.latitude, at.longitude].some((place) => found[place]?.includes(','));
    const value = (name) => number(at[name] < 0 ? '' : found[at[name]], hasComma);
    const place = (axis) => {
      const column = this.#hemispheres[axis];
      return degreesOn(axis, found[at[axis]], column && (found[column.at] ?? ''), column?.isUnnamed);
    };
    const time = plain(found[at.measured] ?? '').trim();
    this.track.add({
      latitude: place('latitude'),
      longitude: place('longitude'),
      accuracy: value('accuracy'),
      speed: value('speed'),
      course: value('course'),
      altitude: value('altitude'),
      altitudeError: value('altitudeError'),
      measured: Number.isNaN(number(time)) ? timeOf(time) : instant(number(time)),
    });
  }
}

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
