// The zone editor: S62-S86, in a real browser by touch, mouse and keys.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { phone, tablet } from './Browser.mjs';
import { smallBoxes, Story, violations } from './Story.mjs';
import { at, drawn, middle, onMap, pixel, settled, town, zone } from './Zones.mjs';

let story;
before(async () => { story = await Story.begin(); });
after(() => story?.end());

const [bakery, market] = town;
const square = zone(0x51, { name: 'Square', category: 'Work', distance_m: 60, places: [at(-100, -100), at(-100, 100), at(100, 100), at(100, -100)] });

async function opened(form = square, { zones = [form], ...more } = {}) {
  const page = await story.open({ zones, at: middle, address: `/zones/${form.id}?from=list`, ...more });
  await page.see('.edit-pill');
  await drawn(page, 'draft-border');
  await settled(page);
  return page;
}
const kept = (page, id) => page.run(async (wanted) => (await (await (await import('/scripts/storage.js')).Storage.open()).get('zones', wanted)) ?? null, id);
const points = (page) => page.run(() => document.querySelectorAll('.zone-point').length);
const save = async (page, id) => {
  await page.run(() => { document.querySelector('bottom-sheet').rest = 'half'; });
  await page.run(() => document.querySelector('.save').click());
  await page.until(() => !location.hash.startsWith('#/zones/'));
  return kept(page, id);
};
/** Puts a value into a field, as typing and leaving it does. */
const enter = (page, label, value) => page.run((words, given) => {
  const label = [...document.querySelectorAll('.zone-form label, dialog label')].find((each) => each.textContent === words && each.checkVisibility());
  if (!label) throw new Error(`no field ${words}`);
  const input = document.getElementById(label.htmlFor);
  input.focus();
  input.value = given;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  input.blur();
}, label, value);
const full = (page) => page.run(() => { document.querySelector('bottom-sheet').rest = 'full'; });

test('S62, S63: every attribute can be set, with its unit, and is kept', async () => {
  const page = await opened();
  await full(page);
  await page.type('#zone-name', 'Works yard');
  for (const [label, value] of [['Alert distance', '250'], ['Grow or shrink', '-20'], ['Lead time', '90'], ['Priority', '4'], ['Sleep time', '600'], ['Category', 'Hazard']]) await enter(page, label, value);
  await page.tap('.segments button', 'Staying');
  await page.see('.zone-form label', 'Time inside');
  await enter(page, 'Time inside', '120');
  await page.tap('.segments button', 'Safety');
  await page.tap('.row', 'Vibrate');
  await page.tap('.row', 'Active');
  await page.see('.zone-head .subhead', 'Hazard · critical · off');
  const zone = await save(page, square.id);
  assert.deepEqual(
    [zone.name, zone.category, zone.distance_m, zone.inset_m, zone.lead_s, zone.priority, zone.sleep_s, zone.trigger, zone.dwell_s, zone.assurance, zone.vibrate, zone.active],
    ['Works yard', 'Hazard', 250, 20, 90, 4, 600, 'dwell', 120, 'safety', false, false]);
  assert.deepEqual(zone.places, square.places);
  assert.equal(await page.run(() => location.hash), `#/zones?zone=${square.id}`);
  await story.close(page);
});

test('S77, S79, S161: a circle has a radius; a blank one takes the Default Radius', async () => {
  const page = await opened(market);
  await full(page);
  await enter(page, 'Radius', '');
  assert.equal((await save(page, market.id)).size_m, 50);
  await story.close(page);
});

test('a number that is not possible is said, with what is, and not taken', async () => {
  const page = await opened(market);
  await full(page);
  await enter(page, 'Radius', '-5');
  await page.see('.problem', '-5 is not possible: 0.01 to 10,000,000 m.');
  assert.equal((await save(page, market.id)).size_m, market.size_m);
  await story.close(page);
});

