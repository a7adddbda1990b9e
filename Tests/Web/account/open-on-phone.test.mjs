// From a new account on a computer to the phone: a code is scanned, signs the phone in once, and leads to the ways to be told in
// the pocket. Over plain HTTP the page says why it has no positions.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { Devices, enter, go, password, pictured, scannedCode, signIn, unexpected } from '../support/Devices.mjs';

const android = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Mobile';
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148';
const apk = Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(2_300_000)]);

let devices;
let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apk-'));
  const file = join(folder, 'proximity.apk');
  await writeFile(file, apk);
  devices = await Devices.begin({
    switches: ['--host-resolver-rules=MAP alarm.test 127.0.0.1,MAP alarm.local 127.0.0.1'],
    flags: ['--app-apk', file],
  });
  await devices.setUp();
});
after(async () => {
  await devices?.end();
  await rm(folder, { recursive: true, force: true });
});

/** A new device that has followed a link, as after a scan. */
async function arrived(link, look = phone, agent = android) {
  const page = await devices.device(look);
  await page.send('Emulation.setUserAgentOverride', { userAgent: agent });
  await page.open('about:blank', { ready: null });
  await page.open(link);
  return page;
}

/** The browser says of each such address that it is not to be trusted, which is the point. */
const overPlainHTTP = (page, status = 0) =>
  unexpected(page).filter(
    (problem) =>
      !/Cross-Origin-Opener-Policy header has been ignored/.test(problem) && !problem.includes(`status of ${status}`),
  );

async function codeOn(page) {
  await page.see('.sign-in-code svg.qr');
  await page.run(() => document.querySelector('svg.qr').scrollIntoView({ block: 'center' }));
  return scannedCode(page);
}

test('the new account shows a code, which signs a phone in once and offers it three ways', async () => {
  const computer = await devices.device(tablet);
  await computer.open('about:blank', { ready: null });
  await computer.open(`${devices.server.origin}/#setup=${await devices.server.invitation()}`);
  await enter(computer, 'ben');
  const link = await codeOn(computer);
  assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/#phone=[\w-]{40,}$/);
  await computer.see('.sign-in-code', 'It works once, until');
  await computer.gone('.snackbar');
  await pictured(computer, 'open-code-tablet');

  const ben = await arrived(link);
  await ben.see('#use-code', 'Sign in');
  // The secret is in the fragment alone, which no server sees.
  assert.match(await ben.run(() => location.hash), /^#\/open\?code=/);
  await pictured(ben, 'open-arrival-phone');
  await ben.tap('#use-code');
  await ben.see('#outlet h1', 'Alarms in your pocket');
  assert.equal(await ben.run(() => location.hash), '#/open?ways');
  const sum = createHash('sha256').update(apk).digest('hex');
  await ben.see('#app-checksum');
  assert.equal(await ben.run(() => document.getElementById('app-checksum').textContent.replaceAll(' ', '')), sum);
  await ben.see('#get-app', 'Download (2.3 MB)');
  const file = await fetch(new URL(await ben.run(() => document.getElementById('get-app').getAttribute('href')), link));
  assert.ok(apk.equals(Buffer.from(await file.arrayBuffer())));
  assert.equal(await ben.run(() => Boolean(document.querySelector('[data-key="overland"]'))), false);
  await ben.see('#only-page', 'The page works only while it is visible.');
  await ben.gone('.snackbar');
  await pictured(ben, 'open-ways-phone');
  await ben.tap('[data-key="owntracks"]');
  await ben.see('#outlet h1', 'Background reporting');
  await ben.see('[role=radio][aria-checked=true]', 'OwnTracks');
  await go(ben, '/account');
  await ben.see('[href="#/open?ways"]', 'Alarms in your pocket');

  const other = await arrived(link);
  await other.tap('#use-code');
  await other.see('#outlet .problem', 'The code was used');
  other.problems = unexpected(other).filter((problem) => !/status of 410/.test(problem));
  await pictured(other, 'open-used-phone');

  await ben.open('about:blank', { ready: null });
  await ben.open(link);
  await ben.see('#outlet', 'This device is signed in as ben already.');
  await pictured(ben, 'open-again-phone');
  await ben.tap('#outlet .button.primary', 'Continue');
  await ben.see('#outlet h1', 'Alarms in your pocket');
  for (const page of [computer, ben, other]) await page.context.close();
});

test('an account shows a code later too, an old session only after the password', { skip: inAll }, async () => {
  const computer = await devices.device(tablet);
  await signIn(computer);
  await computer.click('#outlet [href="#/open"]');
  await computer.see('#outlet h1', 'Open on your phone');
  const first = await codeOn(computer);
  // The server's answer to a session that began more than ten minutes ago.
  await computer.run(() => {
    const ask = globalThis.fetch;
    globalThis.fetch = (address, how) =>
      /sign-in-codes/.test(address) && how.body === '{}'
        ? Promise.resolve(
            new Response('{"type":"/problems/forbidden","detail":"give the password"}', {
              status: 403,
              headers: { 'content-type': 'application/problem+json' },
            }),
          )
        : ask(address, how);
  });
  await go(computer, '/account');
  await computer.click('#outlet [href="#/open"]');
  await computer.see('.sign-in-code', 'Give your password to see it.');
  await computer.gone('.snackbar');
  await pictured(computer, 'open-password-tablet');
  await computer.type('[name=proof]', password);
  await computer.press('Enter');
  const second = await codeOn(computer);
  assert.notEqual(second, first);
  const anna = await arrived(second, tablet, iPhone);
  await anna.click('#use-code');
  await anna.see('[data-key="overland"]');
  assert.equal(await anna.run(() => Boolean(document.getElementById('get-app'))), false);
  await anna.gone('.snackbar');
  await pictured(anna, 'open-ways-tablet');
  for (const page of [computer, anna]) await page.context.close();
});

test('over plain HTTP the page says why it has no positions, and a code is taken in a private network alone', async () => {
  const computer = await devices.device(tablet);
  await signIn(computer);
  await computer.click('#outlet [href="#/open"]');
  const link = await codeOn(computer);
  const stranger = await arrived(link.replace('127.0.0.1', 'alarm.test'));
  await stranger.tap('#use-code');
  await stranger.see('#outlet .problem', 'Codes need HTTPS, or a private network');
  await go(stranger, '/first-run');
  await stranger.tap('#step-action');
  await stranger.see('.first-run .said', 'Without an encrypted connection the browser gives no positions.');
  await stranger.see('.first-run .checks', 'https://');
  stranger.problems = overPlainHTTP(stranger, 409);
  await pictured(stranger, 'open-plain-first-run-phone');

  const neighbour = await arrived(link.replace('127.0.0.1', 'alarm.local'));
  await neighbour.tap('#use-code');
  await neighbour.see('#only-page', 'Without an encrypted connection the browser gives no positions.');
  await neighbour.gone('.snackbar');
  neighbour.problems = overPlainHTTP(neighbour);
  await pictured(neighbour, 'open-plain-ways-phone');
  for (const page of [computer, stranger, neighbour]) await page.context.close();
});
