// What an account seldom needs lies one level below it: by taps, at the addresses of old, and in words for whoever is not signed in.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tablet } from '../support/Browser.mjs';
import { Devices, go, pictured, signIn, unexpected } from '../support/Devices.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

const rare = [
  '[data-key="change-password"]',
  '[data-key="second-factor"]',
  '[data-key="pack-key-change"]',
  '[href="#/sealed"]',
];

/** Follows a link, wherever it is: sections above it come when the server has answered, and move it. */
const follow = (page, address) =>
  page.run((one) => document.querySelector(one).click(), `#outlet [href="#/${address}"]`);

test('the account shows none of them and leads to all', async () => {
  const anna = await devices.device();
  await signIn(anna);
  // What fades away while colours are measured would be too faint.
  await anna.gone('.snackbar');
  await anna.see('.row', 'For organisations');
  assert.deepEqual(await anna.run((all) => all.filter((each) => document.querySelector(`#outlet ${each}`)), rare), []);
  await pictured(anna, 'account-short-phone');
  await follow(anna, 'security');
  await anna.see('h1', 'Security');
  for (const each of [
    '[data-key="change-password"]',
    '[data-key="second-factor"]',
    '[href="#/log"]',
    '[href="#/sealed"]',
  ])
    await anna.see(`#outlet ${each}`);
  await anna.see('section[aria-label="Signed in"] .row', 'Here, now');
  await pictured(anna, 'security-phone');
  for (const address of ['sealed', 'log']) {
    await follow(anna, address);
    await anna.see('.top-bar .back[href="#/security"]');
    await anna.click('.back[href="#/security"]');
    await anna.see('h1', 'Security');
    await anna.until(() => location.hash === '#/security');
  }
  await anna.click('.back[href="#/account"]');
  await anna.until(() => location.hash === '#/account');
  await follow(anna, 'organisations');
  await anna.see('section[aria-label="Key of your signed packs"]', 'There is no key yet.');
  await anna.see('[href="#/groups"]');
  await anna.see('[href="#/collections"]');
  await pictured(anna, 'organisations-phone');
  assert.deepEqual(unexpected(anna), []);
  await anna.context.close();
});

test('on a tablet too, and signed out they say so in words', async () => {
  const anna = await devices.device(tablet);
  for (const address of ['/security', '/organisations']) {
    await go(anna, address);
    await anna.see('.note', 'Sign in first.');
  }
  await signIn(anna);
  // What fades away while colours are measured would be too faint.
  await anna.gone('.snackbar');
  for (const address of ['/security', '/organisations']) {
    await go(anna, address);
    await anna.gone('.note');
    await anna.see('#outlet .card .row');
    await pictured(anna, `${address.slice(1)}-tablet`);
  }
  await anna.context.close();
});
