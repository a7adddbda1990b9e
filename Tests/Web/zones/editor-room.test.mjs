// Room in the zone editor: on small phones and in landscape, opened a second time, and while a point is dragged, nothing
// overlaps.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { tablet } from '../support/Browser.mjs';
import { go } from '../support/Devices.mjs';
import { opened } from '../support/Editor.mjs';
import { Story } from '../support/Story.mjs';
import { middle, settled } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

/** The visible parts of the editor that overlap, and the distance of the lowest hint from the sheet. */
const room = (page) =>
  page.run(() => {
    const isWide = matchMedia('(min-width: 768px)').matches;
    const parts = [
      ...document.querySelectorAll(
        `.map-tools, .edit-top > :not(.wide-bar), .map-hint, .map-offers, .zone-point > span${isWide ? '' : ', bottom-sheet'}`,
      ),
    ].filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.offsetWidth);
    const name = ({ className, localName }) => className || localName;
    const found = [];
    for (const [index, one] of parts.entries()) {
      const box = one.getBoundingClientRect();
      if (box.bottom > innerHeight + 1 && one.localName !== 'bottom-sheet')
        found.push(`${name(one)} is below the window`);
      for (const other of parts.slice(index + 1)) {
        const { left, right, top, bottom } = other.getBoundingClientRect();
        if (left < box.right - 1 && box.left + 1 < right && top < box.bottom - 1 && box.top + 1 < bottom)
          found.push(`${name(one)} and ${name(other)}`);
      }
    }
    const foot =
      document.querySelector('.map-offers:not([hidden])') ?? document.querySelector('.map-hint:not([hidden])');
    const map = document.getElementById('map');
    const lines = ['--credit', '--streets-line'].map((key) => parseFloat(map.style.getPropertyValue(key)) || 0);
    const sheet = isWide
      ? map.getBoundingClientRect().bottom
      : document.querySelector('bottom-sheet').getBoundingClientRect().top;
    return { found, floats: foot && Math.round(sheet - foot.getBoundingClientRect().bottom - lines[0] - lines[1]) };
  });

for (const [width, height] of [
  [390, 844],
  [360, 640],
  [667, 375],
  [844, 390],
  [820, 1180],
])
  test(
    `a new zone here, opened twice, lies under nothing at ${width} by ${height}`,
    { skip: width > 700 && inAll },
    async () => {
      const page = await story.open({ at: middle, look: { ...tablet, width, height }, address: '/zones/new?at=here' });
      for (const time of ['first', 'second']) {
        await page.see('.zone-point');
        await page.see('.map-tools');
        await settled(page);
        await page.run(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))));
        const { found, floats } = await room(page);
        await page.shot(`editor-room-${width}-${time}`);
        assert.deepEqual(found, [], `the ${time} time`);
        assert.ok(
          floats === undefined || floats === null || (floats >= 0 && floats <= 30),
          `${floats} px above the sheet, the ${time} time`,
        );
        if (time === 'second') break;
        await go(page, '/more');
        await page.gone('.map-tools');
        await go(page, '/zones/new?at=here');
      }
      await story.close(page);
    },
  );

test('neither hint nor suggestion lies on a point that is dragged', async () => {
  const page = await opened(story);
  await page.see('.map-hint');
  await page.run(() => document.querySelector('.zone-point').classList.add('lifted'));
  assert.equal(await page.run(() => getComputedStyle(document.querySelector('.map-hint')).visibility), 'hidden');
  await page.run(() => document.querySelector('.zone-point').classList.remove('lifted'));
  assert.equal(await page.run(() => getComputedStyle(document.querySelector('.map-hint')).visibility), 'visible');
  await story.close(page);
});
