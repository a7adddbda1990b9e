// Zones that one account publishes and another follows, on the real server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { ask, chooseOption, Devices, edit, go, pictured, signIn } from '../support/Devices.mjs';
import { place, walk, zone } from '../support/Story.mjs';

let devices;
before(async () => {
  devices = await Devices.begin({ keeps: true });
  await devices.setUp();
});
after(() => devices?.end());

const asked = (page, path) => page.run(async (to) => (await fetch(`/api/v1${to}`)).json(), path);

test(
  'zones are published to one person, who follows them and no more; and the publication ends',
  { skip: inAll },
  async () => {
    const anna = await devices.device();
    await edit(anna, [zone({ name: 'Quarry' }), zone({ id: 'a000000000000002', name: 'Bakery', east: 4000 })]);
    await signIn(anna);
    await anna.see('[data-state="done"]');
    const ben = await devices.another('ben');
    await go(ben, '/collections');
    await ben.see('section[aria-label="From others"]', 'Nobody has published zones to you yet');

    await go(anna, '/collections');
    await anna.tap('[data-key="new-collection"]');
    await chooseOption(anna, '[name="publish-to"]', 'Nobody yet');
    await anna.tap('#publish');
    await anna.see('dialog .problem', 'Choose the zones that it publishes.');
    await anna.tap('dialog .row', 'Quarry');
    await anna.until(() => document.querySelector('[name="publish-name"]').value === 'Quarry');
    await anna.type('[name="publish-name"]', ' ');
    await anna.tap('#publish');
    await anna.see('dialog .problem', 'needs a name');
    await anna.type('[name="publish-name"]', 'Danger zones');
    await pictured(anna, 'collection-new-phone');
    await anna.tap('#publish');
    await anna.see('section[aria-label="Yours"] .row', 'Danger zones1 zone · chosen people');
    const [{ id }] = (await asked(anna, '/collections')).items;
    assert.deepEqual(
      (await asked(anna, '/zones')).items.map(({ name, collection_id: where }) => [name, where]).sort(),
      [
        ['Bakery', null],
        ['Quarry', id],
      ],
    );

    await anna.tap(`[data-key="${id}"]`);
    await anna.see('dialog [aria-busy="false"] [aria-checked="true"]');
    await anna.type('[name="member"]', 'ben');
    await anna.tap('dialog form button');
    await anna.see('dialog .row', 'ben');
    await pictured(anna, 'collection-people-phone');
    await anna.tap('#collection-save');
    await anna.gone('dialog');

    await go(ben, '/people');
    await ben.tap('.row', 'Shared zones');
    await ben.see('section[aria-label="From others"] .row', 'Danger zonesby anna · 1 zone');
    await ben.tap(`[data-key="zones-${id}"]`);
    await ben.see('dialog .row', 'Quarry');
    await ben.tap('dialog .button', 'Done');
    await ben.tap('section[aria-label="From others"] .row', 'Danger zones');
    await ben.see('.snackbar', 'Danger zones watches over your phones');
    assert.equal((await asked(ben, '/collections')).items[0].is_followed, true);
    await pictured(ben, 'collections-followed-phone');
    await ben.tap('section[aria-label="From others"] .row', 'Danger zones');
    await ben.see('.snackbar', 'no longer watches');

    // The zone is removed from the collection, and the collection is ended: the zone is still Anna's.
    await anna.tap(`[data-key="${id}"]`);
    await anna.tap('dialog .button', 'End publication');
    await anna.gone('dialog');
    assert.deepEqual((await asked(anna, '/collections')).items, []);
    assert.deepEqual(
      (await asked(anna, '/zones')).items.map(({ name, collection_id: where }) => [name, where]).sort(),
      [
        ['Bakery', null],
        ['Quarry', null],
      ],
    );
    await Promise.all([anna.context.close(), ben.context.close()]);
  },
);

