// S203: places by name from the server itself, which has imported them.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { Browser, phone, tablet } from '../support/Browser.mjs';
import { LiveServer, run } from '../support/LiveServer.mjs';

let browser, server;
before(async () => {
  browser = await Browser.launch({ map: true });
  server = await LiveServer.start({
    prepare: async (data) => {
      const feature = (name, [longitude, latitude]) => ({
        type: 'Feature',
        properties: { name, shop: 'bakery' },
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
      });
      const file = `${data}.geojson`;
      await writeFile(
        file,
        JSON.stringify({
          type: 'FeatureCollection',
          features: [
            feature('Bäckerei Sonne', [9.52, 47.14]),
            feature('Bäckerei Sonne', [9.53, 47.15]),
            feature('Konditorei', [9.51, 47.13]),
          ],
        }),
      );
      await run('places', 'import', file, '--data', data);
    },
  });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('the nearest comes first, all branches are pins, and nobody needs an account', async () => {
  const context = await browser.context({ origin: server.origin });
  const page = await context.page(tablet);
  await page.move({ latitude: 47.151, longitude: 9.53 });
  await page.open(`${server.origin}/#/reminders/new`);
  await page.type('#place-search', 'backerei sonne');
  await page.press('Enter');
  await page.see('.results .row', 'Bäckerei Sonne');
  assert.equal(await page.run(() => document.querySelectorAll('.results .row').length), 2);
  await page.until(() => document.querySelectorAll('.place-pin').length === 2);
  await page.see('.results .footnote', 'OpenStreetMap');
  await page.type('#place-search', 'zebra');
  await page.press('Enter');
  await page.see('.results .note');
  await page.context.close();
});

for (const [name, screen] of Object.entries({ phone, tablet }))
  test(
    `on a ${name} the map opens where the person is, shows what was found, and pins are tapped (S202-S204)`,
    { skip: !screen.touch && inAll },
    async () => {
      const context = await browser.context({ origin: server.origin });
      const page = await context.page({ ...screen, still: false });
      const home = [47.151, 9.53];
      const rests = (place, away) =>
        page.until(
          async ([latitude, longitude], most) => {
            const { map } = await (await import('/map/map-view.js')).mapView();
            const { lat, lng } = map.getCenter();
            // The place is in the middle of the uncovered part of the map.
            return !map.isMoving() && map.getZoom() > 10 && Math.hypot(lat - latitude, lng - longitude) < most;
          },
          place,
          away,
        );
      await page.move({ latitude: home[0], longitude: home[1] });
      await page.open(`${server.origin}/#/reminders/new`);
      await rests(home, 0.03);
      await page.type('#place-search', 'backerei sonne');
      await page.press('Enter');
      await page.until(() => document.querySelectorAll('.place-pin').length === 2);
      await rests([47.145, 9.525], 0.03);
      await page.shot(`reminder-found-${name}`);
      for (const chosen of [1, 2]) {
        await page.tap('.place-pin:not(.chosen)');
        await page.until((count) => document.querySelectorAll('.place-pin.chosen').length === count, chosen);
      }
      await page.see('.section-title', 'At any of these places 2');
      await page.tap('.map-tools [aria-label="My position"]');
      await rests(home, 0.005);
      await page.context.close();
    },
  );
