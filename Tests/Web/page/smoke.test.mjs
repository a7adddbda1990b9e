// The page in two other browser engines: it starts, the engine decides, a zone is drawn, an alarm rings, and there is no
// problem.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inAll } from '../support/All.mjs';
import { shots } from '../support/Browser.mjs';
import { Firefox, WebKit } from '../support/OtherBrowsers.mjs';
import { folder, PageServer, policy } from '../support/PageServer.mjs';
import { place, zone } from '../support/Story.mjs';

let server;
before(async () => {
  server = await PageServer.start();
  const answer = (type, body) => (_, response) =>
    response
      .writeHead(200, { 'content-type': type, 'content-security-policy': policy, 'cache-control': 'no-store' })
      .end(body);
  server.answers.set(
    '/steps.js',
    answer(
      'text/javascript',
      `(${listen})();\nglobalThis.steps = { ${Object.entries(steps)
        .map(([name, run]) => `${name}: ${run}`)
        .join(',\n')} };`,
    ),
  );
  server.answers.set(
    '/before.html',
    answer('text/html; charset=utf-8', '<!doctype html><script src="/steps.js"></script>'),
  );
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  server.answers.set(
    '/',
    answer('text/html; charset=utf-8', page.replace('<head>', '<head><script src="/steps.js"></script>')),
  );
});
after(() => server?.stop());

/** Run first in the page: records problems, and provides the device's positions. */
function listen() {
  globalThis.problems = [];
  const note = (...what) => problems.push(what.map((each) => each?.stack ?? each?.message ?? String(each)).join(' '));
  const { error } = console;
  console.error = (...what) => {
    note(...what);
    error.apply(console, what);
  };
  addEventListener(
    'error',
    (event) => note(event.message ?? `${event.target?.src ?? event.target?.href} could not be loaded`),
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) => note(reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    note(`${violatedDirective} refused ${blockedURI}`),
  );
  const watching = new Map();
  let last;
  const told = (yes) => {
    if (last)
      yes({
        coords: { accuracy: 5, altitude: null, altitudeAccuracy: null, speed: null, heading: null, ...last.place },
        timestamp: last.at,
      });
  };
  const geolocation = {
    watchPosition: (yes) => {
      const id = watching.size + 1;
      watching.set(id, yes);
      setTimeout(told, 0, yes);
      return id;
    },
    clearWatch: (id) => {
      watching.delete(id);
    },
    getCurrentPosition: (yes) => {
      setTimeout(told, 0, yes);
    },
  };
  Object.defineProperty(Navigator.prototype, 'geolocation', { configurable: true, get: () => geolocation });
  let ahead = 0;
  const now = Date.now;
  Date.now = () => now() + ahead;
  globalThis.walk = (to) => {
    ahead += 30_000;
    last = { place: to, at: Date.now() };
    for (const yes of watching.values()) told(yes);
  };
}

/**
 * The number of polls for an expected state: one every 50 ms, so at least a minute. The page's script, its layout and, in
 * WebKit, its map share the thread that answers, so a busy machine polls less often and waits longer.
 */
const looks = 1200;

/** The test's actions and queries, run in the page. */
const steps = {
  sees: (selector, text = '') =>
    [...document.querySelectorAll(selector)].some(
      (each) => each.getBoundingClientRect().width > 0 && each.textContent.includes(text),
    ),
  ready: () => document.documentElement.hasAttribute('data-ready'),
  keep: async (...zones) => {
    await (await (await import('/scripts/storage/storage.js')).Storage.open()).put('zones', ...zones);
  },
  click: (selector) => {
    document.querySelector(selector).click();
  },
  go: (address) => {
    location.hash = address;
  },
  walk: (to) => {
    globalThis.walk(to);
  },
  /** A calculation that only the engine can make. */
  shifted: async () =>
    (await import('/scripts/main.js')).app.ask('shift', { place: [52, 13], north_m: 1000, east_m: 0 }).place,
  /** The number of features that the map has drawn in a layer. */
  drawn: async (layer) => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return Boolean(map.getLayer(layer)) && map.queryRenderedFeatures({ layers: [layer] }).length;
  },
  rested: async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.loaded() && !map.isMoving();
  },
  problems: () => problems,
  shown: () => `${document.readyState} ${document.body?.innerText.slice(0, 400)}`,
};

/** Polls until there is a result, and returns it. */
async function until(browser, what, ...values) {
  for (let look = 0; look < looks; look++) {
    const found = await browser.run(what, ...values);
    if (found) return found;
    await setTimeout(50);
  }
  const wrong = (await browser.run('problems')).join('\n') || 'nothing';
  throw new Error(
    `waited for ${what} ${JSON.stringify(values)}; wrong in the page: ${wrong}; shown: ${await browser.run('shown')}`,
  );
}

async function shot(browser, name) {
  if (!process.env.SHOTS) return;
  await mkdir(shots, { recursive: true });
  await writeFile(join(shots, `${name}.png`), await browser.picture());
}

for (const Engine of [Firefox, WebKit]) {
  test(
    `${Engine.name}: the page begins, the engine answers, a zone is drawn and rings, and nothing is wrong`,
    { skip: inAll || (!Engine.program && 'it is not installed; `Scripts/install-needs test` does that') },
    async () => {
      // Wide enough for the map beside every screen, and no larger, because without a GPU each pixel costs time.
      const browser = await Engine.launch({ width: 900, height: 700 });
      try {
        // Stored from another page: WebKit may keep a database locked that a page was writing to when it was left.
        await browser.open(`${server.origin}/before.html`);
        await browser.run('keep', zone());
        await browser.open(`${server.origin}/#/`);
        await until(browser, 'ready');
        const [latitude, longitude] = await browser.run('shifted');
        assert.ok(Math.abs(latitude - 52.0089866) < 1e-6 && longitude === 13, `${latitude}, ${longitude}`);
        await browser.run('click', '#activate');
        // Nothing is watched before the first position, and the page says so.
        await until(browser, 'sees', 'h1', 'Not watching yet');
        await until(browser, 'sees', '#outlet', 'Waiting for the first position.');
        await browser.run('walk', place(1000));
        await until(browser, 'sees', 'h1', 'Alarms on');
        await until(browser, 'sees', '#nearest', 'Market hall');
        await browser.run('go', '#/map?zone=a000000000000001');
        await until(browser, 'sees', '.callout', 'Market hall');
        for (const layer of ['zone-pin-picked', 'zone-area', 'zone-alert-line'])
          assert.ok((await until(browser, 'drawn', layer)) > 0);
        await until(browser, 'rested');
        await shot(browser, `smoke-map-${Engine.name.toLowerCase()}`);
        for (const address of [
          '#/zones',
          '#/zones/a000000000000001',
          '#/history',
          '#/more',
          '#/settings',
          '#/sounds',
          '#/messages',
          '#/reminders',
          '#/replay',
        ]) {
          await browser.run('go', address);
          await until(browser, 'sees', '#outlet :is(h1, bottom-sheet)');
        }
        await browser.run('walk', place(100));
        await until(browser, 'sees', '#alarm-zone', 'Market hall');
        await shot(browser, `smoke-alarm-${Engine.name.toLowerCase()}`);
        assert.deepEqual(await browser.run('problems'), []);
      } finally {
        await browser.close();
      }
    },
  );
}
