// Signed packs for tests, written by docs/packs.md and independently of the page's reader.
import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';

/** The bytes before the 32 bytes of a private Ed25519 key (RFC 8410, section 7). */
const keyHead = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Avoids `generateKeyPairSync`: Node 20 can deadlock in it during garbage collection.
 * @returns {{privateKey, publicKey: Uint8Array}}
 */
export function newKey() {
  const privateKey = createPrivateKey({
    key: Buffer.concat([keyHead, randomBytes(32)]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicKey: new Uint8Array(Buffer.from(x, 'base64url')) };
}

/** A zone of a pack; the caller chooses its bytes. */
export const entry = (id, text) => ({ id: BigInt(id), pad: Buffer.from(text) });

/** A zone of a pack, as PAD has it. */
export const pad = (id, name, { latitude = 60.17, longitude = 24.94 } = {}) => ({
  id: BigInt(id),
  pad: Buffer.from(
    [
      'AlertZoneStart',
      `AlertZoneName,${name}`,
      'AlertZoneSize,120',
      `Location,1,${latitude},${longitude}`,
      `AlertZoneID,${BigInt(id).toString(16).padStart(16, '0')}`,
      'AlertZoneEnd\n',
    ].join('\n'),
  ),
});

const half = (number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};
const word = (number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(number)));
  return bytes;
};
const hash = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
const section = (zones) => [half(zones.length), ...zones.flatMap(({ id, pad }) => [word(id), half(pad.length), pad])];
const text = (words) => {
  const bytes = Buffer.from(words);
  return [half(bytes.length), bytes];
};

/** A statement that `next` follows `old`, signed with the key `by`. */
export function keyChange(old, next, { at = 1_790_000_000_000, by = old } = {}) {
  const signed = Buffer.concat([Buffer.from('PRXKEYC\u0001'), old.publicKey, next.publicKey, word(at)]);
  return Buffer.concat([signed, sign(null, signed, by.privateKey)]);
}

/** @param {object} what with `base`, the pack holds the changes since that version; `whole` are all zones after these */
export function pack(
  key,
  {
    zones,
    removed = [],
    base = 0,
    version = 5,
    whole = zones,
    made = 1_790_000_000_000,
    renew = made + 7 * 86_400_000,
    collection = 7n,
    name = 'Quarry',
    about = '',
    publisher = '',
    changes = [],
    format = changes.length ? 2 : 1,
    changeCount = changes.length,
    kind = base ? 2 : 1,
  },
) {
  const signed = Buffer.concat([
    Buffer.from('PRXPACK'),
    Buffer.from([format, kind, 0, 0]),
    hash(key.publicKey).subarray(0, 8),
    key.publicKey,
    word(collection),
    word(version),
    word(base),
    word(made),
    word(renew),
    hash(...section(whole)),
    ...[name, about, publisher].flatMap(text),
    ...(format === 2 ? [half(changeCount), ...changes] : []),
    half(removed.length),
    ...removed.map(word),
    ...section(zones),
  ]);
  return new Uint8Array(Buffer.concat([signed, sign(null, signed, key.privateKey)]));
}
