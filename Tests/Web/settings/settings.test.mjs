// Settings on three pages (S157-S165), the data on this device, its backup and deletion.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { audit, auditBoth } from '../support/Audit.mjs';
import { Browser, phone, tablet } from '../support/Browser.mjs';
import { choose } from '../support/Handing.mjs';
import { PageServer } from '../support/PageServer.mjs';
import { keptIn, visit, zoneForm } from '../support/Visit.mjs';

let browser, server, folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-'));
  [browser, server] = await Promise.all([Browser.launch(), PageServer.start()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (address, more = {}) => visit({ browser, origin: server.origin, address, ...more });
const settings = async (page) => (await keptIn(page, 'kept')).find(({ key }) => key === 'settings')?.value;
async function set(page, name, text) {
  await page.run((id) => {
    const list = document.getElementById(`${id}-choice`);
    if (!list?.checkVisibility()) return;
    list.value = 'other';
    list.dispatchEvent(new Event('change'));
  }, name);
  await page.type(`#${name}`, text);
  await page.press('Enter');
}
/** The settings as the page shows them: label, and value with its unit. */
const shown = (page) =>
  page.run(() =>
    [...document.querySelectorAll('.setting')].map((row) => [
      row.querySelector('.headline').textContent,
      row.querySelector('select')?.selectedOptions[0].text ??
        `${row.querySelector('input').value} ${row.querySelector('.unit').textContent}`,
    ]),
  );

test('the first page of the settings has cycle, sleep, radius and bypass, and leads to the two others (S157, S158, S159, S160, S161, S162)', async () => {
  const page = await at('/settings');
  await page.see('.setting');
  assert.deepEqual((await shown(page)).slice(0, 3), [
    ['Alarm Cycle Time', '10 s'],
    ['Default Sleep Time', '10 s'],
    ['Default Radius', '50 m'],
  ]);
  assert.equal(await page.run(() => document.querySelector('[data-key="bypass_to_map"]').ariaChecked), 'false');
  await auditBoth(page, 'settings-phone');
  for (const [title, address] of [
    ['Search Parameters', '#/settings/search'],
    ['Map Parameters', '#/settings/map'],
  ]) {
    await page.tap('a.row', title);
    await page.see('h1', title);
    assert.equal(await page.run(() => location.hash), address);
    await page.tap('.back');
    await page.see('h1', 'Settings');
  }
  await page.context.close();
});

test('the search parameters are shown with their defaults (S163)', async () => {
  const page = await at('/settings/search', { look: tablet });
  await page.see('.setting');
  assert.deepEqual(await shown(page), [
    ['Standard Threshold', '50 m'],
    ['Distance Filter', '50 m'],
    ['Close Region Timeout', '15 min'],
  ]);
  await auditBoth(page, 'settings-search-tablet');
  await page.context.close();
});

test('the ranges of the maps, a tile source and a places service can be set (S164, S165)', async () => {
  const page = await at('/settings/map');
  await page.see('.setting');
  assert.deepEqual(await shown(page), [
    ['Map Selector Default Range', '500 km'],
    ['Alert Zone Map Default Range', '50 km'],
  ]);
  await set(page, 'tile_url', 'https://tiles.example/{z}.png');
  await page.see('.problem', '{x}, {y} is missing');
  await auditBoth(page, 'settings-map-phone');
  await set(page, 'tile_url', 'https://tiles.example/{z}/{x}/{y}.png');
  // The address is stored and tried: this server permits the page to load from no other server.
  await page.see(
    '.problem',
    'The server of this page does not allow it to load from https://tiles.example. The operator of the server has to start it with --page-origins https://tiles.example.',
  );
  await set(page, 'places_service', 'https://nominatim.example');
  await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('settings', {})).places_service,
  );
  const kept = await settings(page);
  assert.equal(kept.tile_url, 'https://tiles.example/{z}/{x}/{y}.png');
  await set(page, 'tile_url', ' ');
  await page.gone('.problem');
  await page.until(
    async () =>
      !(
        'tile_url' in
          (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('settings', {})) &&
        (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('settings', {})).tile_url
      ),
  );
  await page.context.close();
});

