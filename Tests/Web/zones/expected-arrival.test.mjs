// Expected arrivals on the real server: set in a zone's editor, seen on another device, changed, switched off, deleted, and
// missed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { tablet } from '../support/Browser.mjs';
import { ask, chooseOption, Devices, edit, go, signIn, unexpected } from '../support/Devices.mjs';
import { faults } from '../support/Screens.mjs';
import { zone } from '../support/Story.mjs';

const row = '[data-key="expected"]';
const small = { width: 320, height: 568, touch: true };
const workdays = [1, 2, 3, 4, 5];

let devices;
/** The phone of the account that most tests use. */
let ben;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

const pictured = (page, name) => {
  page.problems = unexpected(page);
  return auditBoth(page, name);
};
const stored = async (page) => (await ask(page, 'GET', '/expected-arrivals')).items;
const inZone = async (page, { id }) => (await stored(page)).filter(({ zone_id: zone }) => zone === id);
const isSynced = (page, id, wanted) =>
  page.until(
    async (one, isThere) => {
      const { app } = await import('/scripts/main.js');
      const { serverOf } = await import('/scripts/server/server.js');
      const { items } = await serverOf(app).ask('GET', '/zones');
      return items.some((each) => each.id === one) === isThere;
    },
    id,
    wanted,
  );
/** A page that is signed in and has a zone, which the server has as well. */
async function begun(form, look) {
  const page = await devices.device(look);
  await signIn(page);
  await edit(page, [form]);
  await isSynced(page, form.id, true);
  ben ??= await ask(page, 'POST', '/devices', { name: 'Ben' });
  return page;
}
const toRow = (page) => page.run((one) => document.querySelector(one).scrollIntoView({ block: 'center' }), row);
/** The editor of a zone. A zone of another device has to come first. */
async function openEditor(page, { id }) {
  await page.until(async (one) => (await import('/scripts/main.js')).app.zones.has(one), id);
  await go(page, `/zones/${id}?from=list`);
  await page.see(row);
}
async function openSheet(page, form) {
  await openEditor(page, form);
  await page.tap(row);
  await page.see('dialog h2', 'Expected arrivals');
}
/** Enters a value as a person's keyboard does. */
const enter = (page, name, value) =>
  page.run(
    (one, given) => {
      const field = document.querySelector(`dialog [name="${one}"]`);
      field.value = given;
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
    },
    name,
    value,
  );
async function add(page, time) {
  await page.tap('#expected-add');
  await page.see('dialog [name="expected-time"]');
  await enter(page, 'expected-time', time);
}
/** A new one, written by a program. */
const written = (page, form, more = {}) =>
  ask(page, 'POST', '/expected-arrivals', {
    zone_id: form.id,
    device_id: ben.id,
    time: '08:00',
    weekdays: workdays,
    time_zone: 'Europe/Berlin',
    ...more,
  });

