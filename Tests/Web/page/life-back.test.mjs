// Back, which is a gesture on phones: closes an open sheet or dialog before it leaves the screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withMap } from '../support/Browser.mjs';
import { square, opened } from '../support/Editor.mjs';
import { Story } from '../support/Story.mjs';
import { middle, town } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const address = (page) => page.run(() => location.hash);

test('Back closes a sheet and leaves the screen below it; the next Back leaves the screen', async () => {
  const page = await story.open({ zones: town, at: middle });
  await page.tap('nav.places a', 'Zones');
  await page.tap('[aria-label^="Sorted by"]');
  await page.see('dialog[open]');
  await page.back();
  await page.gone('dialog');
  assert.equal(await address(page), '#/zones');
  await page.see('.zones-pane');
  await page.back();
  await page.until(() => location.hash === '#/');
  await story.close(page);
});

test(
  'of two sheets over each other Back closes the upper one first',
  withMap(async () => {
    const page = await opened(story, square);
    await page.run(() => {
      document.querySelector('bottom-sheet').rest = 'full';
    });
    await page.tap('.form-rows .row', 'Messages');
    await page.see('dialog[open]', 'Messages');
    await page.run(async () => {
      const { modalSheet } = await import('/parts/sheet.js');
      modalSheet({ label: 'Upper' }, 'Upper sheet');
    });
    await page.see('dialog[open]', 'Upper sheet');
    await page.back();
    await page.until(() => document.querySelectorAll('dialog[open]').length === 1);
    await page.see('dialog[open]', 'Messages');
    await page.back();
    await page.gone('dialog');
    assert.match(await address(page), /^#\/zones\//);
    await story.close(page);
  }),
);

test('a sheet that was closed, or that led on, leaves no step behind', async () => {
  const page = await story.open({ zones: town, at: middle });
  await page.tap('nav.places a', 'Zones');
  await page.tap('[aria-label^="Sorted by"]');
  await page.tap('dialog .row', 'Name');
  await page.gone('dialog');
  await page.until(() => !history.state?.sheet);
  // From the sheet of a zone to its Why: Back leads to the list, without the sheet.
  await page.tap('.zone-row .tile-button');
  await page.tap('dialog .row', 'Why');
  await page.until(() => location.hash.startsWith('#/why/'));
  await page.back();
  await page.until(() => location.hash === '#/zones');
  await page.see('.zones-pane');
  assert.equal(await page.run(() => document.querySelector('dialog[open]')), null);
  await page.back();
  await page.until(() => location.hash === '#/');
  await story.close(page);
});

test(
  'Delete in the editor leads back to the screen before, not to the sheet',
  withMap(async () => {
    const page = await story.open({ zones: town, at: middle });
    await page.tap('nav.places a', 'More');
    await page.until(() => document.querySelector('#stage').dataset.screen === '/more');
    await page.run((id) => {
      location.hash = `#/zones/${id}`;
    }, town[0].id);
    await page.tap('.zone-head [aria-label="More"]');
    await page.tap('dialog .row', 'Delete');
    await page.until(() => location.hash === '#/more');
    await page.see('.snackbar', 'deleted');
    await story.close(page);
  }),
);

test('a sheet that opens while the step of the former one is still gone back stays open, and Back closes it', async () => {
  const page = await story.open({ zones: town, at: middle });
  await page.tap('nav.places a', 'Zones');
  await page.see('.zones-pane');
  await page.run(async () => {
    const { modalSheet } = await import('/parts/sheet.js');
    // The close event comes before the step back, so a sheet that is opened then is opened in between.
    modalSheet(
      {
        label: 'Former',
        onclose: () => {
          setTimeout(() => modalSheet({ label: 'Latter' }, 'Latter sheet'));
        },
      },
      'Former sheet',
    ).close();
  });
  await page.see('dialog[open]', 'Latter sheet');
  await page.until(() => Boolean(history.state?.sheet));
  await page.see('dialog[open]', 'Latter sheet');
  await page.back();
  await page.gone('dialog');
  assert.equal(await address(page), '#/zones');
  await page.back();
  await page.until(() => location.hash === '#/');
  await story.close(page);
});

test('to leave a screen while the step of its sheet is still gone back leads to the screen before, no further', async () => {
  const page = await story.open({ zones: town, at: middle });
  for (const address of ['#/more', '#/zones', '#/history']) {
    await page.run(async (to) => (await import('/scripts/page/steps.js')).step(to), address);
    await page.until((to) => location.hash === to, address);
  }
  await page.run(async () => {
    const [{ modalSheet }, { back }] = await Promise.all([import('/parts/sheet.js'), import('/scripts/page/steps.js')]);
    const sheet = modalSheet({ label: 'Over it' }, 'Over it');
    sheet.addEventListener('close', () => setTimeout(back));
    sheet.close();
  });
  await page.until(() => location.hash === '#/zones');
  await page.back();
  await page.until(() => location.hash === '#/more');
  await story.close(page);
});
