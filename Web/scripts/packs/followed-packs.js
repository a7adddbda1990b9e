// Signed packs that this device follows without an account: kept here, watched beside the person's own zones, renewed when the page
// is opened and each day. A pack that cannot be renewed is still watched, and the problem is shown.
import { fromBase64URL, toBase64URL } from '../server/base64url.js';
import { exclusively } from '../storage/exclusive.js';
import { t } from '../words/translate.js';
import { changesOf, fetchedPack, wantPacks } from './background.js';
import { keptPacks, lentByPacks } from './kept-packs.js';
import { check, largest_bytes, PackProblem } from './pack-file.js';
import { compareNames } from '../words/locale.js';

const key = 'packs';
const day_ms = 86_400_000;
/** The interval of the check whether a day is over. */
const look_ms = 600_000;
/** The number of zones that the engine reads in one step. */
const together = 200;

/** True if packs may be requested from an address: HTTPS, this page's own origin, or this device. */
const isSafe = ({ protocol, origin }) => protocol === 'https:' || origin === location.origin || isLocal(origin);
const isLocal = (origin) => /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?$/.test(origin);

/**
 * Reads pasted or scanned text: the address of a pack, or a link to a page that follows it and names the publisher's key.
 * @returns {{address: string, key?: string}}
 * @throws {PackProblem}
 */
export function readAddress(text) {
  const no = () =>
    new PackProblem('not-a-pack', t`“${text.slice(0, 60)}” is no address of a pack: it begins with https://.`);
  let url;
  try {
    url = new URL(text.trim());
  } catch {
    throw no();
  }
  const asked = new URLSearchParams(url.hash.split('?')[1] ?? '');
  if (asked.has('pack')) {
    const { address } = readAddress(asked.get('pack'));
    return { address, key: readKey(asked.get('key')) };
  }
  if (!isSafe(url)) throw no();
  const named = readKey(new URLSearchParams(url.hash.slice(1)).get('key'));
  url.hash = '';
  return { address: url.href, key: named };
}
function readKey(text) {
  if (!text) return undefined;
  try {
    if (fromBase64URL(text).length === 32) return text;
  } catch {
    /* Reported below. */
  }
  throw new PackProblem('not-a-pack', t`The link names no key of a publisher: it may be cut off.`);
}

/** The link that a publisher gives out: it leads to the page at `home` and contains the key. */
export const linkOf = (address, publicKey, home) =>
  new URL(`#/collections?${new URLSearchParams({ pack: address, key: publicKey })}`, home).href;

/**
 * Dispatches `change`. `packs`: `{address?, head, section, forms, unread, asked_ms, problem?}`; `problem` is `{kind, message}` of the
 * last failed renewal, `unread` the number of its zones that this page cannot read.
 */
export class FollowedPacks extends EventTarget {
  packs = [];
  #app;
  #running = new Map();

  constructor(app) {
    super();
    this.#app = app;
  }

  async begin() {
    await this.#app.storage.arrived;
    await exclusively('packs', () => this.#recall());
    this.#tell();
    await this.#takeFetched().catch((error) => console.error(error));
    this.#want();
    this.#renewDue(() => true);
    setInterval(() => this.#renewDue(), look_ms);
    addEventListener('online', () => this.#renewDue(({ problem }) => problem?.kind === 'unreached'));
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#renewDue();
    });
  }

  /** The packs with a problem that a person must know: out of date, refused, or with zones that this page cannot read. */
  get troubles() {
    return this.packs.filter(
      (pack) => this.isLate(pack) || (pack.problem && pack.problem.kind !== 'unreached') || pack.unread,
    );
  }
  isLate({ head }) {
    return head.renew_ms < this.#app.now;
  }

  #tell() {
    this.#app.packTroubles = this.troubles.map((pack) => ({ name: pack.head.name, detail: this.words(pack) }));
    this.dispatchEvent(new CustomEvent('change'));
    this.#app.dispatchEvent(new CustomEvent('change'));
  }

