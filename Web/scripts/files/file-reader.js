// Reads a file by content, whatever its name: its zones as forms, or its track. Piece by piece, in a thread of its own. PAD files
// are read by the engine, those of other programs by the program's own readers (`FileEngine`).
import { Refused } from '../engine/engine.js';
import { FileProblem } from './file-problem.js';
import { unzippedKML } from './kmz.js';
import { t } from '../words/translate.js';

const piece_bytes = 2 ** 20;

/**
 * @typedef {{name: string, rows: Uint8Array[], timed: boolean, untimed: number, impossible: number, why?: string,
 *   damaged: number, moved: number}} Track rows in the engine's format (`rows.js`); `untimed`, `impossible` and `damaged` count
 *   what is left out, `moved` the points whose time was put right
 */

/**
 * @param {File} file
 * @param {{engine, readers: () => Promise<object>, told: (bytes: number) => void, zones: (forms: object[]) => void, issues: (issues: object[]) => void}} what
 *   `readers` loads the module that reads files of other programs (`FileEngine`); `zones` and `issues` take the results in
 *   portions; `told` gets the number of bytes read
 * @returns {Promise<Track|undefined>} the track, if the file holds one
 * @throws {FileProblem}
 */
export async function readFile(file, what) {
  if (await isFIT(file))
    throw new FileProblem(t`${file.name} is a FIT file, which cannot be read. Export it as GPX or TCX.`);
  const { start, beginning } = await begun(file);
  if (beginning.startsWith('<')) return readXML(file, beginning, what);
  const own = () => pieces(file, what.told);
  if (/\.rec(\.txt)?$/i.test(file.name)) return readTrack(file, own(), 'owntracks', what);
  if (beginning.startsWith('PK')) return readKMZ(file, what);
  const isJSON = /^[{[]/.test(beginning);
  if (!isJSON && (/\.pad$/i.test(file.name) || /^\s*"?alertzone/im.test(beginning))) return readPAD(file, what);
  const readers = await what.readers();
  const { format } = readers.ask('zone_format', { bytes: start });
  if (isJSON) return readJSON(file, format, what);
  if (readers.ask('is_table', { bytes: start }).table) return readTrack(file, own(), 'csv', what);
  if (/\.(air|openair)$/i.test(file.name) || format === 'openair') return readList(file, 'openair', what);
  if (/"_type"/.test(beginning)) return readTrack(file, own(), 'owntracks', what);
  if (format === 'csv' || format === 'homeassistant') return readList(file, format, what);
  return readPAD(file, what);
}

/** The first bytes of a file, and their text. */
async function begun(file) {
  const start = new Uint8Array(await file.slice(0, 65_536).arrayBuffer());
  return { start, beginning: new TextDecoder(utf16(start) ?? 'utf-8').decode(start).replaceAll('\0', '').trimStart() };
}

/** Reads a file that has zones and no track. */
async function readList(file, format, what) {
  await readZones(file, pieces(file, what.told), format, what);
  return undefined;
}

/** True if a file is a FIT file, as the program decides (Sources/Formats/Text/ByteSource.swift): a header of 12 or 14 bytes with ".FIT". */
async function isFIT(file) {
  const [size, ...rest] = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return (size === 12 || size === 14) && String.fromCharCode(...rest.slice(7)) === '.FIT';
}

/** The name of the outermost element, without its prefix. */
const rootOf = (beginning) =>
  /<(?:[\w-]+:)?([\p{L}_][\w.-]*)/u.exec(
    beginning.replace(/<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^[>]*(\[[^\]]*\])?\s*>/gi, ''),
  )?.[1] ?? '';

/** UTF-16 as the program's readers tell it: by a mark, or by a zero among the first two bytes. */
function utf16([first, second]) {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second)) return 'utf-16be';
  return undefined;
}

async function encoding(file, beginning) {
  const wide = utf16(new Uint8Array(await file.slice(0, 2).arrayBuffer()));
  if (wide) return wide;
  const [, named = 'utf-8'] = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(beginning) ?? [];
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return 'utf-8';
  }
}

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

