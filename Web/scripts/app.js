// The page's one state: what the engine said last, and what people may do. Screens listen, and ask.
import { Refused } from './engine.js';
import { Positions } from './positions.js';
import { rows } from './rows.js';

const wakeAhead = 2 ** 31 - 1;

/**
 * What it tells of: `change` (there is a new report), `event` (each of the engine's), `events` (those of one report,
 * together), `reminder`, `settings` (what changed), `fixes` (as they came), `caught-up` (`{from, to}`: the page was not in
 * view, and has a position again), `problem` (an error: something was not kept).
 */

export class App extends EventTarget {
  /** The engine's last report. */
  report = { armed: false, total: 0, watching: 0, nearest: [], alarms: [], reminders: [], nearby: [], snoozed: [], refused_zones: [] };
  /** Forms, by id. */
  zones = new Map();
  settings = {};
  #engine;
  #storage;
  #positions;
  #timer;
  #clock;
  #snapshot;
  /** Since when an armed page has not been in view. */
  #hiddenSince;

  /** @param {{engine, storage, clock?: () => number}} parts */
  constructor({ engine, storage, clock = Date.now }) {
    super();
    this.#engine = engine;
    this.#storage = storage;
    this.#clock = clock;
    this.#positions = new Positions({
      clock, taken: (fixes) => this.take(fixes), changed: () => this.#tell('change'),
    });
  }

  get storage() { return this.#storage; }
  get now() { return this.#clock(); }
  /** `unknown`, `asking`, `granted`, `denied`, `unavailable`. */
  get positioning() { return this.#positions.state; }

  /** Begins from what is stored. A snapshot that no longer fits the zones is left behind. */
  async begin() {
    this.device = await this.#storage.kept('device');
    if (!this.device) {
      this.device = newID();
      await this.#storage.keep('device', this.device);
    }
    this.settings = await this.#storage.kept('settings', {});
    for (const zone of await this.#storage.all('zones')) this.zones.set(zone.id, zone);
    const armed = await this.#storage.kept('armed', false);
    this.#snapshot = await this.#storage.kept('snapshot');
    const reminders = await this.#storage.all('reminders');
    const nearby = await this.#storage.kept('nearby', []);
    this.#open({ armed, settings: this.settings, reminders, nearby });
  }

  /** From the snapshot if it still fits, else anew. */
  #open({ armed, settings, reminders, nearby }) {
    const open = (snapshot) => this.#take(this.#engine.ask('open', {
      now_ms: this.now, device: this.device, armed, settings, zones: [...this.zones.values()], reminders, nearby, snapshot,
    }));
    try { open(this.#snapshot); } catch (error) {
      if (!this.#snapshot || (error instanceof Refused && error.why !== 'snapshot_unusable')) throw error;
      this.#snapshot = undefined;
      open();
    }
  }

  /**
   * Asks the engine; every answer that is a report becomes the state. An engine that broke down has begun anew and is
   * given what it knew.
   */
  ask(name, values = {}) {
    let answer;
    try { answer = this.#engine.ask(name, { now_ms: this.now, ...values }); } catch (error) {
      if (!(error instanceof Refused)) this.#open({ ...this.report, settings: this.settings });
      throw error;
    }
    if (answer.nearest) this.#take(answer);
    return answer;
  }

  #take(report) {
    this.report = report;
    this.#wakeAt(report);
    for (const event of report.events) this.#tell('event', event);
    if (report.events.length) this.#tell('events', report.events);
    for (const effect of report.effects) this.#tell('reminder', effect);
    if (report.events.length) {
      this.#storage.put('events', ...report.events.map((event) => ({ ...event, key: `${event.time_ms}-${event.event}-${event.alarm ?? event.zone ?? ''}` })))
        .catch((error) => this.#tell('problem', error));
      // So that a page that is closed without a word goes on where it was.
      this.#save().catch((error) => this.#tell('problem', error));
    }
    if (report.listens) this.#positions.begin(); else this.#positions.end();
    this.#tell('change');
    if (report.armed && report.wants_fix) this.#positions.ask();
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  /** When something falls due, or a sleep ends: a device that lies still gives no position of its own accord. */
  #wakeAt(report) {
    clearTimeout(this.#timer);
    const sleeps = report.alarms.map(({ zone }) => zone.until_ms).filter((until) => until > this.now);
    const due = Math.min(report.next_due_ms ?? Infinity, ...sleeps);
    if (due === Infinity) return;
    this.#timer = setTimeout(() => {
      this.ask('advance');
      if (this.report.armed && sleeps.length) this.#positions.ask();
    }, Math.min(wakeAhead, Math.max(0, due - this.now)));
  }

  async #save() {
    this.#snapshot = this.ask('snapshot').snapshot;
    await Promise.all([this.#storage.keep('armed', this.report.armed), this.#storage.keep('snapshot', this.#snapshot)]);
  }

  // MARK: What people do

  async activate() {
    this.ask('command', { command: 'activate' });
    await this.#save();
  }

  async deactivate() {
    this.ask('command', { command: 'deactivate' });
    await this.#save();
  }

  /**
   * @param {'close'|'sleep'|'inside'|'today'} command
   * @param {string} alarm
   * @param {{seconds?: number}} [more] of sleep: longer than the zone's sleep time
   */
  async answer(command, alarm, { seconds } = {}) {
    const midnight = new Date(this.now);
    midnight.setHours(24, 0, 0, 0);
    const until = command === 'today' ? midnight.getTime() : command === 'sleep' && seconds ? this.now + seconds * 1000 : undefined;
    this.ask('command', { command, alarm, until_ms: until });
    await this.#save();
  }

  /** Keeps zones and watches them from now on. */
  async putZones(...forms) {
    for (const form of forms) this.zones.set(form.id, form);
    this.ask('replace_zones', { zones: [...this.zones.values()] });
    await this.#storage.put('zones', ...forms);
    await this.#save();
  }

  async removeZones(...ids) {
    const removed = ids.map((id) => this.zones.get(id)).filter(Boolean);
    for (const id of ids) this.zones.delete(id);
    this.ask('replace_zones', { zones: [...this.zones.values()] });
    await this.#storage.remove('zones', ...ids);
    await this.#save();
    return removed;
  }

  /**
   * Sets and keeps some of the settings; the engine goes on with them at once.
   * @throws {Refused} when one is not allowed: then nothing has changed
   */
  async changeSettings(changes) {
    const settings = { ...this.settings, ...changes };
    this.#snapshot = this.ask('snapshot').snapshot;
    this.#open({ ...this.report, settings });
    this.settings = settings;
    await this.#storage.keep('settings', settings);
    this.#tell('settings', changes);
  }

  // MARK: Positions

  take(fixes) {
    const report = this.ask('fixes', { rows: rows(fixes) });
    this.#tell('fixes', fixes);
    if (this.#hiddenSince !== undefined && document.visibilityState === 'visible') {
      this.#tell('caught-up', { from: this.#hiddenSince, to: this.now });
      this.#hiddenSince = undefined;
    }
    return report;
  }

  /** The page came into view or left it. Out of view it may get no positions: what happened meanwhile is judged at the next. */
  visibility(visible) {
    if (!visible && this.report.armed) this.#hiddenSince ??= this.now;
    if (!this.report.armed) this.#hiddenSince = undefined;
    this.ask('visibility', { visible });
    if (visible && this.report.armed) this.#positions.ask();
    if (!visible) this.#save().catch((error) => this.#tell('problem', error));
  }
}

/** Sixteen hexadecimal digits. */
export function newID() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
