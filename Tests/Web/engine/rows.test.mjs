// Positions as rows of numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromPiece, rows, width } from '../../../Web/scripts/engine/rows.js';

test('a piece of history from before there were heights reads as it was written', () => {
  const fix = { latitude: 52, longitude: 13, accuracy: 4, measured: 5000, received: 6000, speed: 1, course: 90 };
  const bytes = new Uint8Array(2 * 7 * 8);
  const view = new DataView(bytes.buffer);
  [52, 13, 4, 5000, 6000, 1, 90, 53, 14, 4, 7000, 8000, 1, 90].forEach((number, place) =>
    view.setFloat64(place * 8, number, true),
  );
  const [first, second] = fromPiece({ rows: bytes });
  assert.deepEqual(first, { ...fix, altitude: NaN, altitudeError: NaN, overSea: false });
  assert.equal(second.latitude, 53);
  const high = { ...fix, altitude: 440, altitudeError: 3, overSea: true };
  assert.deepEqual(fromPiece({ rows: rows([high, fix]), width }), [
    high,
    { ...fix, altitude: NaN, altitudeError: NaN, overSea: false },
  ]);
});
