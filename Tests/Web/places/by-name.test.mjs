// A place by its name without any imported place, account or network: the cities on board.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { folder, PageServer } from '../support/PageServer.mjs';
import { home, place, Story } from '../support/Story.mjs';
import { onMap } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

const hint = 'no places have been imported; `proximity places import` does that';
const isUnset = (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items: [], hint }));
const answers = (items) => (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items, attribution: 'OSM' }));

/** A new person's page, in whose search by name something is typed. */
async function typed(text, { look = phone, api = isUnset, kept } = {}) {
  story.server.answers.set('/api/v1/places', api);
  const page = await story.open({ at: place(0), look, kept });
  await page.tap('.place-first #find-place');
  await page.send('Input.insertText', { text });
  return page;
}
const type = async (page, text) => {
  await page.run(() => document.querySelector('#find-place').select());
  await page.send('Input.insertText', { text });
};
const rows = (page) =>
  page.run(() => [...document.querySelectorAll('.place-first .results .row')].map((row) => row.innerText.split('\n')));
const row = (page, text) => page.see('.place-first .results .row', text);

test('a city is found in any language while it is typed, and becomes the middle of a zone', async () => {
  const page = await typed('Вена');
  await row(page, 'Вена');
  const [[name, detail]] = await rows(page);
  assert.deepEqual([name, detail], ['Вена', 'Vienna · Austria']);
  await page.see('.place-first .results', 'Cities and towns are on board. For stations and shops, ask the person');
  for (const [words, first, more] of [
    ['東京', '東京', 'Tokyo · Japan'],
    ['munchen', 'Munchen', 'Munich · Germany'],
    ['vienna', 'Vienna', 'Austria'],
    ['wien', 'Wien', 'Vienna · Austria'],
  ]) {
    await type(page, words);
    await page.until(
      ([wanted, said]) => {
        const [title, second] = (document.querySelector('.place-first .results .row')?.innerText ?? '').split('\n');
        return title === wanted && second.startsWith(said);
      },
      [first, more],
    );
  }
  await auditBoth(page, 'by-name-found-phone');
  await page.tap('.place-first .results .row', 'Wien');
  await page.until(() => document.querySelector('#zone-name')?.value === 'Wien');
  const wien = [48.208, 16.372];
  await page.until(async ([latitude, longitude]) => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    const { lat, lng } = map.getCenter();
    return !map.isMoving() && map.getZoom() > 12 && Math.hypot(lat - latitude, lng - longitude) < 0.01;
  }, wien);
  assert.ok(await onMap(page, (view) => view.map.getZoom() > 12));
  await page.shot('by-name-zone-phone');
  await page.tap('.save');
  await page.until(() => location.hash === '#/');
  const zones = await page.run(async () => [...(await import('/scripts/main.js')).app.zones.values()]);
  assert.deepEqual(
    zones.map(({ name, places }) => [name, places]),
    [['Wien', [wien]]],
  );
  await story.close(page);
});

test('without network after the first visit, too', async () => {
  const server = await PageServer.start(folder, { keeps: true });
  const context = await story.browser.context({ origin: server.origin });
  const page = await context.page(tablet);
  await page.move(home);
  await page.open(`${server.origin}/`);
  await page.until(
    async () =>
      Boolean((await navigator.serviceWorker.getRegistration())?.active) && Boolean(navigator.serviceWorker.controller),
  );
  await server.stop();
  await page.reload();
  await page.tap('.place-first #find-place');
  await page.send('Input.insertText', { text: 'lisbon' });
  await row(page, 'Lisbon');
  await page.press('Enter');
  await page.see('.place-first .results .footnote', 'The server cannot be reached.');
  assert.equal((await rows(page))[0][1], 'Portugal');
  await page.shot('by-name-offline-tablet');
  await context.close();
});

