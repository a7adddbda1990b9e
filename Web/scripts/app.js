// The page's one state: what the engine said last, and what people may do. Screens listen, and ask.
import { fix, rows } from './rows.js';

const wakeAhead = 2 ** 31 - 1;

export class App extends EventTarget {
  /** The engine's last report. */
  report = { armed: false, total: 0, watching: 0, nearest: [], alarms: [], reminders: [], nearby: [], snoozed: [], refused_zones: [] };
  /** Forms, by id. */
  zones = new Map();
  settings = {};
  /** `unknown`, `asking`, `granted`, `denied`, `unavailable`. */
  positioning = 'unknown';
  #engine;
  #storage;
  #watch;
  #timer;
  #clock;

  /** @param {{engine, storage, clock?: () => number}} parts */
  constructor({ engine, storage, clock = Date.now }) {
    super();
    this.#engine = engine;
    this.#storage = storage;
    this.#clock = clock;
  }

  get storage() { return this.#storage; }
  get now() { return this.#clock(); }

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
    const snapshot = await this.#storage.kept('snapshot');
    const reminders = await this.#storage.all('reminders');
    const open = (more) => this.ask('open', {
      device: this.device, armed, settings: this.settings, zones: [...this.zones.values()], reminders, ...more,
    });
    try { open(snapshot ? { snapshot } : {}); } catch (error) {
      if (!snapshot) throw error;
      open({});
    }
    if (this.report.armed) this.#listen();
  }

  /** Asks the engine; every answer that is a report becomes the state. */
  ask(name, values = {}) {
    const answer = this.#engine.ask(name, { now_ms: this.now, ...values });
    if (answer.nearest) this.#take(answer);
    return answer;
  }

  #take(report) {
    this.report = report;
    this.#wakeAt(report.next_due_ms);
    for (const event of report.events) this.#tell('event', event);
    for (const effect of report.effects) this.#tell('reminder', effect);
    if (report.events.length) {
      this.#storage.put('events', ...report.events.map((event) => ({ ...event, key: `${event.time_ms}-${event.event}-${event.alarm ?? event.zone ?? ''}` })))
        .catch((error) => this.#tell('problem', error));
    }
    this.#tell('change');
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  #wakeAt(due) {
    clearTimeout(this.#timer);
    if (due === undefined) return;
    this.#timer = setTimeout(() => this.ask('advance'), Math.min(wakeAhead, Math.max(0, due - this.now)));
  }

  async #save() {
    await this.#storage.keep('armed', this.report.armed);
    await this.#storage.keep('snapshot', this.ask('snapshot').snapshot);
  }

  // MARK: What people do

  async activate() {
    this.ask('command', { command: 'activate' });
    this.#listen();
    await this.#save();
  }

  async deactivate() {
    this.ask('command', { command: 'deactivate' });
    navigator.geolocation?.clearWatch(this.#watch);
    this.#watch = undefined;
    await this.#save();
  }

  /** @param {'close'|'sleep'|'inside'|'today'} command */
  async answer(command, alarm) {
    const midnight = new Date(this.now);
    midnight.setHours(24, 0, 0, 0);
    this.ask('command', { command, alarm, until_ms: command === 'today' ? midnight.getTime() : undefined });
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

  async changeSettings(changes) {
    this.settings = { ...this.settings, ...changes };
    await this.#storage.keep('settings', this.settings);
    const snapshot = this.ask('snapshot').snapshot;
    this.ask('open', {
      device: this.device, armed: this.report.armed, settings: this.settings, zones: [...this.zones.values()],
      reminders: this.report.reminders, snapshot,
    });
    this.#tell('settings', changes);
  }

  // MARK: Positions

  /** Listens to every position there is, while the page is visible. */
  #listen() {
    if (this.#watch !== undefined) return;
    if (!navigator.geolocation) { this.positioning = 'unavailable'; this.#tell('change'); return; }
    this.positioning = 'asking';
    this.#watch = navigator.geolocation.watchPosition(
      (position) => { this.positioning = 'granted'; this.take([fix(position, this.now)]); },
      (error) => {
        // Code 2 comes and goes with reception; only a refusal by the person stands.
        this.positioning = error.code === error.PERMISSION_DENIED ? 'denied' : 'unavailable';
        this.#tell('change');
      },
      { enableHighAccuracy: true, maximumAge: 0, timeout: 30_000 });
  }

  take(fixes) { return this.ask('fixes', { rows: rows(fixes) }); }

  visibility(visible) { this.ask('visibility', { visible }); }
}

/** Sixteen hexadecimal digits. */
export function newID() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
