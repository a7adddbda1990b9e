// A signed pack of zones (docs/packs.md): parses its bytes strictly and checks its signature. The engine reads the zones in it.
import { t } from '../words/translate.js';

/**
 * The reason why a pack is refused. `kind`: `not-a-pack`, `broken`, `newer-format`, `forged`, `other-key`, `other-pack`, `older`,
 * `other-base` (changes since a version that is not held here), `cannot-check` (this browser cannot verify signatures).
 */
export class PackProblem extends Error {
  constructor(kind, message) {
    super(message);
    this.name = 'PackProblem';
    this.kind = kind;
  }
}

const magic = new TextEncoder().encode('PRXPACK');
/** The format numbers: `plain` if the publisher never changed the key, `withChanges` if the pack names earlier keys. */
const formats = { plain: 1, withChanges: 2 };
const change_magic = new TextEncoder().encode('PRXKEYC\u0001');
const mostChanges = 16;
const signature_bytes = 64;
export const largest_bytes = 64 * 2 ** 20;
const mostZones = 100_000;
const longest = { name: 1024, about: 16_384, publisher: 1024 };

/** True if a file begins as a pack. @param {Uint8Array} bytes at least its beginning */
export const isPack = (bytes) => magic.every((byte, at) => bytes[at] === byte);

export const isPackFile = async (file) => isPack(new Uint8Array(await file.slice(0, magic.length).arrayBuffer()));

const broken = () => new PackProblem('broken', t`The pack is damaged or cut off.`);
export const hexadecimal = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

class Reader {
  at = 0;
  #bytes;
  #view;

  constructor(bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get rest() {
    return this.#bytes.length - this.at;
  }
  take(count) {
    if (count > this.rest) throw broken();
    this.at += count;
    return this.#bytes.subarray(this.at - count, this.at);
  }
  #of(count, read) {
    if (count > this.rest) throw broken();
    this.at += count;
    return read.call(this.#view, this.at - count);
  }
  count() {
    return this.#of(4, DataView.prototype.getUint32);
  }
  id() {
    return this.#of(8, DataView.prototype.getBigUint64).toString(16).padStart(16, '0');
  }
  /** Reads a number that JavaScript represents exactly. */
  number() {
    const number = Number(this.#of(8, DataView.prototype.getBigInt64));
    if (!Number.isSafeInteger(number)) throw broken();
    return number;
  }
  text(most) {
    const length = this.count();
    if (length > most) throw broken();
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.take(length));
    } catch {
      throw broken();
    }
  }
  /** Reads items with ascending ids. */
  ascending(read) {
    const count = this.count();
    if (count > mostZones) throw broken();
    const found = [];
    let last = '';
    for (let index = 0; index < count; index++) {
      const id = this.id();
      if (id <= last) throw broken();
      last = id;
      found.push(read(id));
    }
    return found;
  }
  zones() {
    return this.ascending((id) => [id, this.take(this.count())]);
  }
  /** Reads the statements by which each key named the next, up to `key`; earliest first, no key twice. */
  keyChanges(key) {
    const count = this.count();
    if (count < 1 || count > mostChanges) throw broken();
    const changes = Array.from({ length: count }, () => {
      const from = this.at;
      if (!isSame(this.take(change_magic.length), change_magic)) throw broken();
      const [old, next] = [this.take(32), this.take(32)];
      const changed_ms = this.number();
      return {
        old,
        next,
        changed_ms,
        signed: this.#bytes.subarray(from, this.at),
        signature: this.take(signature_bytes),
      };
    });
    const keys = [...changes.map(({ old }) => old), key].map(hexadecimal);
    const isChain = changes.every(
      ({ next, changed_ms: at }, index) =>
        hexadecimal(next) === keys[index + 1] && (index === 0 || changes[index - 1].changed_ms < at),
    );
    if (!isChain || new Set(keys).size !== keys.length) throw broken();
    return changes;
  }
}

/** Parses a pack without checking its signature. @throws {PackProblem} */
export function parse(bytes) {
  if (!isPack(bytes)) throw new PackProblem('not-a-pack', t`This is no pack of zones.`);
  if (bytes.length > largest_bytes) throw broken();
  const end = Math.max(0, bytes.length - signature_bytes);
  const reader = new Reader(bytes.subarray(0, end));
  reader.take(magic.length);
  const [found] = reader.take(1);
  if (!Object.values(formats).includes(found))
    throw new PackProblem('newer-format', t`The pack was made by a newer version than this page: reload the page.`);
  const [kind, ...reserved] = reader.take(3);
  if ((kind !== 1 && kind !== 2) || reserved.some(Boolean)) throw broken();
  const keyID = hexadecimal(reader.take(8));
  const key = reader.take(32);
  const collection = reader.id();
  const version = reader.number();
  const base = reader.number();
  const made = reader.number();
  const renew = reader.number();
  if (version < 1 || made > renew || (kind === 1 ? base !== 0 : base < 1 || base > version)) throw broken();
  const digest = reader.take(32);
  const [name, about, publisher] = [longest.name, longest.about, longest.publisher].map((most) => reader.text(most));
  const changes = found === formats.plain ? [] : reader.keyChanges(key);
  const removed = reader.ascending((id) => id);
  if (kind === 1 && removed.length) throw broken();
  const zones = reader.zones();
  const gone = new Set(removed);
  if (reader.rest || zones.some(([id]) => gone.has(id))) throw broken();
  const head = { key, keyID, collection, version, made_ms: made, renew_ms: renew, name, about, publisher, changes };
  return { head, base, digest, removed, zones, signed: bytes.subarray(0, end), signature: bytes.subarray(end) };
}

