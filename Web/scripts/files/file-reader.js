// Reads a file by content, whatever its name: its zones as forms, or its track. Piece by piece, in a thread of its own.
import { FileProblem } from './file-problem.js';
import {
  CSVTrack,
  fromGeoJSON as trackOfGeoJSON,
  gpxElements,
  isTrack,
  kmlTrack,
  TrackCollector,
} from './track-files.js';
import { looksLikeOpenAir, OpenAirReader } from './openair.js';
import { fromWaypoints, looksLikeWaypoints, takeRecorded } from './owntracks.js';
import { XMLProblem, XMLReader } from './xml.js';
import { fromGeoJSON, fromPlacemark } from './zone-files.js';
import { t } from '../words/translate.js';

const piece_bytes = 2 ** 20;
/** The number of forms that are passed on together. */
const together = 200;

/**
 * @param {File} file
 * @param {{engine, told: (bytes: number) => void, zones: (forms: object[]) => void, issues: (issues: object[]) => void}} what
 *   `zones` and `issues` take the results in portions; `told` gets the number of bytes read
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
  if (beginning.startsWith('<')) return readXML(file, encoding(beginning), what);
  if (/\.rec(\.txt)?$/i.test(file.name)) return readRecording(file, what);
  if (/^[{[]/.test(beginning)) return readJSON(file, { ...what, isOwnTracks: looksLikeWaypoints(beginning) });
  if (!/\.pad$/i.test(file.name) && !/^\s*"?alertzone/im.test(beginning)) {
    const csv = CSVTrack.of(beginning.split(/\r\n|\n|\r/, 1)[0]);
    if (csv) return readCSV(file, csv, what);
    if (/\.(air|openair)$/i.test(file.name) || looksLikeOpenAir(beginning)) return readOpenAir(file, what);
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
    yield { bytes, isLast: from + piece_bytes >= file.size };
    told(Math.min(file.size, from + piece_bytes));
  }
}

async function* texts(file, named, told) {
  const decoder = new TextDecoder(named);
  for await (const { bytes, isLast } of pieces(file, told)) yield decoder.decode(bytes, { stream: !isLast });
}

async function readPAD(file, { engine, told, zones, issues }) {
  for await (const { bytes, isLast } of pieces(file, told)) {
    const read = engine.ask('read_pad', { bytes, more: !isLast });
    zones(read.zones);
    if (isLast) issues(read.issues);
  }
}

async function readXML(file, named, { engine, told, zones, issues }) {
  const names = engine.ask('property_names');
  const result = { zones: [], issues: [] };
  const track = new TrackCollector();
  let hasTrack = false;
  const handOn = () => {
    zones(result.zones.splice(0));
    issues(result.issues.splice(0));
  };
  const reader = new XMLReader({
    ...gpxElements(track),
    Track: (node) => {
      hasTrack = true;
      kmlTrack(track, node);
    },
    NetworkLink: (node) => {
      const zone = node.all('href')[0]?.content ?? '';
      if (zone) result.issues.push({ zone, error: false, why: 'link_elsewhere' });
    },
    Placemark: (node) => {
      track.name ||= node.child('name')?.content ?? '';
      if (hasTrack) return;
      fromPlacemark(result, names, node);
      if (result.zones.length >= together) handOn();
    },
  });
  try {
    for await (const text of texts(file, named, told)) reader.feed(text);
    reader.finish();
  } catch (error) {
    if (error instanceof XMLProblem) throw new FileProblem(t`${file.name} is broken: ${error.message}.`);
    throw error;
  }
  const kind = reader.root.name;
  if (kind !== 'gpx' && kind !== 'kml')
    throw new FileProblem(t`${file.name} holds <${kind}>. Only GPX and KML can be read.`);
  if (kind === 'gpx' || hasTrack) return track;
  handOn();
  return undefined;
}

async function readOpenAir(file, { engine, told, zones, issues }) {
  const reader = new OpenAirReader((arc) => engine.ask('arc', arc).places);
  const handOn = () => {
    const found = reader.taken();
    zones(found.zones);
    issues(found.issues);
  };
  for await (const text of texts(file, 'utf-8', told)) {
    reader.feed(text);
    handOn();
  }
  reader.finish();
  handOn();
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

async function readJSON(file, { engine, told, zones, issues, isOwnTracks }) {
  const text = await file.text();
  let content;
  let isCut = false;
  try {
    content = JSON.parse(text);
  } catch {
    content = wholeFeatures(text);
    isCut = true;
    if (!content.features.length)
      throw new FileProblem(t`${file.name} is damaged or cut off: no zone in it can be read.`);
  }
  told(file.size / 2);
  if (isTrack(content)) return trackOfGeoJSON(content);
  const found = (isOwnTracks && fromWaypoints(content)) || fromGeoJSON(content, engine.ask('property_names'));
  content = undefined;
  if (!found.zones.length && !found.issues.length)
    throw new FileProblem(t`${file.name} is JSON, but holds no GeoJSON features and no OwnTracks regions.`);
  for (let from = 0; from < found.zones.length; from += together) {
    zones(found.zones.slice(from, from + together));
    told((file.size * (1 + from / found.zones.length)) / 2);
  }
  issues(isCut ? [...found.issues, { zone: '', error: false, why: 'cut_off' }] : found.issues);
  return undefined;
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
