// Streets that a person has stored on this device, tile by tile, in a database of their own: they can be large, and are of no
// use in a backup or on another device.
import { answered, ended, inTime } from '../../scripts/storage/requests.js';
import { t } from '../../scripts/words/translate.js';

const name = 'streets';
/** The number of simultaneous requests for tiles. */
const atOnce = 6;
/** The most tiles in a region. A larger region is a country, for which the whole archive is the better choice. */
export const mostTiles = 20_000;

/** The tiles that cover a box (west, south, east, north), at all zooms from `least` to `most`. */
export function tilesOf([west, south, east, north], least, most) {
  const tiles = [];
  for (let z = least; z <= most; z++) {
    const [left, top] = tileAt(west, north, z);
    const [right, bottom] = tileAt(east, south, z);
    if ((right - left + 1) * (bottom - top + 1) + tiles.length > mostTiles) return undefined;
    for (let x = left; x <= right; x++) for (let y = top; y <= bottom; y++) tiles.push([z, x, y]);
  }
  return tiles;
}

function tileAt(longitude, latitude, z) {
  const across = 2 ** z;
  const sine = Math.sin((latitude * Math.PI) / 180);
  const clamped = (share) => Math.min(across - 1, Math.max(0, Math.floor(share * across)));
  return [clamped(longitude / 360 + 0.5), clamped(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI))];
}

const packed = (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
const unpacked = (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();

let shared;
/** One instance for the map and the settings. */
export const keptStreets = () => (shared ??= KeptStreets.open());

/** Fires `change` when a region was added or removed. */
export class KeptStreets extends EventTarget {
  #database;

  /** Without storage, or until it answers, there are no regions and none can be stored. A late answer fires `change`. */
  static async open() {
    const kept = new KeptStreets();
    try {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore('regions', { keyPath: 'id' });
        const tiles = request.result.createObjectStore('tiles', { keyPath: 'key' });
        tiles.createIndex('regions', 'regions', { multiEntry: true });
      };
      const opening = answered(request).then(async (database) => {
        kept.#database = database;
        await kept.#removeHalves();
        kept.dispatchEvent(new CustomEvent('change'));
      });
      await inTime(opening);
    } catch (error) {
      console.warn(t`no streets can be kept`, error);
    }
    return kept;
  }

  /** The complete regions, newest first: `{id, name, bounds, version, tiles, size, at}`. */
  async regions() {
    if (!this.#database) return [];
    const all = await answered(this.#database.transaction('regions').objectStore('regions').getAll());
    return all.filter(({ isWhole }) => isWhole).toSorted((one, other) => other.at - one.at);
  }

  /** @returns {Promise<{bytes: ArrayBuffer, version: string}|undefined>} */
  async tile(z, x, y) {
    if (!this.#database) return undefined;
    const found = await answered(this.#database.transaction('tiles').objectStore('tiles').get(`${z}/${x}/${y}`));
    return found && { bytes: await unpacked(found.bytes), version: found.version };
  }

  /**
   * Stores all tiles of a region, or none.
   * @param {{name: string, bounds: number[], version: string, tiles: number[][]}} region
   * @param {(z: number, x: number, y: number) => Promise<ArrayBuffer|undefined>} load undefined for a tile that does not exist
   * @param {{signal?: AbortSignal, tell?: (done: number) => void}} [how]
   */
  async keep(region, load, { signal, tell } = {}) {
    if (!this.#database) throw new Error(t`This browser keeps nothing on the device.`);
    const id = crypto.randomUUID();
    const waiting = [...region.tiles];
    let [done, size] = [0, 0];
    const work = async () => {
      for (let tile; (tile = waiting.pop());) {
        signal?.throwIfAborted();
        const bytes = await load(...tile);
        if (bytes?.byteLength) size += await this.#put(tile.join('/'), id, await packed(bytes), region.version);
        tell?.(++done);
      }
    };
    const workers = [];
    try {
      await this.#write(['regions'], (store) => store('regions').put({ id, isWhole: false }));
      for (let count = 0; count < atOnce; count++) workers.push(work());
      await Promise.all(workers);
      const { name: title, bounds, version, tiles } = region;
      const record = { id, name: title, bounds, version, tiles: tiles.length, size, at: Date.now(), isWhole: true };
      await this.#write(['regions'], (store) => store('regions').put(record));
      this.dispatchEvent(new CustomEvent('change'));
      return record;
    } catch (error) {
      waiting.length = 0;
      // Waits for pending writes, whose tiles would otherwise remain without a region.
      await Promise.allSettled(workers);
      await this.remove(id);
      throw error;
    }
  }

  /** Removes a region. Tiles that are part of other regions stay. */
  async remove(id) {
    if (!this.#database) return;
    await this.#write(['regions', 'tiles'], (store) => {
      store('regions').delete(id);
      const request = store('tiles').index('regions').openCursor(IDBKeyRange.only(id));
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return;
        const regions = cursor.value.regions.filter((other) => other !== id);
        if (regions.length) cursor.update({ ...cursor.value, regions });
        else cursor.delete();
        cursor.continue();
      };
    });
    this.dispatchEvent(new CustomEvent('change'));
  }

  /**
   * Removes regions left incomplete by a page that was closed while it stored them. Another page that is storing one has to
   * start again.
   */
  async #removeHalves() {
    const all = await answered(this.#database.transaction('regions').objectStore('regions').getAll());
    for (const { id, isWhole } of all) if (!isWhole) await this.remove(id);
  }

  async #put(key, region, bytes, version) {
    await this.#write(['tiles'], (store) => {
      const request = store('tiles').get(key);
      request.onsuccess = () => {
        const regions = new Set([...(request.result?.regions ?? []), region]);
        store('tiles').put({ key, regions: [...regions], bytes, version });
      };
    });
    return bytes.byteLength;
  }

  #write(stores, change) {
    const transaction = this.#database.transaction(stores, 'readwrite');
    const over = ended(transaction);
    change((store) => transaction.objectStore(store));
    return over;
  }
}

/**
 * Answers MapLibre's requests for `streets://z/x/y`: with a stored tile of the same version, else with the server's tile, else
 * with a stored tile of another version.
 * @param {{getZxy: (z: number, x: number, y: number, signal?: AbortSignal) => Promise<{data: ArrayBuffer}|undefined>}}
 *   [archive]
 * @param {string} [version] of the archive
 */
export function streetTiles(kept, archive, version) {
  return async ({ url }, { signal } = {}) => {
    const [z, x, y] = url.slice('streets://'.length).split('/').map(Number);
    const own = await kept.tile(z, x, y).catch(() => undefined);
    if (own && (own.version === version || !archive)) return { data: own.bytes };
    try {
      return { data: (await archive?.getZxy(z, x, y, signal))?.data ?? new ArrayBuffer(0) };
    } catch (error) {
      if (own) return { data: own.bytes };
      throw error;
    }
  };
}