test('one is set, seen on another device, changed, switched off and deleted, and Undo brings it back', async () => {
  const school = zone({ id: 'a000000000000001', name: 'School' });
  const page = await begun(school);
  const other = await devices.device(tablet);
  await signIn(other);
  await openEditor(other, school);
  await other.see(row, 'None');

  await openSheet(page, school);
  await page.see('dialog .subhead', 'if a phone is not at School by its time');
  await pictured(page, 'expected-none-phone');
  await add(page, '');
  assert.equal(await page.run(() => document.querySelector('[name="expected-phone"]').value), ben.id);
  await page.tap('#expected-save');
  await page.see('dialog .field .problem', 'Choose a time.');
  await enter(page, 'expected-time', '08:05');
  for (const day of workdays) await page.tap(`[data-key="expected-day-${day - 1}"]`);
  await page.tap('#expected-save');
  await page.see('dialog .problem', 'Choose a day.');
  for (const day of [...workdays, 6]) await page.tap(`[data-key="expected-day-${day - 1}"]`);
  await pictured(page, 'expected-form-phone');
  await page.tap('#expected-save');
  await page.see('dialog .expected', 'Ben by 08:05');
  const [first] = await inZone(page, school);
  const zoneHere = await page.run(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  assert.deepEqual(
    [first.device_id, first.time, first.weekdays, first.time_zone, first.window_min, first.is_enabled],
    [ben.id, '08:05', [...workdays, 6], zoneHere, 60, true],
  );
  await pictured(page, 'expected-list-phone');
  await page.tap('dialog button', 'Done');
  await page.gone('dialog');
  for (const each of [page, other]) await each.see(row, 'Ben by 08:05, Mo Tu We Th Fr Sa');
  await toRow(other);
  await pictured(other, 'expected-row-tablet');
  await page.reload();
  await page.see(row, 'Ben by 08:05');
  await toRow(page);
  await pictured(page, 'expected-row-phone');

  // Changed on the other device, by the keyboard.
  await other.run((one) => document.querySelector(one).focus(), row);
  await other.press('Enter');
  const entry = `dialog [data-key="expected-${first.id}"]`;
  await other.see(entry);
  await pictured(other, 'expected-list-tablet');
  await other.run((one) => document.querySelector(one).focus(), entry);
  await other.press('Enter');
  await other.see('dialog h2', 'Expected arrival');
  await enter(other, 'expected-time', '07:30');
  await other.run(() => document.querySelector('[data-key="expected-day-5"]').focus());
  await other.press(' ');
  assert.equal(await other.run(() => document.activeElement.dataset.key), 'expected-day-5', 'the focus stays');
  await chooseOption(other, '[name="expected-window"]', '2 h');
  await pictured(other, 'expected-form-tablet');
  await other.run(() => document.querySelector('#expected-save').focus());
  await other.press('Enter');
  await other.see('dialog .expected', 'Ben by 07:30');
  const [second] = await inZone(page, school);
  assert.deepEqual([second.id, second.time, second.weekdays, second.window_min], [first.id, '07:30', workdays, 120]);
  await page.see(row, 'Ben by 07:30, Mo-Fr');

  await page.tap(row);
  await page.tap(`dialog [data-key="expected-on-${first.id}"]`);
  await page.see('dialog .expected', 'off');
  await other.see('dialog .expected', 'off');
  assert.equal((await inZone(page, school))[0].is_enabled, false);
  await page.tap(entry);
  await page.tap('#expected-delete');
  await page.see('.snackbar', 'Ben by 07:30 deleted');
  await other.gone('dialog .expected');
  assert.deepEqual(await inZone(page, school), []);
  await page.tap('.snackbar button', 'Undo');
  await page.see('dialog .expected', 'off');
  const [third] = await inZone(page, school);
  for (const each of ['device_id', 'time', 'weekdays', 'time_zone', 'window_min'])
    assert.deepEqual(third[each], second[each], each);
  assert.equal(third.is_enabled, false);
  await page.press('Escape');
  await page.gone('dialog');
  await page.see(row, 'off');
  await page.context.close();
  await other.context.close();
});

test('a refusal is said in the sheet, typed values stay, and an attempt that is repeated adds one', async () => {
  const gym = zone({ id: 'a000000000000002', name: 'Gym' });
  const page = await begun(gym);
  await openSheet(page, gym);
  await add(page, '18:45');
  await devices.server.pause();
  await page.tap('#expected-save');
  await page.see('dialog .problem', 'The server cannot be reached.');
  assert.equal(await page.run(() => document.querySelector('[name="expected-time"]').value), '18:45');
  await devices.server.resume();
  await page.tap('#expected-save');
  await page.see('dialog .expected', 'Ben by 18:45');
  const times = async () => (await inZone(page, gym)).map(({ time }) => time);
  assert.deepEqual(await times(), ['18:45']);

  // The server does it, but its answer is lost; then it has too many requests.
  await add(page, '18:50');
  await page.run(() => {
    const { fetch } = globalThis;
    const answers = [
      () => Promise.reject(new TypeError('lost')),
      () =>
        new Response(JSON.stringify({ type: '/problems/too-many-requests', title: 'Too many requests' }), {
          status: 429,
          headers: { 'content-type': 'application/problem+json' },
        }),
    ];
    globalThis.fetch = async (address, how) => {
      const answer = await fetch(address, how);
      return how.method === 'POST' && answers.length ? answers.shift()() : answer;
    };
  });
  for (const said of ['The server cannot be reached.', 'Too many requests']) {
    await page.tap('#expected-save');
    await page.see('dialog .problem', said);
  }
  await page.tap('#expected-save');
  await page.see('dialog .expected', 'Ben by 18:50');
  assert.deepEqual(await times(), ['18:45', '18:50']);

  // A time zone that the server does not know.
  await page.run(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      return { ...resolvedOptions.call(this), timeZone: 'Mars/Phobos' };
    };
    globalThis.comeHome = () => {
      Intl.DateTimeFormat.prototype.resolvedOptions = resolvedOptions;
    };
  });
  await add(page, '19:00');
  await page.tap('#expected-save');
  await page.see('dialog .problem', 'Mars/Phobos');
  assert.doesNotMatch(await page.text('dialog .form-stack > .problem'), /time_zone/);
  await page.run(() => globalThis.comeHome());
  await page.tap('dialog button', 'Cancel');
  await add(page, '19:00');

  const other = await devices.device();
  await signIn(other);
  await other.until(async (one) => (await import('/scripts/main.js')).app.zones.has(one), gym.id);
  await edit(other, [], [gym.id]);
  await isSynced(other, gym.id, false);
  await page.tap('#expected-save');
  await page.see('dialog .problem', 'The server does not have this zone');
  assert.equal(await page.run(() => document.querySelector('[name="expected-time"]').value), '19:00');
  await page.shot('expected-refused-phone');
  await page.context.close();
  await other.context.close();
});

