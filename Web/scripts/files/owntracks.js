// Recordings of OwnTracks Recorder as tracks (`.rec`).
import { degrees, number as read } from './numerals.js';

/** True if a JSON file is from OwnTracks and has regions, which it calls waypoints. */
export const looksLikeWaypoints = (text) => /"_type"/.test(text) && /waypoint/i.test(text);

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
