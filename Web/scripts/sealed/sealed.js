// Alarms for other people, sealed in this browser and opened in theirs: the server carries bytes only. The keys, the choice of who
// is told of which alarms, received messages and messages still to be sent are kept on this device only.
import { fromBase64URL, toBase64URL } from '../server/base64url.js';
import { browserName } from '../server/push.js';
import { exclusively } from '../storage/exclusive.js';
import { t } from '../words/translate.js';
import { blake2b } from './blake2b.js';
import { newKeys, open, seal } from './sealed-box.js';
import { alarmMessage, read, write } from './sealed-form.js';

/** The age, in ms, from which an alarm is not sent any more: so late it would only frighten people. */
const stale_ms = 6 * 3_600_000;
const again_ms = 15_000;
/** The interval, in ms, at which an unanswered alarm of a person sounds again, until it is `longest_ms` old. */
const cycle_ms = 10_000;
const longest_ms = 600_000;
const mostKept = 50;
const mostSeen = 500;
const mostWaiting = 200;

const nothing = () => ({ keys: null, keyID: null, trusted: {}, tell: {}, seen: [] });

/**
 * Dispatches `change`, `came` and `rang` with the entry of an alarm that arrived or sounds again, and `lost` with the login of a
 * person whom a message did not reach.
 */
export class Sealed extends EventTarget {
  /** The contacts as the server has them: `{id, login, name, is_agreed, is_asked_by_me, keys}`. */
  contacts = [];
  /** The received alarms, newest first: `{id, contact, login, zone, cause, time_ms, place?, distance_m?, verified, closed}`. */
  received = [];
  /** The reason why the last fetch or send failed; empty if it succeeded. */
  problem = '';
  #app;
  #server;
  #own = nothing();
  /** Messages to send, oldest first: `{contact, message, done: [public keys]}`. */
  #waiting = [];
  /** Answers to alarms that were sent, by alarm and contact: `{login, command, time_ms}`. */
  #answers = {};
  #account;
  #timer;
  #running;
  #again = false;
  #writes = Promise.resolve();

