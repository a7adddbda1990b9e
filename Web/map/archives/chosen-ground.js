// Opens the base map that a person has chosen, if it has to be opened before it can be drawn: a file on this device, an archive
// at an address, or a style at an address.
import { archiveLibrary } from '../vendor-files.js';
import { NotReached, reach } from '../reach.js';
import { t } from '../../scripts/words/translate.js';
import { ArchiveProblem, describe } from './describe.js';
import { keptArchives } from './kept-archives.js';
import { readStyle } from './style-address.js';

/** @returns {'tiles'|'archive'|'style'} the kind of map at an address, judged by the form of the address */
export function kindOfAddress(address) {
  if (address.includes('{z}')) return 'tiles';
  return new URL(address, document.baseURI).pathname.endsWith('.pmtiles') ? 'archive' : 'style';
}

/** The name of a base map that has to be opened before it is drawn; undefined if the settings choose no such map. */
export function keyOfGround({ map_base: base, map_file: file, tile_url: url }) {
  if (base === 'file') return file ? `file ${file}` : undefined;
  if (['none', 'world', 'public'].includes(base) || !url) return undefined;
  const kind = kindOfAddress(url);
  return kind === 'tiles' ? undefined : `${kind} ${url}`;
}

/** Opens an archive at an address. @throws {NotReached | ArchiveProblem} */
export async function archiveAt(address) {
  const { host } = new URL(address);
  const { PMTiles } = await archiveLibrary();
  const response = await reach(address, { headers: { range: 'bytes=0-126' } });
  await response.body?.cancel();
  if (response.status !== 206)
    throw new NotReached(t`${host} sends the whole archive at once; it has to answer ranges of bytes.`);
  const archive = new PMTiles(address);
  return { archive, description: await describe(archive, host) };
}

/** Fires `change` when a base map was opened or could not be opened. */
export class ChosenGround extends EventTarget {
  #key;
  #opened;
  /** The reason why the chosen base map is not drawn, in words for people; undefined while there is none. */
  problem;

  /** Opens the base map of the settings, unless it is the current one. */
  async look(settings) {
    const key = keyOfGround(settings);
    if (key === this.#key) return;
    this.#key = key;
    this.#opened = undefined;
    this.problem = undefined;
    if (!key) return;
    let opened;
    let problem;
    try {
      opened = await open(settings);
    } catch (error) {
      if (!(error instanceof ArchiveProblem || error instanceof NotReached)) console.error(error);
      problem = error.message;
    }
    if (key !== this.#key) return;
    this.#opened = opened;
    this.problem = problem;
    this.dispatchEvent(new CustomEvent('change'));
  }

  /**
   * The base map of the settings, once it is open.
   * @returns {{key: string, archive?: object, description?: object, style?: object}|undefined}
   */
  of(settings) {
    const key = keyOfGround(settings);
    return key && key === this.#key && this.#opened ? { key, ...this.#opened } : undefined;
  }

  /** Answers MapLibre's requests for `archive://z/x/y`. */
  tile = async ({ url }, { signal } = {}) => {
    const [z, x, y] = url.slice('archive://'.length).split('/').map(Number);
    return { data: (await this.#opened?.archive?.getZxy(z, x, y, signal))?.data ?? new ArrayBuffer(0) };
  };
}

async function open({ map_base: base, map_file: id, tile_url: url, style_origins: agreed = [] }) {
  if (base === 'file') {
    const found = await (await keptArchives()).one(id);
    if (!found) throw new ArchiveProblem(t`The map file that was chosen is not on this device any more.`);
    const { PMTiles, FileSource } = await archiveLibrary();
    return { archive: new PMTiles(new FileSource(found.file)), description: found.description };
  }
  if (kindOfAddress(url) === 'archive') return archiveAt(url);
  const { style, origins } = await readStyle(url, agreed);
  const more = origins.filter((origin) => ![new URL(url).origin, ...agreed].includes(origin));
  if (more.length)
    throw new NotReached(t`The style now loads from ${more.join(', ')} too. Enter its address again to agree to that.`);
  return { style };
}
