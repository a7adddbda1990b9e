// Reminders (S200-S220), in the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { audit, auditBoth } from '../support/Audit.mjs';
import { Browser, phone, tablet, withMap } from '../support/Browser.mjs';
import { countNotices, noNotices, noticed } from '../support/Notices.mjs';
import { PageServer } from '../support/PageServer.mjs';
import { keptIn, visit } from '../support/Visit.mjs';

let browser, server;
before(async () => {
  [browser, server] = await Promise.all([Browser.launch({ isWhole: true }), PageServer.start()]);
  server.answers.set('/api/v1/places', knowsNone);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const ears = `${countNotices}
  globalThis.felt = []; globalThis.heard = 0; globalThis.positions = 0;
  const watch = Geolocation.prototype.watchPosition;
  Geolocation.prototype.watchPosition = function (taken, ...rest) { return watch.call(this, (position) => { taken(position); positions++; }, ...rest); };
  Navigator.prototype.vibrate = (pattern) => { if (pattern) felt.push(pattern); return true; };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...how) { heard++; return start.apply(this, how); };`;
const at = (address, { reminders = [], look = phone, kept = {} } = {}) =>
  visit({
    browser,
    origin: server.origin,
    look: { ...look, before: ears },
    address,
    kept: { ...kept, ...(reminders.length ? { reminders } : {}) },
  });
const sonne = { name: 'Bakery Sonne', place: [52.0005, 13] };
const nord = { name: 'Bakery Nord', place: [52.02, 13] };
const reminder = (id, title, more = {}) => ({
  id: id.padStart(16, '0'),
  title,
  items: [
    { text: 'Bread', done: false },
    { text: 'Rolls', done: false },
  ],
  places: [sonne, nord],
  radius_m: 150,
  repeats: false,
  state: 'active',
  ...more,
});
/** Moves without time passing: the first position is taken for an outlier, the next one confirms it. */
async function jump(page, latitude) {
  const before = await page.run(() => positions);
  await page.move({ latitude, longitude: 13 });
  await page.until((count) => positions > count, before);
  await page.move({ latitude: latitude + 2e-6, longitude: 13 });
}
const stored = (page) => keptIn(page, 'reminders');

/** Answers like a Nominatim service, on a server of its own, and the page asks no other. */
function nominatim(answer) {
  server.answers.set('/nominatim/search', (request, response) => {
    const { status = 200, body } = answer(new URL(request.url, server.origin).searchParams);
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}
/** The page's own server has no places. */
const knowsNone = (_, response) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end('{"items":[],"groups":[],"next_offset":null,"attribution":"","hint":"no places were imported"}');
const service = () => ({ kept: [{ key: 'settings', value: { places_service: `${server.origin}/nominatim` } }] });
const branches = [
  {
    name: 'Bakery Sonne',
    display_name: 'Bakery Sonne, Market street, Town',
    lat: '52.0005',
    lon: '13.0',
    osm_type: 'node',
    osm_id: 1,
  },
  {
    name: 'Bakery Sonne',
    display_name: 'Bakery Sonne, North street, Town',
    lat: '52.004',
    lon: '13.006',
    osm_type: 'node',
    osm_id: 2,
  },
  { name: '', display_name: 'Bakery Sonne South, Town', lat: '51.997', lon: '12.995', osm_type: 'way', osm_id: 3 },
  { name: 'Nowhere', display_name: 'Nowhere', lat: '91', lon: 'x' },
];

test('the list is empty at first, and the plus leads to a new reminder (S200, S201)', async () => {
  const page = await at('/reminders');
  await page.see('.empty', 'Nothing to remember');
  await auditBoth(page, 'reminders-empty-phone');
  await page.tap('a[aria-label="New reminder"]');
  await page.see('.reminder-form h1', 'New reminder');
  assert.deepEqual(page.problems, []);
  await page.context.close();
});

test(
  'places are searched by name and chosen by tapping their pins, which turn grey, and the reminder with its items is saved into the list (S202, S203, S204, S205, S206)',
  withMap(async () => {
    nominatim((asked) => ({ body: asked.get('q') === 'sonne' && asked.get('format') === 'jsonv2' ? branches : [] }));
    const page = await at('/reminders/new', { kept: service() });
    await page.see('.maplibregl-canvas');
    await page.type('#place-search', 'sonne');
    await page.press('Enter');
    await page.see('.place-pin');
    assert.equal(await page.run(() => document.querySelectorAll('.place-pin').length), 3);
    await page.see('.results', 'OpenStreetMap contributors');
    const colours = () =>
      page.run(() =>
        [...document.querySelectorAll('.place-pin')].map(
          (pin) => getComputedStyle(pin.querySelector('.pin-body')).backgroundColor,
        ),
      );
    const [coloured] = await colours();
    for (const [number, name] of [
      [1, 'Bakery Sonne'],
      [2, 'Bakery Sonne South'],
    ]) {
      await page.tap(`.place-pin[aria-label="Choose ${name}"]`);
      await page.until((count) => document.querySelectorAll('.place-pin.chosen').length === count, number);
    }
    const grey = await page.run(
      () => getComputedStyle(document.querySelector('.place-pin.chosen .pin-body')).backgroundColor,
    );
    const [red, green, blue] = grey.match(/\d+/g).map(Number);
    assert.ok(Math.max(red, green, blue) - Math.min(red, green, blue) < 24 && grey !== coloured, grey);
    await page.tap('#items');
    await page.see('dialog[open]');
    for (const item of ['Bread', 'Rolls, butter']) {
      await page.type('dialog input', item);
      await page.press('Enter');
    }
    assert.deepEqual(
      await page.run(() => [...document.querySelectorAll('dialog .tick')].map((tick) => tick.textContent)),
      ['Bread', 'Rolls', 'butter'],
    );
    await audit(page, 'items');
    await page.tap('dialog button', 'Done');
    await auditBoth(page, 'reminder-editor-phone');
    await page.tap('.reminder-form button[type=submit]');
    await page.see('.reminder', 'Bakery Sonne');
    await page.see('.reminder', '3 items · 2 places');
    const [kept] = await page.until(async () => {
      const all = await (await (await import('/scripts/storage/storage.js')).Storage.open()).all('reminders');
      return all.length && all;
    });
    assert.deepEqual(kept.places, [
      { name: 'Bakery Sonne', place: [52.0005, 13] },
      { name: 'Bakery Sonne South', place: [51.997, 12.995] },
    ]);
    assert.equal(kept.radius_m, 150);
    assert.deepEqual(page.problems, []);
    await page.context.close();
  }),
);

test(
  'on a wide screen the map is beside the list, and everything can be reached by keyboard (S216)',
  withMap(async () => {
    nominatim(() => ({ body: branches }));
    const page = await at('/reminders/new', { look: tablet, kept: service() });
    await page.see('.maplibregl-canvas');
    await page.run(() => document.querySelector('#place-search').focus());
    await page.send('Input.insertText', { text: 'sonne' });
    await page.press('Enter');
    await page.see('.results .row');
    await page.run(() => document.querySelector('.results .row').focus());
    await page.press(' ');
    await page.see('.results .row[aria-checked="true"]');
    assert.ok(await page.run(() => document.activeElement.matches('.results .row[aria-checked="true"]')));
    await page.click('.results button', 'Choose all');
    await page.until(() => document.querySelectorAll('.place-pin.chosen').length === 3);
    const [pane, map] = [await page.box('.reminder-editor'), await page.box('#map')];
    assert.ok(pane.left + pane.width <= map.left + 1);
    await auditBoth(page, 'reminder-editor-tablet');
    await page.context.close();
  }),
);

test(
  'a long press on the map adds exactly one place of one’s own, without network too (S204)',
  withMap(async () => {
    const page = await at('/reminders/new');
    await page.see('.maplibregl-canvas');
    await page.run(async () => {
      await (await (await import('/map/map-view.js')).mapView()).idle();
    });
    await page.touch([[195, 200]], { hold: 700 });
    await page.see('dialog[open]', 'A place of your own');
    await page.type('dialog input', 'The old oak');
    await page.press('Enter');
    await page.see('.place-name', 'The old oak');
    assert.equal(await page.run(() => document.querySelectorAll('.place-pin.chosen').length), 1);
    await page.context.close();
  }),
);

test('a search that fails says why: no network, a service that is down or answers nonsense, too many searches', async () => {
  server.answers.set('/api/v1/places', (_, response) =>
    response
      .writeHead(429, { 'content-type': 'application/problem+json' })
      .end('{"detail":"too many requests from this address"}'),
  );
  const page = await at('/reminders/new', { look: tablet });
  const search = async (words) => {
    await page.type('#place-search', words);
    await page.press('Enter');
  };
  await search('x');
  await page.see('.results .note', 'Type at least two letters');
  await search('sonne');
  await page.see('.results .note', 'The server refused: too many requests from this address.');
  await page.run(() => {
    globalThis.asked = [];
  });
  nominatim(
    (asked) =>
      ({ fail: { status: 503, body: { detail: 'too many searches' } }, odd: { body: '<html>' }, none: { body: [] } })[
        asked.get('q')
      ] ?? { body: { error: 'x' } },
  );
  await page.run(async (address) => {
    const { app } = await import('/scripts/main.js');
    const { serverOf } = await import('/scripts/server/server.js');
    const { searchPlaces } = await import('/scripts/reminders/places.js');
    const asking = serverOf(app);
    for (const q of ['fail', 'odd', 'none', 'object'])
      asked.push(
        await searchPlaces(q, { server: asking, service: address }).then(
          ({ places }) => places.length,
          (error) => error.message,
        ),
      );
    asked.push(
      await searchPlaces('sonne', { server: asking, service: 'http://localhost:9' }).catch((error) => error.message),
    );
  }, `${server.origin}/nominatim`);
  const [fail, odd, none, object, nobody] = await page.run(() => asked);
  assert.match(fail, /refused: too many searches/);
  assert.match(odd, /with a list of places/);
  assert.equal(none, 0);
  assert.match(object, /with a list of places/);
  assert.match(nobody, /cannot be reached/);
  server.answers.set('/api/v1/places', knowsNone);
  await page.context.close();
});

test('near any of its places a reminder sounds, vibrates and notifies once, and the notification leads to Nearby (S207, S208, S209, S219)', async () => {
  const page = await at('/', { reminders: [reminder('e1', 'Groceries')] });
  await page.tap('[data-place="alarm"]');
  await page.until(() => navigator.serviceWorker.ready.then(() => true));
  await jump(page, 52);
  await page.see('.snackbar', 'Groceries: Bakery Sonne');
  await page.until(() => heard === 1 && felt.length === 1);
  const [shown] = await noticed(page);
  assert.equal(shown.title, 'Groceries');
  assert.match(shown.body, /^Bakery Sonne, 56 m\nBread, Rolls$/);
  assert.equal(shown.data.address, '#/reminders/nearby');
  await jump(page, 52.0001);
  await page.tap('.snackbar button', 'Show');
  await page.see('.visit', 'Bakery Sonne');
  assert.equal(await page.run(() => heard), 1);
  await page.reload();
  await jump(page, 52.0002);
  await page.see('.visit .places', '33 m');
  assert.equal(await page.run(() => heard), 0, 'a page loaded anew does not announce it again');
  await auditBoth(page, 'nearby-phone');
  await page.context.close();
});

test('Nearby has directions, items to tick, and Complete, which can be undone (S210, S211)', async () => {
  const page = await at('/reminders/nearby', { reminders: [reminder('e1', 'Groceries')] });
  await jump(page, 52);
  await page.see('.visit', 'Groceries');
  assert.match(await page.run(() => document.querySelector('.visit .places a').href), /52\.0005%2C13$/);
  await page.tap('.tick', 'Bread');
  await page.see('.tick[aria-checked="true"]', 'Bread');
  await page.tap('.visit button', 'Complete');
  await page.see('.empty', 'Nothing nearby');
  await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).all('reminders'))[0].state ===
      'completed',
  );
  await noNotices(page);
  await page.tap('.snackbar button', 'Undo');
  await page.see('.visit', 'Groceries');
  await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).all('reminders'))[0].state ===
      'active',
  );
  assert.deepEqual((await stored(page))[0].items, [
    { text: 'Bread', done: true },
    { text: 'Rolls', done: false },
  ]);
  await page.context.close();
});

