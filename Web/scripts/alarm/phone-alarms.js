// Alarms of the account's phones: the server decides them, this page shows them and takes the answers. Loaded when the page
// begins, and updated by live events from then on.
import { t } from '../words/translate.js';

/** The states of alarms that are not over. */
const standing = new Set(['ringing', 'closed', 'sleeping', 'acknowledged', 'acknowledged_for_today']);
const rings = (state) => state === 'ringing' || state === 'closed';
/** The server's command for each answer. */
const answers = { close: 'close', sleep: 'sleep', inside: 'acknowledge', today: 'today' };

/** Dispatches `change`, and `rang` with the entry of an alarm that rang once more. */
export class PhoneAlarms extends EventTarget {
  #app;
  #server;
  /** The alarms by id, as the server has them. */
  #known = new Map();
  #devices = new Map();

  constructor(app, server, live) {
    super();
    this.#app = app;
    this.#server = server;
    live.addEventListener('alarm', ({ detail }) => this.#hear(detail));
    // Loads changes made while there was no stream.
    live.addEventListener('open', () => this.#load());
    server.addEventListener('change', () => this.#follow());
    this.#follow();
  }

  /** The entries of the alarm sheet: ringing ones first, then newest first. An alarm about a phone itself has the phone's name. */
  get entries() {
    return [...this.#known.values()]
      .sort((a, b) => Number(rings(b.state)) - Number(rings(a.state)) || b.began_at.localeCompare(a.began_at))
      .map((alarm) => this.#entry(alarm));
  }
  /** The entries that sound. Closed alarms are among them, as they keep repeating. */
  get ringing() {
    return this.entries.filter(({ zone }) => zone.state === 'ringing');
  }

  has(id) {
    return this.#known.has(id);
  }

  #entry(alarm) {
    const form = this.#app.zones.get(alarm.zone_id) ?? {};
    const device = this.#devices.get(alarm.device_id) ?? t`A phone`;
    return {
      alarm: alarm.id,
      device,
      subject: alarm.subject,
      cause: alarm.cause,
      began_ms: Date.parse(alarm.began_at),
      closed: alarm.state === 'closed',
      sound: form.sound ?? '',
      vibrate: form.vibrate !== false,
      sleep_s: form.sleep_s ?? this.#app.settings.default_sleep_s ?? 10,
      zone: {
        id: alarm.zone_id,
        // Without a zone: the person met, for an alarm of two phones; else the phone itself.
        name: alarm.zone_id ? alarm.name : alarm.name || device,
        category: form.category ?? '',
        state: rings(alarm.state) ? 'ringing' : 'quiet',
        until_ms: alarm.until ? Date.parse(alarm.until) : undefined,
        distance_m: alarm.distance_m ?? undefined,
      },
    };
  }

  #follow() {
    if (this.#server.state === 'in') this.#load();
    else if (this.#server.state !== 'offline' && this.#known.size) {
      this.#known.clear();
      this.#changed();
    }
  }

  async #load() {
    if (this.#server.state !== 'in') return;
    try {
      const [{ items }, { items: devices }] = await Promise.all([
        this.#server.ask('GET', '/alarms?limit=200'),
        this.#server.ask('GET', '/devices'),
      ]);
      this.#devices = new Map(devices.map(({ id, name }) => [id, name]));
      const before = this.#known;
      this.#known = new Map(items.filter(({ state }) => standing.has(state)).map((alarm) => [alarm.id, alarm]));
      this.#changed();
      for (const alarm of this.#known.values())
        if (alarm.state === 'ringing' && !before.has(alarm.id)) this.#rang(alarm);
    } catch (error) {
      if (!error.offline) console.error(error);
    }
  }

  #hear(alarm) {
    const before = this.#known.get(alarm.id);
    // An event of the stream may be older than the answer to a request.
    if (before && before.version > alarm.version) return;
    if (!this.#devices.has(alarm.device_id)) this.#load();
    this.#take(alarm);
    if (rings(alarm.state) && alarm.rings > (before?.rings ?? 0)) this.#rang(alarm);
  }

  #take(alarm) {
    if (standing.has(alarm.state)) this.#known.set(alarm.id, alarm);
    else this.#known.delete(alarm.id);
    this.#changed();
  }

  #rang(alarm) {
    this.dispatchEvent(new CustomEvent('rang', { detail: this.#entry(alarm) }));
  }

  #changed() {
    this.dispatchEvent(new CustomEvent('change'));
  }

  /** @param {'close'|'sleep'|'inside'|'today'} command @throws {ServerProblem} */
  async answer(command, id) {
    this.#take(await this.#server.ask('POST', `/alarms/${id}/${answers[command]}`));
  }
}