test('hours, messages, sound and notice are set from their rows', async () => {
  const page = await opened();
  await full(page);
  await page.tap('.form-rows .row', 'Hours');
  await page.tap('dialog .row', 'Only at certain hours');
  await page.tap('dialog .day:nth-child(5)');
  await page.run(() => { const input = document.querySelector('dialog input[aria-label="To"]'); input.value = '06:30'; input.dispatchEvent(new Event('change')); });
  await page.see('dialog .footnote', 'next day');
  await page.shot('editor-hours-phone');
  await page.tap('dialog .button', 'Done');
  await page.tap('.form-rows .row', 'Notice');
  await enter(page, 'Title', 'Helmet on');
  await enter(page, 'At most once in', '12');
  await page.tap('dialog .button', 'Done');
  await page.tap('.form-rows .row', 'Sound');
  await page.tap('dialog button[data-key="sound-Beacon"]');
  await page.tap('dialog button', 'Alert Zone Editor');
  await page.see('.form-rows .row', 'Beacon');
  await page.tap('.form-rows .row', 'Messages');
  await page.see('dialog .message-rows, dialog .segments');
  await page.tap('dialog .button', 'Done');
  const zone = await save(page, square.id);
  assert.deepEqual(zone.schedule.windows, [[0x0f, 480, 390]]);
  assert.ok(zone.schedule.offsets.length > 1 || zone.schedule.time_zone === 'UTC' || zone.schedule.offsets.length === 1);
  assert.equal(zone.sound, 'Beacon');
  assert.deepEqual([zone.notice.title, zone.notice.cap_s], ['Helmet on', 43_200]);
  await story.close(page);
});

test('S64, S65: on a wide screen the map is beside the form, on a phone behind it', async () => {
  const wide = await opened(square, { look: tablet });
  const [form, map] = [await wide.box('.zone-form'), await wide.box('#map')];
  assert.ok(form.left + form.width <= map.left + 1);
  await story.close(wide);
  const page = await opened();
  const sheet = await page.box('bottom-sheet');
  assert.ok(sheet.top > 300 && sheet.width === 390);
  assert.ok((await page.box('#map')).height > 800);
  await story.close(page);
});

test('S66, S67, S68: View map shows the zone with one pin, Edit map a point on each location', async () => {
  const page = await opened();
  assert.equal(await points(page), 4);
  await page.tap('.map-tools [aria-pressed]');
  assert.equal(await points(page), 0);
  await drawn(page, 'zone-pin');
  await page.tap('.map-tools [aria-pressed]');
  assert.equal(await points(page), 4);
  await story.close(page);
});

test('S69, S70: a long press adds exactly one point, into the nearest edge, however long it is held', async () => {
  const page = await opened();
  await page.touch([await pixel(page, at(45, 112))], { hold: 2400 });
  await page.see('.edit-pill', '5 points');
  assert.equal(await points(page), 5);
  await page.touch([await pixel(page, at(-40, -115))], { hold: 700 });
  await page.see('.edit-pill', '6 points');
  const zone = await save(page, square.id);
  assert.equal(zone.places.length, 6);
  assert.ok(Math.abs(zone.places[2][1] - at(45, 112)[1]) < 1e-4, 'between the second and the third');
  assert.ok(Math.abs(zone.places[5][1] - at(0, -115)[1]) < 1e-4, 'between the last and the first');
  await story.close(page);
});

test('S71, S72: a point shows the zone and its number, and what can be done with it', async () => {
  const page = await opened();
  await page.tap('[data-point="3"]');
  await page.see('dialog h2', 'Square, point 3');
  await page.shot('editor-point-phone');
  assert.deepEqual(await page.run(() => [...document.querySelectorAll('dialog .headline')].map((each) => each.textContent)), ['Move to the middle of the map', 'Type coordinates', 'Delete']);
  await page.tap('dialog .row', 'Delete');
  await page.see('.edit-pill', '3 points');
  await page.tap('[data-point="1"]');
  await page.tap('dialog .row', 'Type coordinates');
  await enter(page, 'Latitude, north positive', '95');
  await page.tap('dialog .button', 'Set');
  await page.see('.problem', '95 is no such angle: -90 to 90 degrees.');
  await enter(page, 'Latitude, north positive', '52.5185');
  await page.tap('dialog .button', 'Set');
  await page.gone('dialog[open]');
  assert.equal((await save(page, square.id)).places[0][0], 52.5185);
  await story.close(page);
});

test('S73: dragged, a point lifts, shows what is under the finger, and moves to where it is dropped', async () => {
  const page = await opened();
  const from = await pixel(page, square.places[2]);
  const to = [from[0] + 44, from[1] - 30];
  const finger = (type, point) => page.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [{ x: point[0], y: point[1], id: 1 }] : [] });
  await finger('touchStart', from);
  for (let step = 1; step <= 6; step++) await finger('touchMove', [from[0] + 44 * step / 6, from[1] - 5 * step]);
  await page.see('.zone-point.lifted');
  await page.see('.loupe');
  const wanted = await onMap(page, (view, [x, y]) => { const box = view.map.getCanvas().getBoundingClientRect(); const { lat, lng } = view.map.unproject([x - box.left, y - box.top]); return [lat, lng]; }, to);
  await page.shot('editor-drag-phone');
  await finger('touchEnd');
  await page.gone('.loupe');
  const zone = await save(page, square.id);
  assert.equal(zone.places.length, 4);
  assert.ok(Math.abs(zone.places[2][0] - wanted[0]) < 2e-5 && Math.abs(zone.places[2][1] - wanted[1]) < 2e-5, `${zone.places[2]} instead of ${wanted}`);
  assert.deepEqual([zone.places[0], zone.places[1], zone.places[3]], [square.places[0], square.places[1], square.places[3]]);
  await story.close(page);
});

