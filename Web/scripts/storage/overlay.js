// Changes that are not in a database, or not yet: reads see them over its records, and they are written when it accepts them.

/** The most entries that are held of each log (positions, events): the oldest are dropped. */
const mostLogged = 20_000;
const logs = ['fixes', 'events'];

export class Overlay {
  #keys;
  /** The operations in order; of several on one record only the newest. */
  #operations = new Map();
  #last = 0;

  /** @param {object} stores the member that identifies a record, by store name */
  constructor(stores) {
    this.#keys = stores;
  }

  get isEmpty() {
    return this.#operations.size === 0;
  }
  get operations() {
    return [...this.#operations.values()];
  }

  /** @param {{store, put?, remove?, from?, to?, clear?}[]} operations */
  add(operations) {
    for (const operation of operations) {
      if (operation.clear) this.#drop(({ store }) => store === operation.store);
      const name = this.#nameOf(operation);
      this.#operations.delete(name);
      this.#operations.set(name, operation);
    }
    if (this.#operations.size <= mostLogged) return;
    for (const log of logs) {
      const logged = this.operations.filter(({ store, put }) => store === log && put);
      const gone = new Set(logged.slice(0, Math.max(0, logged.length - mostLogged)));
      this.#drop((each) => gone.has(each));
    }
  }

  #keyOf({ store, put, remove }) {
    return put ? put[this.#keys[store]] : remove;
  }
  #nameOf(operation) {
    const key = this.#keyOf(operation);
    return key === undefined ? ++this.#last : `${operation.store} ${typeof key} ${key}`;
  }
  #drop(is) {
    for (const [name, each] of this.#operations) if (is(each)) this.#operations.delete(name);
  }

  /** Drops operations that are in the database now; newer ones stay. */
  forget(operations) {
    const done = new Set(operations);
    this.#drop((each) => done.has(each));
  }

  /** Drops the records put under these keys, unless the store is to be cleared first. */
  yield(store, keys) {
    if (this.operations.some((each) => each.store === store && each.clear)) return;
    const there = new Set(keys);
    this.#drop((each) => each.store === store && each.put && there.has(each.put[this.#keys[store]]));
  }

  /** `{value}` if an operation decides it, undefined if the database must be asked. */
  get(store, key) {
    let found;
    for (const each of this.#operations.values()) {
      if (each.store !== store) continue;
      if (each.clear || (each.from !== undefined && each.from <= key && key < each.to)) found = { value: undefined };
      else if (each.from === undefined && this.#keyOf(each) === key) found = { value: each.put };
    }
    return found;
  }

  /** @param {object[]} base the records of the database, in the order of keys */
  all(store, base) {
    const mine = this.operations.filter((each) => each.store === store);
    if (!mine.length) return base;
    const member = this.#keys[store];
    const records = new Map(base.map((record) => [record[member], record]));
    for (const each of mine) {
      if (each.clear) records.clear();
      else if (each.from !== undefined) {
        for (const key of [...records.keys()]) if (each.from <= key && key < each.to) records.delete(key);
      } else if (each.put) records.set(each.put[member], each.put);
      else records.delete(each.remove);
    }
    return [...records.values()].sort((a, b) => (a[member] < b[member] ? -1 : a[member] > b[member] ? 1 : 0));
  }

  range(store, from, to, base) {
    return this.all(store, base).filter(
      (record) => from <= record[this.#keys[store]] && record[this.#keys[store]] < to,
    );
  }
}