test('what is set holds at once, is kept, and goes back to its default', async () => {
  const page = await at('/settings');
  await set(page, 'alarm_cycle_s', '45');
  await page.see('.setting .link', 'Default');
  await page.reload();
  assert.equal(await page.run(() => document.querySelector('#alarm_cycle_s').value), '45');
  await page.tap('.setting .link');
  await page.until(() => document.querySelector('#alarm_cycle_s').value === '10');
  await page.run(() => {
    const list = document.querySelector('#maximum_speed_m_s-choice');
    list.value = '3.5';
    list.dispatchEvent(new Event('change'));
  });
  await page.until(() => document.querySelector('#maximum_speed_m_s').value === '12.6');
  await page.tap('[data-key="bypass_to_map"]');
  await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('settings', {}))
        .bypass_to_map === true,
  );
  assert.deepEqual(await settings(page), { alarm_cycle_s: 10, maximum_speed_m_s: 3.5, bypass_to_map: true });
  await page.context.close();
});

test('an alarm that rings goes on at the cycle that was just set (S36, S159)', async () => {
  const page = await at('/', {
    kept: { zones: [zoneForm('a1', 'Hall')], kept: [{ key: 'settings', value: { alarm_cycle_s: 3 } }] },
  });
  await page.move({ latitude: 52, longitude: 13 });
  await page.tap('#activate');
  await page.see('#alarm-sheet');
  await page.run(() => {
    location.hash = '#/settings';
  });
  await page.until(() => document.querySelector('#alarm_cycle_s'));
  await page.run(() => {
    const input = document.querySelector('#alarm_cycle_s');
    input.value = '1';
    input.dispatchEvent(new Event('change'));
  });
  await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).all('events')).filter(
        ({ event }) => event === 'repeat',
      ).length >= 2,
  );
  await page.context.close();
});

test('a zone without a sleep time of its own sleeps for the default that was set (S160)', async () => {
  const page = await at('/settings', {
    kept: { zones: [zoneForm('a1', 'Hall', { priority: 4 }), zoneForm('a2', 'Yard', { sleep_s: 80 })] },
  });
  await set(page, 'default_sleep_s', '120');
  await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('settings', {}))
        .default_sleep_s === 120,
  );
  await page.run(() => {
    location.hash = '#/';
  });
  await page.move({ latitude: 52, longitude: 13 });
  await page.tap('#activate');
  await page.see('#alarm-zone', 'Hall');
  await page.see('#alarm-sleep', 'Sleep 2 min');
  await page.tap('#alarm-next');
  await page.see('#alarm-zone', 'Yard');
  await page.see('#alarm-sleep', 'Sleep 80 s');
  await page.context.close();
});

test('what cannot be set is said with what is allowed, and nothing changes', async () => {
  const page = await at('/settings');
  for (const [text, said] of [
    ['ten', '“ten” is not a number; 1 to 3,600 s are allowed'],
    ['0', '0 s is out of range; 1 to 3,600 s are allowed'],
    ['99999', '99,999 s is out of range'],
  ]) {
    await set(page, 'alarm_cycle_s', text);
    await page.see('.problem', said);
  }
  await audit(page, 'a wrong setting');
  assert.equal(await settings(page), undefined);
  await set(page, 'alarm_cycle_s', '12,5');
  await page.gone('.problem');
  assert.equal((await settings(page)).alarm_cycle_s, 12.5);
  // The engine checks values, too, so the refused one is not stored in another way.
  await page.reload();
  assert.equal(await page.run(() => document.querySelector('#alarm_cycle_s').value), '12.5');
  await page.context.close();
});

