// The notice that a zone shows on entry (S188): title, text, link and picture, with the answers always visible.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { auditBoth } from '../support/Audit.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { place, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const text = 'Falling rocks. Keep to the marked path, wear your helmet, and do not stop below the wall.';
const message = { your_moniker: 'Ann', to_moniker: 'Site office', contact_number: '112', supplement: 'Send help' };
const withNotice = (image) =>
  zone({
    name: 'Quarry edge',
    category: 'Hazard',
    messages: [message],
    notice: { title: 'Helmet on', text, link: 'https://quarry.example/rules', image, cap_s: 0 },
  });

async function entered(image, look = phone) {
  const page = await story.open({ zones: [withNotice(image)], kept: { armed: true }, at: place(1000), look });
  await page.see('#nearest');
  await walk(page, place(0));
  await page.see('#alarm-sheet .notice', 'Helmet on');
  return page;
}
/** The answers that are not within the window. */
const outside = (page) =>
  page.run(() =>
    ['#alarm-stop', '#alarm-sleep', '#alarm-close'].filter((each) => {
      const { top, bottom } = document.querySelector(each).getBoundingClientRect();
      return top < 0 || bottom > innerHeight;
    }),
  );

for (const [name, look] of [
  ['phone', phone],
  ['small-phone', { ...phone, width: 320, height: 568 }],
  ['landscape', { ...phone, width: 844, height: 390 }],
  ['wide', tablet],
])
  test(
    `a notice with its picture leaves Stop, Sleep and Close in view (${name})`,
    { skip: name !== 'small-phone' && inAll },
    async () => {
      const page = await entered(`${story.origin}/icons/icon-512.png`, look);
      await page.until(() => document.querySelector('#alarm-sheet .notice-picture')?.naturalWidth > 0);
      assert.deepEqual(await outside(page), []);
      assert.equal(
        await page.run(() => document.querySelector('#alarm-sheet .notice a').href),
        'https://quarry.example/rules',
      );
      await auditBoth(page, `alarm-notice-${name}`);
      await page.tap('#alarm-sleep');
      await story.close(page);
    },
  );

test('a picture from where the policy allows none is not drawn, and it says why', async () => {
  const page = await entered('https://pictures.example/wall.jpg');
  await page.see(
    '#alarm-sheet .picture-problem',
    'the server of this page does not allow pictures from pictures.example',
  );
  assert.equal(
    await page.run(() => document.querySelector('#alarm-sheet .picture-problem a').href),
    'https://pictures.example/wall.jpg',
  );
  assert.deepEqual(await outside(page), []);
  await page.shot('alarm-notice-refused-phone');
  await page.context.close();
});

test('Close says that the sound comes again, and how soon', async () => {
  const page = await entered('');
  assert.equal(await page.text('#alarm-close small'), 'Sounds again every 10 s');
  await page.context.close();
});

test('the editor shows the picture of a notice, or why it cannot be shown', async () => {
  const page = await story.open({ zones: [withNotice('')], at: place(1000), address: `/zones/${zone().id}` });
  await page.tap('button.row', 'Notice');
  const set = async (address) => {
    await page.type('dialog .field:nth-of-type(4) input', address);
    await page.press('Enter');
    await page.run(() => document.activeElement.blur());
  };
  await set(`${story.origin}/icons/icon-512.png`);
  await page.until(() => document.querySelector('.notice-preview img')?.naturalWidth > 0);
  await set(`${story.origin}/no-such-picture.png`);
  await page.see('.notice-preview', 'The picture cannot be loaded from localhost');
  await page.shot('editor-notice-picture-phone');
  await page.context.close();
});
