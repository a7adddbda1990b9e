// Replaying a track: the page's results are the same as the command line's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { auditBoth } from '../support/Audit.mjs';
import { tablet, withMap } from '../support/Browser.mjs';
import { choose, drop } from '../support/Handing.mjs';
import { Story, zone } from '../support/Story.mjs';

let story, walk, zones;
before(async () => {
  [story, walk, zones] = await Promise.all([
    Story.begin(),
    readFile('Scenarios/walk.gpx', 'utf8'),
    readFile('Scenarios/zones.pad', 'utf8'),
  ]);
});
after(() => story?.end());

/** A page with the bundled zones, imported as a person would. */
async function withZones(look) {
  const page = await story.open({ address: '/receive', look });
  await drop(page, { name: 'zones.pad', text: zones });
  await page.click('#add');
  await page.see('.snackbar', 'added from zones.pad');
  // The snackbar would cover the next control.
  await page.run(() => document.querySelector('.snackbar').remove());
  return page;
}
const listed = (page) =>
  page.run(() => [...document.querySelectorAll('.journey > .incidents .headline')].map((each) => each.textContent));

test('a GPX that is dropped on the page rings what the command line says, and every alarm says why', async () => {
  const page = await withZones();
  await drop(page, { name: 'walk.gpx', text: walk });
  await page.see('.journey .player');
  const lines = execFileSync(
    '.build/debug/proximity',
    ['replay', 'Scenarios/walk.gpx', '--zones', 'Scenarios/zones.pad', '--json'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const expected = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === 'alarm' || event === 'missed_signal')
    // A repetition belongs to the same alarm.
    .filter(({ alarm }, at, all) => !alarm || all.findIndex((each) => each.alarm === alarm) === at)
    .map(({ zone: name }) => name);
  assert.ok(expected.length >= 5);
  assert.deepEqual(await listed(page), expected);
  assert.match(await page.text('.journey'), /1 position not counted: 1 too far to be true/);

  await page.click('.journey > .incidents .row', 'Railway');
  await page.see('dialog.why-sheet', 'The straight line from the position before led through the zone.');
  assert.match(await page.text('dialog .facts'), /Checked again now\s+the same result/);
  await auditBoth(page, 'replay-why-phone');
  await page.press('Escape');
  await page.gone('dialog.why-sheet');
  await auditBoth(page, 'replay-phone');
  await story.close(page);
});

test('it is played, heard and felt, faster and slower, and scrubbed by finger and by key', async () => {
  const page = await withZones();
  await page.run(() => {
    location.hash = '#/replay';
  });
  // The previous screen has such an input, too.
  await page.see('#stage[data-screen="/replay"]');
  await choose(page, 'input[type=file]', 'Scenarios/walk.gpx');
  await page.see('.journey .player');
  const rate = () => page.text('.player .rate');
  const at = () => page.run(() => Number(document.querySelector('.scrubber').getAttribute('aria-valuenow')));
  assert.equal(await rate(), '60×');
  await page.tap('.player .rate');
  assert.equal(await rate(), '600×');
  await page.tap('.player .play');
  await page.until(() => document.querySelector('.player .play').getAttribute('aria-label') === 'Pause');
  await page.until(() => globalThis.heard.sounds > 0);
  // Plays to the end, where it stops by itself.
  await page.until(() => document.querySelector('.player .play').getAttribute('aria-label') === 'Play');
  const length = await page.run(() => Number(document.querySelector('.scrubber').getAttribute('aria-valuemax')));
  assert.equal(await at(), length);
  assert.ok((await page.run(() => globalThis.heard.vibrations.length)) > 0);

  const { left, y, width } = await page.box('.scrubber .track');
  await page.touch([
    [left + width, y],
    [left + width * 0.7, y],
    [left + width / 2, y],
  ]);
  assert.ok(Math.abs((await at()) - length / 2) < length / 50, `${await at()} of ${length}`);
  await page.run(() => document.querySelector('.scrubber').focus());
  await page.press('Home');
  assert.equal(await at(), 0);
  await page.press('ArrowRight');
  assert.ok((await at()) > 0);
  await page.press('End');
  assert.equal(await at(), length);
  await page.tap('.player .rate');
  assert.equal(await rate(), '1×');
  assert.deepEqual(page.problems, []);
  await story.close(page);
});

test(
  'zones that kept silent say how near it came, and why not',
  { skip: inAll },
  withMap(async () => {
    const page = await withZones(tablet);
    const far = zone({ name: 'Far away' });
    await page.run(async (form) => {
      const { Storage } = await import('/scripts/storage/storage.js');
      await (await Storage.open()).put('zones', form);
    }, far);
    await page.reload();
    await drop(page, { name: 'walk.gpx', text: walk });
    await page.see('section[aria-label="Kept silent"] .row', 'Far away');
    await page.see('.own-position.replayed');
    await page.see('.badge.alarm');
    await page.run(
      () =>
        new Promise((done) => {
          requestAnimationFrame(() => requestAnimationFrame(done));
        }),
    );
    await auditBoth(page, 'replay-wide');
    await page.click('section[aria-label="Kept silent"] .row', 'Far away');
    await page.see('dialog.why-sheet', 'The position was outside by more than its possible error.');
    assert.match(await page.text('dialog .facts'), /Nearest miss\s+by \d+ km/);
    await story.close(page);
  }),
);

for (const [name, text] of [
  [
    'track.geojson',
    JSON.stringify({
      type: 'Feature',
      properties: { coordTimes: ['2026-05-16T09:00:00Z', '2026-05-16T09:00:10Z', '2026-05-16T09:00:20Z'] },
      geometry: {
        type: 'LineString',
        coordinates: [
          [13.39, 52.52],
          [13.4, 52.52],
          [13.41, 52.52],
        ],
      },
    }),
  ],
  [
    'track.csv',
    'time;latitude;longitude;accuracy\n2026-05-16T09:00:00Z;52,52;13,39;5\n2026-05-16T09:00:10Z;52,52;13,4;5\n2026-05-16T09:00:20Z;52,52;13,41;5\n',
  ],
  [
    'track.kml',
    '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark><gx:Track><when>2026-05-16T09:00:00Z</when><when>2026-05-16T09:00:10Z</when><when>2026-05-16T09:00:20Z</when><gx:coord>13.39 52.52 0</gx:coord><gx:coord>13.4 52.52 0</gx:coord><gx:coord>13.41 52.52 0</gx:coord></gx:Track></Placemark></kml>',
  ],
]) {
  test(`${name} is replayed as well`, async () => {
    // The track has 68 m/s, so a higher speed than walking is allowed.
    const page = await story.open({ zones: [zone()], kept: { settings: { speed_m_s: 100 } }, address: '/replay' });
    await drop(page, { name, text });
    await page.see('.journey > .incidents .row', 'Market hall');
    await story.close(page);
  });
}

test('what is no track is refused with what was found and what is wanted', async () => {
  const page = await story.open({ address: '/replay' });
  for (const [name, text, said] of [
    ['empty.gpx', '', 'empty.gpx is empty.'],
    ['broken.gpx', '<gpx><trk><trkpt lat="1" lon="2">', 'broken.gpx is damaged or cut off: no position'],
    ['timeless.gpx', '<gpx><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>', 'none says when it was'],
    ['other.xml', '<svg/>', 'holds <svg>. Only GPX, TCX and KML can be read.'],
    ['bad.json', '{"type":', 'bad.json is damaged or cut off'],
    [
      'odd.gpx',
      '<gpx><trk><trkseg><trkpt lat="91" lon="2"><time>2026-05-16T09:00:00Z</time></trkpt><trkpt lon="2"><time>2026-05-16T09:00:00Z</time></trkpt></trkseg></trk></gpx>',
      'none of its 2 positions can be used. The first: latitude',
    ],
  ]) {
    await drop(page, { name, text });
    await page.see('.snackbar', said);
  }
  assert.equal(await page.run(() => document.querySelector('.journey')), null);
  // The browser's own page for broken markup has a style that the page's policy refuses; no other problem is allowed.
  assert.deepEqual(
    page.problems.filter((problem) => !/inline style/.test(problem)),
    [],
  );
  await page.context.close();
});
