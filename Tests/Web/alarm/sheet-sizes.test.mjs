// The alarm sheet on every size of screen: Stop, Sleep and Close are visible at once, and with text twice as large Stop is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { auditBoth } from '../support/Audit.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { faults } from '../support/Screens.mjs';
import { place, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const all = ['#alarm-stop', '#alarm-sleep', '#alarm-close'];
for (const [name, look, size, inView] of [
  ['phone', phone, '100%', all],
  ['small-phone', { ...phone, width: 320, height: 568 }, '100%', all],
  ['landscape', { ...phone, width: 844, height: 390 }, '100%', all],
  ['upright', { ...phone, width: 820, height: 1180 }, '100%', all],
  ['wide', tablet, '100%', all],
  ['phone-200', phone, '200%', ['#alarm-stop']],
  ['small-phone-200', { ...phone, width: 320, height: 568 }, '200%', ['#alarm-stop']],
  ['landscape-200', { ...phone, width: 844, height: 390 }, '200%', ['#alarm-stop']],
])
  test(
    `the answers are in view as the sheet opens (${name})`,
    { skip: !name.startsWith('small') && name !== 'landscape' && inAll },
    async () => {
      const page = await story.open({
        zones: [zone()],
        kept: { armed: true },
        at: place(1000),
        look,
      });
      await page.run((fontSize) => {
        document.documentElement.style.fontSize = fontSize;
      }, size);
      await page.see('#nearest');
      await walk(page, place(120));
      await page.see('#alarm-sheet');
      // Once it has come to rest.
      await page.until(
        (wanted) =>
          wanted.every((each) => {
            const { top, bottom } = document.querySelector(each).getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
          }),
        inView,
      );
      assert.equal(await page.run(() => document.activeElement.id), 'alarm-stop');
      assert.deepEqual(await faults(page), []);
      await auditBoth(page, `alarm-sheet-${name}-answers`);
      await story.close(page);
    },
  );
