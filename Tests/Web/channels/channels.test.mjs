// The order of recipients of alarms, on the real server, and the results of their notifications.
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
  // The session exists, but the page does not know its account yet.
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
  // A single recipient is notified at once.
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

  // Tested every day at a chosen time; the menu shows that time afterwards.
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

/**
 * For each service: the typed values, one invalid value with its field, and the expected request, without empty or extra
 * members.
 */
const services = [
  {
    title: 'Add Gotify',
    typed: { server: 'https://push.example.com/gotify', token: ' AbC.123 ' },
    wrong: ['server', 'http://push'],
    kind: 'gotify',
    name: 'Gotify',
    sent: { server: 'https://push.example.com/gotify', token: 'AbC.123' },
  },
  {
    title: 'Add Telegram',
    typed: { token: '123456:ABC-DEF', chat: '@watch' },
    wrong: ['chat', 'watch'],
    kind: 'telegram',
    name: 'Telegram',
    sent: { token: '123456:ABC-DEF', chat: '@watch' },
  },
  {
    title: 'Add Pushover',
    typed: { token: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi', user: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' },
    wrong: ['user', 'two words'],
    kind: 'pushover',
    name: 'Pushover',
    sent: { token: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi', user: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' },
  },
  {
    title: 'Add Matrix',
    typed: { server: 'https://matrix.example.org', token: 'syt_anna', room: '!abc:example.org' },
    wrong: ['room', '#watch:example.org'],
    kind: 'matrix',
    name: 'Matrix',
    sent: { server: 'https://matrix.example.org', token: 'syt_anna', room: '!abc:example.org' },
  },
  {
    title: 'Add Apprise',
    typed: { server: 'https://apprise.example.com', key: 'family-7' },
    wrong: ['key', 'a/b'],
    kind: 'apprise',
    name: 'Apprise',
    sent: { server: 'https://apprise.example.com', key: 'family-7' },
  },
  {
    title: 'Add text messages',
    typed: { to: '+49 170 1234567', url: 'https://sms.example.com/send', authorization: 'Bearer s3cret' },
    wrong: ['to', '0170 1234567'],
    kind: 'gateway',
    name: 'Text messages, +49 170 1234567',
    sent: {
      kind: 'sms',
      to: '+49 170 1234567',
      url: 'https://sms.example.com/send',
      authorization: 'Bearer s3cret',
    },
  },
  {
    title: 'Add phone calls',
    typed: { to: '+33123456789', url: 'https://calls.example.com' },
    wrong: ['url', 'https://10.0.0.1/call'],
    kind: 'gateway',
    name: 'Phone calls, +33123456789',
    sent: { kind: 'voice', to: '+33123456789', url: 'https://calls.example.com' },
  },
];

test('messengers and gateways are added on the page: what is sent, what is refused at its field, and no secret shown', async () => {
  const context = await browser.context({ origin: server.origin });
  const page = await context.page({
    ...phone,
    before: `globalThis.sent = [];
      const ask = globalThis.fetch;
      globalThis.fetch = (to, how) => {
        if (how?.method === 'POST' && String(to).endsWith('/channels')) sent.push(JSON.parse(how.body));
        return ask(to, how);
      };`,
  });
  await page.open(`${server.origin}/#/account`);
  await page.type('[name=login]', 'anna');
  await page.type('[name=password]', 'correct horse battery');
  await page.tap('form button[type=submit]');
  const told = 'section[aria-label="Who is notified"] .row';
  await page.see(told, 'Add somebody');
  const channels = () => page.run(async () => (await (await fetch('/api/v1/channels')).json()).items);
  const before = new Set((await channels()).map(({ id }) => id));
  const submit = () => page.tap('dialog button[type=submit]');
  for (const { title, typed, wrong, name, kind, sent } of services) {
    await add(page, title);
    // A missing value is reported at its field.
    await submit();
    await page.see('dialog .field .problem', 'allowed');
    for (const [key, value] of Object.entries({ ...typed, [wrong[0]]: wrong[1] }))
      await page.type(`dialog [name="channel-${key}"]`, value);
    await submit();
    await page.see(`dialog .field:has([name="channel-${wrong[0]}"]) .problem`, 'allowed');
    await page.type(`dialog [name="channel-${wrong[0]}"]`, typed[wrong[0]]);
    await page.until(
      (key) => document.querySelector(`dialog .field:has([name="channel-${key}"]) .problem`).hidden,
      wrong[0],
    );
    if (kind === 'matrix') {
      page.problems = page.problems.filter((problem) => !/status of 4\d\d/.test(problem));
      await auditBoth(page, 'channels-matrix-phone');
    }
    await submit();
    await page.see(told, `${name}After`);
    const last = await page.run(() => globalThis.sent.at(-1));
    assert.deepEqual(
      { kind: last.kind, name: last.name, configuration: last.configuration },
      { kind, name, configuration: sent },
    );
  }
  // Home Assistant is contacted at once, and this one does not exist.
  await add(page, 'Add Home Assistant');
  await page.type('dialog [name="channel-instance"]', 'https://home.invalid');
  await page.type('dialog [name="channel-access_token"]', 'eyJ0eXAi');
  await submit();
  await page.see('dialog .field:has([name="channel-instance"]) .problem', 'cannot be reached');
  await page.tap('dialog button', 'Cancel');
  await page.gone('dialog');
  const made = (await channels()).filter(({ id }) => !before.has(id));
  assert.deepEqual(
    made.map(({ kind, name }) => [kind, name]).toSorted(),
    services.map(({ kind, name }) => [kind, name]).toSorted(),
  );
  const shown = `${await page.run(() => document.querySelector('section[aria-label="Who is notified"]').innerText)} ${JSON.stringify(made)}`;
  for (const { sent } of services)
    for (const secret of ['token', 'key', 'authorization', 'user'])
      if (sent[secret]) assert.ok(!shown.includes(sent[secret]), `${secret} ${sent[secret]}`);
  page.problems = page.problems.filter((problem) => !/status of 4\d\d/.test(problem));
  await auditBoth(page, 'channels-services-phone');
  await context.close();
});
