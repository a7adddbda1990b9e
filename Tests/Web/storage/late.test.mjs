// A browser that does not answer requests for storage, as WebKit does at times: the page starts without it, says so, tries
// again, and loses nothing when storage becomes available.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { phone } from '../support/Browser.mjs';
import { ears, place, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

/** Requests for a database wait for `answer()`, or are lost for ever; later requests are answered as usual. */
const silent = `
  let waiting = [];
  const open = IDBFactory.prototype.open;
  if (location.pathname === '/') {
    globalThis.asked = 0;
    globalThis.answer = ({ late = true } = {}) => { const all = waiting; waiting = undefined; if (late) for (const each of all) each(); };
    IDBFactory.prototype.open = function (...what) {
      globalThis.asked++;
      if (!waiting) return open.apply(this, what);
      const request = {};
      waiting.push(() => {
        const real = open.apply(this, what);
        for (const name of ['success', 'error', 'upgradeneeded', 'blocked'])
          real['on' + name] = (event) => { Object.assign(request, { result: name === 'error' ? undefined : real.result, error: name === 'error' ? real.error : null }); request['on' + name]?.(event); };
      });
      return request;
    };
  }`;
const stored = (page) =>
  page.run(async () => {
    const { Storage } = await import('/scripts/storage/storage.js');
    const storage = await Storage.open();
    const zones = await storage.all('zones');
    const settings = await storage.kept('settings', {});
    return { names: zones.map(({ name }) => name), settings, armed: await storage.kept('armed') };
  });

test('storage that answers late: the page begins, says that zones are not watched, and goes on with all there is', async () => {
  const page = await story.open({
    zones: [zone()],
    kept: { armed: true, settings: { alarm_cycle_s: 20 }, first_run: true },
    at: place(1000),
    look: { ...phone, before: `${ears} ${silent}` },
  });
  await page.see('#storage-note[role=alert]', 'Your zones are not loaded yet: trying again');
  await page.see('#obstacle', 'Your zones are not there yet');
  await page.see('h1', 'Not watching yet');
  assert.equal(await page.run(() => document.querySelector('#place-first, .welcome')), null, 'nobody is taken for new');
  assert.match(await page.text('#storage-note'), /saved then\.$/, 'and nothing else');
  await page.run(() => {
    location.hash = '#/zones';
  });
  await page.see('.zone-list .headline', 'Your zones are not there yet');
  // Changes meanwhile: a zone and a setting.
  const drawn = zone({ id: 'a000000000000002', name: 'Drawn meanwhile', east: -600 });
  await page.run(async (form) => {
    const { app: one } = await import('/scripts/main.js');
    await one.putZones(form);
    await one.changeSettings({ units: 'imperial' });
  }, drawn);
  for (const address of ['#/zones', '#/more', '#/']) {
    await page.run((to) => {
      location.hash = to;
    }, address);
    await page.see('#storage-note', 'Your changes are saved then');
  }
  await page.run(() => globalThis.answer());
  await page.gone('#storage-note');
  await page.see('h1', 'Alarms on');
  await page.see('#state-detail', 'Watching 2 of 2 zones');
  assert.deepEqual(await stored(page), {
    names: ['Market hall', 'Drawn meanwhile'],
    settings: { alarm_cycle_s: 20, units: 'imperial' },
    armed: true,
  });
  await page.run(() => {
    location.hash = '#/zones';
  });
  for (const name of ['Market hall', 'Drawn meanwhile']) await page.see('.open', name);
  await walk(page, place(100));
  await page.see('#alarm-sheet', 'Market hall');
  await story.close(page);
});

test('a request that is never answered: Try again asks anew, and a device inside a zone rings at once', async () => {
  const page = await story.open({
    zones: [zone()],
    kept: { first_run: true },
    at: place(0),
    look: { ...phone, before: `${ears} ${silent}` },
  });
  await page.see('#obstacle', 'Your zones are not there yet');
  // Armed before the zones are known.
  await page.tap('#activate');
  await page.until(() => globalThis.fixes > 0);
  const before = await page.run(() => globalThis.asked);
  await page.run(() => globalThis.answer({ late: false }));
  await page.tap('#mend');
  await page.see('#alarm-sheet', 'Market hall');
  await page.gone('#storage-note');
  assert.ok((await page.run(() => globalThis.asked)) > before);
  assert.equal((await stored(page)).armed, true);
  await story.close(page);
});

test('a database that does not come is asked for again and again, and what was put meanwhile is written when it comes', async () => {
  const page = await story.open({ at: place(1000) });
  const found = await page.run(async () => {
    const { Storage } = await import('/scripts/storage/storage.js');
    const first = await Storage.open('late');
    await first.put('zones', { id: 'a1', name: 'Old' }, { id: 'a2', name: 'Kept' });
    await first.keep('device', 'the kept one');
    const open = IDBFactory.prototype.open;
    let unanswered = 3;
    IDBFactory.prototype.open = function (...what) {
      return unanswered-- > 0 ? {} : open.apply(this, what);
    };
    const storage = await Storage.open('late', { patience: 20, again: 10 });
    const why = storage.problem?.why;
    await storage.put('zones', { id: 'a1', name: 'New' });
    await storage.keep('device', 'made meanwhile');
    await storage.arrived;
    const zones = (await first.all('zones')).map(({ name }) => name);
    return { why, zones, device: await first.kept('device'), problem: storage.problem, left: unanswered };
  });
  assert.deepEqual(found, { why: 'late', zones: ['New', 'Kept'], device: 'the kept one', problem: null, left: -1 });
  await story.close(page);
});

test('regions of the streets and files of maps that come late are told of', async () => {
  const page = await story.open({ at: place(1000) });
  const told = await page.run(async () => {
    const open = IDBFactory.prototype.open;
    const waiting = [];
    IDBFactory.prototype.open = function (...what) {
      const request = {};
      waiting.push(() => {
        const real = open.apply(this, what);
        real.onupgradeneeded = (event) => {
          request.result = real.result;
          request.onupgradeneeded?.(event);
        };
        real.onsuccess = (event) => {
          request.result = real.result;
          request.onsuccess(event);
        };
      });
      return request;
    };
    const [{ KeptStreets }, { KeptArchives }] = await Promise.all([
      import('/map/streets/kept-streets.js'),
      import('/map/archives/kept-archives.js'),
    ]);
    const both = await Promise.all([KeptStreets.open(), KeptArchives.open()]);
    const before = [await both[0].regions(), await both[1].all()];
    const changes = both.map((each) => new Promise((done) => each.addEventListener('change', () => done(true))));
    for (const each of waiting) each();
    return [before, await Promise.all(changes)];
  });
  assert.deepEqual(told, [
    [[], []],
    [true, true],
  ]);
  await story.close(page);
});
