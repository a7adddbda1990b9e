// A group of people and its manager, on the real server: joining, visible data, answering each other's alarms, and its end.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { ask, Devices, go, password, pictured, signIn } from '../support/Devices.mjs';
import { place } from '../support/Story.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

/** Reports a position of Ben's phone, this many metres to the east of home. */
async function report(token, east, seconds = 0) {
  const { latitude: lat, longitude: lon } = place(east);
  const answer = await fetch(`${devices.server.origin}/pub?u=ben&d=bike`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`ben:${token}`)}` },
    body: JSON.stringify({
      _type: 'location',
      lat,
      lon,
      acc: 5,
      tst: Math.floor(Date.now() / 1000) + seconds,
      tid: 'be',
    }),
  });
  assert.equal(answer.status, 200);
}

test('a manager gives a group zones, sees who would be warned, and answers for who lets them, until a member leaves', async () => {
  const anna = await devices.device(tablet);
  await signIn(anna);
  await anna.see('[data-state="done"]');
  const collection = await ask(anna, 'POST', '/collections', { name: 'Blasting' });
  const { latitude, longitude: east } = place(0);
  await ask(anna, 'POST', '/zones', {
    name: 'Quarry',
    size_m: 100,
    collection_id: collection.id,
    outline: { kind: 'locations', places: [{ latitude, longitude: east }] },
  });
  await go(anna, '/people');
  await anna.tap('.row', 'Groups that you manage');
  await anna.tap('[data-key="new-group"]');
  await anna.tap('#name-save');
  await anna.see('dialog .problem', 'needs a name');
  await anna.type('[name="asked-name"]', 'Crew');
  await anna.tap('#name-save');
  await anna.tap('.row', 'Crew');
  await anna.tap(`[data-key="give-${collection.id}"]`);
  await anna.until(async () => (await (await fetch('/api/v1/groups')).json()).items[0].collections.length === 1);
  await anna.tap('[data-key="invite"]');
  await anna.type('[name="asked-name"]', 'ben');
  await anna.tap('#name-save');
  await anna.see('section[aria-label="Members"] .row', 'not accepted yet');

  const ben = await devices.another('ben');
  const { token } = await ask(ben, 'POST', '/tokens', { name: 'phones' });
  await report(token, 9000, -1800);
  // The invitation is announced on his first screen.
  await go(ben, '/');
  await ben.see('.waiting .row', 'invites you to Crew');
  await ben.see('[data-place="people"] .sign.waiting', '1 waits for you');
  assert.equal(await ben.text('[data-place="people"] .sign .number'), '1');
  await pictured(ben, 'groups-announced-phone');
  await ben.tap('.waiting .row', 'invites you to Crew');
  await ben.see('section[aria-label="Waiting for you"]', 'invites you to Crew');
  await ben.see('section[aria-label="Waiting for you"]', 'never see where you are');
  assert.equal(
    await ben.run(() => document.querySelector('#outlet section').getAttribute('aria-label')),
    'Waiting for you',
    'it stands above all else',
  );
  await pictured(ben, 'groups-invitation-phone');
  await ben.tap('section[aria-label="Waiting for you"] .button', 'Join and choose');
  // He is asked at once which collections to follow, and may follow none.
  await ben.see('dialog h2', 'What watches over your phones?');
  await ben.see('dialog .row', 'Blasting');
  await pictured(ben, 'groups-follow-phone');
  await ben.tap('dialog .button', 'Done');
  await ben.see('section[aria-label="Groups and shared zones"] .row', 'You follow none of its zones');
  await ben.gone('[data-place="people"] .sign');
  await anna.tap('header .back');
  await anna.tap('.row', 'Crew');
  await anna.see('section[aria-label="Members"] .row', 'Would not be warned');
  await ask(ben, 'PUT', `/collections/${collection.id}/follow`);
  await anna.tap('header .back');
  await anna.tap('.row', 'Crew');
  await anna.see('section[aria-label="Members"] .row', 'Would be warned');
  await anna.see('section[aria-label="Members"] .row', 'Follows Blasting since');
  await pictured(anna, 'groups-manager-tablet');

  // Ben sees the data that she sees, and permits her to answer.
  await go(ben, '/more');
  await go(ben, '/people');
  await ben.tap('section[aria-label="Groups and shared zones"] .row', 'Crew');
  await ben.see('dialog', 'bike: reported');
  await ben.tap('dialog [data-key="manager-answers"]');
  await ben.until(async () => (await (await fetch('/api/v1/memberships')).json()).items[0].manager_may_answer);
  await pictured(ben, 'groups-member-phone');
  await ben.tap('dialog .button', 'Close');
  await report(token, 0);
  await go(anna, '/');
  // As if she came back to the page.
  await anna.run(() => document.dispatchEvent(new Event('visibilitychange')));
  await anna.see('[data-place="people"] .sign.ringing', 'waits for you');
  await anna.tap('.waiting .row', 'Quarry · ben');
  await anna.see('section[aria-label="Alarms of others"] .row', 'Quarry');
  await anna.see('section[aria-label="Answering alarms for each other"] .row', 'You answer for');
  await pictured(anna, 'groups-alarm-tablet');
  await anna.tap('section[aria-label="Alarms of others"] .button', 'Sleep');
  await anna.see('section[aria-label="Alarms of others"] .row', 'Asleep · answered by anna at ');
  assert.equal((await ask(ben, 'GET', '/alarms')).items[0].answered_by, 'account anna');
  // The owner's answer, which she sees with his name.
  const [{ id: alarm }] = (await ask(ben, 'GET', '/alarms')).items;
  await ask(ben, 'POST', `/alarms/${alarm}/acknowledge`);
  await anna.see('section[aria-label="Alarms of others"] .row', 'Stopped · answered by ben at ');
  assert.equal(
    await anna.run(() => document.querySelectorAll('section[aria-label="Alarms of others"] .button').length),
    0,
    'nobody else makes it ring again',
  );
  await pictured(anna, 'groups-answered-tablet');
  // The zone is moved away while he is inside: his record shows why the alarm is over, and who answered.
  const quarry = (await ask(anna, 'GET', '/zones')).items.find(({ name }) => name === 'Quarry');
  const { latitude: far, longitude } = place(5000);
  await anna.run(
    async (path, outline) => {
      const { app } = await import('/scripts/main.js');
      const { serverOf } = await import('/scripts/server/server.js');
      await serverOf(app).change(path, ({ name, size_m: size, collection_id: of }) => ({
        name,
        size_m: size,
        collection_id: of,
        outline,
      }));
    },
    `/zones/${quarry.id}`,
    { kind: 'locations', places: [{ latitude: far, longitude }] },
  );
  await ben.until(() => !document.querySelector('dialog[open]'));
  await go(ben, '/history');
  await ben.see('.incidents .row', 'zone edited');
  await ben.tap('.day-pill .whose');
  await ben.tap('dialog .row', 'This device');
  await ben.see('.remote .row', 'Over · zone edited · answered by ben at ');
  await ben.tap('.remote .row .remote-open', 'Quarry');
  await ben.see('dialog .facts', ' · zone edited');
  await ben.see('dialog .facts', ' by ben');
  await ben.tap('dialog .button', 'Done');

  // Leaving ends everything, for both.
  await ben.until(() => !document.querySelector('dialog[open]'));
  await go(ben, '/more');
  await go(ben, '/people');
  await ben.tap('section[aria-label="Groups and shared zones"] .row', 'Crew');
  await ben.tap('dialog .button', 'Leave the group');
  await ben.see('section[aria-label="Groups and shared zones"] .row', 'Left on');
  await go(anna, '/more');
  await go(anna, '/people');
  await anna.until(() => !document.querySelector('section[aria-label="Alarms of others"]'));
  await anna.tap('.row', 'Groups that you manage');
  await anna.tap('.row', 'Crew');
  await anna.see('section[aria-label="Members"] .row', 'Left on');
  await Promise.all([anna.context.close(), ben.context.close()]);
});

test(
  'a link to join shows what one agrees to, and a person named for one’s alarms has to agree',
  { skip: inAll },
  async () => {
    const anna = await devices.device();
    await signIn(anna);
    const group = await ask(anna, 'POST', '/groups', { name: 'Night shift' });
    await go(anna, `/groups/${group.id}`);
    await anna.tap('[data-key="link"]');
    await anna.tap('#link-save');
    await anna.see('dialog .problem', 'whole number from 1 to 1,000');
    await anna.type('[name="link-people"]', '1');
    await pictured(anna, 'groups-link-new-phone');
    await anna.tap('#link-save');
    await anna.see('dialog svg.qr');
    const address = await anna.run(() => document.querySelector('.link-address').textContent);
    await pictured(anna, 'groups-link-phone');
    await anna.tap('dialog .button', 'Done');
    await anna.see('[data-key^="link-"]', 'Link for 1 person');
    await anna.see('[data-key^="link-"]', '0 joined · until ');

    const carl = await devices.another('carl');
    await carl.run((to) => {
      location.hash = new URL(to).hash;
    }, address);
    await carl.see('.card', 'invites you to Night shift');
    await pictured(carl, 'groups-join-phone');
    await carl.tap('.button', 'Join');
    await carl.see('.snackbar', 'You are in Night shift. It has no zones yet');
    await carl.until(() => location.hash === '#/people');
    // The only place is taken; the link tells nothing of the group any more.
    const dora = await devices.another('dora');
    await dora.run((to) => {
      location.hash = new URL(to).hash;
    }, address);
    await dora.see('.note', 'As many people have joined by this link as it was made for');
    assert.ok(!(await dora.text('#outlet')).includes('Night shift'));
    await dora.context.close();
    await anna.tap('header .back');
    await anna.tap('.row', 'Night shift');
    await anna.see('[data-key^="link-"]', '1 joined · until ');
    await anna.tap('[data-key^="link-"]');
    await pictured(anna, 'groups-link-end-phone');
    await anna.tap('dialog .button', 'End the link');
    await anna.gone('[data-key^="link-"]');

    await go(anna, '/people');
    await anna.tap('[data-key="new-deputy"]');
    await anna.type('[name="asked-name"]', 'carl');
    await pictured(anna, 'deputy-new-phone');
    await anna.tap('#name-save');
    await anna.see('section[aria-label="Answering alarms for each other"] .row', 'not accepted yet');
    await go(carl, '/people');
    await carl.tap('section[aria-label="Waiting for you"] .button', 'Agree');
    await carl.see('section[aria-label="Answering alarms for each other"] .row', 'You answer for');
    await carl.tap('section[aria-label="Answering alarms for each other"] .row', 'You answer for');
    await carl.tap('dialog .button', 'End it');
    await carl.until(
      () =>
        !document
          .querySelector('section[aria-label="Answering alarms for each other"]')
          ?.innerText.includes('You answer for'),
    );
    assert.deepEqual((await ask(anna, 'GET', '/deputies')).items, []);
    await Promise.all([anna.context.close(), carl.context.close()]);
  },
);

test(
  'whoever has no account makes one by a link that the operator allows it, and is in the group at once',
  { skip: inAll },
  async () => {
    const anna = await devices.device();
    await signIn(anna);
    const group = await ask(anna, 'POST', '/groups', { name: 'Early shift' });
    const collection = await ask(anna, 'POST', '/collections', { name: 'Cranes' });
    await ask(anna, 'PUT', `/groups/${group.id}/collections/${collection.id}`);
    const address = await devices.server.groupLink(group.id, 'anna', 2, ['--new-accounts']);

    const emil = await devices.device(phone, '', address);
    await emil.see('.card', 'anna invites you to Early shift');
    await emil.see('.card', 'You may follow Cranes');
    await pictured(emil, 'groups-ways-phone');
    await emil.tap('#join-make');
    await emil.tap('button[type=submit]');
    await emil.see('.field .problem', 'Choose a name');
    await emil.type('[name=login]', 'em:il');
    await emil.tap('button[type=submit]');
    await emil.see('.field .problem', 'contains no colon');
    await emil.type('[name=login]', 'Anna');
    await emil.type('[name=password]', '1234567');
    await emil.tap('button[type=submit]');
    await emil.see('.field .problem', '7 characters; 8 or more');
    await emil.type('[name=password]', password);
    await emil.tap('button[type=submit]');
    await emil.see('.field .problem', 'The name Anna is taken');
    // The browser reports the answer 409 as an error.
    emil.problems = emil.problems.filter((problem) => !/status of 409/.test(problem));
    await pictured(emil, 'groups-account-phone');
    await emil.type('[name=login]', 'emil');
    await emil.tap('button[type=submit]');
    await emil.see('dialog h2', 'What watches over your phones?');
    await emil.see('dialog .row', 'Cranes');
    await emil.tap('dialog .button', 'Done');
    await emil.until(() => location.hash === '#/people');
    await emil.see('section[aria-label="Groups and shared zones"] .row', 'Early shift');

    // A person who has an account comes back to the link after signing in.
    const fritz = await devices.another('fritz');
    await ask(fritz, 'POST', '/logout');
    const again = await devices.device(phone, '', address);
    await again.tap('.card .button', 'I have an account');
    await again.type('[name=login]', 'fritz');
    await again.type('[name=password]', password);
    await again.tap('button[type=submit]');
    await again.see('.card .button', 'Join and follow');
    await again.tap('.card .button', 'Join and choose');
    await again.tap('dialog .button', 'Done');

    // The link is used up, and tells nothing of the group.
    const dora = await devices.device(phone, '', address);
    await dora.see('.note', 'As many people have joined by this link as it was made for');
    assert.ok(!(await dora.text('#outlet')).includes('Early shift'));
    // A link of the page makes no accounts.
    const plain = await devices.server.groupLink(group.id, 'anna', 2);
    await dora.run((to) => {
      location.hash = to;
    }, plain);
    await dora.see('.note', 'Sign in, and open the link once more');
    assert.ok(!(await dora.text('#outlet')).includes('Early shift'));
    await go(anna, `/groups/${group.id}`);
    await anna.see('[data-key^="link-"]', '2 joined · until ');
    await anna.see('[data-key^="link-"]', 'makes accounts');
    await anna.see('section[aria-label="Members"] .row', 'emil');
    // A link for one person proposes the login, and the manager sees who has joined by it.
    const table = 'name,mail,login\nGerda Groß,gerda@example.org,gerda\nHugo,hugo@example.org,\n';
    const [hers] = await devices.server.groupLinksOf(table, group.id, 'anna', ['--new-accounts']);
    const gerda = await devices.device(phone, '', hers);
    await gerda.tap('#join-make');
    await gerda.until(() => document.querySelector('[name=login]')?.value === 'gerda');
    await gerda.type('[name=password]', password);
    await gerda.tap('button[type=submit]');
    await gerda.see('dialog h2', 'What watches over your phones?');
    await gerda.tap('dialog .button', 'Done');
    await go(anna, '/people');
    await go(anna, `/groups/${group.id}`);
    await anna.see('section[aria-label="Members"] .row', 'Gerda Groß');
    await anna.tap('[data-key="invited"]', '1 of 2 joined');
    await anna.see('dialog .row', 'gerda · joined on ');
    await anna.see('dialog .row', 'Not joined yet · until ');
    await pictured(anna, 'groups-invited-phone');
    await Promise.all([anna, emil, fritz, again, dora, gerda].map((page) => page.context.close()));
  },
);
