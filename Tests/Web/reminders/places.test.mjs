// S203: places by name from the server itself, which has imported them.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { Browser, tablet } from '../support/Browser.mjs';
import { LiveServer, run } from '../support/LiveServer.mjs';

let browser, server;
before(async () => {
  browser = await Browser.launch();
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
