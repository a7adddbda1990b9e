// Phones that report to the account's server: pairing by a code, and the effects of their reports in the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { audit } from '../support/Audit.mjs';
import { tablet } from '../support/Browser.mjs';
import { Devices, edit, go, pictured, scannedCode, signIn, unexpected } from '../support/Devices.mjs';
import { place, zone } from '../support/Story.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

test('a phone is paired by QR code, reports as the code says, and its alarm shows in the page and is answered', async () => {
  const page = await devices.device();
  await signIn(page);
  await edit(page, [zone({ id: 'a00000000000000e', name: 'Danger area' })]);
  await go(page, '/account');
  await page.see('[data-state="done"]');
  await go(page, '/pairing');
  await page.type('[name=device]', 'Anna’s phone');
  await pictured(page, 'pairing-phone');
  await page.tap('form button[type=submit]');
  await page.see('dialog.pair-sheet svg.qr');
  await pictured(page, 'pairing-code-phone');
  const link = await scannedCode(page);
  assert.equal(link, await page.run(() => document.querySelector('dialog a.button').getAttribute('href')));
  const configuration = JSON.parse(
    Buffer.from(decodeURIComponent(/inline=([^&]+)/.exec(link)[1]), 'base64').toString(),
  );
  assert.equal(new URL(configuration.url).origin, devices.server.origin);

  await page.press('Escape');
  await go(page, '/history');
  await page.see('.day-pill');
  const { latitude: lat, longitude: lon } = place(0);
  const answer = await fetch(configuration.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`${configuration.username}:${configuration.password}`)}`,
      'x-limit-u': configuration.username,
      'x-limit-d': configuration.deviceId,
    },
    body: JSON.stringify({ _type: 'location', lat, lon, acc: 5, tst: Math.floor(Date.now() / 1000), tid: 'an' }),
  });
  assert.equal(answer.status, 200);
  await page.see('#alarm-sheet', 'Danger area');
  await page.until(() => {
    globalThis.seen ??= performance.now();
    return performance.now() - globalThis.seen > 750;
  });
  await page.tap('#alarm-close');
  await page.gone('#alarm-sheet');
  // The page then shows the ringing alarm.
  await page.until(() => location.hash === '#/');
  // The history opens on the phone, which moved last.
  await go(page, '/history');
  await page.see('.day-pill', 'Anna’s phone');
  await page.tap('.day-pill .whose');
  await page.tap('dialog .row', 'This device');
  await page.see('.remote .row', 'Closed for now, rings again');
  await page.shot('history-remote-phone');
  // The reason is shown, and that nobody else was notified yet.
  await page.tap('.remote-open', 'Danger area');
  await page.see('dialog', 'Anna’s phone is inside');
  // It rings again after ten seconds without an answer, which may take longer on a busy machine.
  await page.until(() => /Rang[1-9]\d* times?/.test(document.querySelector('dialog .facts')?.textContent ?? ''));
  await page.see('#alarm-deliveries', 'Nobody');
  await pictured(page, 'history-remote-alarm-phone');
  await page.tap('dialog .button', 'Done');
  // The day of the phone itself, which the page has not recorded.
  await go(page, '/pairing');
  await page.tap('[aria-label="About Anna’s phone"]');
  await page.tap('[data-key="device-history"]');
  await page.see('.day-pill', 'Anna’s phone');
  await page.see('.incidents .row', 'Danger area');
  await page.see('.journey', 'Kept on the server.');
  await pictured(page, 'history-of-phone-phone');
  // There are no reports of the day before.
  await page.tap('[aria-label="The day before"]');
  await page.see('.empty', 'Anna’s phone reported no position that day');
  await page.context.close();
});

for (const name of ['Overland', 'Traccar']) {
  test(`${name} has its code too`, async () => {
    const page = await devices.device(tablet);
    await signIn(page);
    await go(page, '/pairing');
    await page.type('[name=device]', `For ${name}`);
    await page.click('[role=radio]', name);
    await page.click('form button[type=submit]');
    await page.see('dialog.pair-sheet svg.qr');
    const link = await scannedCode(page);
    assert.match(link, name === 'Overland' ? /^overland:\/\/setup\?url=http/ : /\/traccar\?id=/);
    page.problems = unexpected(page);
    await audit(page, `${name}’s code`);
    await page.context.close();
  });
}

test('a phone’s row says how it is, its sheet encrypts it, and what then cannot be read is said', async () => {
  const page = await devices.device(tablet);
  await signIn(page);
  await go(page, '/pairing');
  await page.type('[name=device]', 'Walker');
  await page.click('form button[type=submit]');
  await page.see('dialog.pair-sheet svg.qr');
  const first = configurationOf(await linkOf(page));
  assert.equal(first.encryptionKey, '');
  await page.press('Escape');
  // Far from the zone, since an alarm would cover the screen until it is answered.
  const { latitude: lat, longitude: lon } = place(50_000);
  const report = (configuration, body) =>
    fetch(configuration.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${btoa(`${configuration.username}:${configuration.password}`)}`,
      },
      body: JSON.stringify(body),
    });
  assert.equal(
    (
      await report(first, {
        _type: 'location',
        lat,
        lon,
        acc: 7,
        tst: Math.floor(Date.now() / 1000),
        tid: 'WA',
        batt: 63,
        bs: 2,
        alt: 298,
      })
    ).status,
    200,
  );
  await go(page, '/more');
  await page.see('#outlet h1', 'More');
  await go(page, '/pairing');
  await page.see('.pairing .row', 'battery 63 %, charging');
  // Nothing is cut off: a phone's row has room for several lines.
  assert.ok(
    await page.run(() =>
      [...document.querySelectorAll('.pairing .row .subhead')].every(
        (each) => each.scrollWidth <= each.clientWidth + 1,
      ),
    ),
  );
  await page.click('[aria-label="About Walker"]');
  await page.see('dialog.device-sheet .row', '±7 m');
  await page.see('dialog.device-sheet .row', '298 m');
  await page.see('dialog.device-sheet', 'None: it reports by its code alone.');
  await pictured(page, 'pairing-device-tablet');
  const settings = () =>
    page.run(async () => {
      const { items } = await (await fetch('/api/v1/devices')).json();
      const { is_armed, report_interval_s } = items.find(({ name }) => name === 'Walker');
      return [is_armed, report_interval_s];
    });
  assert.deepEqual(await settings(), [true, null]);
  await page.type('dialog.device-sheet input[type=number]', '0');
  await page.press('Enter');
  await page.see('dialog.device-sheet .problem', '“0” is not possible: 1 to 43,200 minutes, or nothing.');
  await page.type('dialog.device-sheet input[type=number]', '90');
  await page.press('Enter');
  await page.until(async () => {
    const { items } = await (await fetch('/api/v1/devices')).json();
    return items.find(({ name }) => name === 'Walker').report_interval_s === 5400;
  });
  await page.click('dialog.device-sheet [data-key=armed]');
  await page.see('.pairing .row', 'alarms off');
  assert.deepEqual(await settings(), [false, 5400]);
  await page.click('dialog.device-sheet [data-key=armed]');
  await page.until(async () => {
    const { items } = await (await fetch('/api/v1/devices')).json();
    return items.find(({ name }) => name === 'Walker').is_armed;
  });
  assert.deepEqual(await settings(), [true, 5400]);
  await page.click('dialog.device-sheet [data-key=encrypt]');
  await page.see('dialog.pair-sheet svg.qr');
  const second = configurationOf(await linkOf(page));
  assert.match(second.encryptionKey, /^[0-9a-f]{32}$/);
  await page.press('Escape');
  await page.see('.pairing .row', 'encrypted');
  // An encrypted message that the key does not open.
  const box = Buffer.alloc(60, 7).toString('base64');
  assert.equal((await report(second, { _type: 'encrypted', data: box })).status, 200);
  await page.see('#alarm-zone', 'Walker');
  await page.see('#alarm-why', 'The reports of Walker cannot be read');
  await pictured(page, 'pairing-unreadable-tablet');
  await page.until(() => {
    globalThis.seen ??= performance.now();
    return performance.now() - globalThis.seen > 750;
  });
  await page.see('#alarm-stop', 'Quiet until it is over');
  await page.click('#alarm-stop');
  await page.gone('#alarm-sheet');
  await page.see('.snackbar', 'Walker is quiet until this is over');
  await go(page, '/more');
  await page.see('#outlet h1', 'More');
  await go(page, '/pairing');
  await page.see('.pairing .row .problem', 'encrypted with another key');
  await go(page, '/history');
  await page.see('.remote .row', 'A phone’s reports cannot be read');
  await page.see('.remote .row', 'Stopped');
  await go(page, '/');
  await page.see('.ringing-cards li', 'The reports of Walker cannot be read');
  await page.see('.ringing-cards .tag.sleep', 'until it is over');
  page.problems = unexpected(page);
  await page.context.close();
});

