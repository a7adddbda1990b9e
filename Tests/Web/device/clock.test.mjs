// Parts of the page that need no browser: clocks, and changes held in memory until they can be stored.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Clock, PositionClock } from '../../../Web/scripts/device/clock.js';
import { Overlay } from '../../../Web/scripts/storage/overlay.js';

function clocks() {
  const time = { now: 1_790_000_000_000, steady: 5_000 };
  const pass = (ms, { asleep = 0, set = 0 } = {}) => {
    time.now += ms + asleep + set;
    time.steady += ms;
  };
  return {
    time,
    pass,
    clock: new Clock(
      () => time.now,
      () => time.steady,
    ),
  };
}

test('a clock that is set back is noticed once, by how much; time that passes is none', () => {
  const { pass, clock } = clocks();
  pass(60_000);
  assert.equal(clock.jump(), 0);
  pass(1_000, { set: -7_200_000 });
  assert.equal(clock.jump(), -7_200_000);
  assert.equal(clock.jump(), 0);
  pass(1_000, { set: -15_000 });
  assert.equal(clock.jump(), -15_000);
});

test('a computer that slept, and a clock that was set forward, are time that passed; set right again is a jump back', () => {
  const { pass, clock } = clocks();
  pass(1_000, { asleep: 3_600_000 });
  assert.equal(clock.jump(), 0);
  pass(1_000, { set: 7_200_000 });
  assert.equal(clock.jump(), 0);
  pass(1_000, { set: -7_200_000 });
  assert.equal(clock.jump(), -7_200_000);
  // Set back while it slept: the sum of both remains.
  pass(1_000, { asleep: 600_000, set: -3_600_000 });
  assert.equal(clock.jump(), -3_000_000);
});

test('clocks that differ by little are none, until it has grown to a second', () => {
  const { pass, clock } = clocks();
  for (let step = 0; step < 9; step++) {
    pass(60_000, { set: -100 });
    assert.equal(clock.jump(), 0);
  }
  pass(60_000, { set: -100 });
  assert.equal(clock.jump(), -1_000);
});

test('live positions of a clock of their own are put at the time at which they come', () => {
  for (const off of [-7_200_000, 7_200_000]) {
    const stamps = new PositionClock();
    let [now, steady] = [1_790_000_000_000, 0];
    const come = (ms, stamp) => {
      now += ms;
      steady += ms;
      return stamps.measured(stamp(now), now, steady) - now;
    };
    assert.equal(
      come(1_000, (at) => at - 200),
      -200,
    );
    const apart = [1, 2, 3].map(() => come(1_000, (at) => at + off - 200));
    // The device might have stored the first one, which is two hours old.
    assert.deepEqual(
      apart.slice(1).map((ms) => ms >= -200 && ms <= 0),
      [true, true],
    );
    if (off > 0) assert.ok(apart[0] <= 0, 'nothing is measured after it came');
    // Its clock is right again.
    const right = [1, 2, 3].map(() => come(1_000, (at) => at - 200));
    assert.ok(
      right.slice(1).every((ms) => Math.abs(ms) <= 1_000),
      `${right}`,
    );
  }
});

test('positions that the device had kept stay as old as they are', () => {
  const stamps = new PositionClock();
  const now = 1_790_000_000_000;
  assert.equal(stamps.measured(now - 3_600_000, now, 0), now - 3_600_000);
  // The same again, and a backlog that arrives at once.
  assert.equal(stamps.measured(now - 3_600_000, now + 800, 800), now - 3_600_000);
  for (const [index, age] of [3_000_000, 2_400_000, 1_800_000].entries()) {
    const steady = 900 + index * 20;
    assert.equal(stamps.measured(now - age, now + steady, steady), now - age);
  }
  assert.equal(stamps.measured(now + 5_000, now + 5_000, 5_000), now + 5_000);
});

test('what is held in memory is read over what the database has, in the order of its keys', () => {
  const overlay = new Overlay({ zones: 'id', fixes: 'measured' });
  const base = [
    { id: 'a', name: 1 },
    { id: 'b', name: 1 },
    { id: 'd', name: 1 },
  ];
  overlay.add([
    { store: 'zones', put: { id: 'c', name: 2 } },
    { store: 'zones', put: { id: 'a', name: 2 } },
    { store: 'zones', remove: 'b' },
  ]);
  assert.deepEqual(overlay.all('zones', base), [
    { id: 'a', name: 2 },
    { id: 'c', name: 2 },
    { id: 'd', name: 1 },
  ]);
  assert.deepEqual(
    [overlay.get('zones', 'a'), overlay.get('zones', 'b'), overlay.get('zones', 'd')],
    [{ value: { id: 'a', name: 2 } }, { value: undefined }, undefined],
  );
  assert.deepEqual(overlay.range('zones', 'b', 'd', base), [{ id: 'c', name: 2 }]);
  assert.deepEqual(overlay.all('fixes', []), []);
  const written = overlay.operations;
  overlay.add([{ store: 'zones', put: { id: 'c', name: 3 } }]);
  overlay.forget(written);
  assert.deepEqual(
    overlay.operations.map(({ put }) => put),
    [{ id: 'c', name: 3 }],
    'what is newer than what was written stays',
  );
  overlay.add([
    { store: 'zones', clear: true },
    { store: 'zones', put: { id: 'e', name: 4 } },
  ]);
  assert.deepEqual(overlay.all('zones', base), [{ id: 'e', name: 4 }]);
  assert.deepEqual(overlay.get('zones', 'd'), { value: undefined });
});

test('a range that is removed in memory takes what came before it, and nothing that comes after', () => {
  const overlay = new Overlay({ fixes: 'measured' });
  overlay.add([
    { store: 'fixes', put: { measured: 5, a: 1 } },
    { store: 'fixes', from: 0, to: 10 },
    { store: 'fixes', put: { measured: 7, a: 2 } },
  ]);
  assert.deepEqual(overlay.all('fixes', [{ measured: 3 }, { measured: 10 }]), [
    { measured: 7, a: 2 },
    { measured: 10 },
  ]);
  assert.deepEqual(
    [overlay.get('fixes', 5), overlay.get('fixes', 7).value.a, overlay.get('fixes', 10)],
    [{ value: undefined }, 2, undefined],
  );
});

test('of a log no more than the newest are held, of zones all', () => {
  const overlay = new Overlay({ zones: 'id', fixes: 'measured' });
  overlay.add([{ store: 'zones', put: { id: 'a' } }]);
  for (let measured = 0; measured < 21_000; measured += 1_000) {
    overlay.add(Array.from({ length: 1_000 }, (_, index) => ({ store: 'fixes', put: { measured: measured + index } })));
  }
  const held = overlay.all('fixes', []);
  assert.deepEqual([held.length, held[0].measured, held.at(-1).measured], [20_000, 1_000, 20_999]);
  assert.equal(overlay.all('zones', []).length, 1);
});
