// An account on the real server: signing in, devices kept at one, live changes, Web Push.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { audit } from '../support/Audit.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { Devices, edit, enter, go, password, pictured, signIn, unexpected } from '../support/Devices.mjs';
import { drop, manyZones } from '../support/Handing.mjs';
import { pushed } from '../support/Notices.mjs';
import { zone } from '../support/Story.mjs';

let devices, server;
before(async () => {
  devices = await Devices.begin({ isWhole: true });
  ({ server } = devices);
});
after(() => devices?.end());
const device = (...how) => devices.device(...how);

const store = (page, name) =>
  page.run(async (one) => (await (await import('/scripts/storage/storage.js')).Storage.open()).all(one), name);
const api = (page, method, path, body) =>
  page.run(
    async (how, where, what) => {
      const { csrf_token: token } = await (await fetch('/api/v1/session')).json();
      const answer = await fetch(`/api/v1${where}`, {
        method: how,
        headers: { 'content-type': 'application/json', 'x-csrf-token': token },
        body: what && JSON.stringify(what),
      });
      return answer.status === 204 ? null : answer.json();
    },
    method,
    path,
    body,
  );

test('a server whose first answer was lost is asked again without a tap', async () => {
  const page = await device();
  await page.send('Network.setBlockedURLs', { urls: ['*/api/v1/session'] });
  await go(page, '/account');
  await page.see('.card.empty', 'The server cannot be reached');
  await page.send('Network.setBlockedURLs', { urls: [] });
  await page.see('[name=login]');
  await page.context.close();
});

test('the set-up link makes the first account, wrong passwords are refused, signing out and in again works', async () => {
  const page = await device();
  await page.open('about:blank', { ready: null });
  await page.open(`${server.origin}/#setup=${server.setUp}`);
  await page.see('h1', 'Account');
  await page.type('[name=login]', 'anna');
  await page.type('[name=password]', 'short');
  await page.tap('button[type=submit]');
  await page.see('.problem', 'The password has 5 characters; 8 or more are needed.');
  await pictured(page, 'account-entrance-phone');
  await page.type('[name=password]', password);
  await page.tap('button[type=submit]');
  await page.see('[data-state="done"]');
  await pictured(page, 'account-phone');
  await page.tap('#sign-out');
  await page.tap('#keep-zones');
  await page.see('[name=login]');
  await page.type('[name=login]', 'anna');
  await page.type('[name=password]', 'wrong password');
  await page.tap('button[type=submit]');
  await page.see('.problem', 'No account has this name and password.');
  await page.type('[name=password]', password);
  await page.tap('button[type=submit]');
  await page.see('[data-state="done"]');
  await page.reload();
  await page.see('[data-state="done"]');
  assert.deepEqual(unexpected(page), []);
  await page.context.close();
});

test('two browsers that were edited offline hold the same zones, each field as edited last (S167)', async () => {
  const [a, b] = [await device(), await device(tablet)];
  await edit(a, [zone()]);
  await signIn(a);
  await signIn(b);
  await b.until(async () =>
    [...(await import('/scripts/main.js')).app.zones.values()].some(({ name }) => name === 'Market hall'),
  );

  await server.pause();
  await edit(a, [{ ...zone(), name: 'Named by A', priority: 7 }, zone({ id: 'a00000000000000a', name: 'New of A' })]);
  await edit(b, [{ ...zone(), name: 'Named by B', inset_m: 5 }, zone({ id: 'a00000000000000b', name: 'New of B' })]);
  await go(a, '/account');
  await a.see('[data-state="waiting"]', 'not sent yet');
  await audit(a, 'account offline').catch((error) => {
    if (!/Failed to load|ERR_/.test(error.message)) throw error;
  });
  await a.shot('account-offline-phone');
  await server.resume();
  for (const page of [a, b, a]) {
    await go(page, '/account');
    await page.click('[data-key="sync-now"]');
    await page.see('[data-state="done"]');
  }
  const settled = (page) =>
    page.until(async () => {
      const zones = [...(await import('/scripts/main.js')).app.zones.values()].sort((a, b) => a.id.localeCompare(b.id));
      return (
        zones.length === 3 &&
        zones.some(({ name, priority, inset_m: inset }) => name === 'Named by B' && priority === 7 && inset === 5) &&
        zones
      );
    });
  assert.deepEqual(await settled(a), await settled(b));
  await Promise.all([a.context.close(), b.context.close()]);
});

