// Files of zones on the page, as the program reads them (Tests/FormatsTests/Zones): no field by its beginning, units as
// stated. Neither browser nor engine is needed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coordinate, limit, OpenAirReader } from '../../../Web/scripts/files/openair.js';

const openAir = (records) => {
  const reader = new OpenAirReader(({ radius_m }) => [
    [1, 1],
    [2, radius_m / 1000],
    [3, 1],
  ]);
  reader.feed(`AC D\nAN Mill\nV X=48:12:00 N 009:30:00 E\n${records}\n`);
  reader.finish();
  return reader.taken();
};

test('OpenAir: a radius is in nautical miles or in the unit that is stated, and nothing else stands behind it', () => {
  for (const [written, size_m] of [
    ['5', 9260],
    ['5.5 NM.', 10_186],
    ['5 NM* about, 7 km', 9260],
    ['5.5 km', 5500],
    ['926 km', 926_000],
  ]) {
    const { zones, issues } = openAir(`DC ${written}`);
    assert.deepEqual([zones.map((zone) => zone.size_m), issues], [[size_m], []], written);
  }
  assert.equal(openAir('V W=5 km\nDY 48:00 N 009:00 E\nDY 48:10 N 009:00 E').zones[0].size_m, 2500);
  assert.equal(openAir('DA 5 km, 340 , 160 * half').zones[0].places[1][1], 5);
  for (const written of ['5,5', '5x9', '5 7', '5.5.5', '-5', '3000 ft', '5 m', '48:13:00 N 009:31:00 E', '1e1', '5..', ''])
    for (const record of [`DC ${written}`, `V W=${written}`, `DA ${written},10,20`]) {
      const { zones, issues } = openAir(record);
      assert.deepEqual([zones.length, issues[0].line, issues[0].error], [0, 4, true], record);
    }
  for (const record of ['DA 5,,10,20', 'DA 5,10x,20', 'DA 5,10,20 E', 'V D=+5', 'V D=clockwise'])
    assert.equal(openAir(record).issues[0].error, true, record);
});

test('OpenAir: coordinates and limits are read whole, times of activation are told once', () => {
  assert.deepEqual(coordinate('48:12:00.0 S 009:30:00 W * corner'), [-48.2, -9.5]);
  for (const written of [
    '48:12 N 009:30 E 5',
    '48:12 N 009:30 East',
    '4 8:12 N 009:30 E',
    '48 12 N 009 30 E',
    '48.5:30 N 009:30 E',
    '-48:12 N 009:30 E',
    '48:12 N 181 E',
  ])
    assert.throws(() => coordinate(written), { message: 'bad_coordinate' }, written);
  assert.deepEqual(limit('4500 ft MSL * gliders', false), limit('4500 ft MSL', false));
  for (const written of ['4 500 ft', 'FL 9 5', 'UNL5', '4500 ft/FL 95', '999999 ft'])
    assert.deepEqual(limit(written, false), { why: 'bad_height' }, written);
  const { zones, issues } = openAir('AA 2031-05-02T07:00Z/2031-05-02T17:00Z\nAA NONE\nDC 5');
  assert.deepEqual(
    issues.map(({ line, why, error }) => [line, why, error]),
    [[4, 'times_ignored', false]],
  );
  assert.equal(zones[0].pad_rows.length, 2);
});
