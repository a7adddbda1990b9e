// Every screen on the smallest phone, with text twice as large, and in a very wide window: nothing sticks out, no label is cut,
// and no word is broken.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { brokenWords, faults, go, overlaps, screens } from '../support/Screens.mjs';
import { place, Story, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

const home = zone({ name: 'Market hall by the river', distance: 150 });
for (const [name, look, size, skip] of [
  ['a phone of 320 px', { width: 320, height: 568, touch: true }, '100%'],
  ['text twice as large', { width: 390, height: 844, touch: true }, '200%'],
  ['a phone of 320 px with text twice as large', { width: 320, height: 568, touch: true }, '200%', inAll],
  ['a tablet held upright', { width: 820, height: 1180, touch: true }, '100%', inAll],
  ['a window of 2,560 px', { width: 2560, height: 1440, touch: false }, '100%', inAll],
])
  test(`nothing sticks out, no label is cut, no word is parted: ${name}`, { skip }, async () => {
    const page = await story.open({ zones: [home], at: place(440), look });
    await page.run((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
    const all = {};
    for (const screen of screens(home)) {
      await go(page, screen);
      const found = [...(await faults(page)), ...(await overlaps(page)), ...(await brokenWords(page))];
      if (found.length) all[screen] = found;
      await page.shot(
        `size-${look.width}-${size.replace('%', '')}${screen.replaceAll('/', '-').replace(home.id, 'zone')}`,
      );
    }
    assert.deepEqual(all, {});
    // The page asks for the owner of the server.
    page.problems = page.problems.filter((problem) => !/status of 404/.test(problem));
    await story.close(page);
  });
