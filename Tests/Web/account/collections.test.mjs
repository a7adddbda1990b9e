// Zones that one account publishes and another follows, on the real server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Devices, edit, go, pictured, signIn } from '../support/Devices.mjs';
import { zone } from '../support/Story.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

const asked = (page, path) => page.run(async (to) => (await fetch(`/api/v1${to}`)).json(), path);

test('zones are published to one person, who follows them and no more; and the publication ends', async () => {
  const anna = await devices.device();
  await edit(anna, [zone({ name: 'Quarry' }), zone({ id: 'a000000000000002', name: 'Bakery', east: 4000 })]);
  await signIn(anna);
  await anna.see('[data-state="done"]');
  const ben = await devices.another('ben');
  await go(ben, '/collections');
  await ben.see('section[aria-label="From others"]', 'Nobody has published zones to you yet');

  await go(anna, '/collections');
  await anna.tap('[data-key="new-collection"]');
  await anna.tap('#collection-save');
  await anna.see('dialog .problem', 'needs a name');
  await anna.type('[name="collection-name"]', 'Danger zones');
  await anna.type('[name="collection-about"]', 'Blasting on weekdays');
  await anna.tap('dialog .row', 'Quarry');
  await pictured(anna, 'collection-new-phone');
  await anna.tap('#collection-save');
  await anna.see('section[aria-label="Yours"] .row', 'Danger zones1 zone · chosen people');
  const [{ id }] = (await asked(anna, '/collections')).items;
  assert.deepEqual((await asked(anna, '/zones')).items.map(({ name, collection_id: where }) => [name, where]).sort(), [
    ['Bakery', null],
    ['Quarry', id],
  ]);

  await anna.tap(`[data-key="${id}"]`);
  await anna.see('dialog [aria-busy="false"] [aria-checked="true"]');
  await anna.type('[name="member"]', 'ben');
  await anna.tap('dialog form button');
  await anna.see('dialog .row', 'ben');
  await pictured(anna, 'collection-people-phone');
  await anna.tap('#collection-save');
  await anna.gone('dialog');

  await go(ben, '/more');
  await ben.tap('.row', 'Shared zones');
  await ben.see('section[aria-label="From others"] .row', 'Danger zonesby anna · 1 zone');
  await ben.tap(`[data-key="zones-${id}"]`);
  await ben.see('dialog .row', 'Quarry');
  await ben.tap('dialog .button', 'Done');
  await ben.tap('section[aria-label="From others"] .row', 'Danger zones');
  await ben.see('.snackbar', 'Danger zones watches over your phones');
  assert.equal((await asked(ben, '/collections')).items[0].is_followed, true);
  await pictured(ben, 'collections-followed-phone');
  await ben.gone('.snackbar');
  await ben.tap('section[aria-label="From others"] .row', 'Danger zones');
  await ben.see('.snackbar', 'no longer watches');

  // Out of the collection, and the collection ended: the zone is still Anna's.
  await anna.tap(`[data-key="${id}"]`);
  await anna.tap('dialog .button', 'End publication');
  await anna.gone('dialog');
  assert.deepEqual((await asked(anna, '/collections')).items, []);
  assert.deepEqual((await asked(anna, '/zones')).items.map(({ name, collection_id: where }) => [name, where]).sort(), [
    ['Bakery', null],
    ['Quarry', null],
  ]);
  await Promise.all([anna.context.close(), ben.context.close()]);
});

test('without an account, and without network, the screen says what it needs', async () => {
  const page = await devices.device();
  await go(page, '/collections');
  await page.see('.empty', 'Sign in to follow');
  await page.context.close();
});
