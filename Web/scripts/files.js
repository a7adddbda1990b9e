// Files that people hand over: chosen, dropped on the page, opened with it, shared to it. Zones go to the preview of what
// would be added, tracks to the replay.
import { fromCSV, fromGeoJSON as trackOfGeoJSON, fromGPX, fromKML as trackOfKML, isTrack } from './track-files.js';
import { fromGeoJSON, fromKML } from './zone-files.js';

/** What a person can do about a file that could not be read. */
export class FileProblem extends Error {}

export const accepted = '.pad,.gpx,.geojson,.json,.kml,.csv,.txt,text/csv,application/gpx+xml,application/geo+json,application/vnd.google-earth.kml+xml';
const largest_bytes = 100 * 2 ** 20;

/**
 * Reads a file for what it holds, whatever it is called.
 * @param {File} file
 * @returns {Promise<{kind: 'zones', name, zones: object[], issues: object[]} | {kind: 'track', name, fixes: object[], untimed: number}>}
 * @throws {FileProblem}
 */
export async function read(file) {
  if (file.size === 0) throw new FileProblem(`${file.name} is empty.`);
  if (file.size > largest_bytes) {
    throw new FileProblem(`${file.name} has ${Math.ceil(file.size / 2 ** 20)} MB; at most ${largest_bytes / 2 ** 20} MB can be read here. The command line reads larger ones.`);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const beginning = new TextDecoder('utf-8').decode(bytes.subarray(0, 65_536)).replaceAll('\0', '').trimStart();
  if (beginning.startsWith('<')) return fromXML(file, new TextDecoder(encoding(beginning)).decode(bytes));
  if (/^[{[]/.test(beginning)) return fromJSON(file, bytes);
  if (!/\.pad$/i.test(file.name) && !/^\s*"?alertzone/im.test(beginning)) {
    const track = fromCSV(new TextDecoder().decode(bytes));
    if (track) return asTrack(file, track);
  }
  if (beginning.startsWith('PK')) throw new FileProblem(`${file.name} is an archive. Unpack it, and give the file inside.`);
  return { kind: 'zones', name: file.name, ...await readPAD(bytes, file.name) };
}

const encoding = (beginning) => {
  const [, named = 'utf-8'] = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(beginning) ?? [];
  try { return new TextDecoder(named).encoding; } catch { return 'utf-8'; }
};

function fromXML(file, text) {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  const broken = document.querySelector('parsererror');
  if (broken) throw new FileProblem(`${file.name} is broken: ${broken.textContent.trim().split('\n').find((line) => /line/i.test(line))?.trim() ?? 'its markup does not end'}`);
  switch (document.documentElement.localName) {
    case 'gpx': return asTrack(file, fromGPX(document));
    case 'kml':
      if (document.getElementsByTagNameNS('*', 'Track').length) return asTrack(file, trackOfKML(document));
      return { kind: 'zones', name: file.name, ...fromKML(document) };
    default: throw new FileProblem(`${file.name} holds <${document.documentElement.localName}>; GPX and KML are read.`);
  }
}

function fromJSON(file, bytes) {
  let content;
  try { content = JSON.parse(new TextDecoder().decode(bytes)); } catch (error) { throw new FileProblem(`${file.name} is no JSON: ${error.message}`); }
  if (isTrack(content)) return asTrack(file, trackOfGeoJSON(content));
  const found = fromGeoJSON(content);
  if (!found.zones.length && !found.issues.length) throw new FileProblem(`${file.name} is JSON, but holds no GeoJSON features.`);
  return { kind: 'zones', name: file.name, ...found };
}

function asTrack(file, track) {
  if (!track.fixes.length) {
    throw new FileProblem(track.untimed ? `${file.name} has ${track.untimed} points, but none says when it was: a replay needs times.` : `${file.name} holds no track.`);
  }
  return { kind: 'track', ...track, name: track.name || file.name };
}

/** @returns {Promise<{zones: object[], issues: object[]}>} */
function readPAD(bytes, name) {
  const worker = new Worker(new URL('./pad-worker.js', import.meta.url), { type: 'module' });
  return new Promise((done, failed) => {
    worker.onmessage = ({ data: { answer, problem } }) => { if (answer) done(answer); else failed(new FileProblem(`${name} could not be read: ${problem}`)); };
    worker.onerror = () => failed(new FileProblem(`${name} could not be read: the reader did not start.`));
    worker.postMessage(bytes, [bytes.buffer]);
  }).finally(() => worker.terminate());
}

// MARK: Handed over

let pending = null;
/** What was handed over last and has not been looked at, once. */
export function takePending(kind) {
  if (pending?.kind !== kind) return null;
  const taken = pending;
  pending = null;
  return taken;
}

/**
 * Reads files and shows the screen that is for them. Zones of several files are looked at together.
 * @param {Iterable<File>} files
 */
export async function take(files) {
  const contents = [];
  for (const file of files) contents.push(await read(file));
  if (!contents.length) return;
  const zones = contents.filter(({ kind }) => kind === 'zones');
  pending = zones.length ? {
    kind: 'zones', name: zones.map(({ name }) => name).join(', '), zones: zones.flatMap((each) => each.zones), issues: zones.flatMap((each) => each.issues),
  } : contents[0];
  const address = pending.kind === 'zones' ? '#/receive' : '#/replay';
  if (location.hash === address) dispatchEvent(new HashChangeEvent('hashchange')); else location.hash = address;
}

/** Listens for files from anywhere: dropped on the page, opened with it, shared to it. */
export function listen(tell) {
  const attempt = (files) => take(files).catch((error) => tell(error.message));
  const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    document.documentElement.dataset.drop = '';
  });
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) delete document.documentElement.dataset.drop; });
  addEventListener('drop', (event) => {
    delete document.documentElement.dataset.drop;
    if (!carriesFiles(event)) return;
    event.preventDefault();
    attempt(event.dataTransfer.files);
  });
  globalThis.launchQueue?.setConsumer(async ({ files }) => {
    if (files?.length) attempt(await Promise.all(files.map((handle) => handle.getFile())));
  });
  addEventListener('hashchange', () => { if (/[?&]shared\b/.test(location.hash)) takeShared(attempt); });
  return takeShared(attempt);
}

/** What another application shared: the service worker put it aside before the page was there. */
export async function takeShared(attempt) {
  if (!('caches' in globalThis)) return;
  const cache = await caches.open('shared');
  const files = [];
  for (const request of await cache.keys()) {
    const kept = await cache.match(request);
    await cache.delete(request);
    files.push(new File([await kept.blob()], decodeURIComponent(kept.headers.get('x-name') ?? 'shared')));
  }
  // A text that comes with files is a greeting; alone it may be a file's content.
  const wanted = files.filter(({ name }) => name !== 'shared.txt');
  if (files.length) await attempt(wanted.length ? wanted : files);
}
