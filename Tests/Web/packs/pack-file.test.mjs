// Signed packs as the page reads them, written here independently by docs/packs.md.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entry, keyChange, newKey, pack } from '../support/Packs.mjs';
import { check, isPack, PackProblem, parse, section, zonesOf } from '../../../Web/scripts/packs/pack-file.js';

const kindOf = (promise) =>
  promise.then(
    () => 'taken',
    (error) => {
      if (!(error instanceof PackProblem)) throw error;
      return error.kind;
    },
  );
const names = ({ zones }) => zones.map(([id, pad]) => `${id} ${new TextDecoder().decode(pad)}`);
const [one, two, three] = [entry(1, 'one'), entry(2, 'two'), entry(0xffff_ffff_ffff_fff0n, 'three')];

test('a whole pack is read, and its signature checked', async () => {
  const key = newKey();
  const bytes = pack(key, { zones: [one, two, three], name: 'Ćuk 🏗', about: 'Keep out', publisher: 'Stone & Co.' });
  assert.ok(isPack(bytes) && !isPack(new TextEncoder().encode('AlertZoneStart')));
  const taken = await check(bytes, { key: key.publicKey });
  assert.deepEqual(names(taken), ['0000000000000001 one', '0000000000000002 two', 'fffffffffffffff0 three']);
  const { name, about, publisher, version, renew_ms: renew, made_ms: made, keyID } = taken.head;
  assert.deepEqual([name, about, publisher, version], ['Ćuk 🏗', 'Keep out', 'Stone & Co.', 5]);
  assert.ok(renew > made && keyID.length === 16);
  assert.deepEqual(zonesOf(taken.section), zonesOf(section(taken.zones)));
});

test('changes lead from one version to the next', async () => {
  const key = newKey();
  const held = await check(pack(key, { zones: [one, two], version: 5 }));
  const changed = entry(2, 'two anew');
  const whole = [changed, three];
  const step = pack(key, { zones: [changed, three], removed: [1n], base: 5, version: 7, whole });
  const next = await check(step, { held });
  assert.deepEqual(names(next), ['0000000000000002 two anew', 'fffffffffffffff0 three']);
  assert.equal(await kindOf(check(step, { held: next })), 'other-base');
  assert.equal(await kindOf(check(step)), 'other-base');
  assert.equal(await kindOf(check(pack(key, { zones: [one, two], version: 5 }), { held: next })), 'older');
  const wrong = pack(key, { zones: [three], base: 5, version: 7, whole: [three] });
  assert.equal(await kindOf(check(wrong, { held })), 'other-base', 'made for other zones of that version');
});

test('one version has one state; made twice, the later counts', async () => {
  const key = newKey();
  const held = await check(pack(key, { zones: [one] }));
  assert.equal(await kindOf(check(pack(key, { zones: [two] }), { held })), 'forged');
  const again = await check(pack(key, { zones: [], base: 5, whole: [one], made: 1_790_000_500_000 }), { held });
  assert.equal(again.head.made_ms, 1_790_000_500_000);
  const earlier = await check(pack(key, { zones: [one] }), { held: again });
  assert.equal(earlier.head.made_ms, 1_790_000_500_000);
});

test('another key, another collection and a forged signature are refused', async () => {
  const [key, other] = [newKey(), newKey()];
  const held = await check(pack(key, { zones: [one] }));
  assert.equal(await kindOf(check(pack(other, { zones: [one], version: 6 }), { held })), 'other-key');
  assert.equal(await kindOf(check(pack(other, { zones: [one] }), { key: key.publicKey })), 'other-key');
  assert.equal(await kindOf(check(pack(key, { zones: [one], version: 6, collection: 8n }), { held })), 'other-pack');
  const forged = pack(key, { zones: [one] });
  forged.set(pack(other, { zones: [one] }).slice(-64), forged.length - 64);
  assert.equal(await kindOf(check(forged)), 'forged');
});

