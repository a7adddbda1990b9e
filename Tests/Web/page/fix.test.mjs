// The cost of a position among many zones: one request to the engine, no work per zone, and a frame that touches only changes.
// Always counted; the time is measured by `make page-speed`.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone } from '../support/Browser.mjs';
import { ears, place, Story, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

/** Positions come from `globalThis.give`, as from the browser but without another process: each is one task. */
const source = `${ears};
  Geolocation.prototype.watchPosition = (yes) => { globalThis.taken = yes; return 1; };
  Geolocation.prototype.getCurrentPosition = () => {};
  globalThis.give = ({ latitude, longitude }) => globalThis.taken({
    coords: { latitude, longitude, accuracy: 5, speed: null, heading: null, altitude: null, altitudeAccuracy: null },
    timestamp: Date.now(),
  });`;

/** A square grid of square zones, all to the north-east. */
const town = (count) =>
  Array.from({ length: count }, (_, index) => {
    const side = Math.ceil(Math.sqrt(count));
    const [east, north] = [300 + 400 * (index % side), 400 * Math.floor(index / side)];
    const corners = [
      [-50, -50],
      [50, -50],
      [50, 50],
      [-50, 50],
    ].map(([x, y]) => place(east + x, north + y));
    return zone({
      id: (0xa000 + index).toString(16).padStart(16, '0'),
      name: `Zone ${index}`,
      places: corners.map(({ latitude, longitude }) => [latitude, longitude]),
    });
  });

/** An armed page at rest, with a known position. */
async function page(count, address, seen) {
  const opened = await story.open({
    zones: town(count),
    kept: { armed: true },
    address,
    look: { ...phone, before: source },
  });
  await opened.see(seen);
  await opened.run(async () => {
    const { Engine } = await import('/scripts/engine/engine.js');
    globalThis.asked = [];
    const { ask } = Engine.prototype;
    Engine.prototype.ask = function (name, values) {
      globalThis.asked.push(name === 'rows' ? `rows ${values.ids.length}` : name);
      return ask.call(this, name, values);
    };
  });
  for (let step = 0; step < 3; step++) await fix(opened, step);
  return opened;
}

/** Moves one step to the south-west. @returns the requests to the engine and the number of changes to the document */
const fix = (opened, step) =>
  opened.run(
    async (at) => {
      const frame = () =>
        new Promise((done) => {
          requestAnimationFrame(() => setTimeout(done));
        });
      // Earlier changes are drawn.
      await frame();
      globalThis.asked.length = 0;
      let touched = 0;
      const changes = new MutationObserver((records) => {
        touched += records.length;
      });
      changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      globalThis.give(at);
      await frame();
      changes.disconnect();
      // The added zones are stamped for other devices meanwhile, which is not caused by the position.
      return { asked: globalThis.asked.filter((each) => each !== 'stamp'), touched };
    },
    place(-15 * step),
  );

for (const [name, address, seen, most] of [
  ['the first screen', '/', '#activate', 40],
  ['the list of zones', '/zones', '.zone-row', 60],
])
  test(
    `a position is one question to the engine, and touches as much of ${name} with 5,000 zones as with 50`,
    { skip: address === '/' && inAll },
    async (t) => {
      const few = await page(50, address, seen);
      const many = await page(5_000, address, seen);
      const counts = { few: [], many: [] };
      for (let step = 3; step < 8; step++) {
        const [a, b] = [await fix(few, step), await fix(many, step)];
        counts.few.push(a.touched);
        counts.many.push(b.touched);
        // The visible rows are requested in addition.
        const [first, ...rest] = b.asked;
        assert.equal(first, 'fixes');
        assert.deepEqual(
          rest.filter((each) => !/^rows [12]?\d$/.test(each)),
          [],
        );
        assert.ok(rest.length <= 1, String(b.asked));
      }
      t.diagnostic(`places of the document touched, with 50 zones: ${counts.few}; with 5,000: ${counts.many}`);
      assert.ok(Math.max(...counts.many) <= most, String(counts.many));
      await story.close(few);
      await story.close(many);
    },
  );

const slowdown = 4;
test(
  `a position among 5,000 zones, with a processor ${slowdown} times slower`,
  { skip: !process.env.SPEED && '`make page-speed` measures it' },
  async (t) => {
    for (const [address, seen] of [
      ['/', '#activate'],
      ['/zones', '.zone-row'],
    ]) {
      const opened = await page(5_000, address, seen);
      const { browser } = opened.context;
      const longest = [];
      for (let step = 3; step < 12; step++) {
        const events = [];
        const stop = browser.listen(opened.session, (method, { value }) => {
          if (method === 'Tracing.dataCollected') events.push(...value);
        });
        await opened.send('Tracing.start', {
          transferMode: 'ReportEvents',
          traceConfig: {
            includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
          },
        });
        await fix(opened, step);
        const done = opened.event('Tracing.tracingComplete');
        await opened.send('Tracing.end');
        await done;
        stop();
        // In the page's own thread, the one that calls functions, and in processor time, which other programs do not affect.
        const calls = events.filter(({ name }) => name === 'FireAnimationFrame');
        const own = events.filter(
          ({ name, ph, pid, tid }) =>
            name === 'RunTask' && ph === 'X' && calls.some((call) => call.pid === pid && call.tid === tid),
        );
        longest.push(Math.max(...own.map(({ tdur }) => (tdur * slowdown) / 1000)));
      }
      const middle = longest.toSorted((a, b) => a - b)[4];
      t.diagnostic(`${address}: the longest task of a position takes ${middle.toFixed(1)} ms (target 10)`);
      assert.ok(middle < 25, longest.map((each) => each.toFixed(1)).join(', '));
      await story.close(opened);
    }
  },
);