test('cities come first, then what was imported, and a town that is both is one row', async () => {
  const item = (name, category, [latitude, longitude]) => ({ id: name, name, word: '', category, latitude, longitude });
  const api = answers([
    { ...item('Wien', 'place=city', [48.2083, 16.3725]), word: 'city' },
    { ...item('Wien Hauptbahnhof', 'railway=station', [48.185, 16.376]), word: 'station' },
    { ...item('Wiener Bäckerei', 'shop=bakery', [52.52, 13.41]), word: 'bakery' },
  ]);
  const page = await typed('wien', { api });
  await row(page, 'Wien Hauptbahnhof');
  const names = (await rows(page)).map(([name]) => name);
  assert.deepEqual([names[0], ...names.slice(-2)], ['Wien', 'Wien Hauptbahnhof', 'Wiener Bäckerei']);
  assert.ok(names.length <= 8 && names.filter((name) => name === 'Wien').length === 1, names.join(', '));
  assert.equal((await page.text('.place-first .results')).includes('ask the person'), false);
  await page.shot('by-name-imported-phone');
  await story.close(page);
});

test('cities are shown before the server has answered', async () => {
  const waiting = [];
  let isOpen = false;
  const page = await typed('', { api: (...call) => (isOpen ? isUnset(...call) : waiting.push(call)) });
  // However long the test's machine takes, the page waits for its server.
  await page.run(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  await type(page, 'wien');
  await row(page, 'Vienna · Austria');
  assert.equal((await page.text('.place-first .results')).includes('ask the person'), false);
  isOpen = true;
  for (const call of waiting) isUnset(...call);
  await page.see('.place-first .results', 'ask the person who runs your server');
  await story.close(page);
});

test('a list of cities that is long on its way keeps nobody from what the server found', async () => {
  let come;
  story.server.answers.set('/places/cities.txt', (_, response) => {
    come = async () => response.writeHead(200).end(await readFile(join(folder, 'places/cities.txt')));
  });
  const page = await typed('wien', {
    api: answers([
      { id: 'a', name: 'Wien Mitte', word: 'station', category: 'railway=station', latitude: 48.2, longitude: 16.4 },
    ]),
  });
  await row(page, 'Wien Mitte');
  assert.equal((await rows(page)).length, 1);
  await come();
  await row(page, 'Vienna · Austria');
  assert.deepEqual((await rows(page)).map(([name]) => name).slice(0, 2), ['Wien Mitte', 'Wien'], 'no row has moved');
  story.server.answers.delete('/places/cities.txt');
  await story.close(page);
});

test('a list of cities that is damaged or missing is said, and the server is searched all the same', async () => {
  const good = await readFile(join(folder, 'places/cities.txt'));
  for (const [list, reason] of [
    [Buffer.from('<!doctype html>'), /no list of cities of version 1/],
    [good.subarray(0, 1_000_003), /cut off|UTF-8/],
    [undefined, /404/],
  ]) {
    story.server.answers.set('/places/cities.txt', (_, response) => response.writeHead(list ? 200 : 404).end(list));
    const mill = {
      id: 'a',
      name: 'Old mill',
      word: 'mill',
      category: 'man_made=mill',
      latitude: 52.5,
      longitude: 13.4,
    };
    const page = await typed('old mill', { api: answers([mill]) });
    await row(page, 'Old mill');
    await page.see(
      '.place-first .results',
      'The page’s list of cities cannot be read, so only the server is searched.',
    );
    // With a list again, the next search finds cities.
    story.server.answers.delete('/places/cities.txt');
    await type(page, 'wien');
    await row(page, 'Vienna · Austria');
    const [expected, ...others] = page.problems.filter((problem) => !/status of 404/.test(problem));
    assert.match(expected, reason);
    assert.deepEqual(
      others.filter((problem) => !reason.test(problem)),
      [],
    );
    await page.context.close();
  }
});

test('the list is loaded by a person who searches, and not before', async () => {
  story.server.asked.length = 0;
  story.server.answers.set('/api/v1/places', isUnset);
  const page = await story.open({ at: place(0), look: tablet });
  await page.see('.place-first h2');
  assert.equal(story.server.asked.includes('/places/cities.txt'), false);
  await page.tap('.place-first #find-place');
  await page.send('Input.insertText', { text: 'berlin' });
  await row(page, 'Germany');
  assert.equal(story.server.asked.filter((path) => path === '/places/cities.txt').length, 1);
  await auditBoth(page, 'by-name-found-tablet');
  await story.close(page);
});