test('what is edited in one browser shows in another that is looked at, at once; a deletion too', async () => {
  const [a, b] = [await device(), await device(tablet)];
  await signIn(a);
  await signIn(b);
  await b.see('.live', 'Changes on other devices appear here at once.');
  await pictured(b, 'account-wide');
  await edit(a, [zone({ id: 'a00000000000000c', name: 'Seen live' })]);
  await b.until(async () =>
    [...(await import('/scripts/main.js')).app.zones.values()].some(({ name }) => name === 'Seen live'),
  );
  await edit(b, [], ['a00000000000000c']);
  await a.until(
    async () => ![...(await import('/scripts/main.js')).app.zones.values()].some(({ name }) => name === 'Seen live'),
  );
  assert.deepEqual(unexpected(a), []);
  await Promise.all([a.context.close(), b.context.close()]);
});

test('the server is gone and comes back: a page that was opened meanwhile sends and hears again, without a press', async () => {
  // A page opened without its server comes from its service worker, which stores all files for that.
  const keeping = await Devices.begin({ keeps: true });
  try {
    await keeping.setUp();
    const [a, b] = [await keeping.device(), await keeping.device(tablet)];
    await signIn(a);
    await signIn(b);
    await a.until(
      async () =>
        Boolean((await navigator.serviceWorker.getRegistration())?.active) &&
        Boolean(navigator.serviceWorker.controller),
    );
    await keeping.server.pause();
    await a.reload();
    await edit(a, [zone({ id: 'a00000000000000e', name: 'Drawn meanwhile' })]);
    await go(a, '/account');
    await a.see('[data-state="waiting"]', '1 change not sent yet');
    await keeping.server.resume();
    await a.see('[data-state="done"]');
    await a.see('.live', 'Changes on other devices appear here at once.');
    const names = (page, wanted, is) =>
      page.until(
        async (one, there) =>
          [...(await import('/scripts/main.js')).app.zones.values()].some(({ name }) => name === one) === there,
        wanted,
        is,
      );
    // The other page was open all the time, and reaches the server again too.
    await names(b, 'Drawn meanwhile', true);
    await edit(b, [], ['a00000000000000e']);
    await names(a, 'Drawn meanwhile', false);
    await Promise.all([a.context.close(), b.context.close()]);
  } finally {
    await keeping.end();
  }
});

test('a zone of the account that this device cannot use is named, keeps no other back, and is deleted nowhere', async () => {
  const [a, b] = [await device(), await device(tablet)];
  await signIn(a);
  await signIn(b);
  const strange = zone({ id: 'a00000000000000f', name: 'Strange' });
  await b.run(async (id) => {
    const { app, ...rest } = { ...(await import('/scripts/main.js')), ...(await import('/scripts/app.js')) };
    const accept = app.putZones.bind(app);
    app.putZones = async (...forms) => {
      await accept(...forms.filter((form) => form.id !== id));
      if (forms.some((form) => form.id === id))
        throw new rest.ZonesRefused([{ id, name: 'Strange', field: 'sleep_s', why: 'out_of_range' }]);
    };
  }, strange.id);
  await edit(a, [strange, zone({ id: 'a000000000000010', name: 'Plain' })]);
  await b.until(async () =>
    [...(await import('/scripts/main.js')).app.zones.values()].some(({ name }) => name === 'Plain'),
  );
  await go(b, '/account');
  await b.see('.problem', 'This device cannot use 1 of these');
  await b.see('.problem', '“Strange”: sleep time, a value outside the allowed range');
  await b.see('[data-state="done"]');
  await b.reload();
  await b.until(async () => {
    const sync = await (await import('/scripts/server/sync.js')).syncOf((await import('/scripts/main.js')).app);
    return sync.state === 'done' && sync.waiting === 0;
  });
  assert.ok(
    (await api(a, 'GET', '/zones?limit=500')).items.some(({ id }) => id === strange.id),
    'it is still in the account',
  );
  await edit(a, [], [strange.id, 'a000000000000010']);
  await Promise.all([a.context.close(), b.context.close()]);
});

