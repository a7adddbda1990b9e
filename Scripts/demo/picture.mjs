// Takes the README's picture of the demonstration: Scripts/demo/run.py PROGRAM … --then node Scripts/demo/picture.mjs FILE
import { writeFile } from 'node:fs/promises';
import { Browser } from '../../Tests/Web/support/Browser.mjs';

const [file, door] = process.argv.slice(2);
const browser = await Browser.launch({ map: true });
const context = await browser.context({ origin: door });
const page = await context.page({ width: 1200, height: 760, touch: false });
await page.open(door, { ready: null });
await page.until(() => location.hash.startsWith('#/map'));
await page.until(() => document.querySelectorAll('.phone-dot').length === 3);
await page.run(async () => {
  const view = await (await import('/map/map-view.js')).mapView();
  view.map.jumpTo({ center: [24.9464, 60.1714], zoom: 14.6 });
  await new Promise((done) => {
    view.map.once('idle', done);
  });
});
await writeFile(file, await page.picture());
await browser.close();