test('a handle between two points is dragged to a new one; undo and redo', async () => {
  const page = await opened(square, { look: tablet });
  const from = await page.box('[data-middle="1"]');
  await page.send('Input.dispatchMouseEvent', { type: 'mousePressed', x: from.x, y: from.y, button: 'left', clickCount: 1 });
  for (let step = 1; step <= 5; step++) await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: from.x, y: from.y + 10 * step, button: 'left', buttons: 1 });
  await page.see('.edit-pill', '5 points');
  await page.send('Input.dispatchMouseEvent', { type: 'mouseReleased', x: from.x, y: from.y + 50, button: 'left', clickCount: 1 });
  await page.until(() => document.querySelectorAll('.zone-point').length === 5);
  await page.click('[aria-label="Undo"]');
  await page.see('.edit-pill', '4 points');
  await page.press('y', { modifiers: 2 });
  await page.see('.edit-pill', '5 points');
  await page.press('z', { modifiers: 2 });
  await page.see('.edit-pill', '4 points');
  assert.equal(await page.run(() => document.querySelector('[aria-label="Undo"]').disabled), true);
  await story.close(page);
});

test('by keys a point moves one metre, with Shift ten, and Delete takes it away; each is said', async () => {
  const page = await opened(square, { look: tablet });
  await page.run(() => document.querySelector('[data-point="1"]').focus());
  await page.press('ArrowUp');
  await page.see('[role="status"]', 'Point 1, 52.51911 N');
  await page.press('ArrowRight', { modifiers: 8 });
  assert.equal(await page.run(() => document.activeElement.dataset.point), '1');
  await page.run(() => document.querySelector('[data-point="4"]').focus());
  await page.press('Delete');
  await page.see('.edit-pill', '3 points');
  const zone = await save(page, square.id);
  const north = (zone.places[0][0] - square.places[0][0]) * 111_270;
  const east = (zone.places[0][1] - square.places[0][1]) * 111_320 * Math.cos(52.52 * Math.PI / 180);
  assert.ok(Math.abs(north - 1) < 0.02 && Math.abs(east - 10) < 0.1, `${north}, ${east}`);
  assert.equal(zone.places.length, 3);
  await story.close(page);
});

