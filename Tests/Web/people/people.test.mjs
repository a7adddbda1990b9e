// Sharing a phone's position, on the real server: with a person who agrees, and by a link without an account.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { audit } from '../support/Audit.mjs';
import { tablet } from '../support/Browser.mjs';
import { ask, Devices, edit, go, pictured, signIn } from '../support/Devices.mjs';
import { place, zone } from '../support/Story.mjs';

let devices;
before(async () => {
  devices = await Devices.begin({ map: true });
  await devices.setUp();
});
after(() => devices?.end());

/** Reports a position of Anna's phone, this many metres to the east of home. */
const report = (token, east) => devices.report(token, place(east));

test('a phone is shown to a person who agrees, as exactly as is chosen, on the list and on the map, until one ends it', async () => {
  const anna = await devices.device();
  // The zone is inactive, since the sheet of an alarm would cover the screens.
  await edit(anna, [zone({ name: 'School', active: false })]);
  await signIn(anna);
  await anna.see('[data-state="done"]');
  await anna.until(async () => (await (await fetch('/api/v1/zones')).json()).items.length === 1);
  const { token } = await ask(anna, 'POST', '/tokens', { name: 'phones' });
  await go(anna, '/people');
  await anna.see('section[aria-label="Your phones"]', 'No phone reports yet');
  await report(token, 0);
  await anna.tap('[data-place="history"]');
  await anna.tap('[data-place="people"]');
  await anna.see('section[aria-label="Your phones"] .row[href="#/pairing"]', 'bike');
  await anna.see('section[aria-label="Your phones"] .row', 'Reported ');
  await anna.tap('[data-key="new-share"]');
  await anna.tap('#share-save');
  await anna.see('dialog .problem', 'Type their sign-in name');
  await anna.type('[name="share-login"]', 'ben');
  await pictured(anna, 'share-new-phone');
  await anna.tap('#share-save');
  await anna.see('.snackbar', 'Sent to ben');
  await anna.see('section[aria-label="Phones you share"] .row', 'not accepted yet');

  const ben = await devices.another('ben');
  await go(ben, '/');
  await ben.tap('.waiting .row', 'anna offers to show you bike');
  await ben.see('section[aria-label="Waiting for you"]', 'anna offers to show you bike');
  await pictured(ben, 'people-offer-phone');
  assert.equal((await ask(ben, 'GET', '/shared')).items[0].fix, null);
  await ben.tap('section[aria-label="Waiting for you"] .button', 'Accept');
  await ben.see('section[aria-label="Phones shared with you"] .row', 'bike of anna');
  await ben.see('section[aria-label="Phones shared with you"] .row', 'reported');
  await audit(ben);
  await ben.tap('section[aria-label="Phones shared with you"] .row', 'bike of anna');
  await ben.tap('dialog .button', 'Show on the map');
  await ben.see('.phone-dot.others', 'bike');
  await pictured(ben, 'people-map-phone');

  // Only the zone, then nothing.
  await go(anna, '/people');
  await anna.tap('section[aria-label="Phones you share"] .row', 'ben');
  await anna.until(() => document.querySelector('[name="share-precision"]'));
  const choose = (value) =>
    anna.run((to) => {
      const select = document.querySelector('[name="share-precision"]');
      select.value = to;
      select.dispatchEvent(new Event('change'));
    }, value);
  await choose('zones');
  await anna.tap('#share-save');
  await anna.see('section[aria-label="Phones you share"] .row', 'only in which zones it is');
  await go(ben, '/people');
  await ben.see('section[aria-label="Phones shared with you"] .row', 'In School');
  await anna.tap('section[aria-label="Phones you share"] .row', 'ben');
  await choose('nothing');
  await anna.tap('#share-save');
  await anna.see('section[aria-label="Phones you share"] .row', 'nothing for now');
  await go(ben, '/more');
  await go(ben, '/people');
  await ben.see('section[aria-label="Phones shared with you"] .row', 'Shows nothing for now');
  await ben.tap('section[aria-label="Phones shared with you"] .row', 'bike of anna');
  await ben.tap('dialog .button', 'Stop seeing this phone');
  await ben.see('section[aria-label="Phones shared with you"]', 'Nobody shares a phone with you yet');
  await go(anna, '/more');
  await go(anna, '/people');
  await anna.until(() => !document.querySelector('section[aria-label="Phones you share"]')?.innerText.includes('ben'));
  await Promise.all([anna.context.close(), ben.context.close()]);
});

test('a link shows the phone to whoever has it, without an account, until its owner ends it', async () => {
  const anna = await devices.device();
  await signIn(anna);
  const { token } = await ask(anna, 'POST', '/tokens', { name: 'phones' });
  await report(token, 900);
  await go(anna, '/people');
  await anna.tap('[data-key="new-share"]');
  await anna.tap('dialog [role=radio]', 'By a link');
  await anna.type('[name="share-name"]', 'for the way home');
  await anna.tap('#share-save');
  await anna.see('dialog svg.qr');
  const address = await anna.run(() => document.querySelector('.link-address').textContent);
  await pictured(anna, 'share-link-phone');
  await anna.tap('dialog .button', 'Done');
  await anna.see('section[aria-label="Phones you share"] .row', 'for the way home');

  const stranger = await devices.device(tablet);
  await stranger.run((to) => {
    location.hash = new URL(to).hash;
  }, address);
  await stranger.see('.seen-card', 'bike of anna');
  await stranger.see('.phone-dot');
  await pictured(stranger, 'seen-tablet');
  await audit(stranger);
  await anna.tap('section[aria-label="Phones you share"] .row', 'for the way home');
  await anna.tap('dialog .button', 'End it');
  await anna.gone('dialog');
  await go(stranger, '/more');
  await stranger.run((to) => {
    location.hash = new URL(to).hash;
  }, address);
  await stranger.see('.seen-card', 'Nothing is shown here');
  await Promise.all([anna.context.close(), stranger.context.close()]);
});

test('without an account the tab says what it is for and how to begin', async () => {
  const page = await devices.device();
  await page.tap('[data-place="people"]');
  await page.see('#outlet .empty', 'See where your people’s phones are');
  await page.see('#outlet .empty', 'Sign in to begin');
  // Packs are followed without an account.
  await page.see('#outlet .row[href="#/collections"]', 'Shared zones');
  await pictured(page, 'people-signed-out-phone');
  await audit(page);
  await page.tap('#outlet .empty a', 'Sign in');
  await page.until(() => location.hash === '#/account');
  await page.context.close();
});
