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

const add = async (page, what) => {
  await page.gone('dialog');
  await page.tap('[data-key="add-channel"]');
  await page.tap('dialog.menu-sheet button', what);
  await page.see('dialog h2', what);
};

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
  await page.see('section[aria-label="Who is notified"]', 'Nobody yet');
  await add(page, 'Add a mail address');
  await page.type('dialog [name="channel-address"]', 'nobody');
  await page.tap('dialog button[type=submit]');
  await page.see('dialog .problem', 'nobody');
  await page.type('dialog [name="channel-address"]', 'eva@example.com');
  await page.tap('dialog button[type=submit]');
  const told = 'section[aria-label="Who is notified"] .row';
  // Whoever is the only one is told at once.
  await page.see(told, 'eva@example.comAt once · Mail');
  await add(page, 'Add a mail address');
  await page.type('dialog [name="channel-address"]', 'ben@example.com');
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
    /After 2\.5 min without an answer/.test(
      document.querySelector('section[aria-label="Who is notified"]').textContent,
    ),
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

test('ntfy, OwnTracks and a webhook are added on the page, and what is wrong is said at its field', async () => {
  const context = await browser.context({ origin: server.origin });
  const page = await context.page(phone);
  await page.open(`${server.origin}/#/account`);
  await page.type('[name=login]', 'anna');
  await page.type('[name=password]', 'correct horse battery');
  await page.tap('form button[type=submit]');
  const told = 'section[aria-label="Who is notified"] .row';
  await page.see(told, 'Add somebody');
  const channels = () => page.run(async () => (await (await fetch('/api/v1/channels')).json()).items);
  const before = (await channels()).length;

  await add(page, 'Add ntfy');
  const topic = await page.run(() => document.querySelector('dialog [name="channel-topic"]').value);
  assert.match(topic, /^proximity-[a-z0-9]{16}$/);
  await page.type('dialog [name="channel-topic"]', 'two words');
  await page.tap('dialog button[type=submit]');
  await page.see('dialog .field:has([name="channel-topic"]) .problem', 'allowed');
  await page.type('dialog [name="channel-topic"]', topic);
  await page.type('dialog [name="channel-server"]', 'https://ntfy.example.com');
  page.problems = page.problems.filter((problem) => !/status of 4\d\d/.test(problem));
  await auditBoth(page, 'channels-ntfy-phone');
  await page.tap('dialog button[type=submit]');
  await page.see(told, 'ntfyAfter');

  // Tested every day, at a time that stands in the menu the next time.
  await page.tap('button[aria-label="When ntfy is told"]');
  await page.tap('dialog button', 'Test it every day');
  await page.see('dialog h2', 'Daily test');
  await page.run(() => {
    document.querySelector('dialog [name="daily-test"]').value = '07:15';
  });
  page.problems = page.problems.filter((problem) => !/status of 4\d\d/.test(problem));
  await auditBoth(page, 'channels-daily-phone');
  await page.tap('dialog button[type=submit]');
  await page.gone('dialog');
  assert.deepEqual(
    (await channels()).filter(({ kind }) => kind === 'ntfy').map((each) => each.daily_test),
    ['07:15'],
  );
  await page.tap('button[aria-label="When ntfy is told"]');
  await page.tap('dialog button', 'Tested daily at 7:15');
  await page.tap('dialog button', 'No daily test');
  await page.gone('dialog');
  assert.deepEqual(
    (await channels()).filter(({ kind }) => kind === 'ntfy').map((each) => each.daily_test),
    [null],
  );

  await add(page, 'Add OwnTracks');
  await page.type('dialog [name="channel-tid"]', 'AN');
  await page.tap('dialog button[type=submit]');
  await page.see(told, 'OwnTracksAfter');

  await add(page, 'Add a webhook');
  await page.type('dialog [name="channel-url"]', 'http://alarm');
  await page.tap('dialog button[type=submit]');
  await page.see('dialog .field:has([name="channel-url"]) .problem', 'allowed');
  await page.type('dialog [name="channel-url"]', 'https://hook.example.com/alarm');
  await page.tap('dialog button[type=submit]');
  await page.see(told, 'hook.example.com');
  const made = (await channels()).slice(before);
  assert.deepEqual(made.map(({ kind }) => kind).sort(), ['ntfy', 'owntracks', 'webhook']);
  page.problems = page.problems.filter((problem) => !/status of 4\d\d/.test(problem));
  await auditBoth(page, 'channels-kinds-phone');
  await context.close();
});