/** The bytes of all zones over which the digest is computed. @param {[string, Uint8Array][]} zones ascending by id */
export function section(zones) {
  const bytes = new Uint8Array(4 + zones.reduce((sum, [, pad]) => sum + 12 + pad.length, 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, zones.length);
  let at = 4;
  for (const [id, pad] of zones) {
    view.setBigUint64(at, BigInt(`0x${id}`));
    view.setUint32(at + 8, pad.length);
    bytes.set(pad, at + 12);
    at += 12 + pad.length;
  }
  return bytes;
}

/** The zones of a section. */
export const zonesOf = (bytes) => new Reader(bytes).zones();

const digestOf = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const isSame = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);

async function isSigned({ signed, signature }, key) {
  const { subtle } = crypto;
  try {
    const known = await subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']);
    return await subtle.verify({ name: 'Ed25519' }, known, signature, signed);
  } catch (error) {
    // Distinguishes an invalid key from a missing algorithm.
    if (error?.name === 'DataError') throw forged();
    throw new PackProblem(
      'cannot-check',
      t`This browser cannot check signatures (Ed25519), so it takes no packs. Current versions of Firefox, Chrome and
        Safari can, over HTTPS.`,
    );
  }
}

async function checkSignatures(found) {
  const { key, keyID, changes } = found.head;
  const isRight = hexadecimal((await digestOf(key)).subarray(0, 8)) === keyID && (await isSigned(found, key));
  if (!isRight) throw forged();
  for (const change of changes) if (!(await isSigned(change, change.old))) throw forged();
}
const forged = () =>
  new PackProblem('forged', t`The signature is wrong: the pack was changed on its way, or is forged.`);

/** The zones after changes; all lists ascend by id, and so does the result. */
function merged(old, changed, removed) {
  const zones = new Map(old);
  for (const id of removed) zones.delete(id);
  for (const [id, pad] of changed) zones.set(id, pad);
  return [...zones].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Checks a pack completely.
 * @param {Uint8Array} bytes
 * @param {{key?: Uint8Array, held?: {head: object, section: Uint8Array}}} [known] `key`: the key that must have signed the pack, or
 *   named the key that did; `held`: the version held here, on which the pack's changes may be based
 * @returns {Promise<{head: object, section: Uint8Array, zones: [string, Uint8Array][]}>} all zones
 * @throws {PackProblem} the held version then stays in force
 */
export async function check(bytes, { key, held } = {}) {
  const found = parse(bytes);
  const { head, base } = found;
  const pinned = held?.head.key ?? key;
  if (pinned && ![head.key, ...head.changes.map(({ old }) => old)].some((known) => isSame(pinned, known)))
    throw new PackProblem(
      'other-key',
      t`The pack is now signed by another key (${head.keyID}), which the publisher’s key has not named. Either that
        key was lost, or somebody else sends this. Ask the publisher. Your copy stays as it is.`,
    );
  await checkSignatures(found);
  if (held) {
    if (head.collection !== held.head.collection)
      throw new PackProblem('other-pack', t`This is another pack of the same publisher.`);
    if (head.version < held.head.version)
      throw new PackProblem('older', t`The pack is older than the one that is followed here.`);
  }
  if (base !== 0 && base !== held?.head.version)
    throw new PackProblem('other-base', t`This file has only what changed since another version.`);
  const zones = base === 0 ? found.zones : merged(zonesOf(held.section), found.zones, found.removed);
  const all = section(zones);
  if (!isSame(await digestOf(all), found.digest))
    throw base === 0
      ? broken()
      : new PackProblem('other-base', t`The changes do not fit the zones that are held here.`);
  // A version has one set of zones; if it was made twice, the later file counts.
  if (held && head.version === held.head.version) {
    if (!isSame(all, held.section)) throw forged();
    if (head.made_ms < held.head.made_ms) return { head: held.head, section: held.section, zones };
  }
  // Copies, so that the result does not keep the whole file in memory.
  const changes = head.changes.map(({ old, changed_ms }) => ({ old: old.slice(), changed_ms }));
  return { head: { ...head, key: head.key.slice(), changes }, section: all, zones };
}
