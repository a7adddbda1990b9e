// Seals a message to a person's key, and opens a message that was sealed to ours. The outer box is libsodium's `crypto_box_seal`,
// which hides the sender; the inner one is our `crypto_box`, which proves to the receiver that the sender's key made it.
// docs/private.md specifies the bytes.
import { h } from '../page/dom.js';
import { t } from '../words/translate.js';
import { blake2b } from './blake2b.js';

const version = 1;
export const key_bytes = 32;
const nonce_bytes = 24;
const tag_bytes = 16;

let library;
/** TweetNaCl, loaded for the first box. */
function load() {
  library ??= globalThis.nacl
    ? Promise.resolve(globalThis.nacl)
    : new Promise((done, failed) => {
        document.head.append(
          h('script', {
            src: 'vendor/nacl-fast.js',
            onload: () => done(globalThis.nacl),
            onerror: () => failed(new Error(t`what seals messages could not be loaded`)),
          }),
        );
      }).catch((error) => {
        library = undefined;
        throw error;
      });
  return library;
}

const joined = (...parts) => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

/** @returns {Promise<{publicKey: Uint8Array, secretKey: Uint8Array}>} */
export async function newKeys() {
  const nacl = await load();
  return nacl.box.keyPair();
}

/** libsodium's `crypto_box_seal`. */
async function sealBox(bytes, receiver) {
  const nacl = await load();
  const once = nacl.box.keyPair();
  const nonce = blake2b(joined(once.publicKey, receiver), nonce_bytes);
  return joined(once.publicKey, nacl.box(bytes, nonce, receiver, once.secretKey));
}

/** libsodium's `crypto_box_seal_open`; null if the box was not sealed to this key, or was changed. */
async function openBox(bytes, own) {
  if (bytes.length < key_bytes + tag_bytes) return null;
  const nacl = await load();
  const once = bytes.slice(0, key_bytes);
  const nonce = blake2b(joined(once, own.publicKey), nonce_bytes);
  return nacl.box.open(bytes.slice(key_bytes), nonce, once, own.secretKey);
}

/** @param {Uint8Array} bytes the message @param {Uint8Array} receiver a public key @param {object} own the sender's keys */
export async function seal(bytes, receiver, own) {
  const nacl = await load();
  const nonce = nacl.randomBytes(nonce_bytes);
  const inside = nacl.box(bytes, nonce, receiver, own.secretKey);
  return sealBox(joined([version], own.publicKey, nonce, inside), receiver);
}

/**
 * @returns {Promise<{bytes: Uint8Array, sender: Uint8Array}|null>} null if the message is not sealed to our key, was changed in
 *   transit, or has another form
 */
export async function open(sealed, own) {
  const nacl = await load();
  const outer = await openBox(sealed, own);
  if (!outer || outer.length < 1 + key_bytes + nonce_bytes + tag_bytes || outer[0] !== version) return null;
  const sender = outer.slice(1, 1 + key_bytes);
  const nonce = outer.slice(1 + key_bytes, 1 + key_bytes + nonce_bytes);
  const bytes = nacl.box.open(outer.slice(1 + key_bytes + nonce_bytes), nonce, sender, own.secretKey);
  return bytes && { bytes, sender };
}

/** A key as thirty digits in groups of five, for two people to compare. @param {Uint8Array} key */
export function fingerprint(key) {
  const hash = blake2b(key, 30);
  const groups = [];
  for (let at = 0; at < 30; at += 5)
    groups.push(
      String(hash.subarray(at, at + 5).reduce((sum, byte) => sum * 256 + byte, 0) % 100_000).padStart(5, '0'),
    );
  return groups.join(' ');
}
