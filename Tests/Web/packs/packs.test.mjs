// Zones that one server publishes as a signed pack, followed on the page of another server, without an account.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { ask, chooseOption, Devices, edit, go, pictured, signIn } from '../support/Devices.mjs';
import { phone } from '../support/Browser.mjs';
import { newKey, pack, pad } from '../support/Packs.mjs';
import { RealServer } from '../support/RealServer.mjs';
import { ears, place, walk, zone } from '../support/Story.mjs';

let devices;
let elsewhere;
let anna;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
  elsewhere = await RealServer.start(['--page-origins', devices.server.origin]);
  anna = await devices.device();
  await signIn(anna);
});
after(async () => {
  await elsewhere?.stop();
  await devices?.end();
});

/** A page of the other server, where nobody is signed in. */
async function stranger() {
  const context = await devices.browser.context({ origin: elsewhere.origin });
  const page = await context.page({ ...phone, before: ears });
  await page.open(`${elsewhere.origin}/#/about`);
  return page;
}

const shared = (page) =>
  page.run(async () => {
    const { app } = await import('/scripts/main.js');
    return [...app.shared.values()].map(({ form, owner, collection }) => [form.name, owner, collection]);
  });
/** The page's reading of bytes that a person provides. */
const look = (page, bytes) =>
  page.run(
    async (given) => {
      const [{ app }, { packsOf }] = await Promise.all([
        import('/scripts/main.js'),
        import('/scripts/packs/followed-packs.js'),
      ]);
      const packs = packsOf(app);
      return packs.look(Uint8Array.from(given)).then(
        async (found) => {
          await packs.follow(found);
          return 'followed';
        },
        ({ kind, message }) => `${kind}: ${message}`,
      );
    },
    [...bytes],
  );
const held = (page) =>
  page.run(async () => {
    const [{ app }, { packsOf }] = await Promise.all([
      import('/scripts/main.js'),
      import('/scripts/packs/followed-packs.js'),
    ]);
    return packsOf(app).packs.map(({ head, unread, problem }) => ({ ...head, key: [...head.key], unread, problem }));
  });

