// Via Map: S15, S16, S42-S54 and what can be done from there, in a real browser by touch, mouse and keys.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { phone, tablet } from './Browser.mjs';
import { report, smallBoxes, Story, violations } from './Story.mjs';
import { at, drawn, many, middle, onMap, pixel, settled, town } from './Zones.mjs';

let story;
before(async () => { story = await Story.begin(); });
after(() => story?.end());

const near = { map_range_m: 1500 };
const bakery = town[0];

async function opened(more = {}) {
  const page = await story.open({ zones: town, kept: near, at: middle, address: '/map', ...more });
  await page.see('.map-tools');
  // Where it opens is known once the position is.
  await page.until(async () => { const { map } = await (await import('/map/map-view.js')).mapView(); return map.getZoom() > 3 && !map.isMoving(); });
  await settled(page);
  return page;
}
const center = (page) => onMap(page, (view) => { const { lat, lng } = view.map.getCenter(); return [lat, lng]; });
const range = (page) => page.run(async () => (await import('/map/map-range.js')).rangeOf((await (await import('/map/map-view.js')).mapView()).map));
/** The middle of a zone, as its pin has it. */
const pin = async (page, { id }) => pixel(page, await page.until(async (wanted) => {
  const { map } = await (await import('/map/map-view.js')).mapView();
  const found = map.queryRenderedFeatures({ layers: ['zone-pin'] }).find(({ properties }) => properties.id === wanted);
  return found && found.geometry.coordinates.toReversed();
}, id));

test('S15, S42, S43, S164: on a first run the map opens at the own position, 500 km around', async () => {
  const page = await opened({ kept: {}, zones: [] });
  const [latitude, longitude] = await center(page);
  assert.ok(Math.abs(latitude - middle.latitude) < 0.2 && Math.abs(longitude - middle.longitude) < 0.2, `${latitude}, ${longitude}`);
  const first = await range(page);
  assert.ok(first > 440_000 && first < 560_000, `${first} m`);
  await story.close(page);
});

test('S44: the last range is used afterwards, also by the next visit', async () => {
  const page = await opened({ kept: {}, zones: [] });
  await page.tap('[aria-label="Zoom in"]');
  await settled(page);
  const before = await range(page);
  assert.ok(before < 300_000);
  await page.until(async (wanted) => Math.abs(await (await (await import('/scripts/storage.js')).Storage.open()).kept('map_range_m') / wanted - 1) < 0.02, before);
  await page.reload();
  await page.until(async () => (await (await import('/map/map-view.js')).mapView()).map.getZoom() > 4);
  assert.ok(Math.abs(await range(page) / before - 1) < 0.1, `${await range(page)} after ${before}`);
  await story.close(page);
});

test('without a position the map shows the world and says so', async () => {
  const page = await story.open({ zones: [], address: '/map', permissions: [] });
  await page.context.browser.send('Browser.setPermission', { permission: { name: 'geolocation' }, setting: 'denied', origin: story.server.origin, browserContextId: page.context.id });
  await page.reload();
  await page.see('.map-foot', 'No position yet');
  await story.close(page);
});

test('S45, S46: zones are filled, with alert lines and a pin each; those that are off only have an outline', async () => {
  const page = await opened();
  const filled = new Set((await drawn(page, 'zone-area', 7)).map(({ id }) => id));
  for (const { id, active, name } of town) assert.equal(filled.has(id), active, name);
  assert.ok((await drawn(page, 'zone-border', 9)).some(({ state }) => state === 'off'));
  assert.ok((await drawn(page, 'zone-alert-line')).some(({ id }) => id === bakery.id));
  assert.ok((await drawn(page, 'zone-drawn')).every(({ id }) => id === town[6].id), 'only the one with an inset');
  const pins = await drawn(page, 'zone-pin', 5);
  assert.ok(pins.some(({ id }) => id === bakery.id));
  await page.shot('map-phone');
  await story.close(page);
});

