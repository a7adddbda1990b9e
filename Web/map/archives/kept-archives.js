// PMTiles archives that a person has chosen on this device. They are stored in the origin private file system (OPFS) if it can
// be written to, else in IndexedDB; their records are in the database `map-files`. They are part of no backup.
import { answered, ended, inTime } from '../../scripts/storage/requests.js';
import { t } from '../../scripts/words/translate.js';

const name = 'map-files';
const piece_bytes = 2 ** 22;

let shared;
/** One instance for the map and the settings. */
export const keptArchives = () => (shared ??= KeptArchives.open());

/** Fires `change` when an archive was added or removed. */
export class KeptArchives extends EventTarget {
  #database;
  /** Undefined if the browser has no file system that can be written to. */
  #folder;

  /** Without storage, or until it answers, there are no archives and none can be stored. A late answer fires `change`. */
  static async open() {
    const kept = new KeptArchives();
    try {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore('files', { keyPath: 'id' });
      const opening = Promise.all([answered(request), folder()]).then(async ([database, files]) => {
        kept.#folder = files;
        kept.#database = database;
        await kept.#removeHalves();
        kept.dispatchEvent(new CustomEvent('change'));
      });
      await inTime(opening);
    } catch (error) {
      console.warn(error);
    }
    return kept;
  }

  /** The complete archives, newest first: `{id, name, size, at, description}`. */
  async all() {
    if (!this.#database) return [];
    const all = await answered(this.#database.transaction('files').objectStore('files').getAll());
    return all
      .map(({ id, name: title, size, at, description }) => ({ id, name: title, size, at, description }))
      .toSorted((one, other) => other.at - one.at);
  }

  /** @returns {Promise<{id: string, name: string, description: object, file: Blob}|undefined>} */
  async one(id) {
    if (!this.#database || !id) return undefined;
    const found = await answered(this.#database.transaction('files').objectStore('files').get(id));
    if (!found) return undefined;
    try {
      return { ...found, file: found.file ?? (await (await this.#folder.getFileHandle(id)).getFile()) };
    } catch {
      // The browser deleted the file but not its record.
      await this.remove(id);
      return undefined;
    }
  }

  /**
   * Stores a file completely or not at all.
   * @param {File} file
   * @param {object} description as made by `describe`
   * @param {{signal?: AbortSignal, tell?: (bytes: number) => void}} [how]
   */
  async keep(file, description, { signal, tell } = {}) {
    if (!this.#database) throw new Error(t`This browser keeps nothing on the device.`);
    const record = { id: crypto.randomUUID(), name: file.name, size: file.size, at: Date.now(), description };
    try {
      if (this.#folder) await this.#write(record.id, file, { signal, tell });
      await this.#change((store) => store.put(this.#folder ? record : { ...record, file: new Blob([file]) }));
      signal?.throwIfAborted();
    } catch (error) {
      await this.remove(record.id);
      throw error;
    }
    this.dispatchEvent(new CustomEvent('change'));
    return record;
  }

  async remove(id) {
    if (!this.#database) return;
    await this.#change((store) => store.delete(id));
    await this.#folder?.removeEntry(id).catch(() => undefined);
    this.dispatchEvent(new CustomEvent('change'));
  }

  async #write(id, file, { signal, tell }) {
    const target = await (await this.#folder.getFileHandle(id, { create: true })).createWritable();
    try {
      for (let from = 0; from < file.size; from += piece_bytes) {
        signal?.throwIfAborted();
        await target.write(file.slice(from, from + piece_bytes));
        tell?.(Math.min(file.size, from + piece_bytes));
      }
      await target.close();
    } catch (error) {
      await target.abort().catch(() => undefined);
      throw error;
    }
  }

  /** Removes files without a record, left by a page that was closed while it wrote. */
  async #removeHalves() {
    if (!this.#folder) return;
    const whole = new Set((await this.all()).map(({ id }) => id));
    for await (const id of this.#folder.keys())
      if (!whole.has(id)) await this.#folder.removeEntry(id).catch(() => undefined);
  }

  #change(change) {
    const transaction = this.#database.transaction('files', 'readwrite');
    const over = ended(transaction);
    change(transaction.objectStore('files'));
    return over;
  }
}

async function folder() {
  if (!('createWritable' in (globalThis.FileSystemFileHandle?.prototype ?? {}))) return undefined;
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
  } catch {
    return undefined;
  }
}
