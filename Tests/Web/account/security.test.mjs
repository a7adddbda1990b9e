// Rarely used parts of an account are one level below it: reached by taps and by their old addresses, with a note for visitors.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
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

/** Follows a link once it exists, wherever it is. */
async function follow(page, address) {
  await page.clickAtOnce(`#outlet [href="#/${address}"]`);
}

test('the account shows none of them and leads to all', async () => {
  const anna = await devices.device();
  await signIn(anna);
  // Snackbars that fade out would fail the contrast check.
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

test('on a tablet too, and signed out they say so in words', { skip: inAll }, async () => {
  const anna = await devices.device(tablet);
  for (const address of ['/security', '/organisations']) {
    await go(anna, address);
    await anna.see('.note', 'Sign in first.');
  }
  await signIn(anna);
  // Snackbars that fade out would fail the contrast check.
  await anna.gone('.snackbar');
  for (const address of ['/security', '/organisations']) {
    await go(anna, address);
    await anna.gone('.note');
    await anna.see('#outlet .card .row');
    await pictured(anna, `${address.slice(1)}-tablet`);
  }
  await anna.context.close();
});

test('private mode, a browser and the password have a picture each', { skip: inAll }, async () => {
  const anna = await devices.device();
  await signIn(anna);
  await anna.gone('.snackbar');
  const picture = async (row) => {
    await anna.see(row);
    return anna.run((one) => document.querySelector(`${one} .tile path`).getAttribute('d'), row);
  };
  const pictures = [await picture('section[aria-label="Privacy"] .row')];
  await go(anna, '/security');
  pictures.push(await picture('[data-key="change-password"]'), await picture('section[aria-label="Signed in"] .row'));
  assert.equal(new Set(pictures).size, 3);
  await anna.context.close();
});

/** Holds back the server's responses on request; the test releases them one by one. */
const holding = `
  const ask = fetch;
  globalThis.held = [];
  globalThis.fetch = async (...what) => {
    const answer = await ask(...what);
    const { pathname } = new URL(what[0].url ?? what[0], location);
    if (globalThis.holds && /\\/(account|login|channels|notices|mqtt|settings|session)\\b/.test(pathname))
      await new Promise((done) => globalThis.held.push(done));
    return answer;
  };`;
/** The positions of all controls, by key or text. */
const touched = (page) =>
  page.run(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    return Object.fromEntries(
      [...document.querySelectorAll('#outlet :is(.row, button, a)')]
        .filter((each) => each.checkVisibility())
        .map((each) => [
          each.dataset.key ?? (each.id || (each.getAttribute('aria-label') ?? each.innerText.split('\n')[0])),
          Math.round(each.getBoundingClientRect().top),
        ]),
    );
  });

for (const [address, last] of [
  ['/account', '#sign-out'],
  ['/security', 'section[aria-label="Signed in"] .row'],
  ['/organisations', 'section[aria-label="Key of your signed packs"] p'],
])
  test(`no row of ${address} moves while the server answers`, { skip: address !== '/account' && inAll }, async () => {
    const anna = await devices.device(undefined, holding);
    await signIn(anna);
    await anna.gone('.snackbar');
    await go(anna, '/about');
    await anna.run(() => {
      globalThis.holds = true;
    });
    await go(anna, address);
    let before = await touched(anna);
    let answers = 0;
    for (;;) {
      // The last request is answered first.
      const isHeld = await anna.until(
        (end) =>
          globalThis.held.length ? 'held' : document.querySelector(end)?.checkVisibility() ? 'there' : undefined,
        last,
      );
      if (isHeld === 'there') break;
      await anna.run(() => globalThis.held.pop()());
      answers++;
      const now = await touched(anna);
      for (const [row, top] of Object.entries(before))
        if (row in now) assert.equal(now[row], top, `“${row}” after ${answers} answers`);
      before = now;
    }
    assert.ok(answers > 0);
    await anna.see(last);
    await anna.context.close();
  });
