// Sealed messages as the page writes and reads them, against PyNaCl (libsodium) and Python's BLAKE2b.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { before, test } from 'node:test';
import { blake2b } from '../../../Web/scripts/sealed/blake2b.js';
import { fingerprint, newKeys, open, seal } from '../../../Web/scripts/sealed/sealed-box.js';
import { alarmMessage, read, write } from '../../../Web/scripts/sealed/sealed-form.js';
import { folder } from '../support/PageServer.mjs';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytes = (text) => Uint8Array.from(Buffer.from(text, 'hex'));
const python = (script, ...words) =>
  execFileSync('.venv-tests/bin/python', ['-c', script, ...words], { encoding: 'utf8' }).trim();

before(() => {
  globalThis.nacl = createRequire(import.meta.url)(resolve(folder, 'vendor/nacl-fast.js'));
});

test('BLAKE2b is that of RFC 7693 and of Python, whatever the length', () => {
  assert.equal(
    hex(blake2b(new TextEncoder().encode('abc'))),
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  );
  const inputs = [0, 1, 64, 127, 128, 129, 255, 256, 257, 1000].map((length) => hex(randomBytes(length)));
  const script =
    'import hashlib,sys\nfor t in sys.argv[1:]:\n for n in (1,24,30,64): print(hashlib.blake2b(bytes.fromhex(t),digest_size=n).hexdigest())';
  const mine = inputs.flatMap((text) => [1, 24, 30, 64].map((length) => hex(blake2b(bytes(text), length))));
  assert.deepEqual(mine, python(script, ...inputs).split('\n'));
  for (const length of [0, 65, 1.5]) assert.throws(() => blake2b(new Uint8Array(1), length), /not 1 to 64/);
});

test('libsodium opens what the page seals, and the page what libsodium seals', async () => {
  const [anna, ben] = [await newKeys(), await newKeys()];
  const said = write({ kind: 'answer', id: '0123456789abcdef', command: 'close', time_ms: 1_795_000_000_000 });
  const opened = python(
    `import sys
from nacl.public import Box, PrivateKey, PublicKey, SealedBox
own = PrivateKey(bytes.fromhex(sys.argv[1]))
outer = SealedBox(own).decrypt(bytes.fromhex(sys.argv[2]))
print(outer[:1].hex(), outer[1:33].hex(), Box(own, PublicKey(outer[1:33])).decrypt(outer[33:]).hex())`,
    hex(ben.secretKey),
    hex(await seal(said, ben.publicKey, anna)),
  ).split(' ');
  assert.deepEqual(opened, ['01', hex(anna.publicKey), hex(said)]);

  const sealed = python(
    `import sys
from nacl.public import Box, PrivateKey, PublicKey, SealedBox
own, to, said = PrivateKey(bytes.fromhex(sys.argv[1])), PublicKey(bytes.fromhex(sys.argv[2])), bytes.fromhex(sys.argv[3])
inside = bytes(Box(own, to).encrypt(said))
print(SealedBox(to).encrypt(b"\\x01" + bytes(own.public_key) + inside).hex())`,
    hex(anna.secretKey),
    hex(ben.publicKey),
    hex(said),
  );
  const taken = await open(bytes(sealed), ben);
  assert.equal(hex(taken.bytes), hex(said));
  assert.equal(hex(taken.sender), hex(anna.publicKey));
});

test('what was changed, cut off, of another form or for somebody else is not opened', async () => {
  const [anna, ben] = [await newKeys(), await newKeys()];
  const sealed = await seal(new TextEncoder().encode('{}'), ben.publicKey, anna);
  assert.equal(await open(sealed, anna), null);
  for (let length = 0; length < sealed.length; length++) assert.equal(await open(sealed.slice(0, length), ben), null);
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice();
    changed[at] ^= 1 << (at % 8);
    assert.equal(await open(changed, ben), null, `byte ${at}`);
  }
  assert.equal(hex((await open(sealed, ben)).sender), hex(anna.publicKey));
});

test('messages are read strictly, and their size tells nothing of a name', () => {
  const event = { alarm: 'a1b2c3d4e5f60718', name: 'Ćuk 🏗', cause: 'inside', time_ms: 1_795_000_000_000 };
  const alarm = alarmMessage(event, { place: [46.05, 14.5], distance: -3.4 });
  assert.deepEqual(read(write(alarm)), { ...alarm, distance_m: -3 });
  assert.equal(write(alarm).length, write(alarmMessage({ ...event, name: 'A much longer name of a zone' })).length);
  assert.equal(read(write(alarmMessage({ ...event, name: 'x'.repeat(9999) }))).zone.length, 200);
  const bad = [
    {},
    null,
    [],
    { ...alarm, kind: 'else' },
    { ...alarm, id: 'xyz' },
    { ...alarm, id: [alarm.id] },
    { ...alarm, time_ms: 1.5 },
    { ...alarm, time_ms: -1 },
    { ...alarm, zone: 7 },
    { ...alarm, cause: '<b>' },
    { ...alarm, place: [91, 0] },
    { ...alarm, place: [0] },
    { ...alarm, place: ['1', '2'] },
    { ...alarm, distance_m: 1e9 },
    { ...alarm, kind: 'answer', command: 'erase' },
  ];
  for (const value of bad) assert.equal(read(write(value)), null, JSON.stringify(value));
  for (const text of ['', '{', '\u0000', '[[[['.repeat(999)])
    assert.equal(read(new TextEncoder().encode(text)), null, text.slice(0, 9));
  assert.equal(read(Uint8Array.of(0x22, 0xff, 0x22)), null);
});

test('a number to compare is thirty digits, and another for another key', async () => {
  const [one, other] = [(await newKeys()).publicKey, (await newKeys()).publicKey];
  assert.match(fingerprint(one), /^\d{5}( \d{5}){5}$/);
  assert.equal(fingerprint(one), fingerprint(one.slice()));
  assert.notEqual(fingerprint(one), fingerprint(other));
});