test('a zone that is saved while a sync ends is sent to the server first', async () => {
  const page = await begun(zone({ id: 'a000000000000007', name: 'Library' }));
  const count = await page.run(
    async (form, phone) => {
      const [{ app }, { newID }, { ExpectedArrivals }, { syncOf }] = await Promise.all(
        ['main', 'app', 'server/expected-arrivals', 'server/sync'].map((name) => import(`/scripts/${name}.js`)),
      );
      const held = new ExpectedArrivals(app, form.id);
      const sync = await syncOf(app);
      while (sync.state === 'busy') await sync.now();
      // Holds the sync where it has sent its edits: it asks for the settings last.
      const { fetch } = globalThis;
      const late = Promise.withResolvers();
      const added = Promise.withResolvers();
      globalThis.fetch = async (request, ...rest) => {
        if (String(request.url ?? request).endsWith('/settings')) {
          late.resolve();
          await added.promise;
        }
        return fetch(request, ...rest);
      };
      sync.now();
      await late.promise;
      await app.putZones(form);
      const adding = held.add({ device_id: phone, time: '10:00', weekdays: [1], time_zone: 'UTC' }, newID());
      added.resolve();
      await adding.finally(() => (globalThis.fetch = fetch));
      held.end();
      return held.items.length;
    },
    zone({ id: 'a000000000000008', name: 'Museum' }),
    ben.id,
  );
  assert.equal(count, 1);
  await page.context.close();
});

test('another time zone is shown, and stays in an edit until another one is chosen', async () => {
  const club = zone({ id: 'a000000000000003', name: 'Club' });
  const page = await begun(club);
  await page.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
  const { id } = await written(page, club);
  await openEditor(page, club);
  await page.see(row, 'Ben by 08:00, Mo-Fr · Europe/Berlin');
  await page.tap(row);
  await page.tap(`dialog [data-key="expected-${id}"]`);
  await page.see('[name="expected-time-zone"]', 'Europe/Berlin');
  await enter(page, 'expected-time', '09:00');
  await page.tap('#expected-save');
  await page.see('dialog .expected', 'Ben by 09:00');
  const [kept] = await inZone(page, club);
  assert.deepEqual([kept.time, kept.time_zone], ['09:00', 'Europe/Berlin']);
  await page.tap(`dialog [data-key="expected-${id}"]`);
  await chooseOption(page, '[name="expected-time-zone"]', 'Asia/Tokyo');
  await page.shot('expected-time-zone-phone');
  await page.tap('#expected-save');
  await page.until(() => !document.querySelector('dialog .expected')?.textContent.includes('Berlin'));
  await page.see('dialog .expected', 'Mo-Fr');
  assert.equal((await inZone(page, club))[0].time_zone, 'Asia/Tokyo');
  await page.context.close();
});

test('a phone that has not arrived rings in the page, and switching it off ends the alarm', async () => {
  const home = zone({ id: 'a000000000000004', name: 'Home' });
  const page = await begun(home);
  await openSheet(page, home);
  await add(page, '08:00');
  await page.tap('#expected-save');
  await page.see('dialog .expected', 'Ben by 08:00');
  const [{ id }] = await inZone(page, home);
  // Those of the other tests do not ring.
  for (const each of await stored(page))
    if (each.id !== id) await ask(page, 'PATCH', `/expected-arrivals/${each.id}`, { is_enabled: false });
  await devices.server.pause();
  await devices.server.missArrivals();
  await devices.server.resume();
  await page.see('#alarm-sheet', 'Ben has not arrived in time');
  await page.see('#alarm-sheet', 'Home');
  await page.see('#alarm-stop', 'Quiet until it is over');
  await page.shot('expected-missed-phone');
  // A sheet that has just appeared takes no answer, as the tap may have been meant for what was there before.
  const seen = await page.run(() => performance.now());
  await page.until((since) => performance.now() - since > 700, seen);
  await page.tap('#alarm-stop');
  await page.gone('#alarm-sheet');
  await page.tap(`dialog [data-key="expected-on-${id}"]`);
  await page.see('dialog .expected', 'off');
  await page.until(async () => {
    const { app } = await import('/scripts/main.js');
    const { serverOf } = await import('/scripts/server/server.js');
    const { items } = await serverOf(app).ask('GET', '/alarms');
    return items.length === 1 && items[0].subject === 'not_arrived' && items[0].state === 'cleared';
  });
  await page.context.close();
});