const trackRoots = { gpx: 'gpx', kml: 'kml', TrainingCenterDatabase: 'tcx' };

async function readXML(file, beginning, what) {
  const root = rootOf(beginning);
  if (!Object.hasOwn(trackRoots, root))
    throw new FileProblem(t`${file.name} holds <${root}>. Only GPX, TCX and KML can be read.`);
  const named = await encoding(file, beginning);
  const given = () => unicode(file, named, what.told);
  if (root === 'gpx' && (await holdsPlaces(file, named))) {
    // A route whose points have times is a track.
    const track = await readTrack(file, given(), 'gpx', what);
    if (track.timed) return track;
    await readZones(file, given(), 'gpx', what);
    return undefined;
  }
  if (root !== 'kml' || (await holds(file, named, /<(?:[\w-]+:)?Track[\s>]/)))
    return readTrack(file, given(), trackRoots[root], what);
  await readZones(file, given(), 'kml', what);
  return undefined;
}

/** True if a GPX file has waypoints or routes, and no point of a track. */
const holdsPlaces = async (file, named) =>
  !(await holds(file, named, /<(?:[\w-]+:)?trkpt[\s>]/)) && holds(file, named, /<(?:[\w-]+:)?(?:wpt|rte)[\s>]/);

/** Reads the main document of a KMZ archive. */
async function readKMZ(file, what) {
  const { document, others } = await unzippedKML(file);
  const { beginning } = await begun(document);
  if (!beginning.startsWith('<')) throw damaged(file);
  if (others) what.issues([{ zone: '', error: false, why: 'other_documents' }]);
  const told = (bytes) => what.told((bytes / document.size) * file.size);
  return readXML(document, beginning, { ...what, told });
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
 * @param {'geojson'|'kml'|'openair'|'owntracks'|'gpx'|'csv'|'traccar'|'homeassistant'} format
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

/**
 * Reads a track by the module of the same readers as the program has.
 * @param {AsyncIterable<Uint8Array>} given the file's bytes
 * @param {'gpx'|'kml'|'tcx'|'json'|'csv'|'owntracks'} format
 * @returns {Promise<Track>}
 * @throws {FileProblem} if nothing can be read
 */
async function readTrack(file, given, format, { readers }) {
  const engine = await readers();
  const rows = [];
  const take = (read) => {
    for (let part = read; ; part = engine.ask('more_rows')) {
      if (part.rows.length) rows.push(part.rows);
      if (!part.more) return read;
    }
  };
  let first = { format, now_ms: Date.now() };
  try {
    for await (const bytes of given) {
      take(engine.ask('read_track', { bytes, ...first }));
      first = {};
    }
    return { ...take(engine.ask('read_track', { bytes: new Uint8Array(), last: true })), rows };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { name: '', rows: [], timed: false, untimed: 0, impossible: 0, damaged: 1, moved: 0 };
  }
}

/** Members that may hold the times of positions. */
const times = /"(coordTimes|times|timestamps?|timestampMs|time|tst|startTime)"\s*:/;

async function readJSON(file, format, what) {
  // Positions with times are a track.
  if (format === 'geojson' && (await holds(file, await encoding(file, ''), times))) {
    const track = await readTrack(file, pieces(file, what.told), 'json', what);
    if (track.timed) return track;
  }
  const found = await readZones(file, pieces(file, what.told), format, what);
  if (!found.zones && found.whys.has('cut_off')) throw damaged(file);
  if (!found.zones && [...found.whys].every((why) => why === 'unreadable'))
    throw new FileProblem(
      t`${file.name} is JSON, but holds no GeoJSON features, no OwnTracks regions and no geofences.`,
    );
  return undefined;
}