test('the theme is the person’s, whatever the system says', async () => {
  const page = await at('/settings', { look: { ...phone, dark: true } });
  const ground = () => page.run(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.tap('.segments button', 'Light');
  await page.until(() => document.documentElement.dataset.theme === 'light');
  assert.notEqual(await ground(), dark);
  await page.reload();
  assert.notEqual(await ground(), dark);
  await page.tap('.segments button', 'System');
  await page.until(() => !document.documentElement.dataset.theme);
  assert.equal(await ground(), dark);
  await page.context.close();
});

test('a backup holds everything, bytes too, and gives it back on another device', async () => {
  const bytes = [0, 1, 127, 128, 255];
  const page = await at('/settings/data', {
    kept: {
      zones: [
        zoneForm('a1', 'Hälle', {
          messages: [{ your_moniker: 'Ann', to_moniker: '', contact_number: '', supplement: '' }],
        }),
      ],
      reminders: [
        {
          id: '00000000000000e1',
          title: 'Bread',
          items: [],
          places: [],
          radius_m: 150,
          repeats: false,
          state: 'active',
        },
      ],
      messages: [{ id: '1', your_moniker: 'Ann', to_moniker: 'Mum', contact_number: '1', supplement: '' }],
      kept: [{ key: 'settings', value: { alarm_cycle_s: 33 } }],
    },
  });
  await page.run(
    async (numbers) =>
      (await (await import('/scripts/storage/storage.js')).Storage.open()).put('sounds', {
        name: 'homer',
        bytes: Uint8Array.from(numbers).buffer,
        type: 'audio/wav',
        length_s: 1,
        levels: [1],
      }),
    bytes,
  );
  await auditBoth(page, 'settings-data-phone');
  await page.context.browser.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: folder,
    browserContextId: page.context.id,
    eventsEnabled: true,
  });
  const complete = downloaded(page.context.browser);
  await page.see('.row', 'Space');
  await page.tap('.row', 'Save a backup');
  await complete;
  const [file] = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  assert.match(file, /^proximity-alarm-\d{4}-\d\d-\d\d\.json$/);
  const text = await readFile(join(folder, file), 'utf8');
  assert.equal(
    JSON.parse(text).stores.kept.some(({ key }) => key === 'device'),
    false,
  );
  const before = {
    zones: await keptIn(page, 'zones'),
    reminders: await keptIn(page, 'reminders'),
    messages: await keptIn(page, 'messages'),
  };
  await page.context.close();

  const other = await at('/settings/data');
  const loaded = other.event('Page.loadEventFired');
  await choose(other, 'input[type=file]', join(folder, file));
  await loaded;
  await other.see('.row', '1 zone · 1 reminder · 1 message · 1 own sound');
  await other.see('.note', 'Restored: 1 zone, 1 reminder, 1 message, and 1 own sound.');
  for (const [name, records] of Object.entries(before)) assert.deepEqual(await keptIn(other, name), records, name);
  assert.equal((await settings(other)).alarm_cycle_s, 33);
  assert.deepEqual(
    await other.run(async () => [
      ...new Uint8Array(
        (await (await (await import('/scripts/storage/storage.js')).Storage.open()).get('sounds', 'homer')).bytes,
      ),
    ]),
    bytes,
  );
  await other.context.close();
});

function downloaded(browser) {
  return new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Error('nothing was downloaded')), 15_000);
    const stop = browser.listen(undefined, (method, { state }) => {
      if (method === 'Browser.downloadProgress' && state === 'completed') {
        stop();
        clearTimeout(late);
        done();
      }
    });
  });
}

