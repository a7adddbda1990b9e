// Keeps settings, saved messages and own sounds equal on all devices of an account. The items that both sides had at the last
// comparison are stored: such an item that one side now lacks was deleted there, any other item is new on the side that has it.
import { Refused } from '../engine/engine.js';
import { isSame, only } from '../messages/messages.js';
import { add as addSound, remove as removeSound } from '../sounds/sounds.js';

/** The settings that apply to all devices of a person, by the names that page and server share. */
const sharedSettings = [
  'alarm_cycle_s',
  'default_sleep_s',
  'default_radius_m',
  'maximum_speed_m_s',
  'bypass_to_map',
  'danger_margin_m',
  'reminder_radius_m',
  'distance_filter_m',
  'close_region_timeout_s',
  'map_selector_range_km',
  'zone_map_range_km',
];
/** The largest sound, in bytes, that the server takes; other sounds stay on this device. */
const largestSound = 4 * 2 ** 20;
const soundTypes = ['audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/x-wav', 'audio/mp4', 'audio/aac', 'audio/webm'];

export class Belongings {
  #app;
  #server;

  constructor(app, server) {
    this.#app = app;
    this.#server = server;
  }

  /** Compares both sides and makes them equal. @throws {ServerProblem} */
  async compare() {
    const { storage } = this.#app;
    const { id: account } = this.#server.account;
    const kept = await storage.kept('belongings', null);
    const was = kept?.account === account ? kept : { account, messages: [], sounds: [] };
    const now = {
      account,
      settings: await this.#settings(was.settings),
      messages: await this.#messages(was.messages),
      sounds: await this.#sounds(was.sounds),
    };
    if (JSON.stringify(now) !== JSON.stringify(kept)) await storage.keep('belongings', now);
  }

  /** Forgets the last comparison: items that the server lacks then count as new here, not as deleted there. */
  async forget() {
    await this.#app.storage.remove('kept', 'belongings');
  }

  /** Sends settings changed here since the last comparison, and takes all others. A device new to the account takes the account's. */
  async #settings(was) {
    for (let tries = 1; ; tries++) {
      const { content: theirs, tag } = await this.#server.ask('GET', '/settings', undefined, { tagged: true });
      const mine = this.#app.settings;
      const next = {};
      for (const name of sharedSettings) {
        const value = was && mine[name] !== was[name] ? mine[name] : (theirs[name] ?? mine[name]);
        if (value !== undefined) next[name] = value;
      }
      const all = { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...theirs, ...next };
      try {
        if (Object.keys(all).some((name) => all[name] !== theirs[name]))
          await this.#server.ask('PUT', '/settings', all, { headers: { 'If-Match': tag } });
      } catch (error) {
        // Another device saved its settings first.
        if (![409, 412].includes(error.status) || tries === 3) throw error;
        continue;
      }
      const changes = Object.fromEntries(Object.entries(next).filter(([name, value]) => mine[name] !== value));
      if (Object.keys(changes).length) await this.#take(changes, mine, next);
      return next;
    }
  }

  /** Takes settings over. One that the engine refuses stays as it is, here and in the account. */
  async #take(changes, mine, next) {
    try {
      await this.#app.changeSettings(changes);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const names = Object.keys(changes);
      if (names.length > 1) {
        for (const name of names) await this.#take({ [name]: changes[name] }, mine, next);
        return;
      }
      console.warn(error);
      next[names[0]] = mine[names[0]];
    }
  }

  async #messages(was) {
    const { storage } = this.#app;
    const keyOf = (message) => JSON.stringify(Object.values(only(message)));
    const byKey = (messages) => new Map(messages.map((message) => [keyOf(message), message]));
    const { items } = await this.#server.ask('GET', '/messages');
    return same(was, byKey(await storage.all('messages')), byKey(items), {
      send: (message) =>
        this.#server.ask('POST', '/messages', only(message), {
          headers: { 'Idempotency-Key': `message-${message.id}` },
        }),
      drop: ({ id }) => this.#server.ask('DELETE', `/messages/${id}`),
      take: (message) => storage.put('messages', { id: message.id, ...only(message) }),
      forget: async (message) =>
        storage.remove(
          'messages',
          ...(await storage.all('messages')).filter((each) => isSame(each, message)).map(({ id }) => id),
        ),
    });
  }

  async #sounds(was) {
    const byName = (sounds) => new Map(sounds.map((sound) => [sound.name, sound]));
    const { items } = await this.#server.ask('GET', '/sounds');
    const here = (await this.#app.storage.all('sounds')).filter(
      ({ bytes, type }) => bytes.byteLength <= largestSound && soundTypes.includes(type),
    );
    const address = (name) => `/sounds/${encodeURIComponent(name)}`;
    return same(was, byName(here), byName(items), {
      send: ({ name, bytes, type }) =>
        this.#server.ask('PUT', address(name), new Blob([bytes], { type }), { headers: { 'Content-Type': type } }),
      drop: ({ name }) => this.#server.ask('DELETE', address(name)),
      take: async ({ name, media_type: type }) =>
        addSound(
          new File([await this.#server.ask('GET', address(name), undefined, { bytes: true })], `${name}.audio`, {
            type,
          }),
        ),
      forget: ({ name }) => removeSound(name),
    });
  }
}

/**
 * @param {string[]} was keys that were on both sides at the last comparison
 * @param {Map<string, object>} here by key
 * @param {Map<string, object>} there
 * @param {{send, drop, take, forget}} how to there, from there, to here, from here; a `take` that fails is tried again next time
 * @returns {Promise<string[]>} keys that are on both sides now
 */
async function same(was, here, there, { send, drop, take, forget }) {
  const before = new Set(was);
  const both = [];
  for (const key of new Set([...here.keys(), ...there.keys()])) {
    const [mine, theirs] = [here.get(key), there.get(key)];
    if (mine && theirs) both.push(key);
    else if (before.has(key)) await (mine ? forget(mine) : drop(theirs));
    else if (mine) {
      await send(mine);
      both.push(key);
    } else if (
      await take(theirs).then(
        () => true,
        (error) => {
          console.warn(error);
          return false;
        },
      )
    )
      both.push(key);
  }
  return both.sort();
}