test('settings, kept messages and own sounds are the same on all devices; what is deleted on one goes from the others', async () => {
  const [a, b] = [await device(), await device(tablet)];
  const message = { your_moniker: 'Ann', to_moniker: 'Mum', contact_number: '112', supplement: 'Call me.' };
  const kept = (page, name) => store(page, name).then((all) => all.map(({ name: own, to_moniker: to }) => own ?? to));
  const become = (page, name, wanted) =>
    page.until(
      async (one, list) =>
        JSON.stringify(
          (await (await (await import('/scripts/storage/storage.js')).Storage.open()).all(one)).map(
            ({ name: own, to_moniker: to }) => own ?? to,
          ),
        ) === list,
      name,
      JSON.stringify(wanted),
    );
  await a.run(async (wanted) => {
    const { app } = await import('/scripts/main.js');
    await app.changeSettings({ alarm_cycle_s: 33, bypass_to_map: true });
    await (await import('/scripts/messages/messages.js')).keepMessage(app, wanted);
    // A tenth of a second of silence.
    const wave = new DataView(new ArrayBuffer(44 + 1600));
    const text = (at, word) => [...word].forEach((letter, index) => wave.setUint8(at + index, letter.charCodeAt(0)));
    text(0, 'RIFF');
    text(8, 'WAVEfmt ');
    text(36, 'data');
    [
      [4, 1636],
      [16, 16],
      [24, 8000],
      [28, 16000],
      [40, 1600],
    ].forEach(([at, value]) => wave.setUint32(at, value, true));
    [
      [20, 1],
      [22, 1],
      [32, 2],
      [34, 16],
    ].forEach(([at, value]) => wave.setUint16(at, value, true));
    await (await import('/scripts/sounds/sounds.js')).add(new File([wave], 'Ship’s bell.wav', { type: 'audio/wav' }));
  }, message);
  await signIn(a);
  await signIn(b);
  await become(b, 'messages', ['Mum']);
  await become(b, 'sounds', ['Ship’s bell']);
  const settings = (page) => page.run(async () => (await import('/scripts/main.js')).app.settings);
  assert.deepEqual([(await settings(b)).alarm_cycle_s, (await settings(b)).bypass_to_map], [33, true]);
  await b.run(async (forgotten) => {
    const { app } = await import('/scripts/main.js');
    await app.changeSettings({ alarm_cycle_s: 44 });
    await (await import('/scripts/messages/messages.js')).forgetMessage(app, forgotten);
    await (await import('/scripts/sounds/sounds.js')).remove('Ship’s bell');
  }, message);
  await a.until(async () => (await import('/scripts/main.js')).app.settings.alarm_cycle_s === 44);
  await become(a, 'messages', []);
  await become(a, 'sounds', []);
  assert.deepEqual([await kept(b, 'messages'), await kept(b, 'sounds')], [[], []]);
  assert.deepEqual(unexpected(a), []);
  await Promise.all([a.context.close(), b.context.close()]);
});

test('the server mails a zone, or says why not (S125)', async () => {
  const page = await device();
  await signIn(page);
  await edit(page, [zone({ id: 'a0000000000000aa', name: 'To be mailed' })]);
  await go(page, '/account');
  await page.until(async () => {
    const { app } = await import('/scripts/main.js');
    return (await (await import('/scripts/server/sync.js')).syncOf(app)).waiting === 0;
  });
  await go(page, '/share?zone=a0000000000000aa');
  await page.tap('#send-mail');
  await page.type('dialog [name=to]', 'nobody');
  await page.tap('dialog button[type=submit]');
  await page.see('dialog .problem', 'nobody');
  await page.type('dialog [name=to]', 'ben@example.com');
  page.problems = page.problems.filter((problem) => !/status of 4\d\d/.test(problem));
  await pictured(page, 'share-mail-phone');
  await page.tap('dialog button[type=submit]');
  await page.see('dialog .problem', 'Not sent: ');
  await page.see('dialog .problem', 'this server has no mail server');
  await edit(page, [], ['a0000000000000aa']);
  await page.context.close();
});

