// A screen looks the same whichever screens were shown before: style files loaded with other screens do not move it.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { Devices, edit, signIn } from '../support/Devices.mjs';
import { screens } from '../support/Screens.mjs';
import { place, zone } from '../support/Story.mjs';

const home = zone();
/** The style files that are loaded with a screen. */
let late;
let devices;
let page;
before(async () => {
  if (inAll) return;
  const first = await readFile('Web/index.html', 'utf8');
  late = (await readdir('Web/styles')).filter((name) => !first.includes(`"stylesheet" href="styles/${name}"`));
  devices = await Devices.begin();
  await devices.setUp();
  page = await devices.device();
  await page.move(place(1000));
  await signIn(page);
  await edit(page, [home]);
});
after(() => devices?.end());

/** A document that has shown no other screen. */
async function cold(address) {
  await page.open('about:blank', { ready: null });
  await page.open(`${devices.server.origin}/#${address}`);
}

/** Elements that move when all other style files are loaded, after or before those of the screen, as text. */
const moved = () =>
  page.run(async (names) => {
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    const boxes = () =>
      [...document.querySelectorAll('#outlet *, dialog[open] *, nav *')]
        .filter((each) => each.checkVisibility() && !each.closest('svg, .maplibregl-map'))
        .map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [element, [x, y, width, height].map(Math.round).join(' ')];
        });
    // Elements that are still loading, from the server or the disk, move anyway.
    const settled = async () => {
      for (let last = '', same = 0; same < 4; await pause(100)) {
        const now = JSON.stringify(boxes().map(([, at]) => at));
        const isStyled = [...document.querySelectorAll('link[rel="stylesheet"]')].every(({ sheet }) => sheet);
        same = now === last && isStyled ? same + 1 : 0;
        last = now;
      }
      return boxes();
    };
    const before = await settled();
    const own = [...document.querySelectorAll('link[rel="stylesheet"]')];
    const isOf = (name) => (link) => new URL(link.href).pathname.endsWith(`/styles/${name}`);
    const firstLate = own.find((link) => names.some((name) => isOf(name)(link)));
    const missing = names.filter((name) => !own.some(isOf(name)));
    const found = new Set();
    for (const next of [null, firstLate ?? null]) {
      const added = await Promise.all(
        missing.map((name) => {
          const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `styles/${name}` });
          return new Promise((done, failed) => {
            link.onload = () => done(link);
            link.onerror = () => failed(new Error(`no ${name}`));
            document.head.insertBefore(link, next);
          });
        }),
      );
      const after = new Map(boxes());
      for (const link of added) link.remove();
      for (const [element, at] of before)
        if (element.isConnected && after.get(element) !== at)
          found.add(
            `${element.tagName.toLowerCase()}.${element.className} “${element.textContent.trim().slice(0, 30)}”: ${at}, then ${after.get(element)}`,
          );
    }
    return [...found].slice(0, 4);
  }, late);

const others = [
  '/reminders/nearby',
  '/past',
  '/log',
  '/sealed',
  '/groups',
  '/join/abc',
  '/seen/abc',
  '/settings/phone',
];
test('each screen that is opened first looks as after all others', { skip: inAll }, async () => {
  const found = {};
  for (const address of [...screens(home), ...others]) {
    await cold(address);
    const what = await moved();
    if (what.length) found[address] = what;
  }
  assert.deepEqual(found, {});
});

/** Sheets, as the screen and the tap that open them. */
const ways = [
  [`/zones/${home.id}`, '.form-rows .row', 'Sound'],
  [`/zones/${home.id}`, '.form-rows .row', 'Hours'],
  [`/zones/${home.id}`, '.form-rows .row', 'Notice'],
  [`/zones/${home.id}`, '.form-rows .row', 'Messages'],
  [`/zones/${home.id}`, '.zone-head [aria-label="More"]'],
  ['/collections', 'button', 'Follow a pack'],
  ['/zones', '[data-key="publish"]'],
  ['/reminders/new', 'button', 'Items'],
  ['/security', '[data-key="change-password"]'],
  ['/security', '[data-key="own-mail"]'],
  ['/account', '[data-key="add-channel"]'],
];
test('each sheet that is opened first looks as after all screens', { skip: inAll }, async () => {
  const found = {};
  for (const [address, selector, text] of ways) {
    await cold(address);
    await page.run(() => {
      const sheet = document.querySelector('bottom-sheet');
      if (sheet) sheet.rest = 'full';
    });
    await page.clickAtOnce(selector, text);
    await page.see('dialog[open]');
    const what = await moved();
    if (what.length) found[`${address} ${text ?? selector}`] = what;
    await page.shot(`sheet-${address.slice(1).split('/')[0]}-${(text ?? selector).replace(/\W+/g, '-')}-phone`);
  }
  assert.deepEqual(found, {});
});
