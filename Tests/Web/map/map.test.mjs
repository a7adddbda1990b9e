// Via Map: S15, S16, S42-S54 and the actions that start there, in a real browser by touch, mouse and keys.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { smallBoxes, Story, violations } from '../support/Story.mjs';
import {
  at,
  centerOf,
  drawn,
  many,
  middle,
  near,
  onMap,
  openedMap,
  pixel,
  settled,
  town,
  zone,
} from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

const bakery = town[0];
const range = (page) =>
  page.run(async () =>
    (await import('/map/map-range.js')).rangeOf((await (await import('/map/map-view.js')).mapView()).map),
  );
/** The center of a zone, where its pin is. */
const pin = async (page, { id }) =>
  pixel(
    page,
    await page.until(async (wanted) => {
      const { map } = await (await import('/map/map-view.js')).mapView();
      const found = map
        .queryRenderedFeatures({ layers: ['zone-pin'] })
        .find(({ properties }) => properties.id === wanted);
      return found && found.geometry.coordinates.toReversed();
    }, id),
  );

test('on a first run the map opens at the own position and shows 500 km around it (S15, S42, S43, S164)', async () => {
  const page = await openedMap(story, { kept: {}, zones: [] });
  const [latitude, longitude] = await centerOf(page);
  assert.ok(
    Math.abs(latitude - middle.latitude) < 0.2 && Math.abs(longitude - middle.longitude) < 0.2,
    `${latitude}, ${longitude}`,
  );
  const first = await range(page);
  assert.ok(first > 440_000 && first < 560_000, `${first} m`);
  await story.close(page);
});

test('a map that nobody has moved opens on the own zones and oneself, and keeps no range', async () => {
  // Six zones along a street, the own position in the middle of one of them, and two zones far away.
  const street = Array.from({ length: 6 }, (_, index) => zone(index + 1, { places: [at(0, 150 * index)], size_m: 40 }));
  const far = [zone(7, { places: [[48.2, 16.4]] }), zone(8, { places: [[41.9, 12.5]] })];
  const page = await openedMap(story, { kept: {}, zones: [...street, ...far] });
  const seen = await onMap(
    page,
    (view, places) => places.map((place) => view.sees(place)),
    [...street, ...far].map(({ places: [place] }) => place),
  );
  assert.deepEqual(seen, [true, true, true, true, true, true, false, false]);
  assert.ok((await range(page)) < 1500, `${await range(page)} m`);
  // The pin at the own position stays visible: the dot is a ring around it.
  await page.see('.own-position.around');
  const ring = await page.run(() => document.querySelector('.own-position').offsetWidth);
  assert.ok(ring >= 44, `${ring} px`);
  await page.shot('map-first-look');
  // After it was moved without a change of zoom, it opens in the same way again.
  await onMap(page, (view) => void view.map.panBy([30, 0], { animate: false }));
  assert.equal(
    await page.run(async () =>
      (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('map_range_m'),
    ),
    undefined,
  );
  await page.tap('[aria-label="Zoom out"]');
  await page.until(async () =>
    (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('map_range_m'),
  );
  await story.close(page);
});

test('thousands of zones are written while the map is loaded, as clusters, and the dot is a ring around the number', async () => {
  const page = await story.open({ zones: many(5000), kept: { map_range_m: 200_000 }, at: middle, address: '/about' });
  await page.run(async () => {
    const { app } = await import('/scripts/main.js');
    const { ask } = app;
    globalThis.askedEarly = [];
    app.ask = (what, values) => {
      if (what === 'map_pins' && values.from === 0)
        globalThis.askedEarly.push(!document.querySelector('.maplibregl-canvas'));
      return ask.call(app, what, values);
    };
    location.hash = '/map';
  });
  await page.see('.maplibregl-canvas');
  await page.until(async () => {
    const { app } = await import('/scripts/main.js');
    const { map } = await (await import('/map/map-view.js')).mapView(app);
    if (!map.getLayer('zone-cluster')) return false;
    const found = map.queryRenderedFeatures({ layers: ['zone-cluster'] });
    return found.reduce((sum, { properties }) => sum + properties.point_count, 0) === 5000;
  });
  assert.ok(await page.run(() => globalThis.askedEarly[0]));
  await page.see('.own-position.around');
  await page.shot('map-clusters');
  await story.close(page);
});

test('the map opens with the last range, also on the next visit (S44)', async () => {
  const page = await openedMap(story, { kept: {}, zones: [] });
  await page.tap('[aria-label="Zoom in"]');
  await settled(page);
  const before = await range(page);
  assert.ok(before < 300_000);
  await page.until(
    async (wanted) =>
      Math.abs(
        (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('map_range_m')) / wanted - 1,
      ) < 0.02,
    before,
  );
  await page.reload();
  await page.until(async () => (await (await import('/map/map-view.js')).mapView()).map.getZoom() > 4);
  assert.ok(Math.abs((await range(page)) / before - 1) < 0.1, `${await range(page)} after ${before}`);
  await story.close(page);
});

test('without a position the map shows the world and says so', async () => {
  const page = await story.open({ zones: [], address: '/map', permissions: [] });
  await page.context.browser.send('Browser.setPermission', {
    permission: { name: 'geolocation' },
    setting: 'denied',
    origin: story.server.origin,
    browserContextId: page.context.id,
  });
  await page.reload();
  await page.see('.map-foot', 'No position yet');
  await story.close(page);
});

test('zones are filled, with alert lines and a pin each; those that are off only have an outline (S45, S46)', async () => {
  const page = await openedMap(story);
  const filled = new Set((await drawn(page, 'zone-area', 7)).map(({ id }) => id));
  for (const { id, active, name } of town) assert.equal(filled.has(id), active, name);
  assert.ok((await drawn(page, 'zone-border', 9)).some(({ state }) => state === 'off'));
  assert.ok((await drawn(page, 'zone-alert-line')).some(({ id }) => id === bakery.id));
  assert.ok(
    (await drawn(page, 'zone-drawn')).every(({ id }) => id === town[6].id),
    'only the one with an inset',
  );
  const pins = await drawn(page, 'zone-pin', 5);
  assert.ok(pins.some(({ id }) => id === bakery.id));
  await page.shot('map-phone');
  await story.close(page);
});

test('swiping scrolls, pinching zooms, and so do buttons and keys (S47, S48)', async () => {
  const page = await openedMap(story);
  await drawn(page, 'zone-pin');
  const before = await centerOf(page);
  await page.touch([
    [200, 500],
    [200, 460],
    [200, 420],
    [200, 380],
    [200, 340],
  ]);
  await settled(page);
  assert.ok((await centerOf(page))[0] < before[0]);
  const zoom = () => onMap(page, (view) => view.map.getZoom());
  const first = await zoom();
  const fingers = (apart) => [
    { x: 195 - apart, y: 420, id: 1 },
    { x: 195 + apart, y: 420, id: 2 },
  ];
  await page.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(40) });
  for (const apart of [55, 70, 85, 100, 115])
    await page.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) });
  await page.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await settled(page);
  const pinched = await zoom();
  assert.ok(pinched > first + 0.5, `${first} to ${pinched}`);
  await page.tap('[aria-label="Zoom out"]');
  await page.until(
    async (wanted) => (await (await import('/map/map-view.js')).mapView()).map.getZoom() < wanted - 0.5,
    pinched,
  );
  await story.close(page);
});

