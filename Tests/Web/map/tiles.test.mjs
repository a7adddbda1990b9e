// A person's own base map and places service: the server's policy permits only the origins that the operator has named.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Browser, tablet, withMap } from '../support/Browser.mjs';
import { LiveServer } from '../support/LiveServer.mjs';

// One red pixel.
const tile = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
let browser, others, server;
const asked = [];
before(async () => {
  others = createServer((request, response) => {
    asked.push(request.url);
    const places = request.url.startsWith('/search');
    response
      .writeHead(200, { 'access-control-allow-origin': '*', 'content-type': places ? 'application/json' : 'image/png' })
      .end(
        places
          ? JSON.stringify([
              { name: 'Old oak', display_name: 'Old oak, Field', lat: '52', lon: '13', osm_type: 'node', osm_id: 1 },
            ])
          : tile,
      );
  });
  await new Promise((done) => others.listen(0, '127.0.0.1', done));
  others.origin = `http://localhost:${others.address().port}`;
  [browser, server] = await Promise.all([
    Browser.launch(),
    LiveServer.start({ options: ['--page-origins', others.origin] }),
  ]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  others.closeAllConnections();
  await new Promise((done) => others.close(done));
});

async function opened() {
  const context = await browser.context({ origin: server.origin });
  const page = await context.page(tablet);
  await page.open(`${server.origin}/#/settings/map`);
  return page;
}
const set = async (page, name, text) => {
  await page.type(`#${name}`, text);
  await page.press('Enter');
};

test(
  'tiles of an allowed origin are drawn at once, with their attribution',
  withMap(async () => {
    const page = await opened();
    await page.see('.maplibregl-canvas');
    await set(page, 'tile_attribution', '© Somebody');
    await set(page, 'tile_url', `${others.origin}/{z}/{x}/{y}.png`);
    await page.see('.maplibregl-ctrl-attrib', '© Somebody');
    await page.run(async () => {
      await (await (await import('/map/map-view.js')).mapView()).idle();
    });
    assert.ok(
      asked.some((url) => /^\/\d+\/\d+\/\d+\.png$/.test(url)),
      asked.join(),
    );
    assert.deepEqual(page.problems, []);
    await page.shot('settings-tiles-tablet');
    await page.context.close();
  }),
);

test('a places service of an allowed origin is asked, without telling it more than the search', async () => {
  const page = await opened();
  await set(page, 'places_service', others.origin);
  await page.run(() => {
    location.hash = '#/reminders/new';
  });
  await page.type('#place-search', 'old oak');
  await page.press('Enter');
  await page.see('.results .row', 'Old oak');
  const search = new URL(
    asked.findLast((url) => url.startsWith('/search')),
    others.origin,
  );
  assert.equal(search.searchParams.get('q'), 'old oak');
  await page.context.close();
});

test('any other origin is not reached, and that is said', async () => {
  const page = await opened();
  const said = await page.run(
    async (address) => {
      const { app } = await import('/scripts/main.js');
      const { serverOf } = await import('/scripts/server/server.js');
      const { searchPlaces } = await import('/scripts/reminders/places.js');
      return searchPlaces('oak', { server: serverOf(app), service: address }).then(
        () => 'answered',
        (error) => error.message,
      );
    },
    others.origin.replace('localhost', '127.0.0.1'),
  );
  assert.match(said, /127\.0\.0\.1:\d+ cannot be reached/);
  assert.ok(page.problems.some((problem) => problem.includes('Content Security Policy')));
  await page.context.close();
});

test(
  'tiles that the server does not allow are said in the settings and on the map, with what to do',
  withMap(async () => {
    const page = await opened();
    const other = others.origin.replace('localhost', '127.0.0.1');
    await set(page, 'tile_url', `${other}/{z}/{x}/{y}.png`);
    const said = `has to start it with --page-origins ${other}.`;
    await page.see('.problem', said);
    await page.shot('settings-tiles-blocked-tablet');
    await page.run(() => {
      location.hash = '#/map';
    });
    await page.see('.map-foot .foot-card', said);
    await page.shot('map-tiles-blocked-tablet');
    await page.context.close();
  }),
);

test('an address that answers with no pictures is said', async () => {
  const page = await opened();
  await set(page, 'tile_url', `${others.origin}/search/{z}/{x}/{y}`);
  await page.see('.problem', 'answers with application/json, which is no picture');
  await page.context.close();
});
