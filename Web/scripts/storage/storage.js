// What the page keeps on this device, in IndexedDB: zones and reminders as forms, settings, the engine's snapshot, a log.
// What the browser will not keep is held in memory until it does, and `problem` says so.
import { zoneForm } from './earlier.js';
import { Overlay } from './overlay.js';
import { answered, inTime, patience_ms } from './requests.js';
import { t } from '../words/translate.js';

/** By name, the member that identifies a record. A new one is added here, with the next `version`. */
const stores = {
  zones: 'id',
  reminders: 'id',
  messages: 'id',
  sounds: 'name',
  tracks: 'id',
  kept: 'key',
  events: 'key',
  fixes: 'measured',
  records: 'key',
  received: 'id',
};
const version = 3;
/** The version that called everything in a zone's form as it is called now. */
const renamed = 3;
/** No more often than that it is tried to keep what is held in memory, in ms. */
const pause = 10_000;
/** A database that did not come in time is asked for anew after `pause`, then after twice as long each time, up to this, in ms. */
const longestPause = 300_000;

/** Writes every record of a store as `renewed` has it. */
function renew(store, renewed) {
  const request = store.openCursor();
  request.onsuccess = () => {
    const cursor = request.result;
    if (!cursor) return;
    cursor.update(renewed(cursor.value));
    cursor.continue();
  };
}

/**
 * Tells `written` with the `store` that something was written to or removed from, and `problem` when `problem` changes:
 * nothing is ever half kept, and what cannot be kept lives as long as the page.
 */
export class Storage extends EventTarget {
  /** By name, the member that identifies a record. */
  stores = stores;
  /**
   * Why something is held in memory only: `{why, message, since}`, with `why` one of `absent` (the browser has no such
   * storage), `denied` (or lets nobody use it), `late` (it has not answered yet: what was kept is not known), `full`, `failed`;
   * null while all is kept.
   */
  problem = null;
  /** Settles when what was kept can be read, or never will be. */
  arrived;
  /** Asked when what was kept arrives late: it can be read then, and nothing is written before the answer settles. */
  reconcile = async () => {};
  /** The page has begun without what was kept, which may still come: nothing is written until it has. */
  isLate = false;
  #name;
  #database;
  /** What is held in memory: newer than what the database has. */
  #overlay = new Overlay(stores);
  #triedAt = -Infinity;
  /** What was kept has been read, or could be. */
  #hasBegun = false;
  #timer;
  #hasArrived;

  constructor() {
    super();
    this.arrived = new Promise((done) => {
      this.#hasArrived = done;
    });
  }

  /**
   * @param {string} [name] of the database; tests use their own
   * @param {{patience?: number, again?: number}} [times] in ms: how long it is waited for, and after how long it is asked for anew
   */
  static async open(name = 'proximity', { patience = patience_ms, again = pause } = {}) {
    const storage = new Storage();
    storage.#name = name;
    const opened = storage.#connect();
    try {
      storage.#use(await inTime(opened, patience));
    } catch (error) {
      // That ends when the other tab is closed.
      if (error.isBlocked) throw error;
      storage.#complain(error);
      if (error.why === 'late') storage.#wait(opened, again);
    }
    if (!storage.isLate) storage.#hasArrived();
    return storage;
  }

  /** A request that is never answered may be followed by one that is; each stays in force. The first database counts. */
  #wait(opened, again) {
    this.isLate = true;
    const take = async (database) => {
      if (!this.isLate || this.#database) return database.close();
      try {
        await this.#arrive(database);
      } catch (error) {
        console.error(error);
        database.close();
        this.#database = undefined;
      }
    };
    const ask = (request, after) => {
      // What is refused now may be given later: until then nothing is known of what was kept.
      request.then(take, (error) => console.warn(error));
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => ask(this.#connect(), Math.min(2 * after, longestPause)), after);
    };
    this.#askAgain = () => ask(this.#connect(), again);
    ask(opened, again);
  }
  #askAgain;

  /** Asks for what was kept at once, where it has not come yet. */
  seek() {
    if (this.isLate) this.#askAgain();
  }

  /** What the page keeps of itself gives way to what was kept; all else that was done meanwhile is written over it. */
  async #arrive(database) {
    // From here on it is read.
    this.#database = database;
    this.#overlay.yield('kept', await answered(database.transaction('kept').objectStore('kept').getAllKeys()));
    await this.reconcile();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#use(database);
    this.isLate = false;
    this.#triedAt = -Infinity;
    await this.#write([]);
    this.#hasArrived();
  }

