// A device without storage: the page works in memory, and says so for as long as that lasts. Values that the engine refuses are
// not stored.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { phone } from '../support/Browser.mjs';
import { ears, place, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const put = (page, ...forms) =>
  page.run(async (all) => {
    await (await import('/scripts/main.js')).app.putZones(...all);
  }, forms);
const stored = (page) =>
  page.run(
    async () =>
      new Promise((done, failed) => {
        const request = indexedDB.open('proximity');
        request.onerror = () => failed(request.error);
        request.onsuccess = () => {
          const all = request.result.transaction('zones').objectStore('zones').getAll();
          all.onsuccess = () => {
            request.result.close();
            done(all.result.map(({ name }) => name));
          };
        };
      }),
  );

async function ringsWithout(page) {
  await put(page, zone());
  await page.tap('#activate');
  await page.see('#nearest', 'Market hall');
  await walk(page, place(100));
  await page.see('#alarm-sheet', 'Market hall');
}

for (const [name, script, said] of [
  [
    'refuses to open its storage',
    'IDBFactory.prototype.open = () => { const request = { error: new DOMException("The user denied permission.", "SecurityError") }; setTimeout(() => request.onerror?.(new Event("error"))); return request; };',
    'does not let the page save anything',
  ],
  [
    'throws when it is asked for its storage',
    'IDBFactory.prototype.open = () => { throw new DOMException("The operation is insecure.", "SecurityError"); };',
    'does not let the page save anything',
  ],
  [
    'has no storage',
    'Object.defineProperty(globalThis, "indexedDB", { value: undefined });',
    'This browser has no storage',
  ],
]) {
  test(`a browser that ${name}: the page watches and rings, and says on every screen that nothing is saved`, async () => {
    const page = await story.open({ at: place(1000), look: { ...phone, before: `${ears} ${script}` } });
    await page.see('#storage-note', said);
    for (const address of ['#/zones', '#/more', '#/']) {
      await page.run((to) => {
        location.hash = to;
      }, address);
      await page.see('#storage-note', 'last until this page is closed');
    }
    await ringsWithout(page);
    await page.see('#storage-note', said);
    await page.context.close();
  });
}

test('storage full: an edit is watched and said to be unsaved until there is room, then it is saved whole', async () => {
  // Browsers assign space in advance, so their own limit is reached late. The test aborts the transaction as a browser would.
  const page = await story.open({
    zones: [zone()],
    at: place(1000),
    look: {
      ...phone,
      before: `${ears}
    const commit = IDBTransaction.prototype.commit;
    IDBTransaction.prototype.commit = function () {
      if (!globalThis.isFull || this.mode !== 'readwrite') return commit.call(this);
      Object.defineProperty(this, 'error', { value: new DOMException('The quota has been exceeded.', 'QuotaExceededError') });
      this.abort();
    };`,
    },
  });
  const fill = (is) =>
    page.run((value) => {
      globalThis.isFull = value;
    }, is);
  await fill(true);
  await put(page, { ...zone(), name: 'Renamed' }, zone({ id: 'a000000000000002', name: 'New', east: -600 }));
  await page.see('#storage-note', 'Storage is full');
  assert.deepEqual(
    await page.run(async () => [...(await import('/scripts/main.js')).app.zones.values()].map(({ name }) => name)),
    ['Renamed', 'New'],
  );
  assert.deepEqual(await stored(page), ['Market hall'], 'nothing is half kept');
  await page.tap('#activate');
  await page.see('#nearest', 'Renamed');
  await page.run(() => {
    location.hash = '#/zones';
  });
  await page.see('.open', 'New');
  await page.see('#storage-note', 'Storage is full');
  await fill(false);
  await page.gone('#storage-note');
  assert.deepEqual(await stored(page), ['Renamed', 'New']);
  await page.reload();
  await page.see('.open', 'Renamed');
  await page.context.close();
});

test('a zone that the engine does not accept is not kept, is named with the field, and later edits work', async () => {
  const page = await story.open({ zones: [zone()], at: place(1000) });
  const refusal = await page.run(
    async (form) => {
      const { app } = await import('/scripts/main.js');
      return app.putZones(form).then(
        () => null,
        (error) => ({
          name: error.name,
          message: error.message,
          refused: error.refused.map(({ id, field }) => [id, field]),
        }),
      );
    },
    zone({ id: 'a000000000000003', name: 'Too sleepy', sleep_s: 1e12 }),
  );
  assert.deepEqual([refusal.name, refusal.refused], ['ZonesRefused', [['a000000000000003', 'sleep_s']]]);
  assert.match(refusal.message, /“Too sleepy”: sleep time, a value outside the allowed range/);
  // An existing zone stays as it was.
  assert.equal(
    await page.run(
      async (form) =>
        (await import('/scripts/main.js')).app.putZones(form).then(
          () => null,
          (error) => error.name,
        ),
      { ...zone(), sleep_s: 1e12 },
    ),
    'ZonesRefused',
  );
  await put(page, zone({ id: 'a000000000000004', name: 'Good' }));
  const names = await page.run(async () =>
    [...(await import('/scripts/main.js')).app.zones.values()].map(({ name, sleep_s: sleep }) => [name, sleep ?? null]),
  );
  assert.deepEqual(names, [
    ['Market hall', null],
    ['Good', null],
  ]);
  assert.deepEqual(await stored(page), ['Market hall', 'Good']);
  await page.run(() => {
    location.hash = '#/zones';
  });
  await page.see('.open', 'Good');
  await story.close(page);
});

test('what an earlier version kept under another word is here under the word of now', async () => {
  const page = await story.open({ at: place(1000) });
  const forms = await page.run(async () => {
    await new Promise((done, failed) => {
      const request = indexedDB.open('earlier', 2);
      request.onupgradeneeded = () => {
        const zones = request.result.createObjectStore('zones', { keyPath: 'id' });
        zones.put({ id: 'a1', name: 'Near', distance_m: 80 });
        zones.put({ id: 'a2', name: 'None' });
      };
      request.onerror = () => failed(request.error);
      request.onsuccess = () => {
        request.result.close();
        done();
      };
    });
    const { Storage } = await import('/scripts/storage/storage.js');
    const storage = await Storage.open('earlier');
    return storage.all('zones');
  });
  assert.deepEqual(forms, [
    { alert_distance_m: 80, id: 'a1', name: 'Near' },
    { id: 'a2', name: 'None' },
  ]);
  await story.close(page);
});