  /** The problems of a pack in words; empty if there are none. */
  words(pack) {
    return [
      this.isLate(pack) && t`Out of date: its zones may be others by now.`,
      pack.problem?.message,
      pack.unread && t`Zones that this page cannot read, and does not watch: ${String(pack.unread)}.`,
    ]
      .filter(Boolean)
      .join(' ');
  }

  #renewDue(also = () => false) {
    for (const pack of this.packs) {
      if (!pack.address) continue;
      const since = this.#app.now - pack.asked_ms;
      // A negative time, after the clock was set back, must not delay the renewal.
      if (since >= day_ms || since < 0 || also(pack)) this.renew(pack.head.collection);
    }
  }

  /** Fetches a pack for inspection, without following it. @throws {PackProblem} */
  async fetch({ address, key: publicKey }) {
    const bytes = await this.#ask(address);
    return this.look(bytes, { address, key: publicKey });
  }

  /** Checks a file for inspection. @param {Uint8Array} bytes @throws {PackProblem} */
  async look(bytes, { address, key: publicKey, isAnew = false } = {}) {
    let checked;
    try {
      checked = await check(bytes, { key: publicKey && fromBase64URL(publicKey) });
    } catch (error) {
      // A file with changes only is useful only if the pack is followed already.
      if (error.kind !== 'other-base') throw error;
      checked = undefined;
      for (const held of this.packs) checked ??= await check(bytes, { held }).catch(() => undefined);
      if (!checked) throw error;
    }
    const held = this.packs.find(({ head }) => head.collection === checked.head.collection);
    // A followed pack must fit the held key and must not be older.
    if (held && !isAnew) checked = await check(bytes, { held });
    return { ...checked, address: address ?? held?.address, isFollowed: Boolean(held), isAnew };
  }

  /** Fetches a pack whose publisher has lost the key, so that it can be followed by another key. @throws {PackProblem} */
  async fetchAnew(collection) {
    const { address } = this.packs.find(({ head }) => head.collection === collection);
    return this.look(await this.#ask(address), { address, isAnew: true });
  }

  /** Follows an inspected pack: watches its zones. */
  async follow({ address, head, section, zones, isAnew }) {
    const { forms, unread } = await this.#read(zones);
    await this.#put({ address, head, section, forms, unread, asked_ms: this.#app.now }, { isNew: true, isAnew });
  }

  async unfollow(collection) {
    await this.#keep((packs) => packs.filter(({ head }) => head.collection !== collection));
  }

  /** Renews a pack. Throws nothing: an error is in the pack's `problem`. */
  renew(collection) {
    if (!this.#running.has(collection))
      this.#running.set(
        collection,
        this.#renew(collection)
          .catch((error) => console.error(error))
          .finally(() => this.#running.delete(collection)),
      );
    return this.#running.get(collection);
  }

  async #renew(collection) {
    const held = this.packs.find(({ head }) => head.collection === collection);
    if (!held?.address) return;
    try {
      const checked = await check(await this.#ask(changesOf(held)), { held }).catch(async (error) => {
        if (error.kind !== 'other-base') throw error;
        return check(await this.#ask(held.address), { held });
      });
      await this.#replace(held, checked);
    } catch (error) {
      if (!(error instanceof PackProblem)) throw error;
      const problem = { kind: error.kind, message: error.message };
      await this.#put({ ...held, asked_ms: this.#app.now, problem });
    }
  }

  /** Replaces the held pack by a later one. */
  async #replace(held, { head, section, zones }) {
    const isOther = head.version !== held.head.version || held.unread;
    const news = isOther ? { section, ...(await this.#read(zones)) } : {};
    await this.#put({ ...held, head, ...news, asked_ms: this.#app.now, problem: undefined });
  }

  /** Takes packs fetched while no page was open. A refused one is ignored here: `renew` requests it again and reports the error. */
  async #takeFetched() {
    for (const held of this.packs) {
      const bytes = await fetchedPack(held.head.collection);
      const checked = bytes && (await check(bytes, { held }).catch(() => undefined));
      if (checked) await this.#replace(held, checked);
    }
  }

  #want() {
    this.#wanted = this.#wanted.then(() => wantPacks(this.packs, day_ms)).catch((error) => console.error(error));
  }
  #wanted = Promise.resolve();

  /** @throws {PackProblem} */
  async #ask(address) {
    const unreached = () =>
      new PackProblem('unreached', t`The server of the pack cannot be reached. Its zones watch as they were.`);
    const { status, bytes, tooLarge } = await asked(address);
    if (bytes) return new Uint8Array(bytes);
    if (tooLarge) throw new PackProblem('broken', t`The file is too large for a pack of zones.`);
    if (status === 404 || status === 410)
      throw new PackProblem('ended', t`The pack is no longer published there. Its zones watch as they were.`);
    throw unreached();
  }

  /** Reads the zones into forms, in portions, so that positions are handled in between. */
  async #read(zones) {
    await this.#app.begun;
    const forms = [];
    let unread = 0;
    for (let from = 0; from < zones.length; from += together) {
      const part = zones.slice(from, from + together);
      const asked = new Map(part.map(([id]) => [id, true]));
      const bytes = await new Blob(part.map(([, pad]) => pad)).arrayBuffer();
      for (const form of this.#app.ask('read_pad', { bytes: new Uint8Array(bytes) }).zones)
        if (asked.delete(form.id)) forms.push(form);
      unread += asked.size;
      await new Promise((done) => {
        setTimeout(done);
      });
    }
    return { forms, unread };
  }

  #put(pack, { isNew = false, isAnew = false } = {}) {
    return this.#keep((packs) => {
      const others = packs.filter(({ head }) => head.collection !== pack.head.collection);
      const stored = packs.find(({ head }) => head.collection === pack.head.collection);
      // The pack was unfollowed meanwhile, or another tab has a later version.
      if (stored ? !isAnew && stored.head.version > pack.head.version : !isNew) return packs;
      return [...others, pack].sort((a, b) => compareNames(a.head.name, b.head.name));
    });
  }

  /** Reads the stored packs: another tab may have changed them. */
  async #recall() {
    this.packs = keptPacks(await this.#app.storage.kept(key, []));
  }

  async #keep(change) {
    await exclusively('packs', async () => {
      await this.#recall();
      this.packs = change(this.packs);
      await this.#app.storage.keep(key, this.packs);
      await this.#app.share(lentByPacks(this.packs), key);
    });
    this.#want();
    this.#tell();
    this.#app.dispatchEvent(new CustomEvent('packs'));
  }

  /** Takes over the packs that another tab has stored. */
  async adopt() {
    await exclusively('packs', async () => {
      await this.#recall();
      await this.#app.share(lentByPacks(this.packs), key);
    });
    this.#tell();
  }
}

/** Requests an address in the thread that may contact other servers. @returns `{status, bytes?}`; status 0: no answer */
function asked(address) {
  return new Promise((done) => {
    const worker = new Worker(new URL('./pack-worker.js', import.meta.url), { type: 'module' });
    const end = (answer) => {
      worker.terminate();
      done(answer);
    };
    worker.onmessage = ({ data }) => end(data);
    worker.onerror = (event) => {
      event.preventDefault();
      end({ status: 0 });
    };
    worker.postMessage({ address, largest: largest_bytes });
  });
}

/** The key of a pack, encoded for links. */
export const keyText = ({ key: bytes }) => toBase64URL(bytes);

let shared;
/** The page's one `FollowedPacks`; `attend` in signed-in.js calls its `begin`. */
export function packsOf(app) {
  shared ??= new FollowedPacks(app);
  return shared;
}
