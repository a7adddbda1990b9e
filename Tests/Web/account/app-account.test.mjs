// An account from inside an app: the page at the app's origin, the real server at another one, no cookie between them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, phone } from '../support/Browser.mjs';
import { edit, enter, go } from '../support/Devices.mjs';
import { app, appOrigin, AppOrigins, serverOrigin } from '../support/PhoneApp.mjs';
import { RealServer } from '../support/RealServer.mjs';
import { ears, zone } from '../support/Story.mjs';

let server, origins, browser;
before(async () => {
  server = await RealServer.start(['--public-url', serverOrigin, '--trusted-proxy', '127.0.0.1']);
  origins = await AppOrigins.start(server.origin);
  browser = await Browser.launch({ more: origins.switches });
  const page = await atServer();
  await page.open('about:blank', { ready: null });
  await page.open(`${serverOrigin}/#setup=${server.setUp}`);
  await enter(page);
  await page.context.close();
});
after(async () => {
  await browser?.close();
  await origins?.stop();
  await server?.stop();
});

/** A browser of its own, at the server's page. */
async function atServer() {
  const context = await browser.context({ origin: serverOrigin });
  const page = await context.page({ ...phone, before: ears });
  await page.open(`${serverOrigin}/#/about`);
  return page;
}
/** The page in an app of its own, at the account's screen. */
async function inApp() {
  const context = await browser.context({ origin: appOrigin });
  const page = await context.page({ ...phone, before: app });
  // A cookie that a request with credentials would take along: the page must not ask for that.
  const cookie = { name: 'proximity_session', value: 'bait', url: serverOrigin, sameSite: 'None', secure: true };
  assert.ok((await page.send('Network.setCookie', cookie)).success);
  await page.open(`${appOrigin}/#/about`);
  await go(page, '/account');
  return page;
}
async function name(page, address) {
  await page.type('[name=server]', address);
  await page.tap('button[type=submit]');
}
async function signedIn() {
  const page = await inApp();
  await name(page, serverOrigin);
  await page.see('[name=login]');
  await enter(page);
  return page;
}
/** Waits for a zone of that name, or for none. */
const has = (page, wanted) =>
  page.until(
    async (one) => [...(await import('/scripts/main.js')).app.zones.values()].some((form) => form.name === one),
    wanted,
  );
const lacks = (page, wanted) =>
  page.until(
    async (one) => ![...(await import('/scripts/main.js')).app.zones.values()].some((form) => form.name === one),
    wanted,
  );
const isLive = (page) => page.see('.live:not(.to-come)', 'Changes on other devices appear here at once.');
const kept = (page) =>
  page.run(async () => (await import('/scripts/main.js')).app.storage.kept('server', { address: '' }));
const status = async (token) =>
  (await fetch(`${server.origin}/api/v1/session`, { headers: { authorization: `Bearer ${token}` } })).status;

test('the app asks for a server first, and takes only an address where one answers', async () => {
  const page = await inApp();
  await name(page, 'http://alarm.test');
  await page.see('.field', 'This is not a server’s address: it begins with https://.');
  await name(page, 'https://nobody.test');
  await page.see('.field', 'No server answers this app at nobody.test.');
  // The app's own files are no server.
  await name(page, appOrigin);
  await page.see('.field', 'No server answers this app at proximity.invalid.');
  assert.equal((await kept(page)).address, '');
  await name(page, 'alarm.test/#/account');
  await page.see('[data-key=server]', 'alarm.test');
  await page.see('[name=login]');
  for (const absent of ['[data-key=passkey]', '[data-key=oidc]', '[data-key=forgotten]', '[name=setup]'])
    assert.equal(await page.run((one) => document.querySelector(one), absent), null, absent);
  await page.type('[name=login]', 'anna');
  await page.type('[name=password]', 'wrong password');
  await page.tap('button[type=submit]');
  await page.see('.problem', 'No account has this name and password.');
  await page.reload();
  await page.see('[data-key=server]', 'alarm.test');
  await page.tap('[data-key=server] button');
  await page.see('[name=server]');
  assert.equal((await kept(page)).address, '');
  await page.context.close();
});

