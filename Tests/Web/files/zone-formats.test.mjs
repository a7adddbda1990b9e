// A file of another kind that the page cannot read. The readers of zones are the program's (Tests/FormatsTests/Zones).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from '../../../Web/scripts/files/file-reader.js';

test('a FIT file is named, with what to do instead', async () => {
  const fit = (size, mark = '.FIT') =>
    new File([Uint8Array.of(size, 0x20, 0x54, 8, 232, 3, 0, 0), mark, new Uint8Array(1000)], 'walk.fit');
  const untold = Object.fromEntries(['told', 'zones', 'issues'].map((name) => [name, () => undefined]));
  const engine = { ask: () => ({ zones: [], issues: [] }) };
  const readers = async () => ({ ask: () => ({ table: false }) });
  for (const size of [12, 14])
    await assert.rejects(readFile(fit(size), { engine, readers, ...untold }), /walk\.fit is a FIT file.* GPX or TCX/);
  for (const other of [fit(13), fit(12, '.FIX')])
    assert.equal(await readFile(other, { engine, readers, ...untold }), undefined);
});
