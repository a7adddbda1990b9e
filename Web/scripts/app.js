// The page's single state: the engine's last report, and the actions of a person. Screens listen to it and call it.
import { Clock } from './device/clock.js';
import { timed } from './device/local-time.js';
import { phone, PhonePositions } from './device/phone-app.js';
import { Positions } from './device/positions.js';
import { Encoded } from './engine/cbor.js';
import { Refused } from './engine/engine.js';
import { rows } from './engine/rows.js';
import { keptPacks, lentByPacks } from './packs/kept-packs.js';
import { painted } from './page/painted.js';
import { fieldName, issue } from './words/issue-words.js';
import { t } from './words/translate.js';

const wakeAhead = 2 ** 31 - 1;
/** The interval of the checks for a clock that was set back and for a timer that is late, in ms. */
const beat = 5_000;

/** Some zones were refused: `refused` holds `id`, `name`, `field` and `why` of each. All others were kept. */
export class ZonesRefused extends Error {
  constructor(refused) {
    super(refused.map(told).join(' '));
    this.name = 'ZonesRefused';
    this.refused = refused;
  }
}
const told = ({ name, field, why, given, least, most }) => {
  const allowed =
    Number.isFinite(least) && Number.isFinite(most) ? ` ${t`(${given} given, ${least} to ${most} allowed)`}` : '';
  return `“${name || t`Zone`}”: ${[field && fieldName(field), issue(why)].filter(Boolean).join(', ')}${allowed}.`;
};
/** The number of zones that are stored in one step. */
const together = 500;
/** The number of points at which a portion of zones begins to be watched; a circle counts as a few points. */
const portionWeight = 150_000;
const weightOf = ({ places, parts }) =>
  Math.max(
    3,
    places?.length ?? parts.reduce((sum, part) => sum + part.reduce((points, ring) => points + ring.length, 0), 0),
  );
/** Yields, so that positions, taps and timers can be handled. */
const pause = () =>
  new Promise((done) => {
    setTimeout(done);
  });

/**
 * Events: `change` (there is a new report), `event` (each of the engine's), `events` (those of one report, together), `reminder`,
 * `settings` (the changes), `zones` (`ids` that were kept or removed; `adopted`: by another tab; `more`: further ones follow),
 * `command` (a person's decision in this tab), `fixes` (as they came), `caught-up` (`{from, to}`: the page was not in view, and has
 * a position again), `clock` (`{by}`: the clock was set back, negative, in ms), `problem` (an error: something was not stored).
 */

/** Reasons why a page cannot watch that do not apply to the app that shows it. */
const ofPages = new Set([
  'not_authorized',
  'hidden',
  'no_position',
  'position_unavailable',
  'awaiting_position',
  'position_too_old',
  'position_too_coarse',
]);

export class App extends EventTarget {
  /** The engine's last report. */
  report = {
    state: { kind: 'off' },
    armed: false,
    total: 0,
    watching: 0,
    nearest: [],
    alarms: [],
    reminders: [],
    nearby: [],
    snoozed: [],
    refused_zones: [],
  };
  /** The forms of the person's own zones, by id. */
  zones = new Map();
  /** Zones of others, by the id under which they are watched: `{form, collection, owner}`. They are not edited or exported. */
  shared = new Map();
  settings = {};
  #engine;
  #storage;
  #positions;
  #timer;
  #clock;
  #steps;
  #snapshot;
  #recalled;
  #began;
  /** Settles when the engine is there; requests before that have to wait for it. */
  begun = new Promise((done) => {
    this.#began = done;
  });
  /** The time since which an armed page has not been visible. */
  #hiddenSince;