test('zones that are followed are watched by the page too, offline as well, as somebody else’s; and are gone when withdrawn', async () => {
  const anna = await devices.device();
  await signIn(anna);
  await edit(anna, [zone({ id: 'b000000000000001', name: 'Blasting site' })]);
  await anna.until(async () => {
    const { items } = await (await fetch('/api/v1/zones')).json();
    return items.some(({ name }) => name === 'Blasting site');
  });
  await go(anna, '/collections');
  await anna.tap('[data-key="new-collection"]');
  await anna.tap('dialog .row', 'Blasting site');
  await chooseOption(anna, '[name="publish-to"]', 'Nobody yet');
  await anna.type('[name="publish-name"]', 'Quarries');
  await anna.tap('#publish');
  await anna.see('section[aria-label="Yours"] .row', 'Quarries');
  const { id } = (await asked(anna, '/collections')).items.find(({ name }) => name === 'Quarries');
  const ben = await devices.another('bert');
  const shared = (page) =>
    page.run(async () => {
      const { app } = await import('/scripts/main.js');
      return [...app.shared].map(([key, { form, owner, collection }]) => [key, form.name, owner, collection]);
    });
  // He has a zone of his own with the same id, as from a file.
  await edit(ben, [zone({ id: 'b000000000000001', name: 'Kiosk', east: 5000, distance: 0 })]);
  await ask(anna, 'POST', `/collections/${id}/members`, { login: 'bert' });
  await ask(ben, 'PUT', `/collections/${id}/follow`);
  await ben.until(async () => (await import('/scripts/main.js')).app.shared.size === 1);
  assert.deepEqual(await shared(ben), [['b000000000000002', 'Blasting site', 'anna', 'Quarries']]);

  await go(ben, '/zones');
  await ben.see('section[aria-label="Quarries, shared by anna"] .zone-row', 'Blasting site');
  await ben.tap('section[aria-label="Quarries, shared by anna"] .tile-button');
  await ben.see('dialog', 'Shared by anna');
  const offered = await ben.run(() =>
    [...document.querySelectorAll('dialog[open] .inset-card .headline')].map(({ innerText }) => innerText),
  );
  assert.deepEqual(offered, ['Shared by anna', 'Sleep', 'Show on the map', 'Hear how it rings', 'Why']);
  await pictured(ben, 'shared-zone-phone');
  await ben.tap('dialog .button', 'Cancel');
  await go(ben, '/share');
  await ben.gone('.zones-pane');
  await ben.see('.pane', 'Kiosk');
  assert.equal(await ben.run(() => document.querySelector('.pane').innerText.includes('Blasting site')), false);
  assert.equal((await asked(ben, '/zones')).items.length, 1);

  // Her edit arrives by itself. Then he goes offline, reloads the page, and walks in.
  await edit(anna, [zone({ id: 'b000000000000001', name: 'Blasting at noon' })]);
  await ben.until(
    async () => [...(await import('/scripts/main.js')).app.shared.values()][0].form.name === 'Blasting at noon',
  );
  await ben.until(async () => Boolean((await navigator.serviceWorker.ready).active));
  await ben.reload();
  await ben.until(() => Boolean(navigator.serviceWorker.controller));
  await devices.server.pause();
  await ben.reload();
  assert.deepEqual(
    (await shared(ben)).map(([, name]) => name),
    ['Blasting at noon'],
  );
  await go(ben, '/');
  await ben.move(place(900));
  await ben.tap('#activate');
  await ben.until(async () => Boolean((await import('/scripts/main.js')).app.report.position));
  await walk(ben, place(450));
  await walk(ben, place(0));
  await ben.see('dialog.alarm', 'Blasting at noon');
  await ben.shot('shared-zone-rings-phone');
  await ben.tap('dialog.alarm button', 'Close');
  await go(ben, '/why/b000000000000002');
  await ben.see('.pane', 'Blasting at noon');
  await devices.server.resume();

  // After she has withdrawn it, it is gone here, and his own zone stays.
  await ben.reload();
  await ask(anna, 'DELETE', `/collections/${id}`);
  await ben.until(async () => (await import('/scripts/main.js')).app.shared.size === 0);
  assert.deepEqual(
    await ben.run(async () => [...(await import('/scripts/main.js')).app.zones.values()].map(({ name }) => name)),
    ['Kiosk'],
  );
  assert.equal(
    await ben
      .run(async () => (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('shared_zones', null))
      .then((kept) => kept.collections.length),
    0,
  );
  await Promise.all([anna.context.close(), ben.context.close()]);
});

test('without an account, and without network, the screen says what it needs', async () => {
  const page = await devices.device();
  await go(page, '/collections');
  await page.see('.empty', 'Sign in to follow');
  await page.context.close();
});