test('a file of 1,000 zones reaches the other browser', { skip: inAll }, async () => {
  // A separate account, so that the following steps have few zones.
  const a = await devices.another('olga');
  const b = await device();
  await go(a, '/receive');
  await a.see('h1', 'Receive');
  await drop(a, { name: 'site.pad', text: manyZones(1000) });
  const began = performance.now();
  await a.tap('#add');
  await a.see('.snackbar', '1,000 zones added');
  await go(a, '/account');
  await a.until(async () => {
    const { app } = await import('/scripts/main.js');
    const { syncOf } = await import('/scripts/server/sync.js');
    return (await syncOf(app)).waiting === 0;
  });
  await a.see('[data-state="done"]');
  await go(b, '/account');
  await enter(b, 'olga');
  await b.until(async () => (await import('/scripts/main.js')).app.zones.size >= 1000);
  console.log(`1,000 zones went from one browser to the other in ${Math.round(performance.now() - began)} ms`);
  await go(b, '/account');
  await b.tap('#sign-out');
  await b.tap('dialog button', 'Remove them from here');
  await b.until(async () => (await import('/scripts/main.js')).app.zones.size === 0);
  assert.ok((await store(a, 'zones')).length >= 1000, 'the account keeps them');
  await Promise.all([a.context.close(), b.context.close()]);
});

test('a browser whose clock is ahead is put right by the server', async () => {
  const page = await device(phone, 'const now = Date.now; Date.now = () => now() + 3_600_000;');
  await signIn(page);
  await edit(page, [zone({ id: 'a00000000000000d', name: 'From the future' })]);
  await go(page, '/account');
  await page.see('[data-state="done"]');
  await page.until(async () => {
    const { app } = await import('/scripts/main.js');
    const sync = await (await import('/scripts/server/sync.js')).syncOf(app);
    return sync.waiting === 0 && sync.refused.length === 0;
  });
  const other = await device();
  await signIn(other);
  await other.until(async () =>
    [...(await import('/scripts/main.js')).app.zones.values()].some(({ name }) => name === 'From the future'),
  );
  await Promise.all([page.context.close(), other.context.close()]);
});

test('Web Push: the browser subscribes with the server’s key, becomes a channel, shows what is pushed, and leaves again', async () => {
  // A subscription needs a push service; everything after it is real.
  const page = await device(
    phone,
    `PushManager.prototype.subscribe = async function (options) {
    const keys = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
    const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    const point = text(await crypto.subtle.exportKey('raw', keys.publicKey));
    globalThis.subscribed = text(options.applicationServerKey);
    return { options, unsubscribe: async () => true, toJSON: () => ({ endpoint: location.origin + '/push-for-a-test', expirationTime: null, keys: { p256dh: point, auth: text(crypto.getRandomValues(new Uint8Array(16))) } }) };
  };`,
  );
  await signIn(page);
  await page.tap('[data-key="push"]');
  await page.see('[data-key="push-test"]');
  assert.equal(await page.run(() => globalThis.subscribed), (await api(page, 'GET', '/push-key')).public_key);
  const channels = async () => (await api(page, 'GET', '/channels')).items.filter(({ kind }) => kind === 'web_push');
  assert.equal((await channels()).length, 1);

  await page.run(() => navigator.serviceWorker.ready.then(() => true));
  const shown = await pushed(
    page,
    server.origin,
    JSON.stringify({
      web_push: 8030,
      type: 'alarm',
      notification: { title: 'Market hall', body: 'Anna’s phone is inside', tag: 'a1' },
    }),
  );
  assert.ok(shown.some(({ title }) => title === 'Market hall'));
  // The switch shows the server's state: on, until the server has been told.
  await server.pause();
  await page.tap('[data-key="push"]');
  await page.see('.row', 'Still on. The server cannot be reached.');
  await page.see('[data-key="push"][aria-checked="true"]');
  await server.resume();
  await page.tap('[data-key="push"]');
  await page.see('[data-key="push"][aria-checked="false"]');
  await page.until(
    async () => !(await (await fetch('/api/v1/channels')).json()).items.some(({ kind }) => kind === 'web_push'),
  );
  await page.context.close();
});

