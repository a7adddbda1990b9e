// A map that is not visible is not drawn, even while an alarm rings for hours; a visible one is drawn as rarely as possible.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { place, Story, walk, zone } from '../support/Story.mjs';
import { near, onMap, settled } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

const count = (page) =>
  onMap(page, (view) => {
    globalThis.renders = 0;
    view.map.on('render', () => {
      globalThis.renders++;
    });
  });
/** The number of frames that the map draws while an alarm repeats four times, once a second. */
async function rendersInFourRepeats(page) {
  await page.run(() => {
    globalThis.renders = 0;
    globalThis.repeats = 0;
  });
  await page.until(() => globalThis.repeats >= 4);
  return page.run(() => globalThis.renders);
}
const countRepeats = (page) =>
  page.run(async () => {
    const { app } = await import('/scripts/main.js');
    app.addEventListener('event', ({ detail }) => {
      if (detail.event === 'repeat') globalThis.repeats = (globalThis.repeats ?? 0) + 1;
    });
  });
const answer = async (page, selector) => {
  await page.until(() => {
    globalThis.seen ??= performance.now();
    return performance.now() - globalThis.seen > 750;
  });
  await page.run(() => {
    delete globalThis.seen;
  });
  await page.clickAtOnce(selector);
};

test('on a phone a ringing alarm draws nothing on a map that was left, and draws one that is seen once for each change', async () => {
  const page = await story.open({
    zones: [zone()],
    at: place(1000),
    look: { ...phone, still: false },
    kept: { ...near, settings: { alarm_cycle_s: 1 } },
  });
  await page.tap('#activate');
  await page.see('#nearest');
  await page.tap('[data-place="zones"]');
  await page.tap('.zones-switch a', 'Map');
  await page.see('.map-tools');
  await settled(page);
  await count(page);
  await countRepeats(page);
  await page.tap('[data-place="alarm"]');
  await page.see('#activate');
  await walk(page, place(0));
  await page.see('#alarm-sheet');
  assert.equal(await rendersInFourRepeats(page), 0, 'below the alarm sheet');
  await answer(page, '#alarm-close');
  await page.gone('#alarm-sheet');
  assert.equal(await rendersInFourRepeats(page), 0, 'behind the first screen');
  // Once visible again, it is drawn, and the zone flashes.
  await page.run(() => {
    location.hash = '#/map';
  });
  await page.see('.map-tools');
  await page.until(() => globalThis.renders > 0);
  await settled(page);
  const seen = await rendersInFourRepeats(page);
  assert.ok(seen > 0 && seen <= 32, `${seen} frames in four seconds`);
  await page.context.close();
});

test('on a wide screen the map rests below the alarm sheet', { skip: inAll }, async () => {
  const page = await story.open({
    zones: [zone()],
    at: place(1000),
    look: { ...tablet, still: false },
    kept: { settings: { alarm_cycle_s: 1 } },
  });
  await page.see('.maplibregl-canvas');
  await page.click('#activate');
  await page.see('#nearest');
  await settled(page);
  await count(page);
  await countRepeats(page);
  await walk(page, place(0));
  await page.see('#alarm-sheet');
  assert.equal(await rendersInFourRepeats(page), 0);
  await answer(page, '#alarm-close');
  await page.gone('#alarm-sheet');
  await page.until(() => globalThis.renders > 0);
  await page.context.close();
});
