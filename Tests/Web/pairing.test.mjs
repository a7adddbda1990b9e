// Phones that report to the account's server: paired by a code, and what they cause shows in the page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { audit } from './Audit.mjs';
import { tablet } from './Browser.mjs';
import { Devices, edit, go, pictured, signIn, unexpected } from './Devices.mjs';
import { place, zone } from './Story.mjs';

let devices;
before(async () => { devices = await Devices.begin(); await devices.setUp(); });
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
  const link = await decoded(page);
  assert.equal(link, await page.run(() => document.querySelector('dialog a.button').getAttribute('href')));
  const configuration = JSON.parse(Buffer.from(decodeURIComponent(/inline=([^&]+)/.exec(link)[1]), 'base64').toString());
  assert.equal(new URL(configuration.url).origin, devices.server.origin);

  await page.press('Escape');
  await go(page, '/history');
  await page.see('.day-pill');
  const { latitude: lat, longitude: lon } = place(0);
  const answer = await fetch(configuration.url, {
    method: 'POST', headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${configuration.username}:${configuration.password}`)}`, 'x-limit-u': configuration.username, 'x-limit-d': configuration.deviceId },
    body: JSON.stringify({ _type: 'location', lat, lon, acc: 5, tst: Math.floor(Date.now() / 1000), tid: 'an' }),
  });
  assert.equal(answer.status, 200);
  await page.see('#alarm-sheet', 'Danger area');
  await page.until(() => { globalThis.seen ??= performance.now(); return performance.now() - globalThis.seen > 750; });
  await page.tap('#alarm-close');
  await page.gone('#alarm-sheet');
  await go(page, '/history');
  await page.see('.remote .row', 'Ringing: closed, sounds again');
  await page.shot('history-remote-phone');
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
    const link = await decoded(page);
    assert.match(link, name === 'Overland' ? /^overland:\/\/setup\?url=http/ : /\/traccar\?id=/);
    page.problems = unexpected(page);
    await audit(page, `${name}’s code`);
    await page.context.close();
  });
}

/** What Debian's reader sees in the page's QR code. */
async function decoded(page) {
  const folder = await mkdtemp(join(tmpdir(), 'code-'));
  try {
    const { x, y, width, height } = await page.run(() => { const box = document.querySelector('svg.qr').getBoundingClientRect(); return { x: box.x, y: box.y, width: box.width, height: box.height }; });
    const { data } = await page.send('Page.captureScreenshot', { format: 'png', clip: { x, y, width, height, scale: 3 } });
    await writeFile(join(folder, 'code.png'), Buffer.from(data, 'base64'));
    return execFileSync('zbarimg', ['--quiet', '--raw', join(folder, 'code.png')], { encoding: 'utf8' }).trim();
  } finally { await rm(folder, { recursive: true, force: true }); }
}
