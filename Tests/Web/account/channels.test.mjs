// Who is told of alarms, step by step, on the real server; and what notices came to.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { Browser, phone } from '../support/Browser.mjs';
import { LiveServer } from '../support/LiveServer.mjs';

let browser, server;
before(async () => {
  [browser, server] = await Promise.all([Browser.launch(), LiveServer.start()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('a mail address is added, told later where nobody answers, and removed', async () => {
  const context = await browser.context({ origin: server.origin });
  const page = await context.page(phone);
  await page.open(`${server.origin}/icons/icon.svg`, { ready: null });
  await server.signUp(page);
  const asked = (path) => page.run(async (to) => (await fetch(`/api/v1${to}`)).json(), path);
  await page.open(`${server.origin}/#/account`);
  await page.see('[name=login], [data-state]');
  // The session is there; the page has yet to be told whose it is.
  await page.run(async () => {
    const { app } = await import('/scripts/main.js');
    const { serverOf } = await import('/scripts/server/server.js');
    await serverOf(app).look();
  });
  await page.see('section[aria-label="Who is told"]', 'Nobody yet');
  await page.tap('[data-key="add-mail"]');
  await page.type('dialog [name="channel-mail"]', 'nobody');
  await page.tap('dialog button[type=submit]');
  await page.see('dialog .problem', 'nobody');
  await page.type('dialog [name="channel-mail"]', 'eva@example.com');
  await page.tap('dialog button[type=submit]');
  const told = 'section[aria-label="Who is told"] .row';
  // Whoever is the only one is told at once.
  await page.see(told, 'eva@example.comAt once · Mail');
  await page.tap('[data-key="add-mail"]');
  await page.type('dialog [name="channel-mail"]', 'ben@example.com');
  await page.tap('dialog button[type=submit]');
  await page.see(told, 'ben@example.comAfter 1 min without an answer · Mail');
  await page.tap('[data-key="delays"]');
  await page.type('dialog [name="delay-0"]', '2,5');
  await page.type('dialog [name="delay-1"]', '0');
  await page.tap('dialog button[type=submit]');
  await page.see('dialog .problem', 'is possible');
  await page.type('dialog [name="delay-1"]', '10');
  page.problems = page.problems.filter((problem) => !/status of 4\d\d/.test(problem));
  await auditBoth(page, 'channels-delays-phone');
  await page.tap('dialog button[type=submit]');
  await page.until(() =>
    /After 2\.5 min without an answer/.test(document.querySelector('section[aria-label="Who is told"]').textContent),
  );
  assert.deepEqual((await asked('/settings')).escalation_delays_s, [150, 600]);
  await page.tap('button[aria-label="When ben@example.com is told"]');
  await page.tap('dialog button', 'At once');
  await page.see(told, 'ben@example.comAt once · Mail');
  assert.deepEqual(
    (await asked('/channels')).items.map(({ kind, escalation_step: step }) => [kind, step]),
    [
      ['mail', 0],
      ['mail', 0],
    ],
  );
  await auditBoth(page, 'channels-phone');
  await page.tap('button[aria-label="When ben@example.com is told"]');
  await page.tap('dialog button', 'Remove');
  await page.gone('button[aria-label="When ben@example.com is told"]');
  assert.deepEqual(
    (await asked('/channels')).items.map(({ name }) => name),
    ['eva@example.com'],
  );
  await context.close();
});
