// The number of taps that a person needs for common tasks without an account, on a phone, with the server's own places.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser, withMap } from '../support/Browser.mjs';
import { kept } from '../support/Handing.mjs';
import { LiveServer, run } from '../support/LiveServer.mjs';
import { place, Story, walk, zone } from '../support/Story.mjs';
import { Taps } from '../support/Taps.mjs';
import { keptIn } from '../support/Visit.mjs';
import { settled } from '../support/Zones.mjs';

const shops = [
  ['Market hall', 'mall', 0, 900],
  ['Bakery Sonne', 'bakery', 300, 0],
  ['Bakery Sonne', 'bakery', -400, 200],
].map(([name, shop, east, north]) => {
  const { latitude, longitude } = place(east, north);
  return {
    type: 'Feature',
    properties: { name, shop },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  };
});

let story, folder;
before(async () => {
  story = new Story();
  folder = await mkdtemp(join(tmpdir(), 'places-'));
  const file = join(folder, 'shops.geojson');
  await writeFile(file, JSON.stringify({ type: 'FeatureCollection', features: shops }));
  [story.browser, story.server] = await Promise.all([
    Browser.launch(),
    LiveServer.start({ prepare: (data) => run('places', 'import', file, '--data', data) }),
  ]);
});
after(async () => {
  await story?.end();
  await rm(folder, { recursive: true, force: true });
});

const opened = async (more = {}) => {
  const page = await story.open({ at: place(0), ...more });
  return { page, taps: new Taps(page) };
};
const armed = (page) => page.until(() => document.querySelector('.hero')?.dataset.state === 'watching');
const zones = (page) => keptIn(page, 'zones');
const saved = (page) => page.until(() => location.hash === '#/');
/** The browser reports every response with an error status; nobody is signed in here. */
const close = async (page) => {
  page.problems = page.problems.filter((problem) => !/status of 401/.test(problem));
  await story.close(page);
};

const saveAndActivate = async (page, taps) => {
  await taps.tap('.save');
  await saved(page);
  await taps.tap('#activate');
};

test('a first alarm where one is: 3 taps', async () => {
  const { page, taps } = await opened();
  await taps.tap('.place-first a', 'Where I am now');
  await page.see('.edit-pill', '1 point');
  await saveAndActivate(page, taps);
  await page.see('#alarm-sheet');
  taps.within(3, 'First alarm where I am');
  await close(page);
});

test(
  'a first alarm on the map: 4 taps',
  withMap(async () => {
    const { page, taps } = await opened();
    await taps.tap('.place-first a', 'On the map');
    await page.see('.map-hint', 'Tap where it should ring');
    await settled(page);
    await taps.touch([150, 240]);
    await page.see('.edit-pill', '1 point');
    await saveAndActivate(page, taps);
    await page.until(() => document.querySelector('.hero')?.dataset.state !== 'off');
    taps.within(4, 'First alarm on the map');
    await close(page);
  }),
);

test('a first alarm by a name: 4 taps', async () => {
  const { page, taps } = await opened();
  await taps.type('.place-first input', 'market');
  await taps.tap('.place-first .row', 'Market hall');
  await page.until(() => document.querySelector('#zone-name')?.value === 'Market hall');
  await saveAndActivate(page, taps);
  await armed(page);
  const [{ name, places }] = await zones(page);
  assert.equal(name, 'Market hall');
  assert.deepEqual(
    places[0].map((degrees) => degrees.toFixed(4)),
    Object.values(place(0, 900)).map((degrees) => degrees.toFixed(4)),
  );
  taps.within(4, 'First alarm by name');
  await close(page);
});

test('an alarm is ended for good: 1 tap', async () => {
  const { page, taps } = await opened({ zones: [zone()] });
  await page.tap('#activate');
  await page.see('#alarm-sheet', 'Market hall');
  // Waits until the sheet accepts taps.
  await page.until(() => {
    globalThis.seen ??= performance.now();
    return performance.now() - globalThis.seen > 750;
  });
  await taps.tap('#alarm-sheet .button', 'Stop');
  await page.gone('#alarm-sheet');
  taps.within(1, 'End an alarm for good');
  // A closed alarm sounds again after ten seconds.
  await walk(page, place(1));
  await walk(page, place(0));
  await page.see('.ringing-cards', 'until you leave');
  assert.equal(await page.run(() => Boolean(document.querySelector('#alarm-sheet')?.checkVisibility())), false);
  await close(page);
});

test('a reminder at every branch, of two things: 9 taps', async () => {
  const { page, taps } = await opened({ zones: [zone({ east: 5000 })] });
  await taps.tap('a', 'All reminders');
  await taps.tap('a[aria-label="New reminder"]');
  await taps.type('#place-search', 'sonne');
  await taps.press('Enter');
  await taps.tap('.results .link', 'Choose all');
  await taps.tap('#items');
  await taps.type('dialog [aria-label="Add an item"]', 'bread, rolls');
  await taps.tap('dialog .button', 'Done');
  await taps.tap('.form-head .button', 'Save');
  await page.see('.reminder', '2 items · 2 places');
  taps.within(9, 'Reminder at every branch');
  await close(page);
});

test('a backup of all: 4 taps', async () => {
  const { page, taps } = await opened({ zones: [zone()] });
  await taps.tap('[data-place="more"]');
  await taps.tap('.row', 'Settings');
  await taps.tap('.row', 'Your data');
  // The row moves until all stored data has been counted.
  await page.see('.row', 'Space');
  const { name, bytes } = await kept(page, () => taps.tap('.row', 'Save a backup'));
  assert.match(name, /^proximity-alarm-.*\.json$/);
  assert.match(bytes.toString(), /Market hall/);
  taps.within(4, 'Backup');
  await close(page);
});