test('a pin shows a tag with the name; it opens what can be done (S16, S49, S50)', async () => {
  const page = await openedMap(story);
  await page.touch([await pin(page, bakery)]);
  await page.see('.callout', 'Bakery Sonne');
  await page.shot('map-tag-phone');
  await page.tap('.callout');
  await page.see('dialog[open]', 'Bakery Sonne');
  const actions = await page.run(() =>
    [...document.querySelectorAll('dialog .card .headline')].map((each) => each.textContent),
  );
  assert.deepEqual(actions, ['Active', 'Edit', 'Sleep', 'Centre here', 'Send', 'Hear how it rings', 'Why', 'Delete']);
  await page.run(() => Promise.all(document.getAnimations().map((each) => each.finished)));
  await page.shot('map-actions-phone');
  await page.tap('dialog .switch');
  await page.until(
    async (id) =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).get('zones', id)).active === false,
    bakery.id,
  );
  await page.until(
    async (id) =>
      (await (await import('/map/map-view.js')).mapView()).map
        .queryRenderedFeatures({ layers: ['zone-pin-picked'] })
        .some(({ properties }) => properties.id === id && properties.state === 'off'),
    bakery.id,
  );
  await page.tap('dialog .row', 'Delete');
  await page.gone('.callout');
  await page.tap('.snackbar .button', 'Undo');
  await page.until(
    async (id) => Boolean(await (await (await import('/scripts/storage/storage.js')).Storage.open()).get('zones', id)),
    bakery.id,
  );
  await story.close(page);
});

test(
  'Edit and Send open their screens, and the editor leads back to the map (S50, S76, S128)',
  { skip: inAll },
  async () => {
    const page = await openedMap(story);
    await page.touch([await pin(page, bakery)]);
    await page.tap('.callout');
    await page.tap('dialog .row', 'Edit');
    await page.see('.zone-point');
    assert.match(await page.run(() => location.hash), new RegExp(`^#/zones/${bakery.id}\\?from=map$`));
    await page.tap('.close-editor');
    await page.see('.callout', 'Bakery Sonne');
    await settled(page);
    await page.tap('.callout');
    await page.tap('dialog .row', 'Send');
    await page.until((wanted) => location.hash === wanted, `#/share?zone=${bakery.id}`);
    await page.context.close();
  },
);

