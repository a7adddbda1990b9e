// Keeps this device's zones and reminders equal to those of the account. Every edit is noted when it is made, signed in or
// not, and waits until it is sent. The engine decides which of two edits counts, here and on the server.
import { newID, ZonesRefused } from '../app.js';
import { Refused } from '../engine/engine.js';
import { Belongings } from './belongings.js';
import { FollowedZones } from './followed-zones.js';
import { ServerProblem, serverOf } from './server.js';
import { fromWire, toWire } from './sync-wire.js';

const kinds = ['zone', 'reminder'];
const atOnce = 200;
const keyOf = (kind, id) => `${kind}:${id}`;

/**
 * `state`: `off` (nobody is signed in), `private` (the account is private: everything stays here), `waiting` (no network), `busy`,
 * `done`, `failed` with `problem`. Dispatches `change`.
 */
export class Sync extends EventTarget {
  state = 'off';
  problem = null;
  /** The time at which both sides were last equal, in milliseconds. */
  doneAt = null;
  #app;
  #server;
  #belongings;
  #followed;
  /**
   * Entries by key: `{key, kind, id, record, waiting}`. `refused` is the server's reason for refusing the record; `unfit` is the
   * reason why this device cannot use it: that is no edit, and the record stays as others made it.
   */
  #records = new Map();
  #mark;
  #reminders = '[]';
  #running;
  /** The run after the present one. */
  #next;
  #timer;
  #writes = Promise.resolve();

  constructor(app, server) {
    super();
    this.#app = app;
    this.#server = server;
    this.#belongings = new Belongings(app, server);
    this.#followed = new FollowedZones(app, server);
  }

