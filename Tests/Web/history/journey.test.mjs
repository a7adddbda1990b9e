// The shape of a journey as it is drawn, without a browser.
import assert from 'node:assert/strict';
import test from 'node:test';
import { incidents, Journey } from '../../../Web/scripts/history/journey.js';
import { Player, rates } from '../../../Web/parts/player.js';
import { story } from '../../../Web/parts/journey-view.js';
import { captions } from '../../../Web/parts/scrubber.js';
import { evidence, outcome } from '../../../Web/scripts/words/why-words.js';

const journey = (steps, stays = []) =>
  new Journey({ steps: new Uint8Array(Float64Array.from(steps.flat()).buffer), stays });

test('the phone is drawn on the line between two fixes, and stays where it was over a long gap', () => {
  const walk = journey([
    [10, 20, 5, 0, NaN],
    [11, 22, NaN, 60_000, 3],
    [12, 22, 5, 4_000_000, 1],
  ]);
  assert.deepEqual([walk.from, walk.to, walk.count], [0, 4_000_000, 3]);
  assert.deepEqual(walk.at(30_000).place, [10.5, 21]);
  assert.equal(walk.at(30_000).speed, 3);
  assert.deepEqual(walk.at(2_000_000).place, [11, 22]);
  assert.equal(walk.at(2_000_000).accuracy, undefined);
  assert.deepEqual(walk.at(-5).place, [10, 20]);
  assert.deepEqual(walk.at(9_000_000).place, [12, 22]);
});

test('a way across the antimeridian does not leap around the earth', () => {
  const crossing = journey([
    [0, 179, 5, 0, NaN],
    [0, -179, 5, 10_000, NaN],
  ]);
  assert.deepEqual(crossing.lines(5000), {
    before: [
      [179, 0],
      [180, 0],
    ],
    after: [
      [180, 0],
      [181, 0],
    ],
  });
  assert.deepEqual(crossing.box, [
    [0, 179],
    [0, 181],
  ]);
});

test('a doubt is an incident of its own, with how likely it was', () => {
  const found = incidents([
    { event: 'perhaps', time_ms: 5, zone: 'a', name: 'Quarry', place: [1, 2], distance_m: 40, probability: 0.2 },
  ]);
  assert.equal(found.length, 1);
  assert.deepEqual([found[0].kind, found[0].probability, found[0].answers], ['perhaps', 0.2, []]);
  assert.equal(story(found[0]), 'Perhaps inside (20 %): no position was exact enough to say');
  assert.equal(outcome({ rings: false, verdict: 'perhaps' }), 'Said “perhaps”');
});

test('lines are whole at both ends', () => {
  const walk = journey([
    [0, 0, 5, 0, NaN],
    [0, 1, 5, 1000, NaN],
    [0, 2, 5, 2000, NaN],
  ]);
  assert.deepEqual(walk.lines(-1), {
    before: [],
    after: [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
  });
  assert.deepEqual(walk.lines(2000).before.length, 4);
  assert.deepEqual(walk.lines(2000).after, [[2, 0]]);
});

test('of a track of weeks so many points are drawn as can be told apart, from its first to its last', () => {
  const count = 120_001;
  const weeks = journey(Array.from({ length: count }, (_, index) => [0, index * 1e-4, 5, index * 1000, NaN]));
  assert.equal(weeks.count, count);
  const { before, after } = weeks.lines(60_000_500);
  assert.ok(before.length + after.length < 50_010, `${before.length} and ${after.length}`);
  assert.deepEqual(
    [before[0], after.at(-1)],
    [
      [0, 0],
      [12, 0],
    ],
  );
  assert.ok(Math.abs(before.at(-1)[0] - 6.00005) < 1e-9 && before.at(-1) === after[0], 'both meet where the phone was');
  assert.deepEqual(weeks.lines(weeks.to).before.at(-1), [12, 0]);
});

test('an alarm is one incident with its answers and its end, however often it rang', () => {
  const event = (name, time, more = {}) => ({
    event: name,
    time_ms: time,
    decided_ms: time,
    learned_ms: time,
    zone: 'z',
    name: 'Z',
    alarm: 'a',
    ...more,
  });
  const found = incidents([
    event('alarm', 1000, { cause: 'near', distance_m: 147, place: [1, 2] }),
    event('repeat', 11_000),
    event('answer', 12_000, { command: 'sleep' }),
    event('alarm', 40_000),
    event('cleared', 60_000, { why: 'left' }),
    event('ignored', 5, { alarm: undefined }),
    event('alarm', 70_000, { alarm: 'b' }),
    event('missed_signal', 500, { alarm: undefined }),
  ]);
  assert.deepEqual(
    found.map(({ kind, time, rings, repeats, answers, cleared }) => [
      kind,
      time,
      rings,
      repeats,
      answers.length,
      cleared?.why,
    ]),
    [
      ['missed_signal', 500, 1, 0, 0, undefined],
      ['alarm', 1000, 2, 1, 1, 'left'],
      ['alarm', 70_000, 1, 0, 0, undefined],
    ],
  );
});

test('captions are round times, at most six', () => {
  const noon = new Date(2026, 10, 19, 12, 0).getTime();
  assert.deepEqual(
    captions(noon - 60_000, noon + 12 * 60_000).map((time) => (time - noon) / 60_000),
    [0, 5, 10],
  );
  for (const hours of [0.001, 0.2, 1, 3, 12, 24, 240])
    assert.ok(captions(noon, noon + hours * 3_600_000).length <= 6, `${hours} h`);
  assert.deepEqual(captions(noon + 1, noon + 1000), [noon + 1]);
});

test('the player passes every moment once, in order, and stops at the end', () => {
  const player = new Player(0, 100_000);
  const spans = [];
  player.addEventListener('time', ({ detail: { from } }) => spans.push([from, player.time]));
  player.rate = rates[1];
  for (let frame = 0; frame < 700; frame++) player.pass(16);
  assert.equal(player.time, 100_000);
  spans
    .filter(([from, to]) => to > from)
    .reduce((end, [from, to]) => {
      assert.equal(from, end);
      return to;
    }, 0);
  player.seek(-5);
  assert.equal(player.time, 0);
  assert.deepEqual(spans.at(-1), [undefined, 0]);
});

test('why is told with what was missing', () => {
  const told = new Map(
    evidence({
      rings: false,
      verdict: 'outside',
      distance_m: 83,
      level_m: 50,
      accuracy_m: 10,
      error_m: 17.3,
      closest_m: 70,
      agrees: true,
    }),
  );
  assert.equal(told.get('Position'), '83 m outside the edge');
  assert.equal(told.get('Nearest miss'), 'by 20 m');
  assert.equal(told.get('Accuracy'), '±10 m, counted as 17 m');
  assert.equal(told.get('Checked again now'), 'the same result');
});