test('after a backup was put back two browsers go on, and the server gets what it lacks', async () => {
  const [a, b] = [await device(), await device()];
  await signIn(a);
  await signIn(b);
  const named = (page, name) =>
    page.until(
      async (wanted) => [...(await import('/scripts/main.js')).app.zones.values()].some((each) => each.name === wanted),
      name,
    );
  const sent = (page) =>
    page.until(async () => {
      const sync = await (await import('/scripts/server/sync.js')).syncOf((await import('/scripts/main.js')).app);
      await sync.now();
      return sync.state === 'done' && sync.waiting === 0;
    });
  await edit(a, [zone({ id: 'a0000000000000b1', name: 'Before the backup' })]);
  await named(b, 'Before the backup');
  await server.backUp();
  for (const each of [1, 2, 3, 4]) await edit(a, [zone({ id: `a0000000000000c${each}`, name: `Lost ${each}` })]);
  await named(b, 'Lost 4');
  await sent(a);
  await sent(b);
  await server.putBack();
  // As many changes as were lost, so that the numbers of the feed are used again.
  await sent(a);
  await edit(a, [zone({ id: 'a0000000000000d1', name: 'After the backup' })]);
  await sent(a);
  await sent(b);
  await named(b, 'After the backup');
  for (const [id, name] of [
    ['b1', 'Before the backup'],
    ['c1', 'Lost 1'],
    ['c4', 'Lost 4'],
    ['d1', 'After the backup'],
  ]) {
    assert.equal((await api(a, 'GET', `/zones/a0000000000000${id}`)).name, name);
  }
  for (const page of [a, b])
    assert.ok(
      (await store(page, 'zones')).some(({ name }) => name === 'Lost 2'),
      'a page lost nothing',
    );
  const gone = ['a0000000000000b1', 'a0000000000000d1', ...[1, 2, 3, 4].map((each) => `a0000000000000c${each}`)];
  await edit(a, [], gone);
  await sent(a);
  await Promise.all([a.context.close(), b.context.close()]);
});

test('a password is changed on the page, and replaced by a link where it was forgotten', async () => {
  const page = await device();
  await signIn(page);
  await go(page, '/security');
  // Clear of the bar at the foot of the screen.
  await page.tap('[data-key="change-password"]');
  await page.type('dialog [name=current]', 'wrong');
  await page.type('dialog [name=new]', 'short');
  await page.tap('dialog button[type=submit]');
  await page.see('dialog .problem', 'The password has 5 characters; 8 or more are needed.');
  await page.type('dialog [name=new]', 'battery staple');
  await page.tap('dialog button[type=submit]');
  await page.see('dialog .problem', 'The password is wrong.');
  await page.type('dialog [name=current]', password);
  await page.tap('dialog button[type=submit]');
  await page.see('.snackbar', 'The password is changed.');
  await page.tap('[data-key="own-mail"]');
  await page.type('dialog [name=own-mail]', 'nobody');
  await page.type('dialog [name=password]', 'battery staple');
  await page.tap('dialog button[type=submit]');
  await page.see('dialog .problem', 'Nobody found');
  await page.type('dialog [name=own-mail]', 'anna@example.com');
  await page.tap('dialog button[type=submit]');
  await page.see('[data-key="own-mail"]', 'anna@example.com · not confirmed yet');
  page.problems = page.problems.filter((problem) => !/status of 4\d\d/.test(problem));
  await page.gone('dialog [name=own-mail]');
  await pictured(page, 'account-password-phone');
  await go(page, '/account');
  await page.tap('#sign-out');
  await page.tap('#keep-zones');
  await page.see('[name=login]');
  await page.tap('[data-key="forgotten"]');
  await page.see('[role=status]', 'Type the name of your account above first.');
  await page.type('[name=login]', 'anna');
  await page.tap('[data-key="forgotten"]');
  // This server sends no mail, so the page names the operator's command.
  await page.see('[role=status]', 'proximity user password');
  page.problems = page.problems.filter((problem) => !/status of 4\d\d/.test(problem));
  const link = await server.resetLink('anna');
  await page.open('about:blank', { ready: null });
  await page.open(`${server.origin}/#reset=${link}`);
  await page.type('[name=new]', password);
  await page.tap('button[type=submit]');
  await page.see('.snackbar', 'The password is set. Sign in with it.');
  await page.type('[name=login]', 'anna');
  await page.type('[name=password]', password);
  await page.click('button[type=submit]');
  await page.see('[data-state="done"]');
  assert.deepEqual(unexpected(page), []);
  await page.context.close();
});
