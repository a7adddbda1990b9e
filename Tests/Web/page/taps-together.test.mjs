// The number of taps that people with accounts on one server need for common tasks with each other, on a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, Devices, edit, go, password, unexpected } from '../support/Devices.mjs';
import { place, zone } from '../support/Story.mjs';
import { Taps } from '../support/Taps.mjs';

let devices, anna, ben;
before(async () => {
  devices = await Devices.begin();
});
after(() => devices?.end());

/** Opens the first screen, and counts taps from then on. */
const begins = async (page) => {
  await go(page, '/');
  await page.run(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.see('.alarm-screen');
  return new Taps(page);
};
const reports = async (login, device, token, to) => {
  const { latitude: lat, longitude: lon } = to;
  const answer = await fetch(`${devices.server.origin}/pub?u=${login}&d=${device}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${login}:${token}`)}` },
    body: JSON.stringify({ _type: 'location', lat, lon, acc: 5, tst: Math.floor(Date.now() / 1000), tid: 'an' }),
  });
  assert.equal(answer.status, 200);
};

test('an account from a link: 3 taps', async () => {
  anna = await devices.device();
  await anna.open('about:blank', { ready: null });
  await anna.open(`${devices.server.origin}/#setup=${devices.server.setUp}`);
  const taps = new Taps(anna);
  await taps.type('[name=login]', 'anna');
  await taps.type('[name=password]', password);
  await taps.tap('button[type=submit]');
  await anna.see('[data-state="done"]');
  taps.within(3, 'Account from a link');
  ben = await devices.another('ben');
});

test('a phone by QR code: 4 taps', async () => {
  const taps = await begins(anna);
  await taps.tap('[data-place="people"]');
  await taps.tap('.row', 'No phone reports yet');
  await taps.type('[name=device]', 'Anna’s phone');
  await taps.tap('form button[type=submit]');
  await anna.see('dialog.pair-sheet svg.qr');
  taps.within(4, 'Phone by QR code');
  await anna.press('Escape');
});

test('the day of a phone: 1 tap', async () => {
  const { token } = await ask(anna, 'POST', '/tokens', { name: 'phones' });
  await reports('anna', 'bike', token, place(9000));
  const taps = await begins(anna);
  await taps.tap('[data-place="history"]');
  await anna.see('.day-pill .whose', 'bike');
  await anna.see('.journey', 'Kept on the server.');
  taps.within(1, 'The day of a phone');
});

test('access to a phone for somebody with an account: 5 taps', async () => {
  const taps = await begins(anna);
  await taps.tap('[data-place="people"]');
  await taps.tap('[data-key="new-share"]');
  await taps.type('[name="share-login"]', 'ben');
  await taps.choose('[name="share-phone"]', 'bike');
  await taps.tap('#share-save');
  await anna.see('.snackbar', 'Sent to ben');
  taps.within(5, 'Access for a login');
});

test('access to a phone by a link, without an account: 5 taps', async () => {
  const taps = await begins(anna);
  await taps.tap('[data-place="people"]');
  await taps.tap('[data-key="new-share"]');
  await taps.tap('dialog [role=radio]', 'By a link');
  await taps.choose('[name="share-phone"]', 'bike');
  await taps.tap('#share-save');
  await anna.see('dialog svg.qr');
  taps.within(5, 'Link for grandma');
  await anna.tap('dialog .button', 'Done');
});

test('zones are published to a new group with people: 8 taps; a member follows them: 2 taps', async () => {
  await edit(anna, [
    zone({ name: 'Quarry', category: 'Hazard', active: false }),
    zone({ id: 'a000000000000002', name: 'Bakery', east: 4000, active: false }),
  ]);
  await anna.until(async () => (await (await fetch('/api/v1/zones')).json()).items.length === 2);
  const taps = await begins(anna);
  await taps.tap('[data-place="zones"]');
  await taps.tap('.zones-switch a', 'List');
  await taps.tap('[data-key="publish"]');
  await taps.choose('[name="publish-zones"]', 'Hazard');
  await taps.type('[name="publish-group"]', 'Crew');
  await taps.type('[name="publish-logins"]', 'ben, nobody');
  assert.equal(await anna.run(() => document.querySelector('[name="publish-name"]').value), 'Hazard');
  await taps.tap('#publish');
  await anna.see('.snackbar', 'Hazard: 1 zone published · Invited, if they have accounts: ben and nobody');
  taps.within(8, 'Publish to a group');

  const member = await begins(ben);
  await member.tap('.waiting .row', 'invites you to Crew');
  await member.tap('section[aria-label="Waiting for you"] .button', 'Join and follow');
  await ben.see('.snackbar', 'You are in Crew. Watching over your phones now: Hazard');
  member.within(2, 'Member follows');
  const { items } = await ask(ben, 'GET', '/collections');
  assert.deepEqual(
    items.map(({ name, is_followed: isFollowed }) => [name, isFollowed]),
    [['Hazard', true]],
  );
  await Promise.all([anna, ben].map((page) => page.context.close()));
  assert.deepEqual([...unexpected(anna), ...unexpected(ben)], []);
});