test('a reminder is snoozed for one of several spans, listed as snoozed, and can be restarted at any time (S212, S213, S214, S215)', async () => {
  const page = await at('/reminders/nearby', { reminders: [reminder('e1', 'Groceries')], look: tablet });
  await jump(page, 52);
  await page.click('.visit button', 'Snooze');
  await page.see('dialog .headline', '30 minutes');
  const choices = await page.run(() =>
    [...document.querySelectorAll('dialog .headline')].slice(1).map((choice) => choice.textContent.split(' · ')[0]),
  );
  assert.deepEqual(choices, ['30 minutes', '1 hour', '3 hours', 'Tomorrow, 9:00 AM', '1 week']);
  await audit(page, 'snooze choices');
  const before = Date.now();
  await page.click('dialog button', '3 hours');
  await page.see('.empty', 'Nothing nearby');
  const until = await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).all('reminders'))[0].until_ms,
  );
  assert.ok(Math.abs(until - before - 3 * 3_600_000) < 60_000);
  await page.run(() => {
    location.hash = '#/reminders';
  });
  await page.see('h2', 'Snoozed');
  await auditBoth(page, 'reminders-tablet');
  await page.click('button[aria-label="Restart Groceries"]');
  await page.see('h2', 'Waiting');
  await page.see('.nearby-link', '1 reminder nearby');
  await page.context.close();
});