test('S47, S48: swiping scrolls, pinching zooms, and so do buttons and keys', async () => {
  const page = await opened();
  await drawn(page, 'zone-pin');
  const before = await center(page);
  await page.touch([[200, 500], [200, 460], [200, 420], [200, 380], [200, 340]]);
  await settled(page);
  assert.ok((await center(page))[0] < before[0]);
  const zoom = () => onMap(page, (view) => view.map.getZoom());
  const first = await zoom();
  const fingers = (apart) => [{ x: 195 - apart, y: 420, id: 1 }, { x: 195 + apart, y: 420, id: 2 }];
  await page.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(40) });
  for (const apart of [55, 70, 85, 100, 115]) await page.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) });
  await page.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await settled(page);
  const pinched = await zoom();
  assert.ok(pinched > first + 0.5, `${first} to ${pinched}`);
  await page.tap('[aria-label="Zoom out"]');
  await page.until(async (wanted) => (await (await import('/map/map-view.js')).mapView()).map.getZoom() < wanted - 0.5, pinched);
  await story.close(page);
});

test('S16, S49, S50: a pin shows a tag with the name; it opens what can be done', async () => {
  const page = await opened();
  await page.touch([await pin(page, bakery)]);
  await page.see('.callout', 'Bakery Sonne');
  await page.shot('map-tag-phone');
  await page.tap('.callout');
  await page.see('dialog[open]', 'Bakery Sonne');
  const actions = await page.run(() => [...document.querySelectorAll('dialog .card .headline')].map((each) => each.textContent));
  assert.deepEqual(actions, ['Active', 'Edit', 'Sleep', 'Centre here', 'Send', 'Why', 'Delete']);
  await page.run(() => Promise.all(document.getAnimations().map((each) => each.finished)));
  await page.shot('map-actions-phone');
  await page.tap('dialog .switch');
  await page.until(async (id) => (await (await (await import('/scripts/storage.js')).Storage.open()).get('zones', id)).active === false, bakery.id);
  await page.until(async (id) => (await (await import('/map/map-view.js')).mapView()).map.queryRenderedFeatures({ layers: ['zone-pin-picked'] }).some(({ properties }) => properties.id === id && properties.state === 'off'), bakery.id);
  await page.tap('dialog .row', 'Delete');
  await page.gone('.callout');
  await page.tap('.snackbar .button', 'Undo');
  await page.until(async (id) => Boolean(await (await (await import('/scripts/storage.js')).Storage.open()).get('zones', id)), bakery.id);
  await story.close(page);
});

test('S50, S128: Edit and Send lead on; S76: the editor leads back to the map', async () => {
  const page = await opened();
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
});

test('S51, S52: a tap chooses the centre of the next zone, and Add begins there', async () => {
  const page = await opened();
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
  const added = await page.run(async () => (await (await (await import('/scripts/storage.js')).Storage.open()).all('zones')).find(({ name }) => name === 'Zone 10'));
  assert.ok(Math.abs(added.places[0][0] - place[0]) < 2e-4 && Math.abs(added.places[0][1] - place[1]) < 2e-4, added.places.join());
  await story.close(page);
});

