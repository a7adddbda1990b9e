// A page that was not touched since it was loaded may not make a sound: it says so, and lets the system make one instead.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { phone } from '../support/Browser.mjs';
import { noticed } from '../support/Notices.mjs';
import { ears, place, report, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin({ isWhole: true });
});
after(() => story?.end());

/** Armed, closed, and opened again in another tab, as after a restart of the browser, without a touch. */
async function untouched(address = '/') {
  const first = await story.open({ zones: [zone()], at: place(1000) });
  await first.tap('#activate');
  await first.see('h1', 'Alarms on');
  await first.until(() => navigator.serviceWorker.ready.then(() => true));
  const page = await first.context.page({ ...phone, before: ears });
  await first.send('Page.close');
  page.touches = false;
  await page.move(place(1000));
  await page.open(`${story.origin}/#${address}`);
  await page.until(() => globalThis.fixes > 0);
  return page;
}

test('an armed page that was loaded again says that it cannot sound, and one tap mends it', async () => {
  const page = await untouched();
  await report(page, place(990));
  await page.see('#hear', 'Tap once so that alarms can be heard');
  await page.see('#guarantee', 'No sound until you tap this page once');
  await page.see('nav [data-place="alarm"] .sign.no_sound');
  await page.until(() => document.title.startsWith('No sound'));
  await page.tap('#hear');
  await page.gone('#hear');
  await page.gone('nav [data-place="alarm"] .sign');
  assert.doesNotMatch(await page.text('#guarantee'), /sound/);
  await story.close(page);
});

test('where the page may not sound its notification does, at each repeat too, and the level stands still', async () => {
  const page = await untouched();
  await walk(page, place(120));
  await page.see('#alarm-sheet .sounding', 'No sound until you tap this page once');
  assert.equal(await page.run(() => document.querySelector('#alarm-sheet .bars.moving')), null);
  assert.deepEqual(
    (await noticed(page)).map(({ silent }) => silent),
    [false],
  );
  await walk(page, place(119));
  assert.ok((await noticed(page, 2)).every(({ silent }) => !silent));
  await page.tap('#alarm-hear');
  await page.see('#alarm-mute');
  await walk(page, place(118));
  await page.see('#alarm-sheet .bars.moving');
  await story.close(page);
});

test('a tap that turns sound on does not mute, although the button to mute takes its place at once', async () => {
  const page = await untouched();
  await walk(page, place(120));
  await page.see('#alarm-hear');
  page.touches = true;
  const since = await page.run(() => {
    document.querySelector('#alarm-hear').dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
    return performance.now();
  });
  await page.clickAtOnce('#alarm-mute');
  await page.see('#alarm-sheet .bars.moving');
  await page.until((from) => performance.now() - from > 1_500, since);
  await page.tap('#alarm-mute');
  await page.see('#alarm-mute', 'Unmute');
  await story.close(page);
});

test('any key lets sound out, and diagnostics say what holds', async () => {
  const page = await untouched('/diagnostics');
  const sound = (words) =>
    page.until(
      (wanted) =>
        [...document.querySelectorAll('#outlet .row')].some(
          ({ innerText }) => innerText.startsWith('Sound') && innerText.includes(wanted),
        ),
      words,
    );
  await sound('held back by the browser until the page is tapped');
  await page.press('Tab');
  await page.gone('nav [data-place="alarm"] .sign');
  await sound('can be heard');
  // The test's page server is not ours, and diagnostics ask for ours.
  await page.context.close();
});
