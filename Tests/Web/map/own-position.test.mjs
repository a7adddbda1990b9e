// An old position is never shown or used like a present one: it is grey, shows its age, and is renewed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withMap } from '../support/Browser.mjs';
import { place, Story, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

/** Alarms are off, and the last position is twelve hours old and 700 km away. */
async function elsewhere(address) {
  const page = await story.open({ zones: [zone()], at: place(1000) });
  await page.tap('#activate');
  await page.see('#nearest');
  await page.tap('#activate');
  await page.see('h1', 'Alarms off');
  await page.run(() => globalThis.skip(12 * 3_600_000));
  await page.move(far);
  await page.run((to) => void (location.hash = to), address);
  return page;
}
const far = { latitude: 47.139, longitude: 9.5216 };

const isFar = ([latitude, longitude]) =>
  assert.ok(
    Math.abs(latitude - far.latitude) < 1e-4 && Math.abs(longitude - far.longitude) < 1e-4,
    `${latitude}, ${longitude}`,
  );

test('“Where I am now” takes the position of now, not the last one', async () => {
  const page = await elsewhere('/zones/new?at=here');
  await page.see('.edit-pill', '1 point');
  await page.tap('.save');
  await page.until(() => location.hash === '#/');
  isFar(await page.run(async () => [...(await import('/scripts/main.js')).app.zones.values()].at(-1).places[0]));
  await story.close(page);
});

test(
  'an old position is grey on the map with its age, until there is a new one',
  withMap(async () => {
    const page = await elsewhere('/');
    // The device finds no position.
    await page.send('Emulation.setGeolocationOverride');
    await page.run(() => void (location.hash = '/map'));
    await page.see('.own-position.old .age', '12 h ago');
    assert.match(await page.run(() => document.querySelector('.own-position').ariaLabel), /^Your position, 12 h ago$/);
    await page.shot('map-old-position-phone');
    // It finds one while the map is visible, without a tap.
    await page.move(far);
    await page.gone('.own-position.old');
    assert.equal(await page.run(() => document.querySelector('.own-position').ariaLabel), 'Your position');
    await page.tap('[aria-label="My position"]');
    isFar(
      await page.until(async () => {
        const { mapView } = await import('/map/map-view.js');
        const { lat, lng } = (await mapView()).map.getCenter();
        return Math.abs(lat - 47.139) < 0.001 ? [lat, lng] : null;
      }),
    );
    await story.close(page);
  }),
);