test('a long press makes one new zone there, however long it is held', async () => {
  const page = await opened();
  await drawn(page, 'zone-pin');
  await page.touch([await pixel(page, at(-250, 450))], { hold: 2300 });
  await page.see('.edit-pill', '1 point');
  assert.match(await page.run(() => location.hash), /^#\/zones\/new/);
  assert.equal(await page.run(() => document.querySelectorAll('.zone-point').length), 1);
  await page.context.close();
});

test('S53: Back is labelled Proximity Alarm', async () => {
  const page = await opened();
  await page.tap('.back-chip', 'Proximity Alarm');
  await page.until(() => location.hash === '#/');
  await story.close(page);
});

test('S40, S54: the map opens at the zone that rings, which flashes; its sheet lets it sleep', async () => {
  const page = await opened({ address: `/map?flash=${bakery.id}`, kept: { ...near, armed: true, settings: { bypass_to_map: true } }, look: { ...phone, still: false }, at: { latitude: at(420, -560)[0], longitude: at(420, -560)[1], accuracy: 5 } });
  await drawn(page, 'zone-ringing');
  const opacity = () => onMap(page, (view) => view.map.getPaintProperty('zone-ringing', 'fill-opacity'));
  const first = await opacity();
  await page.until(async (before) => (await (await import('/map/map-view.js')).mapView()).map.getPaintProperty('zone-ringing', 'fill-opacity') !== before, first);
  await page.run(() => document.querySelector('#alarm-sheet').close());
  await page.see('.callout', 'Bakery Sonne');
  await settled(page);
  const [across, zoom] = await onMap(page, (view, id) => [Math.abs(view.map.getCenter().lng - 13.3967), view.map.getZoom()], bakery.id);
  assert.ok(across < 0.002 && zoom > 13, `the zone is what is seen: ${across}°, zoom ${zoom}`);
  await page.shot('map-ringing-phone');
  await page.tap('.callout');
  await page.tap('dialog .row', 'Sleep');
  await page.see('.callout', 'asleep');
  await page.until(() => document.querySelector('#map').dataset.flashing === '');
  await page.context.close();
});

test('on a wide screen the nearest zones stand beside the map; all can be done with keys', async () => {
  const page = await opened({ look: tablet });
  await page.see('.map-pane .row', 'Tow path');
  await page.click('.map-pane .row', 'Market hall');
  await page.see('.callout', 'Market hall');
  await settled(page);
  await page.shot('map-wide');
  await onMap(page, (view) => { view.map.getCanvas().focus(); });
  await page.press('Enter');
  await page.see('.map-foot', 'The next zone goes here');
  await page.press('Enter', { modifiers: 8 });
  await page.see('.edit-pill', '1 point');
  await page.context.close();
});

test('axe finds nothing and all boxes are large enough, light and dark, phone and wide', async () => {
  const axe = `${await readFile('.build-vendor/test/axe.min.js', 'utf8')}; undefined`;
  for (const look of [phone, tablet]) {
    const page = await opened({ look, address: `/map?zone=${bakery.id}` });
    await page.see('.callout');
    for (const dark of [false, true]) {
      await page.look({ dark });
      await settled(page);
      await page.shot(`map-${look.touch ? 'phone' : 'wide'}${dark ? '-dark' : '-light'}`);
      assert.deepEqual(await violations(page, axe), []);
      assert.deepEqual(await smallBoxes(page), []);
    }
    await story.close(page);
  }
});

/** How long frames and the page's own work take while the map is panned by a screen, in ms. */
const panned = (page) => onMap(page, async (view) => {
  const frames = [];
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ entryTypes: ['longtask'] });
  let last = performance.now();
  for (let step = 0; step < 40; step++) {
    view.map.panBy([14, 6], { animate: false });
    await new Promise((done) => { requestAnimationFrame(done); });
    frames.push(performance.now() - last);
    last = performance.now();
  }
  observer.disconnect();
  frames.sort((a, b) => a - b);
  return { median: Math.round(frames[20]), p95: Math.round(frames[37]), longest: Math.round(Math.max(0, ...tasks)) };
});

test('ten thousand zones are drawn while the page answers', async (t) => {
  const said = ({ median, p95, longest }) => `${median} ms a frame in the median, ${p95} ms in 95 of 100, longest task ${longest} ms`;
  const empty = await opened({ zones: [] });
  t.diagnostic(`panning without zones: ${said(await panned(empty))}`);
  await story.close(empty);
  const page = await opened({ zones: many(10_000), kept: { map_range_m: 3000 } });
  await drawn(page, 'zone-border', 10);
  await settled(page);
  t.diagnostic(`panning with 10,000 zones: ${said(await panned(page))}`);
  const asked = await page.run(async () => {
    const { Engine } = await import('/scripts/engine.js');
    const zones = await (await (await import('/scripts/storage.js')).Storage.open()).all('zones');
    const engine = await Engine.load(fetch('/engine.wasm'));
    engine.ask('open', { device: '00000000000000d1', zones, now_ms: 0 });
    const times = [];
    for (let next = 0; next !== undefined;) {
      const from = performance.now();
      ({ next } = engine.ask('map_lines', { view: [52.3, 13, 52.7, 13.8], tolerance_m: 5, from: next, count: 100, now_ms: 0 }));
      times.push(performance.now() - from);
    }
    return { batches: times.length, longest: Math.round(Math.max(...times)), all: Math.round(times.reduce((sum, time) => sum + time, 0)) };
  });
  t.diagnostic(`the lines of all 10,000 zones: ${asked.all} ms in ${asked.batches} batches, ${asked.longest} ms the longest`);
  await onMap(page, (view) => { view.map.jumpTo({ zoom: 9 }); });
  assert.ok((await drawn(page, 'zone-cluster')).length > 0);
  await settled(page);
  await page.shot('map-10000-phone');
  await story.close(page);
});

