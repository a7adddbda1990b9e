import assert from 'node:assert/strict';
import test from 'node:test';
import { decode, encode, Encoded } from '../../../Web/scripts/engine/cbor.js';

const bytes = (...some) => Uint8Array.from(some);

test('writes the bytes of RFC 8949, appendix A', () => {
  for (const [value, written] of [
    [0, [0x00]],
    [24, [0x18, 0x18]],
    [1000, [0x19, 0x03, 0xe8]],
    [1000000, [0x1a, 0x00, 0x0f, 0x42, 0x40]],
    [1000000000000, [0x1b, 0x00, 0x00, 0x00, 0xe8, 0xd4, 0xa5, 0x10, 0x00]],
    [-1, [0x20]],
    [-1000, [0x39, 0x03, 0xe7]],
    [1.1, [0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a]],
    ['ü', [0x62, 0xc3, 0xbc]],
    [
      [1, [2, 3]],
      [0x82, 0x01, 0x82, 0x02, 0x03],
    ],
    [{ a: 1, b: [2] }, [0xa2, 0x61, 0x61, 0x01, 0x61, 0x62, 0x81, 0x02]],
  ]) {
    assert.deepEqual(encode(value), bytes(...written));
    assert.deepEqual(decode(bytes(...written)), value);
  }
});

test('reads back what it wrote', () => {
  const value = {
    empty: {},
    none: null,
    yes: true,
    no: false,
    minus: -0.5,
    large: 2 ** 53 - 1,
    small: -(2 ** 53 - 1),
    odd: 1e300,
    words: 'x'.repeat(70_000),
    raw: new Uint8Array(300).fill(7),
    many: Array.from({ length: 300 }, (_, i) => i * 1000),
  };
  assert.deepEqual(decode(encode(value)), value);
  assert.ok(Object.is(decode(encode(-0)), -0));
  assert.deepEqual(decode(encode({ left: undefined, kept: 1 })), { kept: 1 });
});

test('what was written once is taken over as it is', () => {
  const zone = { name: 'Market', places: [[52.5, 13.4]] };
  assert.deepEqual(encode({ zones: [new Encoded(zone), zone] }), encode({ zones: [zone, zone] }));
});

test('cut off anywhere, it is refused', () => {
  const whole = encode({ zones: ['a', new Uint8Array(3), 2.5, 70_000], on: true });
  for (let end = 0; end < whole.length; end++) assert.throws(() => decode(whole.subarray(0, end)), RangeError);
  assert.throws(() => decode(bytes(...whole, 0)), RangeError);
});