  #use(database) {
    this.#database = database;
    this.#hasBegun = true;
  }

  async #connect() {
    if (!globalThis.indexedDB) throw Object.assign(new Error(t`this browser has no IndexedDB`), { why: 'absent' });
    return new Promise((done, failed) => {
      const request = indexedDB.open(this.#name, version);
      request.onupgradeneeded = ({ oldVersion }) => {
        const there = request.result.objectStoreNames;
        for (const [store, keyPath] of Object.entries(stores))
          if (!there.contains(store)) request.result.createObjectStore(store, { keyPath });
        if (oldVersion > 0 && oldVersion < renamed) renew(request.transaction.objectStore('zones'), zoneForm);
      };
      request.onsuccess = () => {
        const opened = request.result;
        const gone = () => {
          if (this.#database === opened) this.#database = undefined;
        };
        // A newer version of this page, in another tab, must not wait for this one.
        opened.onversionchange = () => {
          opened.close();
          gone();
        };
        opened.onclose = gone;
        done(opened);
      };
      request.onerror = () =>
        failed(
          Object.assign(request.error ?? new Error(t`not allowed`), {
            why: request.error?.name === 'QuotaExceededError' ? 'full' : 'denied',
          }),
        );
      request.onblocked = () =>
        failed(Object.assign(new Error(t`another tab holds an older version of this page open`), { isBlocked: true }));
    });
  }

  #complain(error) {
    const why =
      error.why ??
      (error.name === 'QuotaExceededError' ? 'full' : error.name === 'SecurityError' ? 'denied' : 'failed');
    const isNew = this.problem?.why !== why;
    this.problem = { why, message: error.message, since: this.problem?.since ?? Date.now() };
    // A page that began without what is kept must not write over it.
    if (this.#hasBegun)
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#flush();
      }, pause);
    if (isNew) this.dispatchEvent(new CustomEvent('problem'));
  }

  /** Tries to keep what is held in memory. */
  async #flush() {
    try {
      if (!this.#database) this.#use(await this.#connect());
      await this.#write([]);
    } catch (error) {
      this.#complain(error);
    }
  }

  /** Runs `work` in one transaction: all of it is kept, or none. */
  #transact(names, mode, work) {
    return new Promise((done, failed) => {
      const transaction = this.#database.transaction(names, mode, { durability: 'strict' });
      let result;
      transaction.oncomplete = () => done(result);
      transaction.onabort = () => failed(transaction.error ?? new Error(t`nothing was kept`));
      const request = work(transaction);
      if (request)
        request.onsuccess = () => {
          result = request.result;
        };
      // Nothing more comes: so it is kept also when the page is gone before the answers are there.
      if (mode === 'readwrite') transaction.commit();
    });
  }

  async #read(store, work) {
    return this.#database ? this.#transact([store], 'readonly', (t) => work(t.objectStore(store))) : undefined;
  }

  /** Writes these, and with them what waits; where the browser refuses, they wait too. */
  async #write(operations) {
    // From now on reads see them, whether they are kept or not.
    this.#overlay.add(operations);
    const waits = this.problem !== null;
    // A full disk is not asked at each position.
    if (this.#database && !this.isLate && (!waits || performance.now() - this.#triedAt >= pause)) {
      const all = waits ? this.#overlay.operations : operations;
      if (waits) this.#triedAt = performance.now();
      try {
        const names = [...new Set(all.map(({ store }) => store))];
        if (names.length)
          await this.#transact(names, 'readwrite', (t) => {
            for (const { store, run } of all) run(t.objectStore(store));
          });
        this.#overlay.forget(all);
        if (waits && this.#overlay.isEmpty) {
          this.problem = null;
          this.dispatchEvent(new CustomEvent('problem'));
        }
      } catch (error) {
        this.#triedAt = performance.now();
        this.#complain(error);
      }
    } else if (!this.#database) this.#complain(this.problem ?? new Error(t`the browser has closed the storage`));
    for (const store of new Set(operations.map((each) => each.store)))
      this.dispatchEvent(new CustomEvent('written', { detail: { store } }));
  }

  async all(store) {
    return this.#overlay.all(store, (await this.#read(store, (s) => s.getAll())) ?? []);
  }
  async get(store, key) {
    const held = this.#overlay.get(store, key);
    return held ? held.value : this.#read(store, (s) => s.get(key));
  }
  /** Those whose keys lie from `from` up to, and without, `to`, in order. */
  async range(store, from, to) {
    return this.#overlay.range(
      store,
      from,
      to,
      (await this.#read(store, (s) => s.getAll(IDBKeyRange.bound(from, to, false, true)))) ?? [],
    );
  }
  async keys(store) {
    return (await this.all(store)).map((record) => record[stores[store]]);
  }
  async count(store) {
    return this.#overlay.isEmpty && this.#database
      ? this.#read(store, (s) => s.count())
      : (await this.all(store)).length;
  }
  async kept(key, otherwise) {
    return (await this.get('kept', key))?.value ?? otherwise;
  }

  put(store, ...values) {
    return this.#write(values.map((value) => ({ store, put: value, run: (s) => s.put(value) })));
  }
  remove(store, ...keys) {
    return this.#write(keys.map((key) => ({ store, remove: key, run: (s) => s.delete(key) })));
  }
  removeRange(store, from, to) {
    return this.#write([{ store, from, to, run: (s) => s.delete(IDBKeyRange.bound(from, to, false, true)) }]);
  }
  clear(store) {
    return this.#write([{ store, clear: true, run: (s) => s.clear() }]);
  }
  keep(key, value) {
    return this.put('kept', { key, value });
  }
}
