// Files that people hand over: chosen, dropped on the page, opened with it or shared to it. Zones go to a preview of the
// import, tracks to the replay.
import { fromBase64, phone } from '../device/phone-app.js';
import { isArchive } from '../../map/archives/archive-file.js';
import { importSheet } from '../../parts/import-sheet.js';
import { isPackFile } from '../packs/pack-file.js';
import { step } from '../page/steps.js';
import { FileProblem } from './file-problem.js';
import { Import } from './importing.js';
import { t } from '../words/translate.js';
import { workerCache } from '../storage/worker-caches.js';
import { listed } from '../words/words.js';

export { FileProblem };

const largest_bytes = 100 * 2 ** 20;
/**
 * The largest number of zones that a page watches. A position is judged in milliseconds among any number of them, but opening the
 * page takes some 50 ms per thousand zones, during which it gets no positions.
 */
export const mostZones = 100_000;

/**
 * Reads files by content, whatever their names, and shows the progress.
 * @param {import('../app.js').App} app
 * @param {Iterable<File>} files
 * @returns {Promise<object>} `{kind: 'zones', name, …}` or `{kind: 'track', name, rows, count}` with what was left out (`Track`),
 *   each with its `source`: the `Import` that has the rest of it and must be ended
 * @throws {FileProblem}
 */
export async function read(app, files) {
  const given = [...files];
  for (const { name, size } of given) if (size === 0) throw new FileProblem(t`${name} is empty.`);
  const size = given.reduce((sum, file) => sum + file.size, 0);
  if (size > largest_bytes) {
    throw new FileProblem(
      t`${listed(given.map(({ name }) => name))}: ${Math.ceil(size / 2 ** 20)} MB is too much. At most
        ${largest_bytes / 2 ** 20} MB can be read here; the command line reads larger files.`,
    );
  }
  await app.begun;
  const source = new Import();
  const away = importSheet(source, given);
  try {
    const content = await source.read({
      files: given,
      zones: [...app.zones.values()],
      settings: app.settings,
      limit: { most: mostZones, more: Math.max(0, mostZones - app.zones.size) },
    });
    return { ...content, source };
  } catch (error) {
    source.end();
    throw error instanceof FileProblem
      ? error
      : new FileProblem(t`${listed(given.map(({ name }) => name))}: this could not be read. ${error.message}`);
  } finally {
    away();
  }
}

// MARK: Handed over

let pending = null;
/** Returns the content handed over last, if it is of this kind and was not taken yet; else null. */
export function takePending(kind) {
  if (pending?.kind !== kind) return null;
  const taken = pending;
  pending = null;
  return taken;
}

/**
 * Reads files and shows the screen for them; a PMTiles archive becomes the map, a signed pack is offered.
 * Zones of several files are shown together.
 * @param {Iterable<File>} files
 */
export async function take(app, files) {
  const [file] = files;
  if (!file) return;
  if (await isArchive(file)) {
    const { takeArchive } = await import('../../map/archives/take-archive.js');
    await takeArchive(app, file);
    step('#/map');
    return;
  }
  if (await isPackFile(file)) {
    const { takePack } = await import('../../screens/packs/follow-sheet.js');
    await takePack(app, file);
    return;
  }
  const content = await read(app, files);
  pending?.source.end();
  pending = content;
  const address = pending.kind === 'zones' ? '#/receive' : '#/replay';
  if (location.hash === address) dispatchEvent(new HashChangeEvent('hashchange'));
  else step(address);
}

/** Listens for files from anywhere: dropped on the page, opened with it, shared to it. */
export function listen(app, tell) {
  // Copied at once: the list of dropped files is valid only during the event.
  const attempt = (files) => take(app, [...files]).catch((error) => tell(error.message));
  const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    document.documentElement.dataset.drop = '';
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) delete document.documentElement.dataset.drop;
  });
  addEventListener('drop', (event) => {
    delete document.documentElement.dataset.drop;
    if (!carriesFiles(event)) return;
    event.preventDefault();
    attempt(event.dataTransfer.files);
  });
  globalThis.launchQueue?.setConsumer(async ({ files }) => {
    if (files?.length) attempt(await Promise.all(files.map((handle) => handle.getFile())));
  });
  const given = async () => {
    const file = await phone.takeFile();
    if (!file) return;
    const { name, type, base64, address, isTooLarge, most_mb: most } = JSON.parse(file);
    if (isTooLarge) throw new FileProblem(t`${name} has more than ${most} MB, which is too much.`);
    // A phone that has the file as a stream gives an address that can be read once.
    const bytes = address ? await (await fetch(address)).blob() : fromBase64(base64 ?? '');
    attempt([new File([bytes], name, { type })]);
  };
  if (phone) {
    phone.onfile = () => given().catch((error) => tell(error.message));
    phone.onfile();
  }
  addEventListener('hashchange', () => {
    if (/[?&]shared\b/.test(location.hash)) takeShared(attempt);
  });
  return takeShared(attempt);
}

/** Takes the files that another application shared; the service worker stored them before the page was there. */
export async function takeShared(attempt) {
  const cache = await workerCache('shared');
  if (!cache) return;
  const files = [];
  for (const request of await cache.keys()) {
    const kept = await cache.match(request);
    await cache.delete(request);
    files.push(new File([await kept.blob()], decodeURIComponent(kept.headers.get('x-name') ?? 'shared')));
  }
  // A text that comes with files is only a message; a text alone may be a file's content.
  const wanted = files.filter(({ name }) => name !== 'shared.txt');
  if (files.length) await attempt(wanted.length ? wanted : files);
}
