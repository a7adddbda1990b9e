// A page in a fresh context, with zones and other records already stored.
import { phone } from './Browser.mjs';

/** A circle at 52° N, 13° E, with further attributes. */
export const zoneForm = (id, name, more = {}) => ({
  id: id.padStart(16, '0'),
  name,
  category: 'Shopping',
  active: true,
  vibrate: true,
  priority: 0,
  size_m: 100,
  inset_m: 0,
  alert_distance_m: 0,
  sound: '',
  outline: 'locations',
  places: [[52, 13]],
  edges: 'geodesic',
  trigger: 'enter',
  assurance: 'normal',
  ...more,
});

/**
 * @param {{browser, origin: string, look?: object, address?: string, kept?: Record<string, object[]>, permissions?: string[]}} what
 *   `kept` are records by store
 */
export async function visit({ browser, origin, look = phone, address = '/', kept = {}, permissions }) {
  const context = await browser.context({ origin, permissions });
  const page = await context.page(look);
  await page.open(`${origin}/#/about`);
  if (Object.keys(kept).length) {
    await page.run(async (stores) => {
      const { Storage } = await import('/scripts/storage/storage.js');
      const storage = await Storage.open();
      for (const [store, records] of Object.entries(stores)) await storage.put(store, ...records);
    }, kept);
    await page.reload();
  }
  if (address !== '/about')
    await page.run(
      (to) =>
        new Promise((done) => {
          addEventListener('screen', done, { once: true });
          location.hash = to;
        }),
      `#${address}`,
    );
  return page;
}

/** The records in a store of the page. */
export const keptIn = (page, store) =>
  page.run(async (name) => (await (await import('/scripts/storage/storage.js')).Storage.open()).all(name), store);