test('edges that cross are shown, named, and refused', async () => {
  const bow = { ...square, places: [square.places[0], square.places[1], square.places[3], square.places[2]] };
  const page = await opened(bow);
  await page.see('.finding', 'Edge 2-3 crosses edge 4-1');
  await drawn(page, 'draft-crossing', 2);
  await page.shot('editor-crossing-phone');
  await page.tap('.save');
  assert.match(await page.run(() => location.hash), /^#\/zones\/0+51/);
  await page.tap('.close-editor');
  await page.context.close();
});

test('S74, S75, S76: Save keeps the edits and goes back; closing keeps them for who goes on', async () => {
  const page = await opened();
  await page.type('#zone-name', 'Other');
  await page.tap('.close-editor');
  await page.see('.snackbar', 'Changes not saved');
  assert.equal((await kept(page, square.id)).name, 'Square');
  await page.tap('.snackbar .button', 'Go on editing');
  await page.until(() => document.querySelector('#zone-name')?.value === 'Other');
  assert.equal((await save(page, square.id)).name, 'Other');
  await page.see('.zone-row .headline', 'Other');
  await story.close(page);
});

test('S78, S165: a new zone opens at 50 km, an existing one is sized to its alert line', async () => {
  const page = await story.open({ at: middle, address: '/zones/new?from=list' });
  await page.see('.edit-pill', 'No points');
  await page.until(async () => { const { map } = await (await import('/map/map-view.js')).mapView(); return map.getZoom() > 6; });
  await settled(page);
  const bounds = await onMap(page, (view) => { const all = view.map.getBounds(); return [all.getWest(), all.getEast()]; });
  const across = (bounds[1] - bounds[0]) * 111.32 * Math.cos(52.52 * Math.PI / 180);
  assert.ok(across > 95 && across < 140, `${across} km across`);
  await page.tap('.save');
  await page.see('.finding', 'A zone needs a place');
  await story.close(page);
  const fitted = await opened();
  const { height } = await fitted.box('#map');
  const [top, bottom] = [await pixel(fitted, at(160, 0)), await pixel(fitted, at(-160, 0))];
  const sheet = await fitted.box('bottom-sheet');
  assert.ok(top[1] > 80 && bottom[1] < sheet.top && bottom[1] - top[1] > height / 5, `${top[1]} to ${bottom[1]}`);
  await story.close(fitted);
});

test('S80: three presses make an area, numbered in sequence; a circle becomes one, and a path', async () => {
  const page = await opened(market);
  await page.see('.edit-pill', '1 point');
  await page.tap('.segments button', 'Area');
  await page.see('.edit-pill', '6 points');
  assert.deepEqual(await page.run(() => [...document.querySelectorAll('.zone-point')].map((each) => each.innerText).sort()), ['1', '2', '3', '4', '5', '6']);
  await page.tap('.segments button', 'Path');
  await page.see('label', 'To each side');
  await page.tap('.segments button', 'Circle');
  await page.see('.edit-pill', '1 point');
  for (let step = 0; step < 3; step++) await page.tap('[aria-label="Undo"]');
  assert.deepEqual(await save(page, market.id), market);
  await story.close(page);
});

test('S81, S82, S84, S86: the inset and the alert line are drawn as they are changed', async () => {
  const page = await opened();
  await page.tap('[aria-label="Grow or shrink: less"]');
  await page.see('.map-tag', '−1.0 m');
  await enter(page, 'Grow or shrink', '-30');
  await page.see('.map-tag', '−30 m');
  await drawn(page, 'draft-level');
  await page.shot('editor-inset-phone');
  await enter(page, 'Grow or shrink', '25');
  await page.see('.map-tag', '+25 m');
  await page.see('.map-tag.alarm', '60 m');
  await page.run(() => { const input = document.querySelector('[aria-label="Alert distance, roughly"]'); input.value = 600; input.dispatchEvent(new Event('input')); input.dispatchEvent(new Event('change')); });
  await page.until(() => /^7\d\d m$/.test(document.querySelector('.map-tag.alarm').textContent));
  assert.equal((await save(page, square.id)).inset_m, -25);
  await story.close(page);
});

test('S83: an inset that splits the zone, and one that leaves nothing, are said', async () => {
  const neck = zone(0x52, { name: 'Neck', places: [[-100, -150], [-100, -50], [-10, -50], [-10, 50], [-100, 50], [-100, 150], [100, 150], [100, 50], [10, 50], [10, -50], [100, -50], [100, -150]].map(([north, east]) => at(north, east)) });
  const page = await opened(neck);
  await enter(page, 'Grow or shrink', '-20');
  await page.see('.finding', 'it falls into 2 pieces');
  await page.shot('editor-split-phone');
  await enter(page, 'Grow or shrink', '-60');
  await page.see('.finding', 'Can never alarm');
  assert.equal((await save(page, neck.id)).inset_m, 60);
  await story.close(page);
});

test('S85: dragging redraws within a frame', async (t) => {
  const page = await opened(bakery);
  const spent = await page.run(async (form) => {
    const { Engine } = await import('/scripts/engine.js');
    const engine = await Engine.load(fetch('/engine.wasm'));
    engine.ask('open', { device: '00000000000000d1', zones: [], now_ms: 0 });
    const times = [];
    for (let step = 0; step < 40; step++) {
      const places = form.places.with(0, [form.places[0][0] + step * 1e-6, form.places[0][1]]);
      const from = performance.now();
      engine.ask('draw', { zone: { ...form, inset_m: 5, places }, tolerance_m: 0.3, coarse: true });
      times.push(performance.now() - from);
    }
    times.sort((a, b) => a - b);
    return { median: times[20], most: times.at(-1) };
  }, bakery);
  t.diagnostic(`the lines of a zone with inset and alert ring take ${spent.median.toFixed(1)} ms, ${spent.most.toFixed(1)} ms at most`);
  await story.close(page);
});

test('axe finds nothing and all boxes are large enough, light and dark, phone and wide', async () => {
  const axe = `${await readFile('.build-vendor/test/axe.min.js', 'utf8')}; undefined`;
  for (const look of [phone, tablet]) {
    const page = await opened(bakery, { look, zones: town });
    for (const dark of [false, true]) {
      await page.look({ dark });
      await drawn(page, 'draft-border');
      await settled(page);
      await page.shot(`editor-${look.touch ? 'phone' : 'wide'}${dark ? '-dark' : '-light'}`);
      assert.deepEqual(await violations(page, axe), []);
      assert.deepEqual(await smallBoxes(page), []);
    }
    await full(page);
    await page.run(() => { document.querySelector('.points-part').scrollIntoView(); });
    assert.deepEqual(await violations(page, axe), []);
    await story.close(page);
  }
});