test('a key that the followed one has named is followed, and the former one no more', async () => {
  const [first, second, third, thief] = [newKey(), newKey(), newKey(), newKey()];
  const hour = 3_600_000;
  const held = await check(pack(first, { zones: [one] }));
  const to = [keyChange(first, second), keyChange(second, third, { at: 1_790_000_000_000 + hour })];
  const next = await check(pack(second, { zones: [one], version: 6, changes: to.slice(0, 1) }), { held });
  assert.deepEqual(next.head.key, second.publicKey);
  assert.equal(next.head.changes[0].changed_ms, 1_790_000_000_000);
  const late = await check(pack(third, { zones: [one], version: 7, changes: to }), { held });
  assert.deepEqual(late.head.key, third.publicKey);
  await check(pack(third, { zones: [one], changes: to }), { key: first.publicKey });
  assert.equal(await kindOf(check(pack(first, { zones: [one], version: 9 }), { held: next })), 'other-key');
  const stolen = pack(thief, { zones: [one], version: 9, changes: [keyChange(first, thief)] });
  assert.equal(await kindOf(check(stolen, { held: next })), 'other-key', 'the former key names nobody any more');
  const forged = pack(thief, { zones: [one], version: 9, changes: [keyChange(first, thief, { by: thief })] });
  assert.equal(await kindOf(check(forged, { held })), 'forged');
  assert.equal(await kindOf(check(pack(thief, { zones: [one], version: 9 }), { held })), 'other-key');
});

test('statements of keys that no writer makes are refused', async () => {
  const [first, second, third] = [newKey(), newKey(), newKey()];
  const to = keyChange(first, second);
  const refused = async (key, changes, more) =>
    assert.equal(await kindOf(check(pack(key, { zones: [one], format: 2, changes, ...more }))), 'broken');
  await refused(first, []);
  await refused(second, [to], { changeCount: 17 });
  await refused(second, [to], { changeCount: 0xffff_ffff });
  await refused(third, [to]);
  await refused(first, [to, keyChange(second, first, { at: 1_790_000_000_001 })]);
  await refused(third, [to, keyChange(second, third)]);
  await refused(third, [keyChange(second, third), to]);
  const named = Buffer.from(to);
  named[3] ^= 1;
  await refused(second, [named]);
  const bytes = pack(second, { zones: [one], changes: [to] });
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at] ^= 1 << ((at * 5) % 8);
    assert.notEqual(await kindOf(check(changed)), 'taken', `byte ${at}`);
    assert.notEqual(await kindOf(check(bytes.slice(0, at))), 'taken', `${at} bytes`);
  }
});

test('a changed bit anywhere, and a file that is cut off anywhere, are refused', async () => {
  const bytes = pack(newKey(), { zones: [one, two] });
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at] ^= 1 << ((at * 5) % 8);
    assert.notEqual(await kindOf(check(changed)), 'taken', `byte ${at}`);
    assert.notEqual(await kindOf(check(bytes.slice(0, at))), 'taken', `${at} bytes`);
  }
  assert.equal(await kindOf(check(new Uint8Array([...bytes, 0]))), 'broken');
});

test('what no writer makes is refused, though it is signed', async () => {
  const key = newKey();
  const refused = async (what) =>
    assert.equal(
      await kindOf(check(pack(key, what))),
      'broken',
      JSON.stringify(what, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    );
  await refused({ zones: [two, one] });
  await refused({ zones: [one, one] });
  await refused({ zones: [one], removed: [1n] });
  await refused({ zones: [one], base: 5, removed: [1n], whole: [one] });
  await refused({ zones: [one], base: 6, whole: [one] });
  await refused({ zones: [one], version: 0 });
  await refused({ zones: [one], version: 2 ** 53 });
  await refused({ zones: [one], made: 2, renew: 1 });
  await refused({ zones: [one], name: 'x'.repeat(1025) });
  await refused({ zones: [one], whole: [two] });
  assert.equal(await kindOf(check(pack(key, { zones: [one], format: 3 }))), 'newer-format');
  assert.equal(await kindOf(check(pack(key, { zones: [one], kind: 3 }))), 'broken');
});

test('where a browser has no Ed25519 it says so, and takes nothing', async () => {
  const bytes = pack(newKey(), { zones: [one] });
  const { importKey } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.importKey = async () => {
    throw new DOMException('Unrecognized name.', 'NotSupportedError');
  };
  try {
    await assert.rejects(check(bytes), { kind: 'cannot-check' });
  } finally {
    SubtleCrypto.prototype.importKey = importKey;
  }
});

test('a pack of 10,000 zones is parsed', () => {
  const zones = Array.from({ length: 10_000 }, (_, number) => entry(number + 1, 'x'.repeat(300)));
  assert.equal(parse(pack(newKey(), { zones })).zones.length, 10_000);
});