test('everything has room at 320 px, with text twice as large, in the longest language and from right to left', async () => {
  const form = zone({ id: 'a000000000000005', name: 'Swimming pool' });
  const page = await begun(form, small);
  await written(page, form, { time_zone: 'America/Argentina/ComodRivadavia', is_enabled: false });
  await written(page, form, { weekdays: [1, 3, 5, 7], time: '17:45' });
  for (const language of ['en', 'fr']) {
    await page.run(async (wanted) => {
      localStorage.setItem('language', wanted);
      await (await import('/scripts/main.js')).app.storage.keep('settings', { language: wanted });
    }, language);
    await go(page, '/about');
    await page.reload();
    await openEditor(page, form);
    await page.until(() => document.querySelector('[data-key="expected"]').textContent.includes('17:45'));
    for (const [size, direction] of [
      ['100%', 'ltr'],
      ['200%', 'ltr'],
      ['100%', 'rtl'],
    ]) {
      await page.run(
        (fontSize, dir) => {
          document.documentElement.style.fontSize = fontSize;
          document.documentElement.dir = dir;
        },
        size,
        direction,
      );
      const name = `expected-${language}-${size.slice(0, -1)}-${direction}-small`;
      await toRow(page);
      assert.deepEqual(await faults(page), [], `${name}, row`);
      await page.shot(`${name}-row`);
      await page.tap(row);
      await page.see('dialog .expected');
      assert.deepEqual(await faults(page), [], `${name}, list`);
      await page.shot(`${name}-list`);
      await page.tap('dialog .expected .row');
      await page.see('#expected-save');
      assert.deepEqual(await faults(page), [], `${name}, form`);
      await page.shot(`${name}-form`);
      await page.press('Escape');
      await page.gone('dialog');
    }
    await page.run(() => {
      document.documentElement.style.fontSize = '';
      document.documentElement.dir = 'ltr';
    });
  }
  await page.context.close();
});

test('a new zone has to be saved first, and without an account or in private mode there is no such row', async () => {
  const park = zone({ id: 'a000000000000006', name: 'Park' });
  const stranger = await devices.device();
  await edit(stranger, [park]);
  await go(stranger, `/zones/${park.id}?from=list`);
  await stranger.see('.zone-form');
  await stranger.gone(row);
  await signIn(stranger);
  await go(stranger, '/zones/new');
  await stranger.see(row, 'Save the zone first');
  assert.equal(await stranger.run((one) => document.querySelector(one).disabled, row), true);
  await stranger.context.close();

  const carl = await devices.another('carl');
  await edit(carl, [park]);
  await isSynced(carl, park.id, true);
  await openSheet(carl, park);
  await carl.see('dialog', 'Your account has no phone yet.');
  await carl.shot('expected-no-phone');
  await carl.tap('dialog button', 'Set up a phone');
  await carl.until(() => location.hash === '#/pairing');

  // None of several phones is chosen beforehand.
  for (const name of ['Leo', 'Mia']) await ask(carl, 'POST', '/devices', { name });
  await openSheet(carl, park);
  await add(carl, '08:00');
  await carl.tap('#expected-save');
  await carl.see('dialog .field .problem', 'Choose a phone.');
  await chooseOption(carl, '[name="expected-phone"]', 'Mia');
  await carl.tap('#expected-save');
  await carl.see('dialog .expected', 'Mia by 08:00');
  await carl.tap('dialog button', 'Done');
  await carl.gone('dialog');
  await go(carl, '/zones');
  await ask(carl, 'PUT', '/account/private', { is_private: true, erase: true });
  await carl.until(async () => {
    const { app } = await import('/scripts/main.js');
    const { serverOf } = await import('/scripts/server/server.js');
    return serverOf(app).account.is_private;
  });
  await go(carl, `/zones/${park.id}?from=list`);
  await carl.see('.zone-form');
  await carl.gone(row);
  await carl.context.close();
});
