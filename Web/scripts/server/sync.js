// Keeps this device's zones and reminders at one with those of the account. Every edit is noted when it is made, signed in
// or not; what has not been sent waits. Which of two edits counts is the engine's to say, here and on the server.
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
 * `state`: `off` (nobody is signed in), `private` (the account is: all stays here), `waiting` (no network), `busy`,
 * `done`, `failed` with `problem`. Tells `change`.
 */
export class Sync extends EventTarget {
  state = 'off';
  problem = null;
  /** When all was the same here and there, in milliseconds. */
  doneAt = null;
  #app;
  #server;
  #belongings;
  #followed;
  /**
   * By key: `{key, kind, id, record, waiting}`; `refused` says why the server will not have it, `unfit` why this device cannot
   * use it: that is no edit, and its record stays as others made it.
   */
  #records = new Map();
  #mark;
  #reminders = '[]';
  #running;
  #again = false;
  #timer;
  #writes = Promise.resolve();

  constructor(app, server) {
    super();
    this.#app = app;
    this.#server = server;
    this.#belongings = new Belongings(app, server);
    this.#followed = new FollowedZones(app, server);
  }

  /** How many edits have not been sent. */
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
    // What has not been read is not what was deleted.
    await storage.arrived;
    for (const entry of await storage.all('records')) this.#records.set(entry.key, entry);
    this.#mark = await storage.kept('sync', { clock: { node: newID() }, cursor: 0, account: null });
    // What was edited when this last ended in the middle of it.
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
    // What this device cannot use it has not edited.
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

  /** Edits, as they are made. Saving what a record says already is none. */
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

  /** In the order of the edits. */
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
      // Nothing goes to the server, and nothing that it has forgotten goes from here. Later all counts as new.
      if (this.#mark.account !== null) {
        Object.assign(this.#mark, { account: null, cursor: 0 });
        this.#write([]);
      }
      this.#set('private');
    } else if (state === 'in') {
      if (this.#mark.account !== account.id) {
        // Another account: it gets all that is here, and this device all that is there.
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

  /** After a moment, so that edits made together go together. */
  soon() {
    if (!this.#server.signedIn || this.#server.account.is_private) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), 300);
  }

  /** Sends and fetches until both sides are the same. One run at a time; what comes meanwhile starts another. */
  now() {
    clearTimeout(this.#timer);
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#again) {
        this.#again = false;
        this.soon();
      }
    });
    return this.#running;
  }

  async #run() {
    if (this.#server.state === 'offline') await this.#server.look();
    if (this.#server.state !== 'in') return;
    if (this.#server.account.is_private) return this.#set('private');
    this.#set('busy');
    try {
      await this.#send();
      await this.#fetch();
      // What was merged here may be news to the server.
      await this.#send();
      await this.#belongings.compare();
      this.doneAt = this.#app.now;
      this.#set('done');
    } catch (error) {
      // Turned private elsewhere: from here on nothing is sent.
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
        // One of them is not to the server's liking; the others shall not suffer.
        const half = entries.length >> 1;
        await this.#sendSome(kind, entries.slice(0, half), { redated });
        return this.#sendSome(kind, entries.slice(half), { redated });
      }
      const [entry] = sent;
      entry.refused = error.message;
      return this.#write([entry]);
    }
    // What the server refuses by name stays here, with the reason.
    for (const { id, reason } of answer.refused ?? []) {
      const entry = sent.find((each) => each.id === id);
      if (entry) entry.refused = reason;
    }
    // Sent, unless it was edited again meanwhile.
    for (const entry of sent) if (!entry.refused && this.#records.get(entry.key) === entry) entry.waiting = false;
    await this.#write(sent);
    await this.#take(
      kind,
      answer[`${kind}s`].map((wire) => ({ id: wire.id, theirs: fromWire(wire) })),
    );
  }

  /** Where this device's clock is ahead of the server's, edits are dated anew by the server's. */
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
      // Before the cursor moves: what could not be fetched is told again.
      await this.#followed.take(new Set(page.changes.filter(({ kind }) => kind === 'follow').map(({ id }) => id)));
      this.#mark.cursor = page.next;
      this.#mark.epoch = page.epoch;
      await this.#write([]);
      more = page.has_more && page.changes.length > 0;
    }
  }

  /** An older copy of the server's data was put back, or it has forgotten too much: it is read from the start, and gets all that is here. */
  async #beginAnew() {
    Object.assign(this.#mark, { cursor: 0, epoch: undefined });
    for (const entry of this.#records.values()) entry.waiting = true;
    await this.#write([...this.#records.values()]);
    await this.#belongings.forget();
    await this.#followed.forget();
  }

  /** Takes others' records over: the engine merges, this device shows what comes of it. */
  async #take(kind, items) {
    if (!items.length) return;
    const answer = this.#app.ask('merge', {
      kind,
      clock: this.#mark.clock,
      items: items.map((item) => ({ ...item, record: this.#records.get(keyOf(kind, item.id))?.record })),
    });
    this.#mark.clock = answer.clock;
    const news = answer.items.filter(({ changed }) => changed);
    // First in memory, so that showing them is seen to be no edit; on the disk last, so that after a crash it is none either.
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

  /** The server has forgotten even that it was deleted. */
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

  /** @returns {Promise<Map<string, string>>} by id, why this device cannot use some; all others are shown */
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
      // It is not said which: one by one.
      else if (forms.length > 1) for (const form of forms) await this.#putZones([form], unfit);
      else unfit.set(forms[0].id, error.message);
    }
  }

  /** Signing out: what belongs to the account stays here, or goes from here only. */
  async leave({ keep }) {
    await this.#running;
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
/** The one of this page; `begin` has been called. */
export function syncOf(app) {
  if (!shared) {
    const sync = new Sync(app, serverOf(app));
    shared = sync.begin().then(() => sync);
  }
  return shared;
}
