// Every screen on the smallest phone, with text twice as large, and on a very wide window: nothing sticks out, no label is
// cut.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { place, Story, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const home = zone({ name: 'Market hall by the river', distance: 150 });
const screens = [
  '/',
  '/map',
  '/zones',
  `/zones/${home.id}`,
  '/zones/new',
  '/history',
  `/why/${home.id}`,
  '/more',
  '/sounds',
  '/messages',
  '/reminders',
  '/share',
  '/receive',
  '/replay',
  '/settings',
  '/settings/search',
  '/settings/map',
  '/settings/data',
  '/account',
  '/collections',
  '/pairing',
  '/diagnostics',
  '/about',
  '/first-run',
];

/** What lies outside the window or is cut, as its text. */
const faults = (page) =>
  page.run(() => {
    const found = [];
    const said = (element) =>
      `${element.tagName.toLowerCase()}.${element.className} “${(element.innerText ?? '').trim().slice(0, 40)}”`;
    // A line that is moved sideways may go on beyond the edge; a whole screen may not.
    const isMovedSideways = (element) => {
      for (let box = element.parentElement; box; box = box.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(box).overflowX) && box.clientHeight < 100) return true;
      return false;
    };
    if (document.documentElement.scrollWidth > innerWidth)
      found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    for (const element of document.querySelectorAll('h1, h2, h3, p, button, a, label, input, .row, .card')) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      // What lies on the map goes with it; its furniture does not.
      if (element.closest('.visually-hidden, .maplibregl-marker, .maplibregl-control-container')) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (!width) continue;
      if ((left < -1 || right > innerWidth + 1) && !isMovedSideways(element)) found.push(`outside: ${said(element)}`);
      if (!element.matches('button, a, label')) continue;
      for (const part of [element, ...element.querySelectorAll('span, b')]) {
        const { overflowX, textOverflow } = getComputedStyle(part);
        if (
          part.scrollWidth > part.clientWidth + 1 &&
          part.clientWidth &&
          overflowX !== 'visible' &&
          textOverflow !== 'ellipsis' &&
          !part.closest('.visually-hidden')
        )
          found.push(`cut: ${said(part)}`);
      }
    }
    return [...new Set(found)];
  });

for (const [name, look, size] of [
  ['a phone of 320 px', { width: 320, height: 568, touch: true }, '100%'],
  ['text twice as large', { width: 390, height: 844, touch: true }, '200%'],
  ['a window of 2,560 px', { width: 2560, height: 1440, touch: false }, '100%'],
])
  test(`nothing sticks out and no label is cut: ${name}`, async () => {
    const page = await story.open({ zones: [home], at: place(440), look });
    await page.run((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
    const all = {};
    for (const screen of screens) {
      await page.run(
        (to) =>
          new Promise((done) => {
            if (location.hash === to) return done();
            addEventListener('screen', done, { once: true });
            location.hash = to;
            return undefined;
          }),
        `#${screen}`,
      );
      if (screen === '/map') await page.see('.map-tools');
      const found = await faults(page);
      if (found.length) all[screen] = found;
      await page.shot(
        `size-${look.width}-${size.replace('%', '')}${screen.replaceAll('/', '-').replace(home.id, 'zone')}`,
      );
    }
    assert.deepEqual(all, {});
    // Whose server this is, is asked for.
    page.problems = page.problems.filter((problem) => !/status of 404/.test(problem));
    await story.close(page);
  });
