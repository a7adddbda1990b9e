// Publishing zones from their list in one sheet: which zones, to whom, under which name; again to more people, and after a
// failure.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, chooseOption, Devices, edit, go, pictured, signIn, unexpected } from '../support/Devices.mjs';
import { zone } from '../support/Story.mjs';

let devices, anna;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
  anna = await devices.device();
  await signIn(anna);
  await edit(
    anna,
    [
      ['Quarry', 'Hazard'],
      ['Blasting site', 'Hazard'],
      ['Bakery', 'Food'],
    ].map(([name, category], at) =>
      zone({ id: `a00000000000000${at + 1}`, name, category, east: at * 4000, active: false }),
    ),
  );
  await go(anna, '/zones');
});
after(() => devices?.end());

const value = (name) => anna.run((one) => document.querySelector(`[name="publish-${one}"]`).value, name);
/** The names of zones, by collection. */
const places = async () => {
  const collections = new Map((await ask(anna, 'GET', '/collections')).items.map(({ id, name }) => [id, name]));
  const { items } = await ask(anna, 'GET', '/zones');
  return Object.fromEntries(items.map(({ name, collection_id: id }) => [name, collections.get(id) ?? null]));
};
const groups = async () =>
  (await ask(anna, 'GET', '/groups')).items.map(({ name, collections }) => [
    name,
    ...collections.map((each) => each.name).sort(),
  ]);

test('without zones nothing is published, nor to a group without a name; a failure is said, and the next try goes on', async () => {
  await anna.tap('[data-key="publish"]');
  await anna.tap('#publish');
  await anna.see('dialog .problem', 'Choose the zones that it publishes.');
  await chooseOption(anna, '[name="publish-zones"]', 'Hazard: 2');
  await anna.tap('#publish');
  await anna.see('dialog .problem', 'needs a name');
  await anna.type('[name="publish-group"]', 'Crew');
  await pictured(anna, 'publish-phone');
  assert.deepEqual(await groups(), []);
  // Her own name cannot be invited; all earlier steps have been done.
  await anna.type('[name="publish-logins"]', 'ben, anna');
  await anna.tap('#publish');
  await anna.see('dialog .problem', 'your own');
  anna.problems = anna.problems.filter((problem) => !/status of 4/.test(problem));
  await anna.type('[name="publish-logins"]', 'ben');
  await anna.tap('#publish');
  await anna.see('.snackbar', 'Hazard: 2 zones published');
  assert.deepEqual(await groups(), [['Crew', 'Hazard']], 'neither is made twice');
  assert.deepEqual(await places(), { Quarry: 'Hazard', 'Blasting site': 'Hazard', Bakery: null });
  anna.problems = anna.problems.filter((problem) => !/status of 409/.test(problem));
  await anna.tap('.snackbar .button', 'Show the group');
  await anna.see('section[aria-label="What its members may follow"] .row', 'Hazard');
});

test('what a search has found is offered, the only group is chosen, and what moves is said', async () => {
  await go(anna, '/zones');
  await anna.type('#zone-search', 'quarry');
  await anna.until(() => document.querySelectorAll('.zone-row').length === 1);
  await anna.tap('[data-key="publish"]');
  await anna.see('dialog', 'Those found: 1');
  assert.deepEqual(await Promise.all(['zones', 'group', 'name'].map(value)), ['found', '', 'Quarry']);
  await anna.see('dialog .footnote', 'A zone is published in one place: those in Hazard move.');
  await pictured(anna, 'publish-found-phone');
  await anna.tap('#publish');
  await anna.see('.snackbar', 'Quarry: 1 zone published');
  assert.deepEqual(await groups(), [['Crew', 'Hazard', 'Quarry']]);
  assert.deepEqual(await places(), { Quarry: 'Quarry', 'Blasting site': 'Hazard', Bakery: null });
});

test('under a name that is published already the zones are added to it, here for everybody', async () => {
  await go(anna, '/collections');
  await anna.tap('[data-key="new-collection"]');
  await anna.tap('dialog .row', 'Bakery');
  await chooseOption(anna, '[name="publish-to"]', 'Everybody');
  await anna.type('[name="publish-name"]', 'Hazard');
  await anna.see('dialog .footnote', 'You publish Hazard already, with 1 zone.');
  await anna.tap('#publish');
  await anna.see('section[aria-label="Yours"] .row', 'Hazard2 zones · everybody may follow');
  assert.deepEqual(await places(), { Quarry: 'Quarry', 'Blasting site': 'Hazard', Bakery: 'Hazard' });
  assert.deepEqual(unexpected(anna), []);
});
