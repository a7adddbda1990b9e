// A page that can no longer watch makes a sound: after two minutes near a zone, after five elsewhere.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { noNotices, noticed } from '../support/Notices.mjs';
import { place, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin({ isWhole: true });
});
after(() => story?.end());

async function armed(east) {
  const page = await story.open({ zones: [zone()], at: place(east) });
  await page.tap('#activate');
  await page.see('h1', 'Alarms on');
  await page.until(() => navigator.serviceWorker.ready.then(() => true));
  return page;
}
/** Skips this much time, and waits for the page's reaction. @returns {Promise<number>} the number of sounds */
const later = (page, seconds) =>
  page.run(async (ms) => {
    globalThis.skip(ms);
    const { app } = await import('/scripts/main.js');
    app.ask('advance');
    return globalThis.heard.sounds;
  }, seconds * 1000);
const sounds = (page, count) => page.until((wanted) => globalThis.heard.sounds === wanted, count);
const revoke = (page) =>
  page.context.browser.send('Browser.setPermission', {
    permission: { name: 'geolocation' },
    setting: 'denied',
    origin: story.server.origin,
    browserContextId: page.context.id,
  });

test('near a zone, a revoked permission is heard and told after two minutes, each minute until the page is touched', async () => {
  const page = await armed(1000);
  await revoke(page);
  await page.see('#obstacle', 'Location is not allowed');
  assert.equal(await later(page, 110), 0);
  await later(page, 11);
  await sounds(page, 1);
  const [told] = await noticed(page);
  assert.deepEqual([told.tag, told.title, told.body], ['watch-lost', 'Cannot watch', 'Location is not allowed.']);
  assert.equal(await later(page, 50), 1);
  await later(page, 11);
  await sounds(page, 2);
  await page.press('Tab');
  assert.equal(await later(page, 120), 2);
  await story.close(page);
});

test('without positions it is heard near a zone two minutes after the last one, and over with the next', async () => {
  const page = await armed(1000);
  await page.send('Emulation.setGeolocationOverride');
  assert.equal(await later(page, 100), 0);
  await later(page, 30);
  await sounds(page, 1);
  await noticed(page);
  await walk(page, place(990));
  await page.see('h1', 'Alarms on');
  await noNotices(page);
  await story.close(page);
});

test('far from all zones it is heard after five minutes', async () => {
  const page = await armed(60_000);
  await revoke(page);
  await page.see('#obstacle', 'Location is not allowed');
  assert.equal(await later(page, 290), 0);
  await later(page, 11);
  await sounds(page, 1);
  await story.close(page);
});

test('alarms that are off make no sound', async () => {
  const page = await armed(1000);
  await page.tap('#activate');
  await page.see('h1', 'Alarms off');
  await revoke(page);
  assert.equal(await later(page, 400), 0);
  await story.close(page);
});
