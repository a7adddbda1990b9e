// Accepts a PMTiles archive that was chosen, dropped or shared: checks it, stores it on the device, draws it.
import { archiveLibrary } from '../vendor-files.js';
import { progressSheet } from '../../parts/import-sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';
import { megabytes } from '../../scripts/words/words.js';
import { isArchive } from './archive-file.js';
import { ArchiveProblem, describe } from './describe.js';
import { keptArchives } from './kept-archives.js';

let picker;
/** Opens the file picker of the device. */
export function chooseArchive(app) {
  picker?.remove();
  picker = h('input', {
    type: 'file',
    accept: '.pmtiles,application/vnd.pmtiles,application/octet-stream',
    hidden: true,
    'aria-label': t`Map file`,
    onchange: ({ target }) => {
      const [file] = target.files;
      target.remove();
      if (file) takeArchive(app, file).catch((error) => snackbar(error.message));
    },
  });
  document.body.append(picker);
  picker.click();
}

/** @throws {ArchiveProblem} with the reason why the archive is not stored */
export async function takeArchive(app, file) {
  if (!(await isArchive(file))) throw new ArchiveProblem(t`${file.name} is not a PMTiles archive.`);
  const { PMTiles, FileSource } = await archiveLibrary();
  const description = await describe(new PMTiles(new FileSource(file)), file.name, file.size);
  const { id } = await keepWithProgress(file, description);
  await app.changeSettings({ map_base: 'file', map_file: id });
  snackbar(t`${file.name} is the map now. It stays on this device: ${megabytes(file.size)}.`);
}

async function keepWithProgress(file, description) {
  const stop = new AbortController();
  let told = () => {};
  const away = progressSheet(
    { title: t`Storing ${file.name}`, detail: t`Alarms go on meanwhile.`, oncancel: () => stop.abort() },
    (tell) => {
      told = (done) => tell(done / file.size, t`${megabytes(done)} of ${megabytes(file.size)}`);
    },
  );
  try {
    return await (await keptArchives()).keep(file, description, { signal: stop.signal, tell: (done) => told(done) });
  } catch (error) {
    if (stop.signal.aborted) throw new ArchiveProblem(t`Stopped. Nothing was kept.`, { cause: error });
    throw new ArchiveProblem(
      error.name === 'QuotaExceededError'
        ? t`Not kept: this device has no room for ${megabytes(file.size)}.`
        : t`Not kept: ${error.message}`,
      { cause: error },
    );
  } finally {
    away();
  }
}

/** If the removed archive was drawn, the world map takes its place. */
export async function removeArchive(app, id) {
  await (await keptArchives()).remove(id);
  if (app.settings.map_file === id) await app.changeSettings({ map_base: undefined, map_file: undefined });
}

/** A description of an archive in one line: its content, zooms and source. */
export const lineOf = ({ kind, schema, zooms: { least, most } }) =>
  kind === 'raster'
    ? t`Pictures, zoom ${least} to ${most}`
    : {
        own: t`Vector tiles of this program, zoom ${least} to ${most}`,
        openmaptiles: t`Vector tiles of OpenMapTiles, zoom ${least} to ${most}`,
        protomaps: t`Vector tiles of Protomaps, zoom ${least} to ${most}`,
      }[schema];
