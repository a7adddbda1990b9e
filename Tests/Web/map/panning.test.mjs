// Panning over a city keeps up with the finger: the page's own work for a frame permits 50 frames per second. Measured in
// processor time of the page's thread, which other programs on a busy machine do not affect.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { cityServer } from '../support/City.mjs';
import { place, zone } from '../support/Story.mjs';
import { drawn, settled } from '../support/Zones.mjs';

/** The limit for one frame in the page's thread, for 50 frames per second. */
const limit_ms = 20;
const frames = 60;
const rounds = 3;

let city;
before(async () => {
  if (!inAll) city = await cityServer();
});
after(() => city?.end());

/** Pans the map for this many frames, there and back, over tiles that have to be loaded and tiles that are there. */
const pan = (page, count) =>
  page.run(async (steps) => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    let drawnFrames = 0;
    const count = () => drawnFrames++;
    map.on('render', count);
    for (let step = 0; step < steps; step++) {
      const rendered = new Promise((done) => {
        map.once('render', done);
      });
      map.panBy([step < steps / 2 ? 14 : -14, 5], { animate: false });
      await rendered;
    }
    map.off('render', count);
    return drawnFrames;
  }, count);

const spent_ms = async (page) =>
  1000 * (await page.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;

test(
  `panning over a city with 40 zones takes less than ${limit_ms} ms of the page's thread a frame`,
  { skip: inAll },
  async (t) => {
    const zones = Array.from({ length: 40 }, (_, index) =>
      zone({ id: (0xa000 + index).toString(16).padStart(16, '0'), name: `Zone ${index}`, east: 120 * (index - 20) }),
    );
    const page = await city.open({ zones, kept: { map_range_m: 400 }, at: place(0), address: '/map' });
    await drawn(page, 'building', 50);
    await drawn(page, 'zone-border', 2);
    await settled(page);
    await page.send('Performance.enable', { timeDomain: 'threadTicks' });
    const each = [];
    for (let round = 0; round < rounds; round++) {
      const from = await spent_ms(page);
      const count = await pan(page, frames);
      assert.ok(count >= frames, `${count} frames were drawn`);
      each.push((await spent_ms(page)) / count - from / count);
      await settled(page);
    }
    t.diagnostic(`a frame takes ${each.map((ms) => ms.toFixed(1)).join(', ')} ms of the page's thread`);
    assert.ok(Math.min(...each) > 0.2, 'something was measured');
    const middle = each.toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
    assert.ok(middle < limit_ms, `${each} ms`);
    await city.close(page);
  },
);
