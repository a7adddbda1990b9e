// OwnTracks files: regions as zones (`.otrw`, `.otrc`), and recordings of its Recorder as tracks (`.rec`).
import { degrees, number as read } from './numerals.js';

/** True if a JSON file is from OwnTracks and has regions, which it calls waypoints. */
export const looksLikeWaypoints = (text) => /"_type"/.test(text) && /waypoint/i.test(text);

/** The list of waypoints in a message; undefined if it has none. */
function waypoints(content, depth = 0) {
  if (Array.isArray(content)) return content;
  if (content === null || typeof content !== 'object' || depth > 2) return undefined;
  if (content._type === 'waypoint') return [content];
  return waypoints(content.waypoints, depth + 1) ?? waypoints(content.configuration, depth + 1);
}

const number = (value) =>
  typeof value === 'number'
    ? value
    : /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(typeof value === 'string' ? value : '')
      ? Number(value)
      : NaN;

/** The allowed range of a size. */
const [least_m, most_m] = [0.01, 10_000_000];

/** @returns {{zones: object[], issues: {zone: string, error: boolean, why: string}[]}|undefined} undefined if there are no waypoints */
export function fromWaypoints(content) {
  const found = waypoints(content);
  if (!found) return undefined;
  const result = { zones: [], issues: [] };
  for (const each of found) {
    const name = typeof each?.desc === 'string' ? each.desc : '';
    const [latitude, longitude, radius_m] = [each?.lat, each?.lon, each?.rad].map(number);
    const isOther = each?._type !== undefined && each._type !== 'waypoint';
    if (isOther || !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360)) {
      // It may be a beacon.
      result.issues.push({ zone: name, error: true, why: 'no_geometry' });
      continue;
    }
    if (radius_m === 0) {
      result.issues.push({ zone: name, error: true, why: 'no_region' });
      continue;
    }
    const hasSize = radius_m >= least_m && radius_m <= most_m;
    if (!hasSize) result.issues.push({ zone: name, error: false, why: 'bad_radius' });
    const time = number(each.tst);
    const stated = typeof each.rid === 'string' ? each.rid : Number.isFinite(time) ? `${name}@${time}` : undefined;
    result.zones.push({
      name,
      category: '',
      outline: 'locations',
      places: [[latitude, longitude]],
      edges: 'geodesic',
      ...(hasSize && { size_m: radius_m }),
      ...(stated && { stated }),
    });
  }
  return result;
}

/** A time in ms. Overland, when it writes OwnTracks messages, counts seconds from 2001-01-01. */
const instant = (seconds) => (seconds >= 1 && seconds < 1e9 ? seconds + 978_307_200 : seconds) * 1000;

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Blanks control characters, which Recorder writes inside a message as two hexadecimal digits; no JSON number looks like them. */
const withoutHexControls = (text) =>
  text.replace(/"(?:\\.|[^"\\])*"| 0[09AD](?![\w.])/gi, (found) => (found.startsWith('"') ? found : '   '));

/**
 * Adds a line of a recording to the track: the time of receipt, the kind, and the message.
 * @param {import('./track-files.js').TrackCollector} track
 */
export function takeRecorded(track, line) {
  const start = line.indexOf('{');
  if (start < 0) return;
  const message = parsed(line.slice(start)) ?? parsed(withoutHexControls(line.slice(start)));
  if (message === undefined) return;
  if (message._type !== undefined && message._type !== 'location') return;
  const received = Date.parse(/^\S*/.exec(line)[0]);
  const known = (value) => (value >= 0 ? value : NaN);
  track.add({
    latitude: degrees(message.lat),
    longitude: degrees(message.lon),
    measured: instant(read(message.tst)),
    ...(Number.isFinite(received) && { received }),
    accuracy: read(message.acc),
    speed: known(read(message.vel)) / 3.6,
    course: known(read(message.cog)),
    altitude: read(message.alt),
    altitudeError: read(message.vac),
  });
}
