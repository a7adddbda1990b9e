// A phone's past on the server: files of old tracks become history, and each day lists stays and trips.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { ask, Devices, edit, go, signIn, unexpected } from '../support/Devices.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { place, zone } from '../support/Story.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

/** Takeout's Records.json of yesterday: an hour in the zone, then half an hour away from it on foot. */
function records(noon) {
  const locations = Array.from({ length: 91 }, (_, minute) => {
    const { latitude, longitude } = place(Math.max(0, minute - 60) * 80);
    return {
      latitudeE7: Math.round(latitude * 1e7),
      longitudeE7: Math.round(longitude * 1e7),
      accuracy: 10,
      timestamp: new Date(noon + minute * 60_000).toISOString(),
    };
  });
  return JSON.stringify({ locations });
}

const choose = (page, name, text) =>
  page.run(
    (file, content) => {
      const chosen = new DataTransfer();
      chosen.items.add(new File([content], file));
      const picker = document.querySelector('.pane input[type=file]');
      picker.files = chosen.files;
      picker.dispatchEvent(new Event('change'));
    },
    name,
    text,
  );

/** Waits until a file has been read: until then, its row has a button to stop. */
const read = async (page, words) => {
  await page.see('.row', words);
  await page.until(() => ![...document.querySelectorAll('.row button')].some((each) => each.textContent === 'Stop'));
};

test('a file of old tracks is added, its days are told, and it is removed again', async () => {
  const page = await devices.device();
  await signIn(page);
  await edit(page, [zone({ id: 'a00000000000000e', name: 'Danger area' })]);
  const id = await page.run(async () => {
    const session = await (await fetch('/api/v1/session')).json();
    const answer = await fetch('/api/v1/devices', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': session.csrf_token },
      body: JSON.stringify({ name: 'Walker' }),
    });
    return (await answer.json()).id;
  });
  await go(page, `/history?device=${id}`);
  await page.see('.day-pill');
  await page.click('[aria-label=More]');
  await page.click('dialog .row', 'Stays and trips');
  await page.see('.pane h1', 'Stays and trips');
  await page.see('.pane section', 'Nothing is known');
  const yesterday = new Date();
  yesterday.setUTCDate(yesterday.getUTCDate() - 1);
  yesterday.setUTCHours(12, 0, 0, 0);
  await choose(page, 'Records.json', records(yesterday.getTime()));
  await read(page, '91 positions added');
  await page.see('.row', 'Danger area');
  await page.see('.row', 'A trip of');
  page.problems = unexpected(page);
  await auditBoth(page, 'history-past-phone');
  await choose(page, 'Records.json', records(yesterday.getTime()));
  await read(page, '0 positions added');
  await choose(page, 'letter.txt', 'Dear Anna');
  await page.see('.row', 'It could not be read');
  await page.see('.row', 'none of the known track formats');
  assert.equal(await page.run(async () => (await (await fetch('/api/v1/alarms')).json()).items.length), 0);

  await page.run(() => {
    const row = [...document.querySelectorAll('.row')].find((each) => each.textContent.includes('91 positions'));
    row.querySelector('button').click();
  });
  await page.see('dialog', '91 positions that came from it are deleted');
  await page.click('dialog .button.alarm');
  await page.until(() => ![...document.querySelectorAll('.row')].some((each) => each.textContent.includes('91 pos')));
  await page.until(
    () => ![...document.querySelectorAll('.row')].some((each) => each.textContent.includes('A trip of')),
  );
  await page.context.close();
});

test('signed out, without a phone and with one of somebody else the screen says so in words of its own', async () => {
  const page = await devices.device();
  await go(page, '/past');
  await page.see('.pane .note', 'Sign in first.');
  await signIn(page);
  for (const address of ['/past', '/past?device=0000000000000001']) {
    await go(page, address);
    await page.see('.pane .note', 'This phone is not in your account.');
  }
  // The server's messages about addresses and cookies are not shown to people.
  const said = await page.run(async () => {
    const [{ app }, { serverOf }] = await Promise.all([
      import('/scripts/main.js'),
      import('/scripts/server/server.js'),
    ]);
    const found = serverOf(app).ask('GET', '/devices/0000000000000001');
    return found.then(
      () => '',
      (error) => error.message,
    );
  });
  assert.equal(said, 'Nothing of your account is found here. It may have been deleted.');
  await page.context.close();
});

