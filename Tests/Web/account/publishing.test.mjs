// Publishing an account on the server's MQTT broker, turned on and off on the real page, with Mosquitto.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { auditBoth } from '../support/Audit.mjs';
import { Browser, phone, tablet } from '../support/Browser.mjs';
import { LiveServer } from '../support/LiveServer.mjs';
import { Mosquitto } from '../support/Mosquitto.mjs';

let browser, broker, server;
before(async () => {
  broker = await Mosquitto.start();
  [browser, server] = await Promise.all([
    Browser.launch(),
    LiveServer.start({ options: ['--mqtt', `mqtt://127.0.0.1:${broker.port}`] }),
  ]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await broker?.stop();
});

const section = 'section[aria-label="MQTT and Home Assistant"]';
const told = 'section[aria-label="Who is notified"]';
/** Waits until the server has this value, and then until the page shows it. */
const is = async (page, key, on) => {
  await page.until(
    async (name, value) => {
      const { published } = await (await fetch('/api/v1/mqtt')).json();
      return (name === 'publish' ? Boolean(published) : published?.[name]) === value;
    },
    key,
    on,
  );
  await page.see(`${section} [data-key="${key}"][aria-checked="${on}"]:enabled`);
};

test('publishing is switched on, widened, narrowed and off; and goes with its channel', { skip: inAll }, async () => {
  const context = await browser.context({ origin: server.origin });
  const page = await context.page(phone);
  await page.open(`${server.origin}/icons/icon.svg`, { ready: null });
  await server.signUp(page);
  await page.open(`${server.origin}/#/account`);
  await page.see(section, 'Programs that listen to proximity/');
  await page.run(async () => {
    const { app } = await import('/scripts/main.js');
    const { serverOf } = await import('/scripts/server/server.js');
    await serverOf(app).ask('POST', '/devices', { name: 'Phone' });
  });
  await auditBoth(page, 'publishing-off-phone');
  await page.tap(`${section} [data-key="publish"]`);
  await page.see(section, 'who may read there sees them');
  await page.see(told, 'MQTT');
  await is(page, 'publish', true);
  await is(page, 'shares_position', false);
  await is(page, 'discovery', true);
  // The first message may belong to another entity of the device.
  assert.match(await broker.retained('homeassistant/device_tracker/#'), /^homeassistant\/device_tracker\//);
  await auditBoth(page, 'publishing-on-phone');

  await page.tap(`${section} [data-key="shares_position"]`);
  // In quick succession: neither change undoes the other.
  await page.tap(`${section} [data-key="discovery"]`);
  await is(page, 'discovery', false);
  await is(page, 'shares_position', true);

  await page.tap(`${section} [data-key="publish"]`);
  await is(page, 'publish', false);
  await page.see(told, 'Nobody yet');

  // The switch follows when the channel is removed in the list of recipients.
  await page.tap(`${section} [data-key="publish"]`);
  await is(page, 'publish', true);
  await page.tap(`${told} [aria-label="When MQTT is told"]`);
  await page.tap('dialog.menu-sheet button', 'Remove');
  await is(page, 'publish', false);
  await page.context.close();
});

test('without a broker there is nothing to switch', async () => {
  const other = await LiveServer.start();
  const context = await browser.context({ origin: other.origin });
  const page = await context.page(tablet);
  await page.open(`${other.origin}/icons/icon.svg`, { ready: null });
  await other.signUp(page);
  await page.open(`${other.origin}/#/account`);
  await page.see(told, 'Nobody yet');
  assert.ok(await page.run((which) => document.querySelector(which).hidden, section));
  await page.context.close();
  await other.stop();
});