test('zones go both ways, live, and after both were without network; the token outlives the page', async () => {
  const [phonePage, browserPage] = [await signedIn(), await atServer()];
  await go(browserPage, '/account');
  await enter(browserPage);
  await isLive(phonePage);
  await isLive(browserPage);
  await edit(browserPage, [zone({ id: 'a00000000000000b', name: 'From the browser' })]);
  await has(phonePage, 'From the browser');
  await edit(phonePage, [zone({ id: 'a00000000000000a', name: 'From the app' })]);
  await has(browserPage, 'From the app');
  await edit(browserPage, [], ['a00000000000000a']);
  await lacks(phonePage, 'From the app');

  await phonePage.reload();
  await phonePage.see('[data-state="done"]');
  await isLive(phonePage);

  await server.pause();
  await edit(phonePage, [zone({ id: 'a00000000000000c', name: 'Without network' })]);
  await phonePage.see('[data-state="waiting"]', 'not sent yet');
  // Begun without network, signed in all the same.
  await phonePage.reload();
  await phonePage.see('[data-state="waiting"]', 'not sent yet');
  await server.resume();
  await has(browserPage, 'Without network');
  await isLive(phonePage);
  await edit(browserPage, [zone({ id: 'a00000000000000d', name: 'After the network' })]);
  await has(phonePage, 'After the network');
  await Promise.all([phonePage.context.close(), browserPage.context.close()]);
});

test('it is among the signed-in devices, offers no passkey, and saves the export by the app', async () => {
  const page = await signedIn();
  assert.equal(await page.run(() => document.querySelector('[data-key=push]')), null);
  await page.tap('#export');
  await page.until(() => globalThis.app.done.some(([what]) => what === 'save'));
  const [, file, type, bytes] = (await page.run(() => globalThis.app.done)).find(([what]) => what === 'save');
  assert.deepEqual([file, type], ['proximity-export.ndjson', 'application/x-ndjson']);
  const lines = Buffer.from(bytes, 'base64').toString().trim().split('\n');
  assert.ok(lines.some((line) => JSON.parse(line) && line.includes('anna')));
  await go(page, '/security');
  await page.see('.row', 'Here, now');
  const text = await page.run(() => document.querySelector('.pane').innerText);
  assert.doesNotMatch(text, /passkey/i);
  await page.context.close();
});

test('signing out ends the session on the server and forgets the token; another server can be named then', async () => {
  const page = await signedIn();
  const { token } = await kept(page);
  assert.equal(await status(token), 200);
  await page.tap('#sign-out');
  await page.tap('#keep-zones');
  await page.see('[name=login]');
  assert.equal(await status(token), 401);
  assert.deepEqual(await kept(page), { address: serverOrigin });
  await page.tap('[data-key=server] button');
  await page.see('[name=server]');
  await page.context.close();
});

test('a session that was ended elsewhere signs the app out', async () => {
  const page = await signedIn();
  const { token } = await kept(page);
  const ended = await fetch(`${server.origin}/api/v1/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(ended.status, 204);
  await page.tap('[data-key=sync-now]');
  await page.see('[name=login]');
  assert.equal((await kept(page)).token, undefined);
  await page.context.close();
});

test('an app whose server is gone signs out here alone', async () => {
  const page = await signedIn();
  const { token } = await kept(page);
  await server.pause();
  await page.tap('#sign-out');
  await page.tap('#keep-zones');
  await page.tap('#leave-untold');
  await page.see('[name=login]');
  assert.equal((await kept(page)).token, undefined);
  await server.resume();
  assert.equal(await status(token), 200, 'it lasts until it is ended elsewhere');
  await page.context.close();
});

test('places are searched on the server of the account, and not while somebody types', async () => {
  const search = (page, how) =>
    page.run(async (more) => {
      const { app } = await import('/scripts/main.js');
      const { serverOf } = await import('/scripts/server/server.js');
      const { searchPlaces } = await import('/scripts/reminders/places.js');
      return searchPlaces('oak', { ...more, server: serverOf(app) }).then(
        ({ places }) => places,
        ({ message }) => message,
      );
    }, how);
  const nowhere = await inApp();
  assert.match(await search(nowhere, {}), /Places are searched on a server/);
  await nowhere.context.close();
  const page = await signedIn();
  assert.deepEqual(await search(page, { suggests: true }), []);
  assert.deepEqual(await search(page, {}), []);
  assert.deepEqual(
    origins.asked
      .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/v1/places?q=oak'))
      .map(({ headers }) => headers.authorization?.split(' ')[0]),
    ['Bearer'],
  );
  await page.context.close();
});

test('no cookie went to the server from the app or came from it, and the app asked its own origin for files alone', async () => {
  assert.ok(origins.asked.length > 50);
  assert.deepEqual(
    origins.asked.filter(({ headers }) => headers.cookie || headers['x-csrf-token']),
    [],
  );
  assert.ok(!origins.answered.has('set-cookie'));
  assert.ok(!origins.answered.has('access-control-allow-credentials'));
  // The one where a person named it as the server.
  assert.deepEqual(
    origins.missed.filter((path) => /\/api\/|healthz/.test(path)),
    ['GET /api/v1/login'],
  );
  const untold = origins.asked.filter(({ method, headers }) => method !== 'OPTIONS' && !headers.authorization);
  assert.deepEqual([...new Set(untold.map(({ method, path }) => `${method} ${path}`))].sort(), [
    'GET /api/v1/login',
    'POST /api/v1/login/app',
  ]);
});
