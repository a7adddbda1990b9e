// Signed packs that this device follows, without an account: kept here, watched beside the person's own zones, renewed when the
// page is opened and each day. A pack that cannot be renewed goes on watching, and that is said.
import { fromBase64URL, toBase64URL } from '../server/base64url.js';
import { exclusively } from '../storage/exclusive.js';
import { t } from '../words/translate.js';
import { changesOf, fetchedPack, wantPacks } from './background.js';
import { keptPacks, lentByPacks } from './kept-packs.js';
import { check, largest_bytes, PackProblem } from './pack-file.js';
import { compareNames } from '../words/locale.js';

const key = 'packs';
const day_ms = 86_400_000;
/** How often it is looked whether a day is over. */
const look_ms = 600_000;
/** Zones that the engine reads in one piece. */
const together = 200;

/** What may be asked for packs: HTTPS, and what this page came from. */
const isSafe = ({ protocol, origin }) => protocol === 'https:' || origin === location.origin || isLocal(origin);
const isLocal = (origin) => /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?$/.test(origin);

/**
 * What somebody pastes or scans: the address of a pack, or a link of a page to follow one, which names the publisher's key.
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
    /* Said below. */
  }
  throw new PackProblem('not-a-pack', t`The link names no key of a publisher: it may be cut off.`);
}

/** The link that a publisher gives out: it leads to this page and names the key. */
export const linkOf = (address, publicKey) =>
  new URL(`#/collections?${new URLSearchParams({ pack: address, key: publicKey })}`, document.baseURI).href;

/**
 * Tells `change`. `packs`: `{address?, head, section, forms, unread, asked_ms, problem?}`; `problem` is `{kind, message}` of the
 * last time that it could not be renewed, `unread` how many of its zones this page cannot read.
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

  /** Packs of which a person must know: out of date, or refused by this page. */
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

  /** What is wrong with a pack, in words; nothing while all is well. */
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
      // A clock that was set back makes nothing wait.
      if (since >= day_ms || since < 0 || also(pack)) this.renew(pack.head.collection);
    }
  }

  /** Fetches a pack to be looked at; nothing is followed yet. @throws {PackProblem} */
  async fetch({ address, key: publicKey }) {
    const bytes = await this.#ask(address);
    return this.look(bytes, { address, key: publicKey });
  }

  /** Checks a file to be looked at. @param {Uint8Array} bytes @throws {PackProblem} */
  async look(bytes, { address, key: publicKey, isAnew = false } = {}) {
    let checked;
    try {
      checked = await check(bytes, { key: publicKey && fromBase64URL(publicKey) });
    } catch (error) {
      // Changes alone are of use to whoever follows the pack already.
      if (error.kind !== 'other-base') throw error;
      checked = undefined;
      for (const held of this.packs) checked ??= await check(bytes, { held }).catch(() => undefined);
      if (!checked) throw error;
    }
    const held = this.packs.find(({ head }) => head.collection === checked.head.collection);
    // What is followed goes on by its own key, and never back.
    if (held && !isAnew) checked = await check(bytes, { held });
    return { ...checked, address: address ?? held?.address, isFollowed: Boolean(held), isAnew };
  }

  /** Fetches a pack whose publisher has lost the key, to be looked at and followed by another. @throws {PackProblem} */
  async fetchAnew(collection) {
    const { address } = this.packs.find(({ head }) => head.collection === collection);
    return this.look(await this.#ask(address), { address, isAnew: true });
  }

  /** Watches the zones of a pack that was looked at. */
  async follow({ address, head, section, zones, isAnew }) {
    const { forms, unread } = await this.#read(zones);
    await this.#put({ address, head, section, forms, unread, asked_ms: this.#app.now }, { isNew: true, isAnew });
  }

  async unfollow(collection) {
    await this.#keep((packs) => packs.filter(({ head }) => head.collection !== collection));
  }

  /** Asks whether there is a later one. Nothing is thrown: what came of it stands in the pack's `problem`. */
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
      await this.#goOn(held, checked);
    } catch (error) {
      if (!(error instanceof PackProblem)) throw error;
      const problem = { kind: error.kind, message: error.message };
      await this.#put({ ...held, asked_ms: this.#app.now, problem });
    }
  }

  /** From the pack that is held to one that follows it. */
  async #goOn(held, { head, section, zones }) {
    const isOther = head.version !== held.head.version || held.unread;
    const news = isOther ? { section, ...(await this.#read(zones)) } : {};
    await this.#put({ ...held, head, ...news, asked_ms: this.#app.now, problem: undefined });
  }

  /** What came while no page was open. What is refused of it is asked for anew, and said then. */
  async #takeFetched() {
    for (const held of this.packs) {
      const bytes = await fetchedPack(held.head.collection);
      const checked = bytes && (await check(bytes, { held }).catch(() => undefined));
      if (checked) await this.#goOn(held, checked);
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

  /** What the engine makes of the zones, some at a time: positions are heard between. */
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
      // It was ended meanwhile, or another tab was quicker.
      if (stored ? !isAnew && stored.head.version > pack.head.version : !isNew) return packs;
      return [...others, pack].sort((a, b) => compareNames(a.head.name, b.head.name));
    });
  }

  /** As they are kept at this moment: another tab may have changed them. */
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

  /** What another tab has kept. */
  async adopt() {
    await exclusively('packs', async () => {
      await this.#recall();
      await this.#app.share(lentByPacks(this.packs), key);
    });
    this.#tell();
  }
}

/** What the thread that may ask other servers answers: `{status, bytes?}`, with a status of 0 where nobody answered. */
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

/** The key of a pack as links carry it. */
export const keyText = ({ key: bytes }) => toBase64URL(bytes);

let shared;
/** The ones of this page; `begin` has been called. */
export function packsOf(app) {
  shared ??= new FollowedPacks(app);
  return shared;
}