  constructor(app, server, live) {
    super();
    this.#app = app;
    this.#server = server;
    app.addEventListener('events', ({ detail }) => this.#tellOf(detail));
    app.addEventListener('pushed', () => this.now());
    live.addEventListener('sealed', () => this.now());
    live.addEventListener('open', () => this.now());
    server.addEventListener('change', () => this.now());
    addEventListener('online', () => this.now());
    setInterval(() => this.#sound(), cycle_ms);
    // Another tab has fetched, sent or answered messages.
    this.#tabs?.addEventListener('message', () => this.#reload().then(() => this.#changed(), console.error));
  }
  #tabs = globalThis.BroadcastChannel && new BroadcastChannel('proximity-sealed');

  /** True if this browser has keys. */
  get isSetUp() {
    return Boolean(this.#own.keyID);
  }
  get publicKey() {
    return this.#own.keys?.publicKey;
  }
  get keyID() {
    return this.#own.keyID;
  }
  /** The number of messages that are not sent yet. */
  get waiting() {
    return this.#waiting.length;
  }
  get answers() {
    return Object.values(this.#answers).sort((a, b) => b.time_ms - a.time_ms);
  }

  // MARK: What is kept

  #nameOf(what) {
    return `sealed-${what}-${this.#account}`;
  }

  /** Reads the signed-in account's data. Waits for storage: a browser that has not read its keys must not make new ones. */
  async #recall() {
    await this.#app.storage.arrived;
    this.#account = this.#server.account?.id ?? this.#account;
    await this.#reload();
  }

  async #reload() {
    if (!this.#account) return;
    await this.#writes.catch(() => {});
    const { storage } = this.#app;
    this.#own = { ...nothing(), ...(await storage.kept(this.#nameOf('keys'), {})) };
    this.received = await storage.kept(this.#nameOf('in'), []);
    this.#waiting = await storage.kept(this.#nameOf('out'), []);
    this.#answers = await storage.kept(this.#nameOf('answers'), {});
  }

  #isNews = false;
  /** Stores a copy of a value, in the order of the calls. */
  #keep(what, value) {
    const name = this.#nameOf(what);
    const copy = structuredClone(value);
    this.#writes = this.#writes.catch(() => {}).then(() => this.#app.storage.keep(name, copy));
    this.#isNews = true;
    return this.#writes;
  }

  // MARK: Keys

  /** Makes this browser's keys, if it has none, and registers the public one. @throws {ServerProblem} */
  async setUp() {
    // Excludes runs, which read the keys anew.
    await exclusively('sealed', async () => {
      await this.#recall();
      if (!this.#own.keys) {
        // A message of another tab may replace `#own` meanwhile.
        const keys = await newKeys();
        this.#own.keys = keys;
        // Stored before anybody can seal to the key.
        await this.#keep('keys', this.#own);
      }
      const key = await this.#server.ask('POST', '/sealed-keys', {
        public_key: toBase64URL(this.#own.keys.publicKey),
        name: browserName(navigator.userAgent),
      });
      this.#own.keyID = key.id;
      await this.#keep('keys', this.#own);
    });
    await this.now();
  }

  /**
   * The keys of a contact, each with whether it is trusted here: keys found at the first look are trusted, later ones only after a
   * person has compared them.
   */
  keysOf(contact) {
    const trusted = new Set(this.#own.trusted[contact.id] ?? []);
    return contact.keys.map((key) => ({ ...key, trusted: trusted.has(key.public_key) }));
  }
  /** The keys of all contacts that no one has compared here yet. */
  get strangeKeys() {
    return this.contacts.flatMap((contact) =>
      this.keysOf(contact)
        .filter(({ trusted }) => !trusted)
        .map((key) => ({ contact, key })),
    );
  }
  async trust(contact, publicKey) {
    this.#own.trusted[contact.id] = [...new Set([...(this.#own.trusted[contact.id] ?? []), publicKey])];
    await this.#keep('keys', this.#own);
    this.#changed();
    this.now();
  }

  /** @returns {{which: 'none'|'all'|'zones', zones: string[], place: boolean}} the alarms that the contact gets; `place`: with the place */
  toldOf(contact) {
    return { which: 'none', zones: [], place: false, ...this.#own.tell[contact.id] };
  }
  async tell(contact, how) {
    this.#own.tell[contact.id] = { ...this.toldOf(contact), ...how };
    await this.#keep('keys', this.#own);
    this.#changed();
  }

  // MARK: With the server

  /** Fetches and sends. One run at a time; a call during a run starts another after it. */
  now() {
    clearTimeout(this.#timer);
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    // One tab at a time: messages that a tab has fetched are then dropped from the server.
    this.#running = exclusively('sealed', () => this.#run()).finally(() => {
      this.#running = undefined;
      if (this.#again) {
        this.#again = false;
        this.now();
      } else if (this.#waiting.length) this.#timer = setTimeout(() => this.now(), again_ms);
    });
    return this.#running;
  }

  async #run() {
    if (this.#server.state !== 'in') return;
    try {
      await this.#recall();
      this.contacts = (await this.#server.ask('GET', '/sealed-contacts')).items;
      await this.#meet();
      if (this.#own.keyID) {
        await this.#fetch();
        await this.#send();
      }
      this.problem = '';
    } catch (error) {
      this.problem = error.message;
      // A server of an earlier version does not know sealed messages.
      if (!error.offline && error.status !== 404) console.error(error);
    }
    this.#changed();
  }

  /** Trusts the keys of a contact without trusted keys; keys that come later are shown to be compared. */
  async #meet() {
    let isNew = false;
    for (const { id, keys, is_agreed: agreed } of this.contacts)
      if (agreed && keys.length && !this.#own.trusted[id]) {
        this.#own.trusted[id] = keys.map((key) => key.public_key);
        isNew = true;
      }
    if (isNew) await this.#keep('keys', this.#own);
  }

  async #fetch() {
    for (;;) {
      let answer;
      try {
        answer = await this.#server.ask('GET', `/sealed-keys/${this.#own.keyID}/messages`);
      } catch (error) {
        if (error.status !== 404) throw error;
        // The key was removed from the server.
        this.#own.keyID = null;
        await this.#keep('keys', this.#own);
        return;
      }
      if (!answer.items.length) return;
      const rang = [];
      for (const item of answer.items) rang.push(await this.#take(item));
      // Stored before the server forgets the messages.
      await this.#keep('in', this.received);
      await this.#keep('answers', this.#answers);
      await this.#keep('keys', this.#own);
      await this.#server.ask('POST', '/sealed/drop', { ids: answer.items.map(({ id }) => id) });
      this.#changed();
      for (const entry of rang.filter(Boolean)) this.#ring(entry);
    }
  }

  /** Takes a message. @returns {Promise<object|undefined>} the entry of an alarm to ring */
  async #take({ login, message: text, created_at: sentAt }) {
    let opened;
    try {
      opened = await open(fromBase64URL(text), this.#own.keys);
    } catch (error) {
      if (!/base64url/.test(error.message)) throw error;
    }
    const message = opened && read(opened.bytes);
    if (!message) return this.#note({ login, time_ms: Date.parse(sentAt) });
    const sender = toBase64URL(opened.sender);
    const contact = this.contacts.find((each) => each.login === login);
    const verified = Boolean(contact && this.#own.trusted[contact.id]?.includes(sender));
    // The message came before, or was recorded and sent again.
    const mark = `${message.kind}-${message.id}-${sender}`;
    if (this.#own.seen.includes(mark)) return undefined;
    this.#own.seen = [mark, ...this.#own.seen].slice(0, mostSeen);
    if (message.kind === 'answer') {
      // Only a verified contact can answer.
      if (verified) this.#answers[`${message.id}-${contact.id}`] = { ...message, login };
      const latest = Object.entries(this.#answers).sort(([, a], [, b]) => b.time_ms - a.time_ms);
      this.#answers = Object.fromEntries(latest.slice(0, mostKept));
      return undefined;
    }
    const id = `sealed-${message.id}-${sender.slice(0, 8)}`;
    const entry = { ...message, of: message.id, id, login, contact: contact?.id, sender, verified, closed: false };
    entry.came_ms = this.#app.now;
    this.received = [entry, ...this.received].slice(0, mostKept);
    return entry;
  }

  /** Adds an entry for a message that cannot be opened. */
  #note({ login, time_ms }) {
    const entry = { id: `sealed-${time_ms}-${login}`, login, time_ms, unreadable: true, closed: true };
    if (!this.received.some(({ id }) => id === entry.id)) this.received = [entry, ...this.received].slice(0, mostKept);
    return undefined;
  }

  // MARK: Telling

  #tellOf(events) {
    if (!this.#account || !this.#own.keyID) return;
    const rung = events.filter(({ event, time_ms: time }) => event === 'alarm' && this.#app.now - time < stale_ms);
    const told = rung.flatMap((event) =>
      this.contacts
        .filter((contact) => {
          const { which, zones } = this.toldOf(contact);
          return contact.is_agreed && (which === 'all' || (which === 'zones' && zones.includes(event.zone)));
        })
        .map((contact) => ({ contact: contact.id, message: this.#messageOf(event, contact), done: [] })),
    );
    if (!told.length) return;
    this.#waiting = [...this.#waiting, ...told].slice(-mostWaiting);
    // Stored first: if the page is closed now, it sends them later.
    this.#keep('out', this.#waiting).catch((error) => console.error(error));
    this.now();
  }

  #messageOf(event, contact) {
    if (!this.toldOf(contact).place) return alarmMessage(event);
    const { place, distance_m: distance } = event;
    return alarmMessage(event, {
      place: place?.every(Number.isFinite) ? [...place] : undefined,
      distance: Number.isFinite(distance) ? distance : undefined,
    });
  }

  async #send() {
    for (const item of [...this.#waiting]) {
      const contact = this.contacts.find(({ id }) => id === item.contact);
      const isOver = !contact?.is_agreed || this.#app.now - item.message.time_ms > stale_ms;
      if (!isOver) {
        const keys = this.keysOf(contact).filter(({ trusted }) => trusted);
        // Without a trusted key the message waits until there is one.
        if (!keys.length) continue;
        for (const { id, public_key: key } of keys)
          if (!item.done.includes(key)) {
            const isThere = await this.#hand(id, key, item.message);
            item.done.push(key);
            if (!isThere && item.message.kind === 'alarm')
              this.dispatchEvent(new CustomEvent('lost', { detail: contact.login }));
            await this.#keep('out', this.#waiting);
          }
      }
      this.#waiting = this.#waiting.filter((each) => each !== item);
      await this.#keep('out', this.#waiting);
    }
  }

  async #hand(keyID, publicKey, message) {
    const receiver = fromBase64URL(publicKey);
    const sealed = await seal(write(message), receiver, this.#own.keys);
    // The mark is the same for each try and each tab, and reveals nothing about the message.
    const seed = [
      ...this.#own.keys.secretKey,
      ...receiver,
      ...new TextEncoder().encode(`${message.kind} ${message.id}`),
    ];
    const mark = toBase64URL(blake2b(Uint8Array.from(seed), 16));
    try {
      await this.#server.ask(
        'POST',
        '/sealed',
        { key_id: keyID, message: toBase64URL(sealed) },
        { headers: { 'Idempotency-Key': mark } },
      );
    } catch (error) {
      // The key is gone, or its browser has not fetched for so long that the server keeps no more messages for it.
      if (![404, 409].includes(error.status)) throw error;
      return false;
    }
    return true;
  }

  // MARK: Ringing

  get entries() {
    return this.received.filter(({ closed }) => !closed).map((entry) => this.#entry(entry));
  }
  get ringing() {
    return this.entries;
  }
  has(id) {
    return this.received.some((entry) => entry.id === id);
  }

  #entry({ id, login, zone, cause, time_ms, distance_m, verified }) {
    const contact = this.contacts.find((each) => each.login === login);
    const name = contact?.name || login;
    return {
      alarm: id,
      device: verified ? name : t`${name} (key not compared)`,
      isPerson: true,
      cause,
      began_ms: time_ms,
      closed: false,
      sound: '',
      vibrate: true,
      sleep_s: this.#app.settings.default_sleep_s ?? 10,
      zone: { name: zone, category: '', state: 'ringing', distance_m },
    };
  }

  #ring(entry) {
    const shown = this.#entry(entry);
    this.dispatchEvent(new CustomEvent('rang', { detail: shown }));
    this.dispatchEvent(new CustomEvent('came', { detail: shown }));
  }

  /** Sounds an unanswered alarm again. */
  #sound() {
    const fresh = this.received.find(({ closed, came_ms: came }) => !closed && this.#app.now - came < longest_ms);
    if (fresh) this.dispatchEvent(new CustomEvent('rang', { detail: this.#entry(fresh) }));
  }

  /** Closes an alarm here, whatever the answer, and sends the answer to a verified sender. */
  async answer(command, id) {
    const entry = this.received.find((each) => each.id === id);
    if (!entry || entry.closed) return;
    entry.closed = true;
    await this.#keep('in', this.received);
    this.#changed();
    if (!entry.contact || !entry.verified) return;
    this.#waiting.push({
      contact: entry.contact,
      message: { kind: 'answer', id: entry.of, command, time_ms: this.#app.now },
      done: [],
    });
    await this.#keep('out', this.#waiting);
    this.now();
  }

  #changed() {
    if (this.#isNews) {
      this.#isNews = false;
      this.#writes.then(() => this.#tabs?.postMessage('changed'), console.error);
    }
    this.dispatchEvent(new CustomEvent('change'));
  }
}
