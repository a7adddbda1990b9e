// The frame of the page in a real browser, built by `make page`.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, phone, tablet, withMap } from '../support/Browser.mjs';
import { PageServer } from '../support/PageServer.mjs';

let browser, server;
before(async () => {
  [browser, server] = await Promise.all([Browser.launch(), PageServer.start()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function opened(look, address = '/') {
  const context = await browser.context({ origin: server.origin });
  const page = await context.page(look);
  await page.open(`${server.origin}/#${address}`);
  return page;
}

test('on a phone there is a bar below with five places, and no map', async () => {
  const page = await opened(phone);
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('nav.places a')].map((link) => link.textContent)),
    ['Alarm', 'Zones', 'People', 'History', 'More'],
  );
  const { top } = await page.box('nav.places');
  assert.ok(top > 700, `the bar begins at ${top}`);
  assert.equal(
    await page.run(() => document.querySelector('#map').checkVisibility({ visibilityProperty: true })),
    false,
  );
  assert.deepEqual(page.problems, []);
  await page.context.close();
});

test(
  'on a wide screen there is a rail at the left, a pane of 400 pixels and the map',
  withMap(async () => {
    const page = await opened(tablet);
    await page.see('.maplibregl-canvas');
    const [rail, pane, map] = [await page.box('nav.places'), await page.box('#outlet'), await page.box('#map')];
    assert.deepEqual([rail.left, rail.width, pane.left, pane.width, map.left], [0, 88, 88, 416, 504]);
    assert.ok(map.width > 500);
    assert.deepEqual(page.problems, []);
    await page.context.close();
  }),
);

test('an unknown address leads to the first screen', async () => {
  const page = await opened(phone, '/no/such/screen');
  await page.see('.place-first');
  assert.equal(await page.run(() => location.hash), '#/');
  await page.context.close();
});