  /** @param {{engine: Promise<object>|object, storage, clock?: () => number, steady?: () => number}} parts `steady` is a clock that nobody sets */
  constructor({ engine, storage, clock = () => Date.now(), steady }) {
    super();
    this.#engine = engine;
    this.#storage = storage;
    this.#clock = clock;
    this.#steps = new Clock(clock, steady);
    this.#positions = new (phone ? PhonePositions : Positions)({
      clock,
      steady: () => this.#steps.steady,
      taken: (fixes) => this.take(fixes),
      changed: () => {
        this.#tell('change');
        queueMicrotask(() => this.#passOn());
      },
    });
  }

  get storage() {
    return this.#storage;
  }
  /** True if the stored data have been read: until then the page does not know its zones. */
  get isKnown() {
    return this.#isKnown;
  }
  get now() {
    return this.#clock();
  }
  /** `unknown`, `asking`, `granted`, `denied`, `unavailable`. */
  get positioning() {
    return this.#positions.state;
  }

  /** Connects this page with the app that shows it. */
  async joinPhone(join) {
    await join(this, this.#positions);
  }

  /**
   * Takes the state of the app's own watch; undefined if the app watches nothing.
   * @param {{state: object, promises: Map<string, object>}} [state] the state for all zones, and the promises by zone id
   */
  notePhone(state) {
    this.#phoneState = state;
    this.ask('advance');
  }
  #phoneState;

  /** The problems that keep the app that shows this page from ringing. */
  phoneTroubles = [];
  /** Problems of signed packs that a person must know: `{name, detail}`. */
  packTroubles = [];
  noteTroubles(troubles) {
    this.phoneTroubles = troubles;
    this.#tell('change');
  }

  /** Replaces the page's state by the app's, if the page is watching or fails to for a reason in `ofPages`. */
  #asPhone(report) {
    const { state, promises } = this.#phoneState;
    const isOver =
      report.state.kind === 'watching' || (report.state.kind === 'cannot_watch' && ofPages.has(report.state.why));
    if (!isOver) return report;
    const nearest = report.nearest.map((zone) =>
      promises.has(zone.id) ? { ...zone, guarantee: promises.get(zone.id) } : zone,
    );
    return { ...report, state, nearest };
  }

  /** Reads the stored data, so that a first screen can be drawn before the engine is loaded. */
  async recall() {
    const [kept, zones, reminders] = await Promise.all(
      ['kept', 'zones', 'reminders'].map((store) => this.#storage.all(store)),
    );
    const {
      device,
      settings = {},
      armed = false,
      snapshot,
      nearby = [],
      shared_zones: followed,
      packs,
    } = Object.fromEntries(kept.map(({ key, value }) => [key, value]));
    this.device = device ?? newID();
    if (!device) await this.#storage.keep('device', this.device);
    this.settings = settings;
    this.zones = new Map(zones.map((zone) => [zone.id, zone]));
    this.#lentBy = { account: followed?.collections ?? [], packs: lentByPacks(keptPacks(packs)) };
    this.#lend();
    this.#snapshot = snapshot;
    this.#recalled = { armed, reminders, nearby };
    this.#isKnown = !this.#storage.isLate;
    Object.assign(this.report, {
      state: armed || !this.#isKnown ? { kind: 'cannot_watch', why: 'starting' } : { kind: 'off' },
      armed,
      total: this.watched.length,
      watching: this.watched.filter(({ active }) => active).length,
    });
  }

  /** Decisions and the last position from the time before the stored data were read. */
  #meanwhile = { settings: {} };

  /** Takes over stored data that arrived after the page began without them. Decisions made meanwhile hold. */
  async recallLate() {
    await this.begun;
    const mine = [...this.zones.keys()];
    await this.recall();
    const { armed = this.#recalled.armed, settings, fix } = this.#meanwhile;
    const zones = this.zones;
    const all = { ...this.settings, ...settings };
    this.#isKnown = true;
    // The stored snapshot fits the stored zones alone.
    this.zones = new Map([...zones].filter(([id]) => !mine.includes(id)));
    this.#open({ ...this.#recalled, armed, settings: all });
    this.#recalled = undefined;
    this.zones = zones;
    this.settings = all;
    if (mine.length) this.#replaceZones();
    // Judges all of them by the position that the page already has.
    if (fix) this.ask('fixes', { rows: rows([fix]) });
    if (Object.keys(settings).length) await this.#storage.keep('settings', all);
    this.#tell('settings', {});
    this.#tell('zones', { ids: mine, adopted: true });
    await this.#save();
  }
  /** True if the stored data have been read. */
  #isKnown = true;

  /** Reports `not_recalled` in place of `off` and `no_zones` until the stored data have been read. */
  #asUnknown(report) {
    const { kind, why } = report.state;
    if (this.#isKnown || (kind !== 'off' && why !== 'no_zones')) return report;
    return { ...report, state: { kind: 'cannot_watch', why: 'not_recalled' } };
  }

  /** Begins from the recalled data. A snapshot that no longer fits the zones is dropped. */
  async begin() {
    this.#engine = await this.#engine;
    this.#open({ ...this.#recalled, settings: this.settings });
    this.#recalled = undefined;
    this.#began();
    setInterval(() => this.#beat(), beat);
  }

  /** Checks the clock and the next due time: timers do not follow a clock that is set, and are late after the computer slept. */
  #beat() {
    this.#noticeClock();
    if (this.report.next_due_ms <= this.now) this.ask('advance');
  }

  /** Tells the engine by how much the clock was set back, so that it shifts its times. */
  #noticeClock() {
    const by = this.#steps.jump();
    if (by === 0 || this.#recalled) return;
    this.#ask('clock_jumped', { by_ms: by });
    this.#tell('clock', { by });
  }

  /** Opens the engine from the snapshot if it still fits, else without it. */
  #open({ armed, settings, reminders, nearby }) {
    const open = (snapshot) =>
      this.#take(
        this.#engine.ask('open', {
          now_ms: this.now,
          ...this.#circumstances(),
          device: this.device,
          armed,
          settings,
          zones: this.#forms(),
          reminders,
          nearby,
          snapshot,
        }),
      );
    try {
      open(this.#snapshot);
    } catch (error) {
      if (!this.#snapshot || (error instanceof Refused && error.why !== 'snapshot_unusable')) throw error;
      this.#snapshot = undefined;
      open();
    }
  }

  /**
   * Asks the engine; an answer that is a report becomes the state. An engine that crashed has restarted and is opened again with
   * the last report.
   */
  ask(name, values = {}) {
    this.#noticeClock();
    return this.#ask(name, values);
  }

  #ask(name, values = {}) {
    let answer;
    try {
      answer = this.#engine.ask(name, { now_ms: this.now, ...this.#circumstances(), ...values });
    } catch (error) {
      if (!(error instanceof Refused)) this.#open({ ...this.report, settings: this.settings });
      throw error;
    }
    if (answer.nearest) this.#take(answer);
    return answer;
  }

  #take(report) {
    this.report = this.#asUnknown(this.#phoneState ? this.#asPhone(report) : report);
    this.#wakeAt(report);
    for (const event of report.events) {
      if (event.event === 'alarm') event.why = this.#why(event);
      this.#tell('event', event);
    }
    if (report.events.length) this.#tell('events', report.events);
    for (const effect of report.effects) this.#tell('reminder', effect);
    if (report.events.length) {
      this.#storage
        .put(
          'events',
          ...report.events.map((event) => ({
            ...event,
            key: `${event.time_ms}-${event.event}-${event.alarm ?? event.zone ?? ''}`,
          })),
        )
        .catch((error) => this.#tell('problem', error));
      // A page that is closed without notice can then resume here.
      this.#save().catch((error) => this.#tell('problem', error));
    }
    if (report.listens) this.#positions.begin();
    else this.#positions.end();
    this.#tell('change');
    if (report.armed && report.wants_fix) this.#positions.ask();
  }

  /** The record of an alarm's decision, for the history. Undefined if the engine no longer has it. */
  #why({ zone, decided_ms: at }) {
    try {
      return this.#engine.ask('why', { zone, from_ms: at, to_ms: at }).record;
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }

  /** Facts about the device that the engine cannot know; whether alarms would ring depends on them. */
  #circumstances() {
    this.#passed = this.positioning;
    return {
      positioning: this.positioning,
      visible: document.visibilityState === 'visible',
      phones_ringing: this.#phonesRinging,
    };
  }
  #passed;
  #phonesRinging = 0;

  /** Tells the engine if the state of positioning differs from the one it was told last. */
  #passOn() {
    if (!this.#recalled && this.positioning !== this.#passed) this.ask('advance');
  }

  /** Takes the number of ringing alarms of the account's phones. */
  async noteOtherPhones(count) {
    if (count === this.#phonesRinging) return;
    this.#phonesRinging = count;
    await this.begun;
    this.ask('advance');
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Sets the timer for the next due time or end of a sleep. A device at rest delivers no position of its own accord. */
  #wakeAt(report) {
    clearTimeout(this.#timer);
    const sleeps = report.alarms.map(({ zone }) => zone.until_ms).filter((until) => until > this.now);
    const due = Math.min(report.next_due_ms ?? Infinity, ...sleeps);
    if (due === Infinity) return;
    this.#timer = setTimeout(
      () => {
        this.ask('advance');
        if (this.report.armed && sleeps.length) this.#positions.ask();
      },
      Math.min(wakeAhead, Math.max(0, due - this.now)),
    );
  }

  /** Stores `armed` at once, and the snapshot, which takes longer, after the next painting. */
  async #save() {
    const armed = this.#storage.keep('armed', this.report.armed);
    await painted();
    this.#snapshot = this.ask('snapshot').snapshot;
    await Promise.all([armed, this.#storage.keep('snapshot', this.#snapshot)]);
  }

  /** Stores both in one transaction at once: a page that is not visible may be closed at any moment. */
  async #saveAtOnce() {
    this.#snapshot = this.ask('snapshot').snapshot;
    await this.#storage.put(
      'kept',
      { key: 'armed', value: this.report.armed },
      { key: 'snapshot', value: this.#snapshot },
    );
  }

  /** All zones, encoded for the engine. A form is never changed in place, so it is encoded once. */
  #forms() {
    this.#partIDs();
    return this.watched.map((form) => this.#write(form));
  }
  #write(form) {
    if (!this.#written.has(form)) this.#written.set(form, new Encoded(timed(form, this.now)));
    return this.#written.get(form);
  }
  #written = new WeakMap();

  // MARK: Zones of others

  /** The form of a watched zone, the person's own or a followed one. */
  zoneOf(id) {
    return this.zones.get(id) ?? this.shared.get(id)?.form;
  }
  /** The forms of all watched zones, the person's own first. */
  get watched() {
    return [...this.zones.values(), ...[...this.shared.values()].map(({ form }) => form)];
  }

  /**
   * Watches the zones of others' collections, in place of the previous ones.
   * @param {{name: string, owner: string, zones: object[]}[]} collections
   * @param {'account'|'packs'} [by] the source of the collections; those of the other source stay
   */
  async share(collections, by = 'account') {
    await this.begun;
    this.#lentBy[by] = collections;
    this.#lend();
    this.#replaceZones();
    await this.#save();
  }

  #lentBy = { account: [], packs: [] };

  #lend() {
    this.shared = new Map();
    for (const { name, owner, zones } of [...this.#lentBy.account, ...this.#lentBy.packs])
      for (const form of zones) {
        const id = this.#freeID(form.id);
        this.shared.set(id, { form: { ...form, id }, collection: name, owner });
      }
  }

  /** An id that no zone has. A followed zone that was also received as a file has the same id, but is a zone of its own. */
  #freeID(id) {
    let number = BigInt(`0x${id}`);
    for (;;) {
      const free = number.toString(16).padStart(16, '0');
      if (!this.zones.has(free) && !this.shared.has(free)) return free;
      number = BigInt.asUintN(64, number + 1n);
    }
  }

  #partIDs() {
    for (const [id, lent] of this.shared) {
      if (!this.zones.has(id)) continue;
      this.shared.delete(id);
      const free = this.#freeID(id);
      this.shared.set(free, { ...lent, form: { ...lent.form, id: free } });
    }
  }

  // MARK: What people do

  async activate() {
    await this.begun;
    if (!this.#isKnown) this.#meanwhile.armed = true;
    this.ask('command', { command: 'activate' });
    await this.#save();
    this.#tell('command', { command: 'activate' });
  }

  async deactivate() {
    await this.begun;
    if (!this.#isKnown) this.#meanwhile.armed = false;
    this.ask('command', { command: 'deactivate' });
    await this.#save();
    this.#tell('command', { command: 'deactivate' });
  }

  /**
   * @param {'close'|'sleep'|'inside'|'today'} command
   * @param {string} alarm
   * @param {{seconds?: number}} [more] of sleep: longer than the zone's sleep time
   */
  async answer(command, alarm, { seconds } = {}) {
    const midnight = new Date(this.now);
    midnight.setHours(24, 0, 0, 0);
    const until =
      command === 'today' ? midnight.getTime() : command === 'sleep' && seconds ? this.now + seconds * 1000 : undefined;
    const { zone } = this.report.alarms.find((each) => each.alarm === alarm) ?? {};
    this.ask('command', { command, alarm, until_ms: until });
    const at = this.now;
    await this.#storage.put('events', {
      key: `${at}-answer-${alarm}`,
      event: 'answer',
      command,
      alarm,
      zone: zone?.id,
      name: zone?.name,
      time_ms: at,
      decided_ms: at,
      until_ms: until,
    });
    await this.#save();
    this.#tell('command', { command, zone: zone?.id, until_ms: until });
  }

  /**
   * Watches and stores the zones that the engine accepts.
   * @throws {ZonesRefused} if it refuses some: these stay as they were, the others are stored
   */
  async putZones(...forms) {
    const refused = this.#watch(forms);
    const kept = forms.filter(({ id }) => !refused.some((one) => one.id === id));
    if (kept.length) {
      await this.#storage.put('zones', ...kept);
      this.#tell('zones', { ids: kept.map(({ id }) => id) });
      await this.#save();
    }
    if (refused.length) throw new ZonesRefused(refused);
  }

  /**
   * Asks the engine to watch zones in place of those with the same ids, and adds the accepted ones to `zones`.
   * @returns the refused ones
   */
  #watch(forms) {
    const before = new Map(forms.map(({ id }) => [id, this.zones.get(id)]));
    const back = (ids) => {
      for (const id of ids)
        if (before.get(id)) this.zones.set(id, before.get(id));
        else this.zones.delete(id);
    };
    for (const form of forms) this.zones.set(form.id, form);
    try {
      const refused = this.#replaceZones().filter(({ id }) => before.has(id));
      if (refused.length) {
        back(refused.map(({ id }) => id));
        this.#replaceZones();
      }
      return refused;
    } catch (error) {
      back(before.keys());
      if (forms.length === 1 && error instanceof Refused && error.field)
        return [{ id: forms[0].id, name: forms[0].name, field: error.field, why: error.why }];
      throw error;
    }
  }

  /** @returns the forms that the engine refuses as zones: `{id, name, field, why}` */
  #replaceZones() {
    const answer = this.ask('replace_zones', { zones: this.#forms() });
    return (answer.refused_zones ?? []).filter(({ field }) => field);
  }

  /** Removes zones from the engine; if that fails they stay. @returns their forms */
  #withdraw(ids) {
    const removed = ids.map((id) => this.zones.get(id)).filter(Boolean);
    for (const { id } of removed) this.zones.delete(id);
    try {
      this.#replaceZones();
    } catch (error) {
      for (const form of removed) this.zones.set(form.id, form);
      throw error;
    }
    return removed;
  }

  async removeZones(...ids) {
    const removed = this.#withdraw(ids);
    await this.#storage.remove('zones', ...ids);
    this.#tell('zones', { ids });
    await this.#save();
    return removed;
  }

  /**
   * Stores many zones in portions, so that positions are handled in between. A portion begins to be watched in one step, which
   * takes a second on a slow device.
   * @param {AsyncIterable<object[]>} batches of forms
   */
  async putMany(batches) {
    let portion = new Map();
    let weight = 0;
    for await (const forms of batches) {
      const { staged } = this.ask('stage_zones', {
        zones: forms.map((form) => this.#write(form)),
        first: portion.size === 0,
      });
      for (const form of forms) {
        portion.set(form.id, form);
        weight += weightOf(form);
      }
      // An engine that crashed has restarted without them.
      if (staged !== portion.size) throw new Error(t`the engine had to restart`);
      await pause();
      if (weight < portionWeight) continue;
      await this.#putStaged(portion);
      [portion, weight] = [new Map(), 0];
    }
    if (portion.size) await this.#putStaged(portion);
    await this.#save();
  }

  async #putStaged(portion) {
    // Watched zones are not sent again. Refused ones are: the engine keeps no form of them.
    const refused = this.report.refused_zones
      .map(({ id }) => this.zones.get(id))
      .filter((form) => form && !portion.has(form.id));
    this.ask('replace_zones', { zones: refused.map((form) => this.#write(form)), staged: true, others: true });
    for (const [id, form] of portion) this.zones.set(id, form);
    this.#tell('change');
    await this.#inParts([...portion.values()], (forms) => this.#storage.put('zones', ...forms));
  }

  async removeMany(ids) {
    this.#withdraw(ids);
    await this.#inParts(
      ids.map((id) => ({ id })),
      (forms) => this.#storage.remove('zones', ...forms.map(({ id }) => id)),
    );
    await this.#save();
  }

  /** Runs `keep` on forms in parts, with an event after each. */
  async #inParts(forms, keep) {
    for (let from = 0; from < forms.length; from += together) {
      const part = forms.slice(from, from + together);
      await keep(part);
      await pause();
      this.#tell('zones', { ids: part.map(({ id }) => id), more: from + together < forms.length });
      await pause();
    }
  }

  /**
   * Changes and stores some of the settings; the engine applies them at once.
   * @throws {Refused} if one is not allowed: then nothing is changed
   */
  async changeSettings(changes) {
    this.#set({ ...this.settings, ...changes });
    if (!this.#isKnown) Object.assign(this.#meanwhile.settings, changes);
    await this.#storage.keep('settings', this.settings);
    this.#tell('settings', changes);
  }

  #set(settings) {
    this.#snapshot = this.ask('snapshot').snapshot;
    this.#open({ ...this.report, settings });
    this.settings = settings;
  }

  // MARK: What people do in another tab

  /** Applies a command of another tab. Alarm ids differ between tabs, so the zone's ringing alarm is meant. */
  adopt(command, { zone, until } = {}) {
    if (!zone) return this.ask('command', { command });
    const meant = this.report.alarms.find((each) => each.zone.id === zone && each.zone.state === 'ringing');
    if (meant) this.ask('command', { command, alarm: meant.alarm, until_ms: until });
  }

  async adoptZones(ids) {
    const forms = await Promise.all(ids.map((id) => this.#storage.get('zones', id)));
    ids.forEach((id, index) => {
      if (forms[index]) this.zones.set(id, forms[index]);
      else this.zones.delete(id);
    });
    this.ask('replace_zones', { zones: this.#forms() });
    this.#tell('zones', { ids, adopted: true });
  }

  async adoptSettings() {
    this.#set(await this.#storage.kept('settings', {}));
    this.#tell('settings', {});
  }

  // MARK: Positions

  take(fixes) {
    if (!this.#isKnown) this.#meanwhile.fix = fixes.at(-1);
    const report = this.ask('fixes', { rows: rows(fixes) });
    this.#tell('fixes', fixes);
    if (this.#hiddenSince !== undefined && document.visibilityState === 'visible') {
      this.#tell('caught-up', { from: this.#hiddenSince, to: this.now });
      this.#hiddenSince = undefined;
    }
    return report;
  }

  /** Restarts listening to positions, after a permission has changed or when a person asks for it. */
  seekPosition() {
    this.#positions.end();
    if (this.report.listens) this.#positions.begin();
    this.#positions.ask();
  }

  /** Handles that the page became visible or hidden. A hidden page may get no positions: the next one is judged for that time too. */
  visibility(visible) {
    if (!visible && this.report.armed) this.#hiddenSince ??= this.now;
    if (!this.report.armed) this.#hiddenSince = undefined;
    if (this.#recalled) return;
    this.ask('visibility', { visible });
    if (visible && this.report.armed) this.#positions.ask();
    if (!visible) this.#saveAtOnce().catch((error) => this.#tell('problem', error));
  }
}

/** Sixteen hexadecimal digits. */
export function newID() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
