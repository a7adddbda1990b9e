// PMTiles archives that a person has chosen on this device. The browser's own file system holds them (OPFS), where it can
// be written to, else IndexedDB; what is known of each stands in the database `map-files`. They are in no backup.
import { answered, ended, inTime } from '../../scripts/storage/requests.js';
import { t } from '../../scripts/words/translate.js';

const name = 'map-files';
const piece_bytes = 2 ** 22;

let shared;
/** The same for the map and the settings. */
export const keptArchives = () => (shared ??= KeptArchives.open());

/** Tells `change` when an archive has come or gone. */
export class KeptArchives extends EventTarget {
  #database;
  /** Nothing where the browser has no file system that can be written to. */
  #folder;

  /** Where the browser keeps nothing, or does not answer, there are none and none can be kept; those that come late are told of. */
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

  /** Those that are there whole, the newest first: `{id, name, size, at, description}`. */
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
      // The browser cleared the one and left the other.
      await this.remove(id);
      return undefined;
    }
  }

  /**
   * Keeps all of a file, or nothing of it.
   * @param {File} file
   * @param {object} description as `describe` makes it
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

  /** What a page that was closed half way has left. */
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
