// The first run asks one thing at a time, with its reason (S32); About and help (S10, S26, S27).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { audit, auditBoth } from '../support/Audit.mjs';
import { Browser, phone, tablet } from '../support/Browser.mjs';
import { PageServer } from '../support/PageServer.mjs';
import { visit } from '../support/Visit.mjs';

let browser, server;
before(async () => {
  [browser, server] = await Promise.all([Browser.launch(), PageServer.start()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Records the requests to the system. */
const asked = `globalThis.asked = [];
  const current = Geolocation.prototype.getCurrentPosition;
  Geolocation.prototype.getCurrentPosition = function (...how) { asked.push('position'); return current.apply(this, how); };
  const request = Notification.requestPermission;
  Notification.requestPermission = function () { asked.push('notifications'); return request.call(Notification); };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...how) { asked.push(this.loop ? 'alarm' : 'sound'); return start.apply(this, how); };`;
const at = (address, { look = phone, permissions } = {}) =>
  visit({ browser, origin: server.origin, look: { ...look, before: asked }, address, permissions });
const whatWasAsked = (page) => page.run(() => asked);

test('position, notifications and sound are asked one after the other, each only after a tap', async () => {
  const page = await at('/first-run', { permissions: [] });
  await page.move({ latitude: 52, longitude: 13, accuracy: 8 });
  await page.see('h1', 'An alarm clock for places');
  await auditBoth(page, 'first-run-phone');
  await page.tap('#step-action');
  await page.see('h1', 'Where you are');
  assert.deepEqual(await whatWasAsked(page), []);
  // The person agrees.
  await page.context.browser.send('Browser.grantPermissions', {
    origin: server.origin,
    permissions: ['geolocation', 'notifications'],
    browserContextId: page.context.id,
  });
  await page.tap('#step-action');
  await page.see('.said.good', 'within 8.0 m');
  assert.deepEqual(await whatWasAsked(page), ['position']);
  await page.tap('#step-action');
  await page.see('h1', 'How to reach you');
  await page.tap('#step-action');
  await page.see('h1', 'Test the alarm sound');
  assert.equal(await page.run(() => asked.includes('alarm')), false);
  await page.tap('#step-action');
  await page.see('.said', 'Harbour bells plays until you answer');
  assert.equal((await whatWasAsked(page)).at(-1), 'alarm');
  await audit(page, 'first run, sound');
  await page.tap('#step-second', 'I hear nothing');
  await page.see('.checks', 'The tab may be muted');
  await audit(page, 'first run, nothing heard');
  await page.shot('first-run-silent-phone');
  await page.tap('#step-action', 'I hear it');
  await page.see('h1', 'What a page cannot do');
  await audit(page, 'first run, limits');
  await page.tap('#step-action');
  await page.see('.place-first');
  assert.equal(
    await page.run(async () => (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('first_run')),
    true,
  );
  await page.context.close();
});

test('a refusal is taken as one: what to check is said, and nothing is asked twice', async () => {
  const page = await at('/first-run', { look: tablet, permissions: [] });
  for (const name of ['geolocation', 'notifications']) {
    await page.context.browser.send('Browser.setPermission', {
      origin: server.origin,
      permission: { name },
      setting: 'denied',
      browserContextId: page.context.id,
    });
  }
  await page.click('#step-action');
  await page.see('.said.bad', 'The browser does not give your position');
  await page.see('.checks', 'Location has to be on');
  await auditBoth(page, 'first-run-denied-tablet');
  await page.click('#step-action', 'Continue');
  await page.see('.said.bad', 'Notifications are blocked');
  assert.deepEqual(await whatWasAsked(page), []);
  await page.click('#step-action', 'Continue');
  await page.click('#step-skip');
  await page.see('h1', 'What a page cannot do');
  await page.context.close();
});

test('everything can be left for later', async () => {
  const page = await at('/first-run');
  await page.tap('#step-second', 'Later');
  await page.see('.place-first');
  assert.deepEqual(await whatWasAsked(page), []);
  await page.context.close();
});

test('the help is short, has details behind each line and shows the disclaimer at once (S10, S26, S27)', async () => {
  // Diagnostics ask the server for its health; browsers report a missing answer as an error, some time later.
  server.answers.set('/healthz', (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}'),
  );
  const page = await at('/about');
  await page.see('.note', 'Use at your own risk');
  await auditBoth(page, 'about-phone');
  const topics = await page.run(() =>
    [...document.querySelectorAll('.about-page a.row')].map((row) => [
      row.querySelector('.headline').textContent,
      row.getAttribute('href'),
    ]),
  );
  assert.ok(topics.length >= 8);
  for (const [title, address] of topics) {
    await page.run((to) => {
      location.hash = to;
    }, address);
    await page.see('h1', title);
    // Diagnostics are no prose; waits for all findings.
    const told = title === 'Diagnostics' ? '.diagnostics-page:has(.diagnosis)' : '.prose';
    await page.see(told);
    await audit(page, title);
    assert.ok((await page.text(told)).length > 80, title);
  }
  await page.run(() => {
    location.hash = '#/about/disclaimer';
  });
  await page.see('.prose', 'which this program cannot control');
  await page.run(() => {
    location.hash = '#/about/limits';
  });
  await page.see('.prose', 'only while it is in view');
  await page.context.close();
});
