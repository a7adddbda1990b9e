// A phone that publishes to the server's MQTT broker: the page shows the connection to the broker, and adds a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { auditBoth } from '../support/Audit.mjs';
import { tablet } from '../support/Browser.mjs';
import { Devices, go, signIn, unexpected } from '../support/Devices.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

/** Replaces the server's status of its broker. Tests/EndToEnd/mqtt.py tests a real broker. */
const brokered = (status) => `
  const real = fetch;
  globalThis.fetch = (address, ...more) =>
    String(address.url ?? address).endsWith('/api/v1/mqtt')
      ? Promise.resolve(Response.json(${JSON.stringify(status)}))
      : real(address, ...more);`;

async function sheetOf(page, name) {
  await signIn(page);
  await go(page, '/pairing');
  await page.type('[name=device]', name);
  await page.click('form button[type=submit]');
  await page.see('dialog.pair-sheet svg.qr');
  await page.press('Escape');
  await page.click(`[aria-label="About ${name}"]`);
  await page.see('dialog.device-sheet', 'None: it reports by its code alone.');
}

test('a phone that publishes and belongs to nobody is taken with one tap, and is listed', { skip: inAll }, async () => {
  const unknown = [{ user: 'eve', device: 'tablet', at: '2026-01-01T00:00:00.000Z', count: 3 }];
  const page = await devices.device(tablet, brokered({ state: 'connected', since: null, reason: null, unknown }));
  await sheetOf(page, 'Walker');
  await page.see('dialog.device-sheet', 'The server is connected to the broker');
  await page.see('dialog.device-sheet', '/Walker belong to this phone.');
  page.problems = unexpected(page);
  await auditBoth(page, 'device-broker-tablet');
  await page.click('[aria-label="owntracks/eve/tablet is this phone"]');
  await page.see('dialog.device-sheet .row', 'MQTT · the broker says who may');
  const names = await page.run(async () => {
    const { items } = await (await fetch('/api/v1/devices')).json();
    const { items: all } = await (await fetch(`/api/v1/devices/${items[0].id}/identities`)).json();
    return all.map(({ scheme, value }) => `${scheme} ${value}`);
  });
  assert.deepEqual(names, ['mqtt eve/tablet']);
  await page.context.close();
});

test('a broker that is not reached is said with the reason, and without a broker nothing is', async () => {
  const away = { state: 'away', since: null, reason: 'the broker refuses user and password', unknown: [] };
  const page = await devices.device(tablet, brokered(away));
  await sheetOf(page, 'Runner');
  await page.see('dialog.device-sheet', 'The server does not reach the broker: the broker refuses user and password');
  await page.context.close();
  const other = await devices.device(tablet);
  await sheetOf(other, 'Sitter');
  assert.ok(await other.run(() => document.querySelector('[aria-label="MQTT broker"]').hidden));
  await other.context.close();
});