test('what lies below the zones is chosen and kept: tiles where there are some, the world, nothing', async () => {
  const page = await opened();
  const layers = () => onMap(page, (view) => view.map.getStyle().layers.map(({ id }) => id));
  assert.ok((await layers()).includes('land'));
  await page.tap('[aria-label="Layers"]');
  assert.deepEqual(await page.run(() => [...document.querySelectorAll('dialog .row')].map((each) => each.textContent)), ['The world, kept on this device', 'Nothing']);
  await page.tap('dialog .row', 'Nothing');
  await page.until(async () => !(await (await import('/map/map-view.js')).mapView()).map.getLayer('land'));
  await drawn(page, 'zone-pin');
  assert.ok((await layers()).includes('ground'));
  await page.shot('map-nothing-phone');
  await page.reload();
  await drawn(page, 'zone-pin');
  assert.ok(!(await layers()).includes('land'));
  await page.tap('[aria-label="Layers"]');
  await page.tap('dialog .row', 'The world');
  await page.until(async () => Boolean((await (await import('/map/map-view.js')).mapView()).map.getLayer('land')));
  await story.close(page);
});

test('the map stays with the device, then turns with its way, then is free and level again', async () => {
  const page = await opened({ kept: { ...near, armed: true } });
  const tool = (label) => page.tap(`.map-tools [aria-label="${label}"]`);
  const bearing = (wanted) => page.until(async (angle) => Math.abs((await (await import('/map/map-view.js')).mapView()).map.getBearing() - angle) < 1, wanted);
  await tool('My position');
  await page.see('[aria-label="My position: turn with my way"][aria-pressed="true"]');
  await tool('My position: turn with my way');
  await page.see('[aria-label="My position: stop following"]');
  const [latitude, longitude] = at(-60, -40);
  await report(page, { latitude, longitude, speed: 5, heading: 90 });
  await bearing(90);
  const [north, east] = await center(page);
  assert.ok(Math.abs(north - latitude) < 1e-4 && Math.abs(east - longitude) < 1e-4, 'the device is in the middle');
  await page.shot('map-heading-phone');
  await tool('My position: stop following');
  await page.see('[aria-label="My position"][aria-pressed="false"]');
  await bearing(0);
  await story.close(page);
});

test('on a wide screen with alarms off the map begins at the zones, or where one was last', async () => {
  const page = await story.open({ zones: town, look: tablet, permissions: [] });
  await page.see('.maplibregl-canvas');
  await page.until(async () => (await (await import('/map/map-view.js')).mapView()).map.getZoom() > 9);
  const [latitude, longitude] = await center(page);
  assert.ok(Math.abs(latitude - middle.latitude) < 0.02 && Math.abs(longitude - middle.longitude) < 0.04, `${latitude}, ${longitude}`);
  await story.close(page);
  const other = await story.open({ look: tablet, permissions: [], address: '/about' });
  await other.run(async (place) => {
    const [{ app }, { journalOf }] = await Promise.all([import('/scripts/main.js'), import('/scripts/journal.js')]);
    app.dispatchEvent(new CustomEvent('fixes', { detail: [{ ...place, measured: Date.now() }] }));
    await journalOf(app).flush();
  }, middle);
  await other.open(`${story.server.origin}/#/`);
  await other.reload();
  await other.see('.maplibregl-canvas');
  await other.until(async () => (await (await import('/map/map-view.js')).mapView()).map.getZoom() > 9);
  assert.ok(Math.abs((await center(other))[0] - middle.latitude) < 0.01);
  await story.close(other);
});
