// What the page keeps on this device, in IndexedDB: zones and reminders as forms, settings, the engine's snapshot, a log.

/** By name, the member that identifies a record. A new one is added here, with the next `version`. */
const stores = {
  zones: 'id', reminders: 'id', messages: 'id', sounds: 'name', tracks: 'id', kept: 'key', events: 'key',
  fixes: 'measured', records: 'key', received: 'id',
};
const version = 2;

/** Tells `written` with the `store` that something was written to or removed from. */
export class Storage extends EventTarget {
  /** By name, the member that identifies a record. */
  stores = stores;
  #database;

  /** @param {string} [name] of the database; tests use their own */
  static async open(name = 'proximity') {
    const storage = new Storage();
    storage.#database = await new Promise((done, failed) => {
      const request = indexedDB.open(name, version);
      request.onupgradeneeded = () => {
        const there = request.result.objectStoreNames;
        for (const [store, keyPath] of Object.entries(stores)) if (!there.contains(store)) request.result.createObjectStore(store, { keyPath });
      };
      request.onsuccess = () => {
        // A newer version of this page, in another tab, must not wait for this one.
        request.result.onversionchange = () => request.result.close();
        done(request.result);
      };
      request.onerror = () => failed(request.error);
      request.onblocked = () => failed(new Error('another tab holds an older version of this page open'));
    });
    return storage;
  }

  /** Runs `work` in one transaction: all of it is kept, or none. */
  #transact(names, mode, work) {
    return new Promise((done, failed) => {
      const transaction = this.#database.transaction(names, mode, { durability: 'strict' });
      let result;
      transaction.oncomplete = () => {
        done(result);
        if (mode === 'readwrite') this.dispatchEvent(new CustomEvent('written', { detail: { store: names[0] } }));
      };
      transaction.onabort = () => failed(transaction.error ?? new Error('nothing was kept'));
      const request = work(transaction);
      if (request) request.onsuccess = () => { result = request.result; };
      // Nothing more comes: so it is kept also when the page is gone before the answers are there.
      if (mode === 'readwrite') transaction.commit();
    });
  }

  all(store) { return this.#transact([store], 'readonly', (t) => t.objectStore(store).getAll()); }
  get(store, key) { return this.#transact([store], 'readonly', (t) => t.objectStore(store).get(key)); }
  /** Those whose keys lie from `from` up to, and without, `to`, in order. */
  range(store, from, to) { return this.#transact([store], 'readonly', (t) => t.objectStore(store).getAll(IDBKeyRange.bound(from, to, false, true))); }
  removeRange(store, from, to) { return this.#transact([store], 'readwrite', (t) => { t.objectStore(store).delete(IDBKeyRange.bound(from, to, false, true)); }); }
  keys(store) { return this.#transact([store], 'readonly', (t) => t.objectStore(store).getAllKeys()); }
  put(store, ...values) {
    return this.#transact([store], 'readwrite', (t) => { for (const value of values) t.objectStore(store).put(value); });
  }
  remove(store, ...keys) {
    return this.#transact([store], 'readwrite', (t) => { for (const key of keys) t.objectStore(store).delete(key); });
  }
  clear(store) { return this.#transact([store], 'readwrite', (t) => { t.objectStore(store).clear(); }); }
  async kept(key, otherwise) { return (await this.get('kept', key))?.value ?? otherwise; }
  keep(key, value) { return this.put('kept', { key, value }); }
  count(store) { return this.#transact([store], 'readonly', (t) => t.objectStore(store).count()); }
}
