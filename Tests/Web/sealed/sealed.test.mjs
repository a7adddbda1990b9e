// Private mode and sealed alarms between two people, on the real server: an alarm in one browser rings in the other, and is
// answered.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, Devices, edit, go, pictured, signIn } from '../support/Devices.mjs';
import { place, zone } from '../support/Story.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

const sealed = (page, work) =>
  page.run(async (name) => {
    const [{ app }, { sealedOf }] = await Promise.all([
      import('/scripts/main.js'),
      import('/scripts/server/signed-in.js'),
    ]);
    const found = await sealedOf(app);
    await found.now();
    return structuredClone(found[name]);
  }, work);

const makeKeys = async (page) => {
  await go(page, '/sealed');
  await page.tap('#seal-here');
  await page.see('#own-number', ' ');
};

test('an alarm of a private account rings at the person who was chosen, and the answer comes back', async () => {
  const anna = await devices.device();
  await edit(anna, [zone({ name: 'Quarry' })]);
  await signIn(anna);
  await anna.until(async () => (await (await fetch('/api/v1/zones')).json()).items.length === 1);

  // Turning it on asks first, because the server has the zone.
  await anna.tap('[data-key="private"]');
  await anna.see('dialog', 'Zones: 1');
  // The question follows a response that the browser reports as an error.
  anna.problems = anna.problems.filter((problem) => !/status of 409/.test(problem));
  await pictured(anna, 'private-asks-phone');
  await anna.tap('#erase-places');
  await anna.see('.sync-state', 'Private: all stays on this device');
  assert.equal((await ask(anna, 'GET', '/account/private')).stored.zones, 0);
  assert.equal(
    await anna.run(async () => (await import('/scripts/main.js')).app.zones.size),
    1,
    'the zone is here still',
  );
  await pictured(anna, 'private-account-phone');

  // An edit stays on this device.
  await edit(anna, [zone({ name: 'Old quarry' })]);
  await anna.run(async () => {
    const { syncOf } = await import('/scripts/server/sync.js');
    await (await syncOf((await import('/scripts/main.js')).app)).now();
  });
  assert.equal((await ask(anna, 'GET', '/account/private')).stored.zones, 0);

  const ben = await devices.another('ben');
  await makeKeys(ben);
  await go(anna, '/sealed');
  await anna.see('#own-number', ' ');
  await anna.type('[name="sealed-login"]', 'ben');
  await anna.tap('.button', 'Ask');
  await anna.see('.row', 'not accepted yet');
  await ben.see('.row', 'anna asks to exchange sealed alarm messages');
  await pictured(ben, 'sealed-offer-phone');
  await ben.tap('.button.primary', 'Agree');
  await anna.see('.row', 'Not notified of any alarm yet');
  await anna.tap('.row', 'ben');
  await anna.see('dialog .row .number', await ben.run(() => document.querySelector('#own-number').textContent));
  await anna.tap('dialog [data-value="all"]');
  await anna.tap('[data-key="told-place"]');
  await pictured(anna, 'sealed-contact-phone');
  await anna.tap('dialog .sheet-actions .button:not(.alarm)', 'Close');
  await anna.see('.row', 'Notified of all alarms · with the place');

  // Anna walks in.
  await anna.run(async (coords) => {
    const { app } = await import('/scripts/main.js');
    const { fix } = await import('/scripts/engine/rows.js');
    await app.activate();
    await app.take([fix({ coords: { ...coords, accuracy: 5 }, timestamp: app.now }, app.now)]);
  }, place(0));
  await ben.see('#alarm-sheet', 'Old quarry');
  await ben.see('#alarm-why', 'anna');
  await pictured(ben, 'sealed-alarm-phone');
  const [came] = await sealed(ben, 'received');
  assert.ok(came.verified && Math.abs(came.place[0] - place(0).latitude) < 1e-6, JSON.stringify(came));
  // Waits until the sheet accepts taps.
  await ben.run(() => new Promise((done) => setTimeout(done, 800)));
  assert.equal(await ben.run(() => document.querySelector('#alarm-close, #alarm-sleep')), null);
  await ben.tap('#alarm-stop', 'is told that you have seen it');
  await ben.until(() => !document.querySelector('#alarm-sheet').open);
  await anna.until(async () => {
    const { sealedOf } = await import('/scripts/server/signed-in.js');
    return (await sealedOf((await import('/scripts/main.js')).app)).answers.length === 1;
  });
  assert.equal((await sealed(anna, 'answers'))[0].login, 'ben');
  assert.equal(await sealed(ben, 'waiting'), 0);
  // No trace of the alarm is left on the server, and the place was never there.
  assert.equal((await ask(anna, 'GET', '/account/private')).stored.positions, 0);
});

test('a key that comes later is told, and gets nothing before it was compared', async () => {
  // An account that is not private: it can use sealed messages, too.
  const dora = await devices.another('dora');
  await makeKeys(dora);
  const carl = await devices.another('carl');
  await makeKeys(carl);
  await ask(dora, 'POST', '/sealed-contacts', { login: 'carl' });
  await carl.tap('.button.primary', 'Agree');
  // She has seen the key with which he agreed.
  await dora.see('.row', 'Not notified of any alarm yet');
  // Another browser of Carl's, or of an intruder whom the server admits.
  const key = 'A'.repeat(42) + 'E';
  await ask(carl, 'POST', '/sealed-keys', { public_key: key, name: 'Tablet' });
  await dora.see('.note.warn', 'carl has a new key (Tablet)');
  await dora.tap('.row', 'carl');
  await pictured(dora, 'sealed-new-key-phone');
  await dora.tap('dialog .button.small', 'It is the same');
  await dora.until(() => !document.querySelector('dialog .button.small'));
  await dora.tap('dialog .sheet-actions .button:not(.alarm)', 'Close');
  await dora.until(() => !document.querySelector('.note.warn'));
});

test('keys that are made while messages are fetched are kept', async () => {
  const eva = await devices.another('eva');
  // Keys are being made while stored data is read again.
  await eva.send('Network.enable');
  const slow = { offline: false, latency: 300, downloadThroughput: -1, uploadThroughput: -1 };
  await eva.send('Network.emulateNetworkConditions', slow);
  const found = await eva.run(async () => {
    const [{ app }, { sealedOf }] = await Promise.all([
      import('/scripts/main.js'),
      import('/scripts/server/signed-in.js'),
    ]);
    const own = await sealedOf(app);
    const { storage } = app;
    const kept = storage.kept.bind(storage);
    const hasRead = new Promise((done) => {
      storage.kept = async (name, ...more) => {
        const value = await kept(name, ...more);
        // The last read before keys are made.
        if (name.includes('answers')) done();
        return value;
      };
    });
    const made = own.setUp();
    await hasRead;
    await Promise.all([own.now(), made]);
    await own.now();
    return own.isSetUp;
  });
  assert.ok(found);
  await eva.reload();
  await go(eva, '/sealed');
  await eva.see('#own-number', ' ');
  await eva.context.close();
});
