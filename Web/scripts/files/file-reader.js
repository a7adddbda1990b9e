// Reads a file by content, whatever its name: its zones as forms, or its track. Piece by piece, in a thread of its own.
import { Refused } from '../engine/engine.js';
import { FileProblem } from './file-problem.js';
import {
  CSVTrack,
  fromGeoJSON as trackOfGeoJSON,
  gpxElements,
  isTrack,
  kmlTrack,
  TrackCollector,
} from './track-files.js';
import { looksLikeWaypoints, takeRecorded } from './owntracks.js';
import { XMLProblem, XMLReader } from './xml.js';
import { t } from '../words/translate.js';

const piece_bytes = 2 ** 20;

/**
 * @param {File} file
 * @param {{engine, readers: () => Promise<object>, told: (bytes: number) => void, zones: (forms: object[]) => void, issues: (issues: object[]) => void}} what
 *   `readers` loads the module that reads zones of other programs (`FileEngine`); `zones` and `issues` take the results in
 *   portions; `told` gets the number of bytes read
 * @returns {Promise<TrackCollector|undefined>} the track, if the file holds one
 * @throws {FileProblem}
 */
export async function readFile(file, what) {
  if (await isFIT(file))
    throw new FileProblem(t`${file.name} is a FIT file, which cannot be read. Export it as GPX or TCX.`);
  const beginning = new TextDecoder('utf-8')
    .decode(await file.slice(0, 65_536).arrayBuffer())
    .replaceAll('\0', '')
    .trimStart();
  if (beginning.startsWith('<')) return readXML(file, beginning, what);
  if (/\.rec(\.txt)?$/i.test(file.name)) return readRecording(file, what);
  if (/^[{[]/.test(beginning)) return readJSON(file, looksLikeWaypoints(beginning), what);
  if (!/\.pad$/i.test(file.name) && !/^\s*"?alertzone/im.test(beginning)) {
    const csv = CSVTrack.of(beginning.split(/\r\n|\n|\r/, 1)[0]);
    if (csv) return readCSV(file, csv, what);
    if (/\.(air|openair)$/i.test(file.name) || looksLikeOpenAir(beginning)) {
      await readZones(file, pieces(file, what.told), 'openair', what);
      return undefined;
    }
    if (/"_type"/.test(beginning)) return readRecording(file, what);
  }
  if (beginning.startsWith('PK'))
    throw new FileProblem(t`${file.name} is an archive. Unpack it and choose the file inside.`);
  return readPAD(file, what);
}

/** True if a file is a FIT file, as the program decides (Sources/Formats/Text/ByteSource.swift): a header of 12 or 14 bytes with ".FIT". */
async function isFIT(file) {
  const [size, ...rest] = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return (size === 12 || size === 14) && String.fromCharCode(...rest.slice(7)) === '.FIT';
}

/** True if a text begins like an OpenAir file: with lines that name a class or an airspace. */
const looksLikeOpenAir = (text) => /^a[cn] /im.test(text);

const encoding = (beginning) => {
  const [, named = 'utf-8'] = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(beginning) ?? [];
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return 'utf-8';
  }
};

async function* pieces(file, told) {
  for (let from = 0; from < file.size; from += piece_bytes) {
    const bytes = new Uint8Array(await file.slice(from, from + piece_bytes).arrayBuffer());
    yield bytes;
    told(Math.min(file.size, from + piece_bytes));
  }
}

async function* texts(file, named, told) {
  const decoder = new TextDecoder(named);
  for await (const bytes of pieces(file, told)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

async function readPAD(file, { engine, told, zones, issues }) {
  for await (const bytes of pieces(file, told)) zones(engine.ask('read_pad', { bytes, more: true }).zones);
  const last = engine.ask('read_pad', { bytes: new Uint8Array() });
  zones(last.zones);
  issues(last.issues);
}

async function readXML(file, beginning, what) {
  const named = encoding(beginning);
  const isKML = /<(?:[\w-]+:)?kml[\s>]/i.test(beginning);
  if (isKML && !(await holds(file, named, /<(?:[\w-]+:)?Track[\s>]/))) {
    await readZones(file, unicode(file, named, what.told), 'kml', what);
    return undefined;
  }
  const track = new TrackCollector();
  const reader = new XMLReader({
    ...gpxElements(track),
    Track: (node) => kmlTrack(track, node),
    Placemark: (node) => {
      track.name ||= node.child('name')?.content ?? '';
    },
  });
  try {
    for await (const text of texts(file, named, what.told)) reader.feed(text);
    reader.finish();
  } catch (error) {
    if (error instanceof XMLProblem) throw new FileProblem(t`${file.name} is broken: ${error.message}.`);
    throw error;
  }
  const kind = reader.root.name;
  if (kind !== 'gpx' && kind !== 'kml')
    throw new FileProblem(t`${file.name} holds <${kind}>. Only GPX and KML can be read.`);
  return track;
}

/** A file's bytes in Unicode, where its encoding is one that the readers of the program do not know. */
async function* unicode(file, named, told) {
  if (/^(utf-|windows-1252)/.test(named)) {
    yield* pieces(file, told);
    return;
  }
  const encoder = new TextEncoder();
  let isFirst = true;
  for await (const text of texts(file, named, told)) {
    yield encoder.encode(isFirst ? text.replace(/^\s*<\?xml[^>]*\?>/, '') : text);
    isFirst = false;
  }
}

/** True if a file's text has a place that matches the pattern, which is of at most 100 letters. */
async function holds(file, named, pattern) {
  let end = '';
  for await (const text of texts(file, named, () => undefined)) {
    if (pattern.test(end + text)) return true;
    end = text.slice(-100);
  }
  return false;
}

const damaged = (file) => new FileProblem(t`${file.name} is damaged or cut off: no zone in it can be read.`);

/**
 * Reads zones of another program by the module of the same readers as the program has.
 * @param {AsyncIterable<Uint8Array>} given the file's bytes
 * @param {'geojson'|'kml'|'openair'|'owntracks'} format
 * @returns {Promise<{zones: number, whys: Set<string>}>} how many zones were read, and what kinds of issues there are
 * @throws {FileProblem} if nothing can be read
 */
async function readZones(file, given, format, { readers, zones, issues }) {
  const engine = await readers();
  const found = { zones: 0, whys: new Set() };
  const take = (read) => {
    for (;;) {
      found.zones += read.zones.length;
      for (const { why } of read.issues) found.whys.add(why);
      zones(read.zones);
      issues(read.issues);
      if (!read.more) return;
      read = engine.ask('more_zones');
    }
  };
  try {
    take(engine.ask('read_zones', { format, bytes: new Uint8Array() }));
    for await (const bytes of given) take(engine.ask('read_zones', { bytes }));
    take(engine.ask('read_zones', { bytes: new Uint8Array(), last: true }));
  } catch (error) {
    throw error instanceof Refused ? damaged(file) : error;
  }
  return found;
}

async function readRecording(file, { told }) {
  const track = new TrackCollector();
  let rest = '';
  for await (const text of texts(file, 'utf-8', told)) {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) takeRecorded(track, line);
  }
  takeRecorded(track, rest);
  return track;
}

/** The complete features of a damaged GeoJSON text, up to the damage. */
function wholeFeatures(text) {
  const features = [];
  const list = /"features"\s*:\s*\[/.exec(text);
  let depth = 0;
  let begin = 0;
  let isText = false;
  for (let at = list ? list.index + list[0].length : text.length; at < text.length; at++) {
    const letter = text[at];
    if (isText) {
      if (letter === '\\') at++;
      else if (letter === '"') isText = false;
    } else if (letter === '"') isText = true;
    else if (letter === '{') {
      if (depth++ === 0) begin = at;
    } else if (letter === '}' && --depth === 0) {
      try {
        features.push(JSON.parse(text.slice(begin, at + 1)));
      } catch {
        break;
      }
    } else if (letter === ']' && depth === 0) break;
  }
  return { type: 'FeatureCollection', features };
}

async function readJSON(file, isOwnTracks, what) {
  // Positions with times are a track.
  if (!isOwnTracks && (await holds(file, 'utf-8', /"(coordTimes|times|timestamps?|time|tst)"\s*:/))) {
    const track = await trackOfJSON(file);
    if (track) return track;
  }
  const format = isOwnTracks ? 'owntracks' : 'geojson';
  const found = await readZones(file, pieces(file, what.told), format, what);
  if (!found.zones && found.whys.has('cut_off')) throw damaged(file);
  if (!found.zones && [...found.whys].every((why) => why === 'unreadable'))
    throw new FileProblem(t`${file.name} is JSON, but holds no GeoJSON features and no OwnTracks regions.`);
  return undefined;
}

/** @returns {Promise<TrackCollector|undefined>} undefined if it is no track */
async function trackOfJSON(file) {
  const text = await file.text();
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    content = wholeFeatures(text);
  }
  return isTrack(content) ? trackOfGeoJSON(content) : undefined;
}

async function readCSV(file, csv, { told }) {
  let rest = '';
  let isHeader = true;
  const take = (line) => {
    if (isHeader) isHeader = false;
    else csv.take(line);
  };
  for await (const text of texts(file, 'utf-8', told)) {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) take(line);
  }
  for (const line of rest.split('\r')) take(line);
  return csv.track;
}
