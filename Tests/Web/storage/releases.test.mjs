// The page's storage of each release opens in this page, with all that is in it. `RELEASE_DATA=FOLDER` makes the file of this
// version instead (Scripts/release-data).
import assert from 'node:assert/strict';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { phone } from '../support/Browser.mjs';
import { ears, home, place, Story, walk, zone } from '../support/Story.mjs';

const all = new URL('../../Releases/', import.meta.url);
const makes = process.env.RELEASE_DATA;
const releases = [];
for (const name of (await readdir(all).catch(() => [])).sort())
  if (
    await access(new URL(`${name}/page.json.gz`, all)).then(
      () => true,
      () => false,
    )
  )
    releases.push(name);

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

/** Runs in a page: the whole database, as JSON can hold it. */
async function dump() {
  const code = (value) => {
    const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    if (value instanceof ArrayBuffer) return { $: 'ArrayBuffer', base64: base64(new Uint8Array(value)) };
    if (ArrayBuffer.isView(value))
      return {
        $: value.constructor.name,
        base64: base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)),
      };
    if (typeof value === 'bigint') return { $: 'BigInt', text: String(value) };
    if (Array.isArray(value)) return value.map(code);
    if (value === null || typeof value !== 'object') return value;
    if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error(`no form for ${value.constructor.name}`);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, code(each)]));
  };
  const answer = (request) =>
    new Promise((done, failed) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
  const database = await answer(indexedDB.open('proximity'));
  const stores = {};
  for (const name of database.objectStoreNames) {
    const store = database.transaction(name).objectStore(name);
    stores[name] = { key: store.keyPath, records: code(await answer(store.getAll())) };
  }
  const { version } = database;
  database.close();
  return { version, stores };
}

/** Runs in a page without a database: makes it as it was. */
async function restore({ version, stores }) {
  const decode = (value) => {
    if (Array.isArray(value)) return value.map(decode);
    if (value === null || typeof value !== 'object') return value;
    if (value.$ === 'BigInt') return BigInt(value.text);
    if (value.$) {
      const { buffer } = Uint8Array.from(atob(value.base64), (each) => each.charCodeAt(0));
      return value.$ === 'ArrayBuffer' ? buffer : new globalThis[value.$](buffer);
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, decode(each)]));
  };
  await new Promise((done, failed) => {
    const request = indexedDB.open('proximity', version);
    request.onupgradeneeded = () => {
      for (const [name, { key }] of Object.entries(stores)) request.result.createObjectStore(name, { keyPath: key });
    };
    request.onerror = () => failed(request.error);
    request.onsuccess = () => {
      const database = request.result;
      const writing = database.transaction(Object.keys(stores), 'readwrite');
      for (const [name, { records }] of Object.entries(stores))
        for (const record of records) writing.objectStore(name).put(decode(record));
      writing.oncomplete = () => {
        database.close();
        done();
      };
      writing.onabort = () => failed(writing.error);
    };
  });
}

const reminder = {
  id: 'e1'.padStart(16, '0'),
  title: 'Groceries',
  items: [{ text: 'Bread', done: false }],
  places: [{ name: 'Bakery', place: [home.latitude, home.longitude + 1] }],
  radius_m: 150,
  repeats: false,
  state: 'active',
};

test('the file of this version is made', { skip: !makes && 'only with RELEASE_DATA' }, async () => {
  const page = await story.open({
    at: place(1000),
    zones: [zone(), zone({ id: 'a000000000000002', name: 'Quarry', east: 20_000, category: 'Work' })],
  });
  await page.run(async (form) => {
    const [{ app }, { saveReminder }, { keepMessage }] = await Promise.all([
      import('/scripts/main.js'),
      import('/scripts/reminders/reminders.js'),
      import('/scripts/messages/messages.js'),
    ]);
    saveReminder(app, form);
    await keepMessage(app, { your_moniker: 'Anna', to_moniker: 'Ben', contact_number: '+44', supplement: 'Here' });
    await app.changeSettings({ units: 'imperial' });
    await app.storage.put('sounds', {
      name: 'horn',
      bytes: new Uint8Array([1, 2, 3, 255]).buffer,
      type: 'audio/ogg',
      length_s: 1,
      levels: [0.5],
    });
  }, reminder);
  await page.tap('#activate');
  await page.see('#nearest', 'Market hall');
  for (const east of [700, 400, 100]) await walk(page, place(east));
  await page.see('#alarm-sheet', 'Market hall');
  await page.until(() => {
    globalThis.seen ??= performance.now();
    return performance.now() - globalThis.seen > 750;
  });
  await page.tap('#alarm-stop');
  await page.gone('#alarm-sheet');
  await walk(page, place(5000));
  const madeAt = await page.run(async () => {
    const { app } = await import('/scripts/main.js');
    const { journalOf } = await import('/scripts/history/journal.js');
    await journalOf(app).flush();
    return Date.now();
  });
  // A page that is left stores the engine's state.
  await page.open(`${story.origin}/icons/icon.svg`, { ready: null });
  const database = await page.run(dump);
  assert.ok(database.stores.kept.records.some(({ key }) => key === 'snapshot'));
  assert.ok(database.stores.fixes.records.length > 0);
  await writeFile(`${makes}/page.json.gz`, gzipSync(JSON.stringify({ madeAt, ...database }), { level: 9 }));
});

test('the first release has its storage', { skip: makes && 'while it is made' }, () =>
  assert.ok(releases.includes('0.2.0'), String(releases)),
);

for (const release of makes ? [] : releases)
  test(`the storage of ${release} opens: zones, reminders, messages, settings, sounds, history, and the watch goes on`, async () => {
    const { madeAt, ...database } = JSON.parse(gunzipSync(await readFile(new URL(`${release}/page.json.gz`, all))));
    const context = await story.browser.context({ origin: story.origin });
    // A minute later: the history forgets after ninety days.
    const later = `${ears} globalThis.skip(${madeAt + 60_000} - Date.now());`;
    const page = await context.page({ ...phone, before: later });
    await page.move(place(5000));
    await page.open(`${story.origin}/icons/icon.svg`, { ready: null });
    await page.run(restore, database);
    await page.open(`${story.origin}/`);
    const found = await page.run(async () => {
      const { app } = await import('/scripts/main.js');
      await app.begun;
      return {
        zones: [...app.zones.values()].map(({ name }) => name).sort(),
        reminders: app.report.reminders.map(({ title, items }) => [title, items.length]),
        messages: (await app.storage.all('messages')).map(({ supplement }) => supplement),
        sounds: (await app.storage.all('sounds')).map(({ name, bytes }) => [name, ...new Uint8Array(bytes)]),
        units: app.settings.units,
        armed: app.report.armed,
        problem: app.storage.problem,
      };
    });
    assert.deepEqual(found, {
      zones: ['Market hall', 'Quarry'],
      reminders: [['Groceries', 1]],
      messages: ['Here'],
      sounds: [['horn', 1, 2, 3, 255]],
      units: 'imperial',
      armed: true,
      problem: null,
    });
    await page.run(() => {
      location.hash = '/history';
    });
    await page.see('.incidents .row', 'Market hall');
    await page.run(() => {
      location.hash = '/';
    });
    await page.see('#nearest', 'Market hall');
    // The stopped alarm ended on leaving, so coming back rings anew.
    for (const east of [400, 100]) await walk(page, place(east));
    await page.see('#alarm-sheet', 'Market hall');
    await story.close(page);
  });
