// The look and measures of the frame's screens: no violation of axe's rules, no small touch targets, no horizontal scrolling,
// and pictures for people.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { place, smallBoxes, Story, violations, walk, zone } from '../support/Story.mjs';

let story, axe;
before(async () => {
  [story, axe] = await Promise.all([Story.begin({ map: true }), readFile('.build-vendor/test/axe.min.js', 'utf8')]);
});
after(() => story?.end());

const zones = [
  zone({ name: 'Bakery Sonne', category: 'Bakery', messages: undefined }),
  zone({ id: 'a000000000000002', name: 'Market hall', category: 'Shopping', east: 1200, distance: 0 }),
  zone({
    id: 'a000000000000003',
    name: 'Südkreuz station, the entrance at the far end',
    category: 'Train',
    east: -900,
    distance: 400,
  }),
];

async function judge(page, name, dark = false) {
  assert.deepEqual(await violations(page, axe, { dark }), [], name);
  assert.deepEqual(await smallBoxes(page), [], name);
  assert.equal(
    await page.run(
      () =>
        document.scrollingElement.scrollWidth <= innerWidth &&
        document.querySelector('#outlet').scrollWidth <= document.querySelector('#outlet').clientWidth,
    ),
    true,
    `${name} is as wide as the screen`,
  );
  await page.shot(name);
}

for (const [size, look] of [
  ['phone', phone],
  ['wide', tablet],
]) {
  for (const dark of [false, true]) {
    const suffix = `${dark ? 'dark-' : ''}${size}`;
    const skip = size === 'wide' && inAll;
    test(`the alarm screen, off, on and ringing, ${dark ? 'dark' : 'light'}, ${size}`, { skip }, async () => {
      const page = await story.open({ zones, at: place(440), look: { ...look, dark } });
      await judge(page, `alarm-off-${suffix}`, dark);
      await page.click('#activate');
      await page.see('#nearest');
      if (size === 'wide') await page.see('.maplibregl-canvas');
      await page.see('section[aria-label="Screen"]', 'On.');
      await judge(page, `alarm-on-${suffix}`, dark);
      await walk(page, place(150));
      await page.see('#alarm-sheet', 'Bakery Sonne');
      await judge(page, `alarm-sheet-${suffix}`, dark);
      await story.close(page);
    });
  }
}

test('nothing yet, people without a server, and more, on a phone', async () => {
  const page = await story.open();
  await judge(page, 'alarm-empty-phone');
  await page.tap('[data-place="people"]');
  await page.see('#outlet .empty', 'See where your people’s phones are');
  await page.see('#outlet .empty', 'It needs a server, and this page has none');
  await judge(page, 'people-no-server-phone');
  // The browser itself reports the one request that asks whether there is a server.
  assert.match(page.problems.splice(0).join(), /^[^,]*404[^,]*\/api\/v1\/session$/);
  await page.tap('[data-place="more"]');
  await page.see('h1', 'More');
  await judge(page, 'more-phone');
  await story.close(page);
});

test('large text, and a small phone, lose nothing', async () => {
  const page = await story.open({ zones, at: place(440), look: { width: 320, height: 568, touch: true } });
  await page.run(() => {
    document.documentElement.style.fontSize = '130%';
  });
  await page.click('#activate');
  await page.see('#nearest');
  await page.shot('alarm-on-small');
  await walk(page, place(150));
  await page.see('#alarm-sheet', 'Bakery Sonne');
  await page.shot('alarm-sheet-small');
  const { top, height } = await page.box('#alarm-sleep');
  assert.ok(top >= 0 && top + height <= 568, `${top} ${height}`);
  assert.equal(await page.run(() => document.querySelector('#alarm-sheet').scrollWidth <= innerWidth), true);
  await story.close(page);
});
