// The page's storage on this device, in IndexedDB: zones and reminders as forms, settings, the engine's snapshot, a log. Data that
// the browser refuses to store are held in memory until it accepts them, and `problem` reports that.
import { zoneForm } from './earlier.js';
import { Overlay } from './overlay.js';
import { answered, inTime, patience_ms } from './requests.js';
import { t } from '../words/translate.js';

/** The stores: by name, the member that identifies a record. To add a store, also increase `version`. */
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
/** The version from which a zone's form has its present names. */
const renamed = 3;
/** The shortest time between attempts to store data that are held in memory, in ms. */
const pause = 10_000;
/** The longest pause, in ms, between requests for a database that is late: the first is `pause`, each further one twice as long. */
const longestPause = 300_000;

/** Replaces every record of a store by the result of `renewed`. */
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
 * Dispatches `written` with the `store` that was written to or removed from, and `problem` when `problem` changes. Every write is
 * stored completely or not at all; data that cannot be stored last as long as the page.
 */
export class Storage extends EventTarget {
  /** The member that identifies a record, by store name. */
  stores = stores;
  /**
   * The reason why data are held in memory only: `{why, message, since}`. `why` is `absent` (the browser has no IndexedDB), `denied`
   * (the browser forbids it), `late` (it has not answered yet, so the stored data are unknown), `full` or `failed`. Null while
   * everything is stored.
   */
  problem = null;
  /** Settles when the stored data can be read, or never will be. */
  arrived;
  /** Called when stored data arrive late: they can be read then, and nothing is written before the promise settles. */
  reconcile = async () => {};
  /** True if the page began without the stored data, which may still arrive: nothing is written until they do. */
  isLate = false;
  #name;
  #database;
  /** The changes held in memory, newer than the database. */
  #overlay = new Overlay(stores);
  #triedAt = -Infinity;
  /** True if a database was opened, so that the stored data could be read. */
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
   * @param {string} [name] the database; tests use their own
   * @param {{patience?: number, again?: number}} [times] in ms: how long to wait for it, and the pause before asking again
   */
  static async open(name = 'proximity', { patience = patience_ms, again = pause } = {}) {
    const storage = new Storage();
    storage.#name = name;
    const opened = storage.#connect();
    try {
      storage.#use(await inTime(opened, patience));
    } catch (error) {
      // The error ends when the other tab is closed.
      if (error.isBlocked) throw error;
      storage.#complain(error);
      if (error.why === 'late') storage.#wait(opened, again);
    }
    if (!storage.isLate) storage.#hasArrived();
    return storage;
  }

  /** Waits for a late database and asks again, as a later request may be answered first. The first database that arrives is used. */
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
      // A request refused now may succeed later; until then the stored data are unknown.
      request.then(take, (error) => console.warn(error));
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => ask(this.#connect(), Math.min(2 * after, longestPause)), after);
    };
    this.#askAgain = () => ask(this.#connect(), again);
    ask(opened, again);
  }
  #askAgain;

  /** Asks for the late database at once. */
  seek() {
    if (this.isLate) this.#askAgain();
  }

  /** Takes a late database. Its `kept` records replace those of the page; all other changes made meanwhile are written over it. */
  async #arrive(database) {
    // Reads use it from here on.
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
        // Must not block a newer version of this page in another tab.
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
    // A page that began without the stored data must not overwrite them.
    if (this.#hasBegun)
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#flush();
      }, pause);
    if (isNew) this.dispatchEvent(new CustomEvent('problem'));
  }

  /** Tries to store the changes held in memory. */
  async #flush() {
    try {
      if (!this.#database) this.#use(await this.#connect());
      await this.#write([]);
    } catch (error) {
      this.#complain(error);
    }
  }

  /** Runs `work` in one transaction: all of it is stored, or nothing. */
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
      // Commits at once, so that the data are stored even if the page is closed before the requests are answered.
      if (mode === 'readwrite') transaction.commit();
    });
  }

  async #read(store, work) {
    return this.#database ? this.#transact([store], 'readonly', (t) => work(t.objectStore(store))) : undefined;
  }

  /** Writes operations, with those that are waiting; if the browser refuses, all of them wait. */
  async #write(operations) {
    // Reads see them from now on, stored or not.
    this.#overlay.add(operations);
    const waits = this.problem !== null;
    // A full disk is not tried again at each position.
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
  /** The records with keys in [from, to), in order. */
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