test('a position that arrives while a button is pressed does not take the press away', async () => {
  for (const [address, selector, text, then] of [
    ['/reminders/nearby', '.visit button', 'Snooze', '1 hour'],
    ['/reminders', '[data-key^="more-"]', undefined, 'Snooze'],
  ]) {
    const page = await at(address, { reminders: [reminder('e1', 'Groceries')] });
    await jump(page, 52);
    await page.see('.nearby-link, .visit', '55 m');
    const { x, y } = await page.box(selector, text);
    const mouse = (type) =>
      page.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 });
    await mouse('mousePressed');
    await jump(page, 52.0002);
    await page.see('.nearby-link, .visit', '33 m');
    await mouse('mouseReleased');
    await page.see('dialog', then);
    await page.context.close();
  }
});

test('“tomorrow” is nine o’clock local time, also when clocks change in the night (S213)', async () => {
  const page = await at('/reminders', { reminders: [reminder('e1', 'Groceries')] });
  await page.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
  const until = await page.run(async () => {
    const { offsets } = await import('/scripts/device/local-time.js');
    const { Engine } = await import('/scripts/engine/engine.js');
    const engine = await Engine.load(fetch('/engine.wasm'));
    const now = Date.UTC(2026, 2, 28, 20);
    return engine.ask('snooze_until', { choice: 'tomorrow', offsets: offsets(now, now + 3 * 86_400_000), now_ms: now })
      .until_ms;
  });
  assert.equal(new Date(until).toISOString(), '2026-03-29T07:00:00.000Z');
  await page.context.close();
});

