// OpenAir and OwnTracks files on the page: the same zones as from the program, and a line for each oddity.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { drop } from '../support/Handing.mjs';
import { run } from '../support/LiveServer.mjs';
import { Story } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const airspace = `* What a glider pilot has, invented
AC D
AN One
AH 8400 ft
AL SFC
V X=39:29.7 N 119:46.5 W
DC 5
AC Q
AN Two
AH FL95
AL 1000 ft AGL
DP 01:30:30 N 001:30:30 W
DP 01:30:30 N 001:30:30 E
DP 01:30:30 S 001:30:30 E

AC C
AN Arcs
AL FL 65
AH 5000M MSL
V D=-
V X=46:00:00 N 014:00:00 E
DA 10, 350, 20
V D=+
DB 46:10:00 N 014:00:00 E, 46:00:00 N 014:14:00 E
DP 46:00:00 N 014:00:00 E
AC A
AN Airway
V W=4
DY 46.5 N 14.25 E
DY 47.5N 15.25E
TO Lake
DP 46:00:00 N 014:00:00 E
AC R
AN Both
AH 1000 ft
AL 2000 ft
V X=50:00:00 N 010:00:00 E
DC 2
DC 3
`;
const waypoints = JSON.stringify({
  _type: 'waypoints',
  waypoints: [
    { _type: 'waypoint', desc: 'Home', lat: 47.1, lon: 8.2, rad: 120, tst: 1_700_000_000 },
    { _type: 'waypoint', desc: 'Work', lat: '47.2', lon: 8.3, rad: 80, rid: 'abc123' },
  ],
});