test('no screen shows a sentence of the server, signed out or with ids that are nowhere', async () => {
  const page = await devices.device();
  const nowhere = '00000000000000ff';
  const addresses = [
    `/history?device=${nowhere}`,
    `/past?device=${nowhere}`,
    `/groups/${nowhere}`,
    '/groups',
    '/collections',
    '/people',
    '/log',
    '/security',
    '/organisations',
    '/sealed',
    '/pairing',
    '/join/nowhere',
    '/seen/nowhere',
    `/zones/${nowhere}`,
    `/why/${nowhere}`,
    `/messages/${nowhere}`,
    `/reminders/${nowhere}`,
  ];
  const found = [];
  for (const isIn of [false, true]) {
    if (isIn) await signIn(page);
    for (const address of addresses) {
      await go(page, address);
      // All answers of the server have arrived.
      await page.until(() => !/Asking the server/.test(document.body.innerText));
      const said = await page.run(() => document.body.innerText);
      const wrong = /[^\n]*(?:cookie|Authorization|this address|no such|status 4|no link of)[^\n]*/i.exec(said);
      if (wrong) found.push(`${address}, ${isIn ? 'in' : 'out'}: ${wrong[0]}`);
    }
  }
  assert.deepEqual(found, []);
  await page.context.close();
});

test('a trip over midnight is a part of one on each of its days', async () => {
  const page = await devices.device();
  await signIn(page);
  await edit(page, []);
  const [{ id }] = (await ask(page, 'GET', '/devices')).items;
  const part = { kind: 'trip', latitude: null, longitude: null, fixes: null, length_m: 39_000, zone_ids: [] };
  const whole = { whole_from: '2026-11-01T22:00:00Z', whole_to: '2026-11-02T02:00:00Z' };
  const body = {
    time_zone: 'UTC',
    items: [
      { ...part, ...whole, from: '2026-11-01T22:00:00Z', to: '2026-11-02T00:00:00Z' },
      { ...part, ...whole, from: '2026-11-02T00:00:00Z', to: '2026-11-02T02:00:00Z' },
    ].map((each, index) => ({
      date: `2026-11-0${index + 1}`,
      from: each.from,
      to: each.to,
      fixes: 9,
      parts: [each],
      zones: [],
    })),
  };
  await page.run(async (answer) => {
    const [{ app }, { serverOf }] = await Promise.all([
      import('/scripts/main.js'),
      import('/scripts/server/server.js'),
    ]);
    const server = serverOf(app);
    const really = server.ask.bind(server);
    server.ask = (method, path, ...more) =>
      /\/days/.test(path) ? Promise.resolve(answer) : really(method, path, ...more);
  }, body);
  await go(page, `/past?device=${id}`);
  await page.see('.row', 'Part of a trip of 39 km');
  const titles = await page.run(() => [...document.querySelectorAll('.row .headline')].map((each) => each.textContent));
  assert.deepEqual(
    titles.filter((each) => /trip/.test(each)),
    ['Part of a trip of 39 km', 'Part of a trip of 39 km'],
  );
  await page.context.close();
});

test('History opens on the phone that moved last, and the day’s pill changes whose day it is', async () => {
  for (const look of [phone, tablet]) {
    const page = await devices.device(look);
    await signIn(page);
    const name = look.touch ? 'Bike' : 'Boat';
    const { token } = await ask(page, 'POST', '/tokens', { name: 'phones' });
    const now = Math.floor(Date.now() / 1000);
    for (const tst of [now - 1, now]) await devices.report(token, place(20_000), { phone: name, tst });
    await go(page, '/history');
    await page.see('.day-pill .day-of', name);
    page.problems = unexpected(page);
    await auditBoth(page, `history-whose-${look.touch ? 'phone' : 'wide'}`);
    await page.tap('.day-pill .whose');
    await page.tap('dialog .row', 'This device');
    await page.see('.day-pill .day-of', 'This device');
    await page.see('bottom-sheet .headline', 'Nothing yet today');
    await page.tap('.day-pill .whose');
    await page.tap('dialog .row', name);
    await page.see('.day-pill .day-of', name);
    await page.context.close();
  }
});