test('a phone that nobody knows is claimed with a code of its own, and its name alone is worth nothing then', async () => {
  const report = (headers = {}) =>
    fetch(`${devices.server.origin}/pub?u=lost&d=phone`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        _type: 'location',
        lat: 10,
        lon: 10,
        acc: 7,
        tst: Math.floor(Date.now() / 1000),
        tid: 'LO',
      }),
    });
  assert.equal((await report()).status, 200);
  const page = await devices.device(tablet);
  await signIn(page);
  await go(page, '/pairing');
  await page.see('[aria-label="Not claimed yet"] .row', 'phone');
  await page.click('[aria-label="Not claimed yet"] button', 'Claim');
  await page.see('dialog', 'Claim without a password');
  await pictured(page, 'pairing-claim-tablet');
  await page.click('dialog button', 'Claim and show its code');
  await page.see('dialog.pair-sheet svg.qr');
  const { username, password } = configurationOf(await linkOf(page));
  assert.equal((await report()).status, 503);
  assert.equal((await report({ authorization: `Basic ${btoa(`${username}:${password}`)}` })).status, 200);
  await page.press('Escape');
  await page.click('[aria-label="About phone"]');
  await page.see('dialog.device-sheet .row', 'with a password');
  await page.click('dialog.device-sheet [aria-label="Remove lost/phone"]');
  await page.see('dialog.device-sheet', 'None: it reports by its code alone.');
  page.problems = unexpected(page);
  await page.context.close();
});