  /** The number of edits that have not been sent. */
  get waiting() {
    return [...this.#records.values()].filter((entry) => entry.waiting && !entry.refused).length;
  }
  get unfit() {
    return [...this.#records.values()].filter((entry) => entry.unfit);
  }
  get refused() {
    return [...this.#records.values()].filter((entry) => entry.refused);
  }

  async begin() {
    const { storage } = this.#app;
    // Before storage is read, every zone would count as deleted.
    await storage.arrived;
    for (const entry of await storage.all('records')) this.#records.set(entry.key, entry);
    this.#mark = await storage.kept('sync', { clock: { node: newID() }, cursor: 0, account: null });
    // Notes edits that the previous run ended before noting.
    this.#note('zone', this.#zonesToNote());
    this.#noteReminders();
    this.#app.addEventListener('zones', ({ detail }) =>
      this.#note(
        'zone',
        detail.ids.map((id) => ({ id, form: this.#app.zones.get(id), removed: !this.#app.zones.has(id) })),
      ),
    );
    this.#app.addEventListener('change', () => this.#noteReminders());
    this.#server.addEventListener('change', () => this.#serverChanged());
    this.#app.addEventListener('settings', () => this.soon());
    storage.addEventListener('written', ({ detail: { store } }) => {
      if (store === 'messages' || store === 'sounds') this.soon();
    });
    addEventListener('online', () => this.soon());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.soon();
    });
    this.#serverChanged();
  }

  #zonesToNote() {
    // Skips zones whose record is `unfit`: this device has not edited them.
    const items = [...this.#app.zones]
      .filter(([id]) => !this.#records.get(keyOf('zone', id))?.unfit)
      .map(([id, form]) => ({ id, form }));
    for (const { kind, id, unfit } of this.#records.values())
      if (kind === 'zone' && !unfit && !this.#app.zones.has(id)) items.push({ id });
    return items;
  }

  #noteReminders() {
    const { reminders } = this.#app.report;
    const said = JSON.stringify(reminders);
    if (said === this.#reminders) return;
    this.#reminders = said;
    const there = new Set(reminders.map(({ id }) => id));
    const gone = [...this.#records.values()]
      .filter(({ kind, id }) => kind === 'reminder' && !there.has(id))
      .map(({ id }) => ({ id }));
    this.#note('reminder', [...reminders.map((form) => ({ id: form.id, form })), ...gone]);
  }

  /** Stamps edits and schedules their sending. Saving a form equal to its record is no edit. */
  #note(kind, items) {
    const changed = [];
    for (let start = 0; start < items.length; start += atOnce) {
      const answer = this.#app.ask('stamp', {
        kind,
        clock: this.#mark.clock,
        items: items
          .slice(start, start + atOnce)
          .map(({ id, form, removed }) => ({ id, form, removed, record: this.#records.get(keyOf(kind, id))?.record })),
      });
      this.#mark.clock = answer.clock;
      for (const { id, record } of answer.items) changed.push(this.#put(kind, id, record, { waiting: true }));
    }
    if (!changed.length) return;
    this.#write(changed);
    this.soon();
  }

  #put(kind, id, record, { waiting }) {
    const entry = { key: keyOf(kind, id), kind, id, record, waiting };
    this.#records.set(entry.key, entry);
    return entry;
  }

  /** Writes records and the mark to storage, in the order of the edits. */
  #write(entries) {
    const { storage } = this.#app;
    const mark = { ...this.#mark };
    this.#writes = this.#writes
      .then(async () => {
        if (entries.length) await storage.put('records', ...entries);
        await storage.keep('sync', mark);
      })
      .catch((error) => this.#fail(error));
    return this.#writes;
  }

  // MARK: With the server

  #serverChanged() {
    const { state, account } = this.#server;
    if (account?.is_private) {
      // Nothing goes to the server, and records that it has forgotten stay here. Later, all of them count as new.
      if (this.#mark.account !== null) {
        Object.assign(this.#mark, { account: null, cursor: 0 });
        this.#write([]);
      }
      this.#set('private');
    } else if (state === 'in') {
      if (this.#mark.account !== account.id) {
        // Another account: it gets all records of this device, and this device all of the account's.
        Object.assign(this.#mark, { account: account.id, cursor: 0 });
        for (const entry of this.#records.values()) entry.waiting = true;
        this.#write([...this.#records.values()]);
      }
      this.soon();
    } else this.#set(state === 'offline' ? 'waiting' : 'off');
  }

  #set(state, problem = null) {
    this.state = state;
    this.problem = problem;
    this.dispatchEvent(new CustomEvent('change'));
  }
  #fail(error) {
    this.#set(error.offline ? 'waiting' : 'failed', error.message);
  }

  /** Syncs after 300 ms, so that edits made together are sent together. */
  soon() {
    if (!this.#server.signedIn || this.#server.account.is_private) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), 300);
  }

  /**
   * Sends and fetches until both sides are equal. One run at a time: a call during a run waits for another one after it, since
   * the present one may have sent its edits already.
   */
  now() {
    clearTimeout(this.#timer);
    if (this.#running) return (this.#next ??= this.#runAfter(this.#running));
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runAfter(present) {
    await present.catch(() => {});
    this.#next = undefined;
    await this.now();
  }

  async #run() {
    if (this.#server.state === 'offline') await this.#server.look();
    if (this.#server.state !== 'in') return;
    if (this.#server.account.is_private) return this.#set('private');
    this.#set('busy');
    try {
      await this.#send();
      await this.#fetch();
      // Records merged here may be new to the server.
      await this.#send();
      await this.#belongings.compare();
      this.doneAt = this.#app.now;
      this.#set('done');
    } catch (error) {
      // The account was made private elsewhere: nothing is sent from here on.
      if (error.kind === 'private-account') return this.#server.look();
      this.#fail(error);
    }
  }

  async #send() {
    for (const kind of kinds) {
      const waiting = [...this.#records.values()].filter(
        (entry) => entry.kind === kind && entry.waiting && !entry.refused,
      );
      for (let start = 0; start < waiting.length; start += atOnce)
        await this.#sendSome(kind, waiting.slice(start, start + atOnce));
    }
  }

  async #sendSome(kind, entries, { redated = false } = {}) {
    const sent = entries.map((entry) => this.#records.get(entry.key));
    let answer;
    try {
      answer = await this.#server.ask('POST', '/sync', {
        [`${kind}s`]: sent.map(({ id, record }) => toWire(id, record)),
      });
    } catch (error) {
      if (!(error instanceof ServerProblem) || ![413, 422].includes(error.status)) throw error;
      if (!redated && (await this.#putClockRight(kind, error, sent)))
        return this.#sendSome(kind, entries, { redated: true });
      if (entries.length > 1) {
        // Halves the batch until the record that the server refuses is alone.
        const half = entries.length >> 1;
        await this.#sendSome(kind, entries.slice(0, half), { redated });
        return this.#sendSome(kind, entries.slice(half), { redated });
      }
      const [entry] = sent;
      entry.refused = error.message;
      return this.#write([entry]);
    }
    // Records that the server refuses by id stay here, with the reason.
    for (const { id, reason } of answer.refused ?? []) {
      const entry = sent.find((each) => each.id === id);
      if (entry) entry.refused = reason;
    }
    // Clears `waiting`, unless the record was edited again meanwhile.
    for (const entry of sent) if (!entry.refused && this.#records.get(entry.key) === entry) entry.waiting = false;
    await this.#write(sent);
    await this.#take(
      kind,
      answer[`${kind}s`].map((wire) => ({ id: wire.id, theirs: fromWire(wire) })),
    );
  }

  /** Redates edits by the server's clock, if this device's clock is ahead of it. @returns whether any edit was redated */
  async #putClockRight(kind, error, sent) {
    if (!Number.isFinite(error.date)) return false;
    const answer = this.#app.ask('restamp', {
      clock: this.#mark.clock,
      now_ms: error.date,
      items: sent.map(({ id, record }) => ({ id, record })),
    });
    if (!answer.items.length) return false;
    this.#mark.clock = answer.clock;
    await this.#write(answer.items.map(({ id, record }) => this.#put(kind, id, record, { waiting: true })));
    return true;
  }

  async #fetch() {
    for (let more = true; more;) {
      const { cursor, epoch } = this.#mark;
      let page;
      try {
        page = await this.#server.ask('GET', `/sync?after=${cursor}&limit=${atOnce}${epoch ? `&epoch=${epoch}` : ''}`);
      } catch (error) {
        if (error.kind !== 'gone' || cursor === 0) throw error;
        await this.#beginAnew();
        continue;
      }
      for (const kind of kinds) {
        const news = page.changes.filter((change) => change.kind === kind);
        await this.#take(
          kind,
          news.filter(({ record }) => record).map(({ id, record }) => ({ id, theirs: fromWire(record) })),
        );
        await this.#forget(
          kind,
          news.filter(({ record, is_deleted: gone }) => gone && !record).map(({ id }) => id),
        );
      }
      // Before the cursor moves, so that the server reports again a change that could not be fetched.
      await this.#followed.take(new Set(page.changes.filter(({ kind }) => kind === 'follow').map(({ id }) => id)));
      this.#mark.cursor = page.next;
      this.#mark.epoch = page.epoch;
      await this.#write([]);
      more = page.has_more && page.changes.length > 0;
    }
  }

  /**
   * Reads the account from the start and sends everything that is here: the server's data were restored from an older copy, or
   * the server has forgotten changes since the cursor.
   */
  async #beginAnew() {
    Object.assign(this.#mark, { cursor: 0, epoch: undefined });
    for (const entry of this.#records.values()) entry.waiting = true;
    await this.#write([...this.#records.values()]);
    await this.#belongings.forget();
    await this.#followed.forget();
  }

  /** Takes over others' records: the engine merges them, and this device shows the result. */
  async #take(kind, items) {
    if (!items.length) return;
    const answer = this.#app.ask('merge', {
      kind,
      clock: this.#mark.clock,
      items: items.map((item) => ({ ...item, record: this.#records.get(keyOf(kind, item.id))?.record })),
    });
    this.#mark.clock = answer.clock;
    const news = answer.items.filter(({ changed }) => changed);
    // In memory before they are shown, so that showing them is no edit; on disk last, so that it is none after a crash either.
    const entries = answer.items.map(({ id, record, ahead }) => this.#put(kind, id, record, { waiting: ahead }));
    const unfit = await this.#show(
      kind,
      news.filter(({ form }) => form).map(({ form }) => form),
      news.filter(({ form, why }) => !form && !why).map(({ id }) => id),
    );
    for (const { id, why, field } of news.filter((each) => !each.form && each.why))
      unfit.set(id, [field, why].filter(Boolean).join(': '));
    for (const entry of entries) if (unfit.has(entry.id)) entry.unfit = unfit.get(entry.id);
    await this.#write(entries);
  }

  /** Removes records that the server no longer knows even as deleted. */
  async #forget(kind, ids) {
    const gone = ids.filter((id) => {
      const entry = this.#records.get(keyOf(kind, id));
      return entry && !entry.waiting;
    });
    if (!gone.length) return;
    for (const id of gone) this.#records.delete(keyOf(kind, id));
    await this.#show(kind, [], gone);
    await this.#app.storage.remove('records', ...gone.map((id) => keyOf(kind, id)));
  }

  /** @returns {Promise<Map<string, string>>} the reasons why this device cannot use some forms, by id; all others are shown */
  async #show(kind, forms, gone) {
    const unfit = new Map();
    if (kind === 'zone') {
      const there = gone.filter((id) => this.#app.zones.has(id));
      await this.#putZones(forms, unfit);
      if (there.length) await this.#app.removeZones(...there);
      return unfit;
    }
    const known = new Set(this.#app.report.reminders.map(({ id }) => id));
    for (const reminder of forms) {
      try {
        this.#app.ask('remind', { command: known.has(reminder.id) ? 'edit' : 'add', reminder });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        unfit.set(reminder.id, error.message);
      }
    }
    for (const id of gone) if (known.has(id)) this.#app.ask('remind', { command: 'remove', id });
    return unfit;
  }

  async #putZones(forms, unfit) {
    if (!forms.length) return;
    try {
      await this.#app.putZones(...forms);
    } catch (error) {
      if (error instanceof ZonesRefused)
        for (const refused of error.refused) unfit.set(refused.id, new ZonesRefused([refused]).message);
      else if (!(error instanceof Refused)) throw error;
      // The error names no zone: tries them one by one.
      else if (forms.length > 1) for (const form of forms) await this.#putZones([form], unfit);
      else unfit.set(forms[0].id, error.message);
    }
  }

  /** Signs out. The account's zones and reminders stay on this device if `keep`, else they are removed from this device only. */
  async leave({ keep }) {
    clearTimeout(this.#timer);
    while (this.#running) await (this.#next ?? this.#running);
    this.#mark.account = null;
    this.#mark.cursor = 0;
    await this.#followed.forget();
    if (!keep) {
      const keys = [...this.#records.keys()];
      this.#records.clear();
      await this.#app.removeZones(...this.#app.zones.keys());
      for (const { id } of this.#app.report.reminders) this.#app.ask('remind', { command: 'remove', id });
      this.#records.clear();
      await this.#app.storage.remove('records', ...keys);
    }
    await this.#write([]);
    this.#set('off');
  }
}

let shared;
/** The page's one `Sync`, after `begin`. */
export function syncOf(app) {
  if (!shared) {
    const sync = new Sync(app, serverOf(app));
    shared = sync.begin().then(() => sync);
  }
  return shared;
}