test('a browser has no regions, so every position counts, for more places than a phone has regions for, with alarms off too (S217, S218)', async () => {
  const places = Array.from({ length: 60 }, (_, index) => ({ name: `Kiosk ${index}`, place: [52 + index / 100, 13] }));
  const page = await at('/', { reminders: [reminder('e1', 'Paper', { places })] });
  await jump(page, 52.5905);
  await page.see('.snackbar', 'Paper: Kiosk 59');
  await jump(page, 52.0405);
  await page.run(() => {
    location.hash = '#/reminders/nearby';
  });
  await page.see('.visit', 'Kiosk 4');
  await page.run(() => {
    location.hash = '#/about/limits';
  });
  await page.see('.prose', 'A web page gets positions only while it is in view');
  await page.see('.prose', 'set up background reporting');
  await page.context.close();
});

test('a reminder stays in Nearby until farther away than where it was announced, and a repeating one waits for the next visit (S220)', async () => {
  const page = await at('/reminders/nearby', { reminders: [reminder('e1', 'Groceries', { repeats: true })] });
  await jump(page, 52);
  await page.see('.visit', 'Groceries');
  await jump(page, 52.0005 + 250 / 111_320);
  await page.see('.visit', '250 m');
  await page.tap('.visit button', 'Complete');
  await page.see('.empty', 'Nothing nearby');
  await jump(page, 52.0005 + 400 / 111_320);
  await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).all('reminders'))[0].state ===
      'active',
  );
  await jump(page, 52);
  await page.see('.visit', 'Groceries');
  await page.context.close();
});

test('edited, completed and deleted from the list; what is deleted can be brought back', async () => {
  const page = await at('/reminders', {
    reminders: [reminder('e1', 'Groceries'), reminder('e2', 'Post', { items: [] })],
  });
  await page.tap('button[aria-label="What to do with Post"]');
  await audit(page, 'menu of a reminder');
  await page.tap('dialog button', 'Delete');
  await page.gone('a[data-key="00000000000000e2"]');
  await page.tap('.snackbar button', 'Undo');
  await page.see('a[data-key="00000000000000e2"]');
  await page.tap('a[data-key="00000000000000e2"]');
  await page.type('.reminder-form .field input', '');
  await page.run(() => {
    const input = document.querySelector('.reminder-form .field input');
    input.value = 'Post office';
    input.dispatchEvent(new Event('input'));
  });
  await page.tap('.reminder-form button[type=submit]');
  await page.see('.reminder', 'Post office');
  assert.deepEqual((await stored(page)).map(({ title }) => title).sort(), ['Groceries', 'Post office']);
  await page.tap('button[aria-label="What to do with Groceries"]');
  await page.tap('dialog button', 'Complete');
  await page.see('h2', 'Done');
  await page.context.close();
});

test('without a zone the first screen shows the reminders, those nearby first, above the question for a place', async () => {
  for (const look of [phone, tablet]) {
    const page = await at('/', {
      look,
      reminders: [reminder('e1', 'Garden', { places: [nord], items: [] }), reminder('e2', 'Groceries')],
    });
    const section = 'section[aria-label="Reminders"]';
    await page.see(`${section} .row`, 'Bread, Rolls');
    await page.see(`${section} .row`, 'Bakery Nord');
    await jump(page, 52.0005);
    await page.see(`${section} .tag`, 'Nearby');
    const titles = await page.run(() =>
      [...document.querySelectorAll('section[aria-label="Reminders"] .headline')].map((each) => each.textContent),
    );
    assert.deepEqual(titles, ['Groceries', 'Garden']);
    await page.see('.place-first');
    await auditBoth(page, `first-screen-reminders-${look.touch ? 'phone' : 'wide'}`);
    await page.tap(`${section} .row`, 'Garden');
    await page.see('.reminder-form');
    await page.context.close();
  }
});
