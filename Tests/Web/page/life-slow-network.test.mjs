// The first visit on a weak signal, 1.6 Mbit/s and 150 ms: taps before the rest of the page has loaded.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { Story } from '../support/Story.mjs';
import { drawn, middle, near, town } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true, slow: true });
});
after(() => story?.end());

test('leaving the map before it is loaded leads on, and alarms can be deactivated', { skip: inAll }, async () => {
  const page = await story.open({ zones: town, kept: { ...near, armed: true }, at: middle });
  await page.tap('nav.places a', 'Zones');
  await page.tap('.zones-switch a', 'Map');
  await page.see('.map-foot', 'Loading the map');
  assert.equal(await page.run(() => 'maplibregl' in globalThis), false, 'the map is still on its way');
  await page.tap('.zones-switch a', 'List');
  await page.see('.zones-pane');
  await page.tap('.zones-switch a', 'Map');
  await page.see('.map-top');
  await page.tap('nav.places a', 'Alarm');
  await page.tap('button', 'Deactivate');
  await page.until(async () => !(await import('/scripts/main.js')).app.report.armed);
  // The map loads eventually. The tab leads to the state that was shown last.
  await page.tap('nav.places a', 'Zones');
  await drawn(page, 'zone-pin');
  assert.equal(await page.run(() => document.querySelectorAll('.map-furniture').length), 1);
  await story.close(page);
});

test('a zone can be named and closed while its map is on the way', { skip: inAll }, async () => {
  const page = await story.open({ zones: town, kept: near, at: middle, address: `/zones/${town[1].id}?from=list` });
  await page.see('.save');
  assert.equal(await page.run(() => 'maplibregl' in globalThis), false, 'the map is still on its way');
  await page.type('#zone-name', 'Covered market');
  await page.tap('.save');
  await page.see('.zone-row', 'Covered market');
  await story.close(page);
});
