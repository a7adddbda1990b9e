// Streets stored on the device: drawn without the server, deleted again, and not left over after an interruption.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { Browser, phone } from '../support/Browser.mjs';
import { LiveServer, run } from '../support/LiveServer.mjs';
import { Story } from '../support/Story.mjs';
import { settled } from '../support/Zones.mjs';

const extract = fileURLToPath(new URL('streets.osm', import.meta.url));
const middle = { latitude: 52.52, longitude: 13.4, accuracy: 8 };

let browser;
const servers = new Set();
before(async () => {
  browser = await Browser.launch({ map: true });
});
after(async () => {
  await browser?.close();
  for (const server of servers) await server.stop();
});

async function opened() {
  const story = new Story();
  story.browser = browser;
  story.server = await LiveServer.start({ prepare: (data) => run('map', 'import', extract, '--data', data) });
  servers.add(story.server);
  const page = await story.open({ kept: { map_range_m: 700 }, at: middle, address: '/map', look: phone });
  await arrived(page);
  return { story, page };
}

async function stop(server) {
  servers.delete(server);
  await server.stop();
}

async function arrived(page) {
  await page.see('.map-tools');
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getZoom() > 12 && !map.isMoving();
  });
  await settled(page);
}

const regions = (page) =>
  page.run(async () => {
    const { keptStreets } = await import('/map/streets/kept-streets.js');
    return (await keptStreets()).regions();
  });
const tiles = (page) =>
  page.run(
    () =>
      new Promise((done, failed) => {
        const request = indexedDB.open('streets');
        request.onerror = failed;
        request.onsuccess = () => {
          const count = request.result.transaction('tiles').objectStore('tiles').count();
          count.onsuccess = () => done(count.result);
        };
      }),
  );
const names = (page) =>
  page.run(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return [...new Set(map.queryRenderedFeatures({ layers: ['road-name'] }).map(({ properties }) => properties.name))];
  });

test('a region is kept, is drawn with the server stopped, and is deleted under Settings', { skip: inAll }, async () => {
  const { story, page } = await opened();
  await page.tap('[aria-label="Layers"]');
  await page.tap('dialog .row', 'Keep this region');
  await page.see('dialog', 'MB');
  await page.shot('keep-region-asked');
  await page.tap('dialog button', 'Keep it');
  await page.see('.snackbar', 'Kept');
  const [kept] = await regions(page);
  assert.equal(kept.name, 'streets');
  assert.ok(kept.size > 300 && kept.tiles >= 11, JSON.stringify(kept));
  // The page itself comes from its service worker.
  await page.until(async () => Boolean((await navigator.serviceWorker.ready).active));
  await page.reload();
  await page.until(() => Boolean(navigator.serviceWorker.controller));
  await stop(story.server);
  await page.reload();
  await arrived(page);
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.queryRenderedFeatures({ layers: ['road-name'] }).length > 0;
  });
  assert.ok((await names(page)).includes('Lindenallee'));
  await page.shot('keep-region-offline');
  await page.run(() => {
    location.hash = '#/settings/map';
  });
  await page.see('.kept-regions', 'streets');
  await page.shot('keep-region-settings');
  await page.tap('.kept-regions button', 'Delete');
  await page.until(() => !document.querySelector('.kept-regions button.small'));
  assert.deepEqual(await regions(page), []);
  assert.equal(await tiles(page), 0);
  await page.context.close();
});

test('what two regions share stays until both are gone; a stop and a full device leave nothing', async () => {
  const { story, page } = await opened();
  const result = await page.run(async () => {
    const { keptStreets, tilesOf } = await import('/map/streets/kept-streets.js');
    const kept = await keptStreets();
    const bytes = new TextEncoder().encode('a tile').buffer;
    const all = tilesOf([13.38, 52.51, 13.42, 52.53], 4, 12);
    const region = (name, of) => ({ name, bounds: [0, 0, 1, 1], version: 'v', tiles: of });
    const one = await kept.keep(region('one', all), async () => bytes);
    const two = await kept.keep(region('two', all.slice(0, 4)), async () => bytes);
    await kept.remove(one.id);
    const shared = (await kept.tile(...all[0]))?.bytes.byteLength;
    const gone = (await kept.tile(...all.at(-1))) ?? 'gone';
    const stop = new AbortController();
    const stopped = await kept
      .keep(
        region('stopped', all),
        async () => {
          stop.abort();
          return bytes;
        },
        { signal: stop.signal },
      )
      .catch(({ name }) => name);
    const full = await kept
      .keep(region('full', all), async () => {
        throw new DOMException('no room', 'QuotaExceededError');
      })
      .catch(({ name }) => name);
    const left = (await kept.regions()).map(({ name }) => name);
    await kept.remove(two.id);
    return { shared, gone, stopped, full, left, tooMany: tilesOf([-180, -85, 180, 85], 0, 14) ?? 'too many' };
  });
  assert.deepEqual(result, {
    shared: 6,
    gone: 'gone',
    stopped: 'AbortError',
    full: 'QuotaExceededError',
    left: ['two'],
    tooMany: 'too many',
  });
  assert.equal(await tiles(page), 0);
  await story.close(page);
});