test('a phone that was claimed without a password is asked for one later', async () => {
  const report = () =>
    fetch(`${devices.server.origin}/pub?u=open&d=door`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        _type: 'location',
        lat: 10,
        lon: 10,
        acc: 7,
        tst: Math.floor(Date.now() / 1000),
        tid: 'LO',
      }),
    });
  assert.equal((await report()).status, 200);
  const page = await devices.device(tablet);
  await signIn(page);
  await go(page, '/pairing');
  await page.click('[aria-label="Not claimed yet"] button', 'Claim');
  await page.click('dialog button', 'Claim without a password');
  await page.see('.pairing .row', 'door');
  assert.equal((await report()).status, 200);
  await page.click('[aria-label="About door"]');
  await page.see('dialog.device-sheet .row', 'without a password');
  await page.click('dialog.device-sheet button', 'Ask for a password');
  await page.see('dialog.pair-sheet svg.qr');
  assert.equal((await report()).status, 503);
  page.problems = unexpected(page);
  await page.context.close();
});

const linkOf = (page) => page.run(() => document.querySelector('dialog.pair-sheet a.button').getAttribute('href'));
const configurationOf = (link) =>
  JSON.parse(Buffer.from(decodeURIComponent(/inline=([^&]+)/.exec(link)[1]), 'base64').toString());