test('a file that is no backup, or holds what the engine would refuse, changes nothing and says why', async () => {
  const page = await at('/settings/data', { kept: { zones: [zoneForm('a1', 'Hall')] } });
  const whole = { format: 'proximity-alarm-backup', version: 1, stores: {} };
  for (const [name, content, said] of [
    [
      'letter.json',
      'dear sir',
      'letter.json is not a backup, or is cut off. A backup is a .json file that was saved here.',
    ],
    ['other.json', '{"format":"x"}', 'not a backup of Proximity Alarm'],
    ['null.json', 'null', 'not a backup of Proximity Alarm'],
    ['new.json', JSON.stringify({ ...whole, version: 2 }), 'version 2; this page reads version 1'],
    ['none.json', JSON.stringify({ ...whole, stores: null }), 'none.json is empty'],
    ['key.json', JSON.stringify({ ...whole, stores: { zones: [{}] } }), 'lacks “id”'],
    ['list.json', JSON.stringify({ ...whole, stores: { zones: 3 } }), 'lacks “id”'],
    [
      'zone.json',
      JSON.stringify({ ...whole, stores: { zones: [zoneForm('a2', 'Bad', { priority: 'high' })] } }),
      'priority: wrong_kind',
    ],
    [
      'set.json',
      JSON.stringify({ ...whole, stores: { kept: [{ key: 'settings', value: { alarm_cycle_s: -1 } }] } }),
      'alarm_cycle_s: out_of_range',
    ],
  ]) {
    await writeFile(join(folder, name), content);
    await choose(page, 'input[type=file]', join(folder, name));
    await page.see('.note', said);
  }
  assert.deepEqual(
    (await keptIn(page, 'zones')).map(({ name }) => name),
    ['Hall'],
  );
  assert.deepEqual(page.problems, []);
  await page.context.close();
});

test('erasing is asked once more, and leaves nothing', async () => {
  const page = await at('/settings/data', {
    kept: { zones: [zoneForm('a1', 'Hall')], messages: [{ id: '1' }] },
    look: tablet,
  });
  await page.see('.row', 'Space');
  await page.click('.row', 'Erase everything');
  await page.until(() => document.activeElement.textContent === 'Keep it');
  await auditBoth(page, 'erase-tablet');
  await page.press('Escape');
  await page.gone('dialog');
  assert.equal((await keptIn(page, 'zones')).length, 1);
  await page.click('.row', 'Erase everything');
  const loaded = page.event('Page.loadEventFired');
  await page.click('dialog button', 'Erase');
  await loaded;
  await page.see('.place-first');
  for (const store of ['zones', 'messages', 'events']) assert.deepEqual(await keptIn(page, store), [], store);
  await page.context.close();
});

test('a backup of an earlier version is restored in the words of now', async () => {
  const { alert_distance_m, ...form } = zoneForm('a1', 'Hall', { alert_distance_m: 80 });
  const text = JSON.stringify({
    format: 'proximity-alarm-backup',
    version: 1,
    stores: { zones: [{ ...form, distance_m: alert_distance_m }] },
  });
  await writeFile(join(folder, 'earlier.json'), text);
  const page = await at('/settings/data');
  const loaded = page.event('Page.loadEventFired');
  await choose(page, 'input[type=file]', join(folder, 'earlier.json'));
  await loaded;
  await page.see('.row', '1 zone');
  const [kept] = await keptIn(page, 'zones');
  assert.deepEqual([kept.alert_distance_m, kept.distance_m], [80, undefined]);
  await page.context.close();
});

test('feet and miles are chosen at once, typed and kept as metres', async () => {
  const page = await at('/settings', { kept: { zones: [zoneForm('a1', 'Hall', { size_m: 50 })] } });
  await page.see('label[for="default_radius_m"]');
  assert.equal(await page.run(() => document.querySelector('#default_radius_m').value), '50');
  await page.tap('[role=radio]', 'Feet, miles');
  await page.until(() => document.querySelector('#default_radius_m').value === '164');
  await page.see('.setting:has(#default_radius_m) .unit', 'ft');
  assert.equal(
    await page.run(() => document.querySelector('#maximum_speed_m_s-choice').selectedOptions[0].text),
    'Car or train · 101 mph',
  );
  await page.type('#default_radius_m', '200');
  await page.press('Enter');
  await page.until(async () => {
    const { Storage } = await import('/scripts/storage/storage.js');
    const { value } = await (await Storage.open()).get('kept', 'settings');
    return value.units === 'imperial' && Math.abs(value.default_radius_m - 60.96) < 1e-9;
  });
  await auditBoth(page, 'settings-feet-phone');
  await page.run(() => {
    location.hash = '#/zones/00000000000000a1';
  });
  await page.see('.form-distance .unit', 'ft');
  assert.equal(await page.run(() => document.querySelector('.form-distance input.number').value), '164');
  await page.reload();
  await page.see('.form-distance .unit', 'ft');
  await page.context.close();
});