let link;
test('a collection is given out by a switch, with link, QR code and file', async () => {
  await edit(anna, [zone({ id: 'c000000000000001', name: 'Quarry' })]);
  await anna.until(async () => (await (await fetch('/api/v1/zones')).json()).items.length === 1);
  await go(anna, '/collections');
  await anna.tap('[data-key="new-collection"]');
  await anna.tap('dialog .row', 'Quarry');
  await chooseOption(anna, '[name="publish-to"]', 'Nobody yet');
  await anna.type('[name="publish-name"]', 'Danger zones');
  await anna.tap('#publish');
  await anna.see('section[aria-label="Yours"] .row', 'Danger zones');
  const [{ id }] = (await ask(anna, 'GET', '/collections')).items;
  await anna.tap(`[data-key="${id}"]`);
  await anna.see('dialog .card[aria-busy="false"]');
  await anna.type('[name="collection-about"]', 'Blasting on weekdays');
  await anna.tap('#collection-save');
  await anna.gone('dialog');
  await anna.tap(`[data-key="${id}"]`);
  await anna.see('section[aria-label="Signed pack"] [aria-busy="false"]');
  await anna.tap('section[aria-label="Signed pack"] .row', 'Without an account');
  await anna.see('[data-key="pack-link"]', 'Link, QR code and file');
  await pictured(anna, 'pack-switch-phone');
  await anna.tap('[data-key="pack-link"]');
  await anna.see('.link-address', 'pack=');
  await anna.see('dialog svg.qr');
  await pictured(anna, 'pack-link-phone');
  link = await anna.run(() => document.querySelector('.link-address').textContent);
  assert.match(link, /#\/collections\?pack=http.*&key=[\w-]{43}$/);
});

test('it is followed by its link on the page of another server, rings there, and goes on without network', async () => {
  const ben = await stranger();
  await go(ben, '/collections');
  await ben.see('.empty', 'Sign in to follow');
  await ben.tap('[data-key="follow-pack"]');
  await ben.type('[name="pack-address"]', 'ftp://nowhere');
  await ben.tap('#pack-look');
  await ben.see('dialog .problem', 'is no address of a pack');
  await ben.type('[name="pack-address"]', link);
  await ben.tap('#pack-look');
  await ben.see('dialog .title-3', 'Danger zones');
  await ben.see('dialog', 'Blasting on weekdays');
  await pictured(ben, 'pack-found-phone');
  assert.deepEqual(await shared(ben), [], 'nothing watches before somebody says so');
  await ben.tap('#pack-follow');
  await ben.see('.snackbar', 'Danger zones watches: 1 zone');
  assert.deepEqual(await shared(ben), [['Quarry', 'anna', 'Danger zones']]);
  await ben.see('section[aria-label="Signed packs"] .row', 'Danger zones');
  await pictured(ben, 'packs-followed-phone');

  // Her change arrives when an update is requested: only the changed zones are sent.
  await edit(anna, [zone({ id: 'c000000000000001', name: 'Quarry, blasting' })]);
  await anna.until(async () => (await (await fetch('/api/v1/zones')).json()).items[0].name === 'Quarry, blasting');
  const [{ collection, version }] = await held(ben);
  await ben.tap(`[data-key="pack-${collection}"]`);
  await ben.tap('#pack-renew');
  await ben.see('.snackbar', 'Danger zones is up to date');
  // PAD texts have no comma.
  assert.deepEqual(await shared(ben), [['Quarry; blasting', 'anna', 'Danger zones']]);
  assert.ok((await held(ben))[0].version > version);

  // Her server is gone: the page says so, and the zones are still watched, even in a page that is loaded again.
  await devices.server.pause();
  await ben.tap('#pack-renew');
  await ben.see('dialog .note', 'cannot be reached');
  // The browser reports failed requests as errors.
  ben.problems = ben.problems.filter((problem) => !/Failed to load/.test(problem));
  await pictured(ben, 'pack-unreached-phone');
  await ben.tap('dialog .button', 'Done');
  await go(ben, '/zones');
  await ben.see('section[aria-label="Danger zones, shared by anna"] .zone-row', 'Quarry; blasting');
  await ben.reload();
  assert.deepEqual(await shared(ben), [['Quarry; blasting', 'anna', 'Danger zones']]);
  await go(ben, '/');
  await ben.move(place(900));
  await ben.tap('#activate');
  await ben.until(async () => Boolean((await import('/scripts/main.js')).app.report.position));
  await walk(ben, place(450));
  await walk(ben, place(0));
  await ben.see('dialog.alarm', 'Quarry; blasting');
  await ben.tap('dialog.alarm button', 'Close');
  await ben.run(async () => (await import('/scripts/main.js')).app.deactivate());
  await devices.server.resume();

  // She ends the pack: the first screen says so, and its zones are still watched. Then he stops following.
  await ask(anna, 'DELETE', `/collections/${collection}/pack`);
  await ben.run(async (id) => {
    const [{ app }, { packsOf }] = await Promise.all([
      import('/scripts/main.js'),
      import('/scripts/packs/followed-packs.js'),
    ]);
    await packsOf(app).renew(id);
  }, collection);
  await ben.see('.trouble', 'Danger zonesThe pack is no longer published there');
  assert.equal((await shared(ben)).length, 1);
  await go(ben, '/collections');
  await ben.tap(`[data-key="pack-${collection}"]`);
  await ben.tap('#pack-end');
  await ben.see('.snackbar', 'Danger zones no longer watches');
  assert.deepEqual(await shared(ben), []);
  ben.problems = ben.problems.filter((problem) => !/Failed to load|404|net::/.test(problem));
  await ben.context.close();
});

test(
  'a publisher changes the key, and followers go on; of a lost key they are told, and follow anew',
  { skip: inAll },
  async () => {
    const [{ id }] = (await ask(anna, 'GET', '/collections')).items;
    const { path, public_key: first } = await ask(anna, 'PUT', `/collections/${id}/pack`);
    const address = `${devices.server.origin}${path}`;
    const ben = await stranger();
    await go(ben, '/collections');
    await ben.tap('[data-key="follow-pack"]');
    await ben.type('[name="pack-address"]', `${address}#key=${first}`);
    await ben.tap('#pack-look');
    await ben.tap('#pack-follow');
    await ben.see('.snackbar', 'Danger zones watches');
    const [{ keyID }] = await held(ben);
    const watched = await shared(ben);
    assert.equal(watched.length, 1);

    // Her server was gone for a while, which the browser reports.
    anna.problems = anna.problems.filter((problem) => !/Failed to load/.test(problem));
    await anna.reload();
    await go(anna, '/organisations');
    await anna.see('section .row', keyID);
    await anna.tap('[data-key="pack-key-change"]');
    await anna.tap('#pack-key-change');
    await anna.see('.snackbar', 'The key is changed');
    await anna.see('section .row', 'Until');
    await pictured(anna, 'pack-key-phone');

    await ben.tap(`[data-key="pack-${id}"]`);
    await ben.tap('#pack-renew');
    await ben.see('.snackbar', 'is up to date');
    await ben.see('dialog .row', 'The publisher changed the key');
    await pictured(ben, 'pack-key-changed-phone');
    const [changed] = await held(ben);
    assert.notEqual(changed.keyID, keyID);
    assert.equal(changed.problem, undefined);
    await ben.tap('dialog .button', 'Done');

    // Her server and its keys are lost; another server takes its place.
    await devices.server.pause();
    const lost = createServer((request, response) => {
      response.writeHead(200, { 'access-control-allow-origin': '*' });
      const more = { collection: BigInt(`0x${id}`), version: 3, made: Date.now(), name: 'Danger zones' };
      response.end(pack(other, { zones: [pad(7, 'Gorge')], ...more }));
    });
    const other = newKey();
    lost.listen(Number(new URL(devices.server.origin).port), '127.0.0.1');
    await once(lost, 'listening');
    await ben.tap(`[data-key="pack-${id}"]`);
    await ben.tap('#pack-renew');
    await ben.see('dialog .note', 'signed by another key');
    await pictured(ben, 'pack-key-lost-phone');
    assert.deepEqual(await shared(ben), watched, 'what is held watches');
    await ben.tap('#pack-anew');
    await ben.see('dialog .note', 'Another key than the one you follow');
    await pictured(ben, 'pack-key-anew-phone');
    await ben.tap('#pack-follow');
    await ben.until(async () => {
      const { app } = await import('/scripts/main.js');
      return [...app.shared.values()].map(({ form }) => form.name).join() === 'Gorge';
    });
    await ben.see('.snackbar', 'Danger zones watches');
    lost.closeAllConnections();
    lost.close();
    await once(lost, 'close');
    await devices.server.resume();
    // Her former pack is signed by the key that is no longer followed.
    await ben.tap(`[data-key="pack-${id}"]`);
    await ben.tap('#pack-renew');
    await ben.see('dialog .note', 'signed by another key');
    await ben.context.close();
    await ask(anna, 'DELETE', `/collections/${id}/pack`);
  },
);

test('what the service worker fetched with no page open is taken by the next page, without network', async () => {
  const [{ id }] = (await ask(anna, 'GET', '/collections')).items;
  const { path, public_key: key } = await ask(anna, 'PUT', `/collections/${id}/pack`);
  const ben = await stranger();
  await go(ben, '/collections');
  await ben.tap('[data-key="follow-pack"]');
  await ben.type('[name="pack-address"]', `${devices.server.origin}${path}#key=${key}`);
  await ben.tap('#pack-look');
  await ben.tap('#pack-follow');
  await ben.see('.snackbar', 'Danger zones watches');
  await ben.until(async () => (await (await caches.open('packs')).keys()).length > 0);
  const before = (await held(ben))[0].version;
  await edit(anna, [zone({ id: 'c000000000000001', name: 'Quarry at night' })]);
  await anna.until(async () => (await (await fetch('/api/v1/zones')).json()).items[0].name === 'Quarry at night');

  await ben.until(async () => Boolean((await navigator.serviceWorker.ready).active));
  const registered = new Promise((done) => {
    ben.context.browser.listen(ben.session, (method, { registrations }) => {
      const own = registrations?.find(({ scopeURL }) => scopeURL.startsWith(elsewhere.origin));
      if (method === 'ServiceWorker.workerRegistrationUpdated' && own) done(own.registrationId);
    });
  });
  await ben.send('ServiceWorker.enable');
  const registrationId = await registered;
  const tag = 'packs';
  await ben.send('ServiceWorker.dispatchPeriodicSyncEvent', { origin: elsewhere.origin, registrationId, tag });
  await ben.until(async () => (await (await caches.open('packs')).keys()).length > 1);
  assert.equal((await held(ben))[0].version, before, 'it is only laid by');

  // The next page has no network.
  await devices.server.pause();
  await ben.reload();
  await ben.until(async () => {
    const { app } = await import('/scripts/main.js');
    return [...app.shared.values()].some(({ form }) => form.name === 'Quarry at night');
  });
  assert.ok((await held(ben))[0].version > before);
  assert.equal(await ben.run(async () => (await (await caches.open('packs')).keys()).length), 1, 'it is taken once');
  await devices.server.resume();
  ben.problems = ben.problems.filter((problem) => !/Failed to load/.test(problem));
  await ben.context.close();
  await ask(anna, 'DELETE', `/collections/${id}/pack`);
});

test('by a file: only the same key, only onwards; what is out of date is said', async () => {
  const page = await stranger();
  const [key, other] = [newKey(), newKey()];
  const now = Date.now();
  const made = now - 86_400_000;
  const cliff = pad(1, 'Cliff');
  assert.equal(
    await look(page, pack(key, { zones: [cliff, pad(2, 'Ridge')], version: 10, made, name: 'Alps' })),
    'followed',
  );
  assert.deepEqual(
    (await shared(page)).map(([name]) => name),
    ['Cliff', 'Ridge'],
  );
  assert.match(await look(page, pack(other, { zones: [cliff], version: 11, made })), /^other-key: .*another key/);
  assert.match(await look(page, pack(key, { zones: [cliff], version: 9, made })), /^older: /);
  assert.match(await look(page, pack(key, { zones: [cliff], version: 12, made }).slice(0, -70)), /^(broken|forged): /);
  const forged = pack(key, { zones: [cliff], version: 12, made });
  forged[forged.length - 100] ^= 1;
  assert.match(await look(page, forged), /^(broken|forged): /);
  // A pack of changes only, with a zone that nobody can read.
  const odd = { id: 3n, pad: Buffer.from('nothing\n') };
  const whole = [cliff, odd];
  const step = pack(key, { zones: [odd], removed: [2n], base: 10, version: 12, made, whole, name: 'Alps' });
  assert.equal(await look(page, step), 'followed');
  assert.deepEqual(
    (await shared(page)).map(([name]) => name),
    ['Cliff'],
  );
  await go(page, '/');
  await page.see('.trouble', 'Alps');
  await page.see('.trouble', 'does not watch: 1');
  const late = pack(key, { zones: [cliff], version: 13, made: now - 9 * 86_400_000, renew: now - 1000, name: 'Alps' });
  assert.equal(await look(page, late), 'followed');
  await page.see('.trouble', 'Out of date');
  await pictured(page, 'pack-late-phone');
  await page.reload();
  await page.see('.trouble', 'Out of date');
  assert.deepEqual(
    (await shared(page)).map(([name]) => name),
    ['Cliff'],
  );
  await page.context.close();
});

test('packs that come at the same moment are all kept and watched', async () => {
  const page = await stranger();
  const packs = ['Alps', 'Coast', 'Delta', 'Fells'].map((name, index) => [
    ...pack(newKey(), {
      zones: [pad(index + 1, `${name} 1`)],
      collection: BigInt(index + 1),
      version: 1,
      made: Date.now(),
      name,
    }),
  ]);
  await page.run(async (all) => {
    const [{ app }, { packsOf }] = await Promise.all([
      import('/scripts/main.js'),
      import('/scripts/packs/followed-packs.js'),
    ]);
    const found = await Promise.all(all.map((bytes) => packsOf(app).look(Uint8Array.from(bytes))));
    await Promise.all([...found.map((each) => packsOf(app).follow(each)), packsOf(app).adopt()]);
  }, packs);
  const expected = ['Alps', 'Coast', 'Delta', 'Fells'];
  const isAll = async () => {
    assert.deepEqual(
      (await held(page)).map(({ name }) => name),
      expected,
    );
    assert.deepEqual(
      (await shared(page)).map(([name]) => name),
      expected.map((name) => `${name} 1`),
    );
  };
  await isAll();
  await page.reload();
  await page.until(async () => {
    const [{ app }, { packsOf }] = await Promise.all([
      import('/scripts/main.js'),
      import('/scripts/packs/followed-packs.js'),
    ]);
    return packsOf(app).packs.length > 0;
  });
  await isAll();
  await page.context.close();
});

test('a file that is opened is offered; a browser without Ed25519 says so', async () => {
  const page = await stranger();
  const bytes = pack(newKey(), { zones: [pad(1, 'Cliff')], made: Date.now(), name: 'Alps', publisher: 'Club' });
  const open = (given) =>
    page.run(
      async (all) => {
        const [{ app }, { take }] = await Promise.all([import('/scripts/main.js'), import('/scripts/files/files.js')]);
        await take(app, [new File([Uint8Array.from(all)], 'alps.zonepack')]).catch(({ message }) => {
          globalThis.refused = message;
        });
      },
      [...given],
    );
  await open(bytes);
  await page.see('dialog .title-3', 'Alps');
  await page.see('dialog', 'Club');
  await page.tap('#pack-follow');
  await page.see('.snackbar', 'Alps watches: 1 zone');
  await page.run(() => {
    SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException('no', 'NotSupportedError'));
  });
  await open(bytes);
  assert.match(await page.until(() => globalThis.refused), /cannot check signatures/);
  await page.context.close();
});