test('a tap chooses the centre of the next zone, and Add begins there (S51, S52)', async () => {
  const page = await openedMap(story);
  await drawn(page, 'zone-pin');
  const place = at(-250, 450);
  const point = await pixel(page, place);
  await page.touch([point]);
  await page.see('.map-foot', 'The next zone goes here');
  await page.shot('map-next-phone');
  await page.tap('[aria-label="Add a zone"]');
  await page.see('.zone-point');
  assert.match(await page.text('.edit-pill'), /^1 point\b/);
  await page.tap('.save');
  await page.until(() => location.hash.startsWith('#/map'));
  const added = await page.run(async () =>
    (await (await (await import('/scripts/storage/storage.js')).Storage.open()).all('zones')).find(
      ({ name }) => name === 'Zone 10',
    ),
  );
  assert.ok(
    Math.abs(added.places[0][0] - place[0]) < 2e-4 && Math.abs(added.places[0][1] - place[1]) < 2e-4,
    added.places.join(),
  );
  await story.close(page);
});

test('a long press makes one new zone there, however long it is held', async () => {
  const page = await openedMap(story);
  await drawn(page, 'zone-pin');
  await page.touch([await pixel(page, at(-250, 450))], { hold: 2300 });
  await page.see('.edit-pill', '1 point');
  assert.match(await page.run(() => location.hash), /^#\/zones\/new/);
  assert.equal(await page.run(() => document.querySelectorAll('.zone-point').length), 1);
  await page.context.close();
});

test('the way back to the alarm is its tab (S53)', async () => {
  const page = await openedMap(story);
  await page.tap('[data-place="alarm"]', 'Alarm');
  await page.until(() => location.hash === '#/');
  await story.close(page);
});

test('the map opens at the zone that rings, which flashes; its sheet lets it sleep (S40, S54)', async () => {
  const page = await story.open({
    zones: town.with(0, { ...bakery, sleep_s: 600 }),
    address: `/map?flash=${bakery.id}`,
    kept: { ...near, armed: true, settings: { bypass_to_map: true } },
    look: { ...phone, still: false },
    at: { latitude: at(420, -560)[0], longitude: at(420, -560)[1], accuracy: 5 },
  });
  // Once closed, the alarm continues, and its sheet does not return.
  await page.see('#alarm-sheet');
  await page.run(async () => {
    const { app } = await import('/scripts/main.js');
    await app.ringing.answer('close', app.report.alarms[0].alarm);
  });
  await page.gone('#alarm-sheet');
  await drawn(page, 'zone-ringing');
  const opacity = () => onMap(page, (view) => view.map.getPaintProperty('zone-ringing', 'fill-opacity'));
  const first = await opacity();
  await page.until(
    async (before) =>
      (await (await import('/map/map-view.js')).mapView()).map.getPaintProperty('zone-ringing', 'fill-opacity') !==
      before,
    first,
  );
  await page.see('.callout', 'Bakery Sonne');
  await settled(page);
  const [across, zoom] = await onMap(page, (view) => [
    Math.abs(view.map.getCenter().lng - 13.3967),
    view.map.getZoom(),
  ]);
  assert.ok(across < 0.002 && zoom > 13, `the zone is what is seen: ${across}°, zoom ${zoom}`);
  await page.shot('map-ringing-phone');
  await page.tap('.callout');
  await page.tap('dialog .row', 'Sleep');
  await page.see('.callout', 'asleep');
  await page.until(() => document.querySelector('#map').dataset.flashing === '');
  await page.context.close();
});

test(
  'on a wide screen the nearest zones stand beside the map; all can be done with keys',
  { skip: inAll },
  async () => {
    const page = await openedMap(story, { look: tablet });
    await page.see('.map-pane .row', 'Tow path');
    await page.click('.map-pane .row', 'Market hall');
    await page.see('.callout', 'Market hall');
    await settled(page);
    await page.shot('map-wide');
    await onMap(page, (view) => {
      view.map.getCanvas().focus();
    });
    await page.press('Enter');
    await page.see('.map-foot', 'The next zone goes here');
    await page.press('Enter', { modifiers: 8 });
    await page.see('.edit-pill', '1 point');
    await page.context.close();
  },
);

for (const look of [phone, tablet]) {
  const size = look.touch ? 'phone' : 'wide';
  test(
    `axe finds nothing and all boxes are large enough, light and dark, ${size}`,
    { skip: !look.touch && inAll },
    async () => {
      const axe = `${await readFile('.build-vendor/test/axe.min.js', 'utf8')}; undefined`;
      const page = await openedMap(story, { look, address: `/map?zone=${bakery.id}` });
      await page.see('.callout');
      for (const dark of [false, true]) {
        await page.look({ dark });
        await settled(page);
        await page.shot(`map-${size}${dark ? '-dark' : '-light'}`);
        assert.deepEqual(await violations(page, axe, { dark }), []);
        assert.deepEqual(await smallBoxes(page), []);
      }
      await story.close(page);
    },
  );
}