/** The page's zones from a file. */
async function received(name, text) {
  const page = await story.open({ address: '/receive' });
  await drop(page, { name, text });
  await page.tap('#add');
  await page.see('.snackbar', 'added');
  const zones = await page.run(async () => [...(await import('/scripts/main.js')).app.zones.values()]);
  await story.close(page);
  return zones.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The program's zones from the same file. */
async function converted(name, text) {
  const folder = await mkdtemp(join(tmpdir(), 'zones-'));
  try {
    const [from, to] = [join(folder, name), join(folder, 'zones.geojson')];
    await writeFile(from, text);
    await run('zones', 'convert', from, '--to', 'geojson', '-o', to);
    return await received('zones.geojson', await readFile(to, 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [name, text, count] of [
  ['airspace.txt', airspace, 6],
  ['regions.otrw', waypoints, 2],
  ['config.otrc', JSON.stringify({ _type: 'configuration', mode: 3, waypoints: JSON.parse(waypoints).waypoints }), 2],
])
  test(
    `${name} becomes the zones that the program makes of it`,
    { skip: name !== 'airspace.txt' && inAll },
    async () => {
      const [ours, theirs] = [await received(name, text), await converted(name, text)];
      assert.equal(ours.length, count);
      assert.deepEqual(
        ours.map(({ name: called, category, outline, size_m, pad_rows: rows = [], edges, floor_m, ceiling_m }) => ({
          called,
          category,
          outline,
          size_m,
          rows,
          edges,
          floor_m,
          ceiling_m,
        })),
        theirs.map(({ name: called, category, outline, size_m, pad_rows: rows = [], edges, floor_m, ceiling_m }) => ({
          called,
          category,
          outline,
          size_m,
          rows,
          edges,
          floor_m,
          ceiling_m,
        })),
      );
      ours.forEach(({ name: called, places }, index) => {
        assert.equal(places.length, theirs[index].places.length, called);
        places.flat().forEach((degrees, at) => {
          assert.ok(Math.abs(degrees - theirs[index].places.flat()[at]) < 1e-8, `${called}, ${at}`);
        });
      });
    },
  );

test('limits over the sea count, those above ground are told and are none', async () => {
  const page = await story.open({ address: '/receive' });
  const area = 'V X=46:00 N 014:00 E\nDC 2\n';
  await drop(page, {
    name: 'heights.openair',
    text: `AC D\nAN Ground\nAL 1000 ft AGL\nAH 5000 ft\n${area}AC D\nAN Odd\nAH high\n${area}AC D\nAN Upside\nAL FL 200\nAH 900 m\n${area}`,
  });
  await page.see('.summary', '3 new');
  const odd = await page.run(() =>
    [...document.querySelectorAll('[data-part="Unusual, but read"] .row')].map((row) => row.innerText.split('\n')),
  );
  assert.deepEqual(odd, [
    ['Ground', 'a limit above ground, whose height over the sea is not known: the zone has no such limit', 'line 3'],
    ['Odd', 'a limit that is no height or flight level: the zone has no such limit', 'line 9'],
    ['Upside', 'its ceiling is not above its floor: the zone has neither', 'line 12'],
  ]);
  await page.tap('#add');
  await page.see('.snackbar', 'added');
  const zones = await page.run(async () => [...(await import('/scripts/main.js')).app.zones.values()]);
  assert.deepEqual(zones.map(({ name, floor_m, ceiling_m }) => [name, floor_m, ceiling_m]).toSorted(), [
    ['Ground', undefined, 1524],
    ['Odd', undefined, undefined],
    ['Upside', undefined, undefined],
  ]);
  await story.close(page);
});

test('what of an OpenAir file cannot be read is said with its line, and the rest is taken', async () => {
  const page = await story.open({ address: '/receive' });
  await drop(page, {
    name: 'odd.openair',
    text: 'AC D\nAN Odd\nV X=nowhere\nDC 5\nDP 95:00 N 001:00 E\nXX what\nAN Good\nDP 1 N 1 E\nDP 1 N 2 E\nDP 2 N 2 E\nDA 600,1,2\n',
  });
  await page.see('.summary', '1 new');
  const rows = (title) =>
    page.run(
      (one) => [...document.querySelectorAll(`[data-part="${one}"] .row`)].map((row) => row.innerText.split('\n')),
      title,
    );
  assert.deepEqual(await rows('Left out'), [
    ['Odd', 'a coordinate that cannot be read', 'line 3'],
    ['Odd', 'an arc or a circle without a centre', 'line 4'],
    ['Odd', 'a coordinate that cannot be read', 'line 5'],
    ['Odd', 'has no place that can be read', 'line 1'],
    ['Good', 'an arc or a radius that cannot be read', 'line 11'],
  ]);
  assert.deepEqual(await rows('Unusual, but read'), [['Odd', 'a record that is not known', 'line 6']]);
  await story.close(page);
});

test(
  'damaged files of either kind are refused in words, or read in part, and never break the page',
  { skip: inAll },
  async () => {
    const page = await story.open({ address: '/receive' });
    let seed = 11;
    const next = (below) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    for (let round = 0; round < 12; round++) {
      const whole = round % 2 ? airspace : waypoints;
      let text = whole.slice(0, next(whole.length) + 1);
      for (let change = 0; change < 6; change++) {
        const at = next(text.length);
        text = text.slice(0, at) + String.fromCharCode(32 + next(90)) + text.slice(at + 1);
      }
      await page.run(
        async (name, content) => {
          const { app } = await import('/scripts/main.js');
          const { FileProblem, read } = await import('/scripts/files/files.js');
          try {
            (await read(app, [new File([content], name)])).source.end();
          } catch (error) {
            if (!(error instanceof FileProblem) || / undefined|TypeError/.test(error.message)) throw error;
          }
        },
        round % 2 ? 'broken.air' : 'broken.otrw',
        text,
      );
    }
    await story.close(page);
  },
);

test('a recording of OwnTracks Recorder is a track', async () => {
  const page = await story.open({ address: '/receive' });
  const line = (second) =>
    `2026-05-01T08:00:${String(second).padStart(2, '0')}Z\t*                 \t${JSON.stringify({ _type: 'location', lat: 47.1 + second / 10_000, lon: 8.2, tst: 1_777_622_400 + second, acc: 12, vel: 36, cog: -1 })}`;
  const text = [...Array(30).keys()].map(line).concat('2026-05-01T08:01:00Z\tlwt\t{"_type":"lwt"}', '').join('\n');
  const found = await page.run(async (content) => {
    const { app } = await import('/scripts/main.js');
    const { read } = await import('/scripts/files/files.js');
    const { kind, count, untimed, rows, source } = await read(app, [new File([content], '2026-05.rec')]);
    source.end();
    const numbers = new Float64Array(rows.buffer.slice(rows.byteOffset, rows.byteOffset + rows.byteLength));
    return { kind, count, untimed, first: [...numbers.slice(0, 9)] };
  }, text);
  assert.deepEqual({ ...found, first: undefined }, { kind: 'track', count: 30, untimed: 0, first: undefined });
  for (const value of [47.1, 8.2, 12, 10, 1_777_622_400_000])
    assert.ok(found.first.includes(value), String(found.first));
  await story.close(page);
});
