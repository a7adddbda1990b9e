// The zone editor: S62-S65, S74-S86, in a real browser by touch, mouse and keys.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { enter, full, kept, opened, save, square } from '../support/Editor.mjs';
import { smallBoxes, Story, violations } from '../support/Story.mjs';
import { at, drawn, middle, onMap, pixel, settled, town, zone } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

const [bakery, market] = town;

test('every attribute of a zone can be set, with its unit, and is kept (S62, S63)', async () => {
  const page = await opened(story);
  await full(page);
  await page.type('#zone-name', 'Works yard');
  for (const [label, value] of [
    ['Alert distance', '250'],
    ['Grow or shrink', '-20'],
    ['Before you arrive', '90'],
    ['Priority', '4'],
    ['Sleep time', '600'],
    ['Category', 'Hazard'],
  ])
    await enter(page, label, value);
  await page.tap('.segments button', 'Staying');
  await page.see('.zone-form label', 'Time inside');
  await enter(page, 'Time inside', '120');
  await page.tap('.segments button', 'Safety');
  await page.tap('.row', 'Vibrate');
  await page.tap('.row', 'Active');
  await page.see('.zone-head .subhead', 'Hazard · critical · off');
  const zone = await save(page, square.id);
  assert.deepEqual(
    [
      zone.name,
      zone.category,
      zone.alert_distance_m,
      zone.inset_m,
      zone.lead_s,
      zone.priority,
      zone.sleep_s,
      zone.trigger,
      zone.dwell_s,
      zone.assurance,
      zone.vibrate,
      zone.active,
    ],
    ['Works yard', 'Hazard', 250, 20, 90, 4, 600, 'dwell', 120, 'safety', false, false],
  );
  assert.deepEqual(zone.places, square.places);
  assert.equal(await page.run(() => location.hash), `#/zones?zone=${square.id}`);
  await story.close(page);
});

test('a zone that rings on leaving has a time outside, at once unless one is chosen', async () => {
  const page = await opened(story);
  await full(page);
  await page.tap('.segments button', 'Leaving');
  await page.see('.zone-form label', 'Time outside');
  const rows = () =>
    page.run(() =>
      [...document.querySelectorAll('.zone-form section[aria-label="When"] label')]
        .filter((each) => each.checkVisibility())
        .map((each) => each.textContent),
    );
  assert.deepEqual(await rows(), ['Time outside', 'Alert distance']);
  const kind = ({ trigger, dwell_s }) => [trigger, dwell_s];
  assert.deepEqual(kind(await save(page, square.id)), ['leave', undefined]);
  await story.close(page);
  const again = await opened(story, { ...square, trigger: 'leave', dwell_s: 90 });
  await full(again);
  await enter(again, 'Time outside', '420');
  assert.deepEqual(kind(await save(again, square.id)), ['leave', 420]);
  await story.close(again);
});

test('one zone rings on entering and on leaving; switched to leaving alone it keeps the time outside', async () => {
  const page = await opened(story);
  await full(page);
  await page.tap('.segments button', 'Both');
  await page.see('.zone-form label', 'Time outside');
  await enter(page, 'Time outside', '60');
  await page.tap('[role=switch][aria-label="Also when passing through"]');
  const kind = ({ trigger, dwell_s }) => [trigger, dwell_s];
  assert.deepEqual(kind(await save(page, square.id)), ['inside_leave', 60]);
  await story.close(page);
  const again = await opened(story, { ...square, trigger: 'inside_leave', dwell_s: 60 });
  await full(again);
  await again.tap('.segments button', 'Leaving');
  assert.deepEqual(kind(await save(again, square.id)), ['leave', 60]);
  await story.close(again);
});

test('a circle has a radius; a blank one takes the Default Radius (S77, S79, S161)', async () => {
  const page = await opened(story, market);
  await full(page);
  await enter(page, 'Radius', '');
  assert.equal((await save(page, market.id)).size_m, 50);
  await story.close(page);
});

test('a floor and a ceiling are set in metres or feet, said, and never upside down (F7)', async () => {
  const page = await opened(story, market);
  await full(page);
  await enter(page, 'Ceiling', '1500');
  await enter(page, 'Floor', '1500');
  await page.see('.problem', 'The floor has to be below the ceiling of 1,500 m.');
  await enter(page, 'Floor', '300');
  await enter(page, 'Ceiling', '-20000');
  await page.see('.problem', '-20000 is not possible: -12,000 to 100,000 m.');
  await enter(page, 'Ceiling', '1500');
  const { floor_m: floor, ceiling_m: ceiling } = await save(page, market.id);
  assert.deepEqual([floor, ceiling], [300, 1500]);
  await page.see('.zone-row', 'from 300 m to 1,500 m high');
  await story.close(page);
});

test('a zone without a ceiling any more has none', async () => {
  const high = { ...market, floor_m: -5, ceiling_m: 900 };
  const page = await opened(story, high);
  await full(page);
  await enter(page, 'Ceiling', '');
  const zone = await save(page, market.id);
  assert.deepEqual([zone.floor_m, 'ceiling_m' in zone], [-5, false]);
  await story.close(page);
});

test('hours, messages, sound and notice are set from their rows', async () => {
  const page = await opened(story);
  await full(page);
  await page.tap('.form-rows .row', 'Hours');
  await page.tap('dialog .row', 'Only at certain hours');
  await page.tap('dialog .day:nth-child(5)');
  await page.run(() => {
    const input = document.querySelector('dialog input[aria-label="To"]');
    input.value = '06:30';
    input.dispatchEvent(new Event('change'));
  });
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
  assert.ok(
    zone.schedule.offsets.length > 1 || zone.schedule.time_zone === 'UTC' || zone.schedule.offsets.length === 1,
  );
  assert.equal(zone.sound, 'Beacon');
  assert.deepEqual([zone.notice.title, zone.notice.cap_s], ['Helmet on', 43_200]);
  await story.close(page);
});

test('on a wide screen the map is beside the form, on a phone behind it (S64, S65)', { skip: inAll }, async () => {
  const wide = await opened(story, square, { look: tablet });
  const [form, map] = [await wide.box('.zone-form'), await wide.box('#map')];
  assert.ok(form.left + form.width <= map.left + 1);
  await story.close(wide);
  const page = await opened(story);
  const sheet = await page.box('bottom-sheet');
  assert.ok(sheet.top > 300 && sheet.width === 390);
  assert.ok((await page.box('#map')).height > 800);
  await story.close(page);
});

test('Save keeps the edits and goes back, and closing keeps them as a draft to continue (S74, S75, S76)', async () => {
  const page = await opened(story);
  await page.type('#zone-name', 'Other');
  await page.tap('.close-editor');
  await page.see('.snackbar', 'Changes not saved');
  assert.equal((await kept(page, square.id)).name, 'Square');
  await page.tap('.snackbar .button', 'Continue editing');
  await page.until(() => document.querySelector('#zone-name')?.value === 'Other');
  assert.equal((await save(page, square.id)).name, 'Other');
  await page.see('.zone-row .headline', 'Other');
  await story.close(page);
});

test('a new zone opens at 50 km, an existing one is sized to its alert line (S78, S165)', async () => {
  const page = await story.open({ at: middle, address: '/zones/new?from=list' });
  await page.see('.edit-pill', 'No points');
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getZoom() > 6;
  });
  await settled(page);
  const bounds = await onMap(page, (view) => {
    const all = view.map.getBounds();
    return [all.getWest(), all.getEast()];
  });
  const across = (bounds[1] - bounds[0]) * 111.32 * Math.cos((52.52 * Math.PI) / 180);
  assert.ok(across > 95 && across < 140, `${across} km across`);
  await page.tap('.save');
  await page.see('.finding', 'A zone needs a place');
  await story.close(page);
  const fitted = await opened(story);
  const { height } = await fitted.box('#map');
  const [top, bottom] = [await pixel(fitted, at(160, 0)), await pixel(fitted, at(-160, 0))];
  const sheet = await fitted.box('bottom-sheet');
  assert.ok(top[1] > 80 && bottom[1] < sheet.top && bottom[1] - top[1] > height / 5, `${top[1]} to ${bottom[1]}`);
  await story.close(fitted);
});

test('a circle becomes an area with numbered points, then a path, then a circle again (S80)', async () => {
  const page = await opened(story, market);
  await page.see('.edit-pill', '1 point');
  await page.tap('.segments button', 'Area');
  await page.see('.edit-pill', '6 points');
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('.zone-point')].map((each) => each.innerText).sort()),
    ['1', '2', '3', '4', '5', '6'],
  );
  await page.tap('.segments button', 'Path');
  await page.see('label', 'To each side');
  await page.tap('.segments button', 'Circle');
  await page.see('.edit-pill', '1 point');
  for (let step = 0; step < 3; step++) await page.tap('[aria-label="Undo"]');
  assert.deepEqual(await save(page, market.id), market);
  await story.close(page);
});

test('the inset and the alert line are drawn as they are changed (S81, S82, S84, S86)', async () => {
  const page = await opened(story);
  await page.tap('[aria-label="Grow or shrink: less"]');
  await page.see('.map-tag', '−1.0 m');
  await enter(page, 'Grow or shrink', '-30');
  await page.see('.map-tag', '−30 m');
  await drawn(page, 'draft-level');
  await page.shot('editor-inset-phone');
  await enter(page, 'Grow or shrink', '25');
  await page.see('.map-tag', '+25 m');
  await page.see('.map-tag.alarm', '60 m');
  await page.run(() => {
    const input = document.querySelector('[aria-label="Alert distance, roughly"]');
    input.value = 600;
    input.dispatchEvent(new Event('input'));
    input.dispatchEvent(new Event('change'));
  });
  await page.until(() => /^7\d\d m$/.test(document.querySelector('.map-tag.alarm').textContent));
  assert.equal((await save(page, square.id)).inset_m, -25);
  await story.close(page);
});

test('the editor says when an inset splits the zone, and when it leaves nothing (S83)', async () => {
  const neck = zone(0x52, {
    name: 'Neck',
    places: [
      [-100, -150],
      [-100, -50],
      [-10, -50],
      [-10, 50],
      [-100, 50],
      [-100, 150],
      [100, 150],
      [100, 50],
      [10, 50],
      [10, -50],
      [100, -50],
      [100, -150],
    ].map(([north, east]) => at(north, east)),
  });
  const page = await opened(story, neck);
  await enter(page, 'Grow or shrink', '-20');
  await page.see('.finding', 'it falls into 2 pieces');
  await page.shot('editor-split-phone');
  await enter(page, 'Grow or shrink', '-60');
  await page.see('.finding', 'Can never ring');
  assert.equal((await save(page, neck.id)).inset_m, 60);
  await story.close(page);
});

test('dragging redraws the zone within a frame (S85)', async (t) => {
  const page = await opened(story, bakery);
  const spent = await page.run(async (form) => {
    const { Engine } = await import('/scripts/engine/engine.js');
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
  t.diagnostic(
    `the lines of a zone with inset and alert ring take ${spent.median.toFixed(1)} ms, ${spent.most.toFixed(1)} ms at most`,
  );
  await story.close(page);
});

for (const look of [phone, tablet]) {
  const size = look.touch ? 'phone' : 'wide';
  test(
    `axe finds nothing and all boxes are large enough, light and dark, ${size}`,
    { skip: !look.touch && inAll },
    async () => {
      const axe = `${await readFile('.build-vendor/test/axe.min.js', 'utf8')}; undefined`;
      const page = await opened(story, bakery, { look, zones: town });
      for (const dark of [false, true]) {
        await page.look({ dark });
        await drawn(page, 'draft-border');
        await settled(page);
        await page.shot(`editor-${size}${dark ? '-dark' : '-light'}`);
        assert.deepEqual(await violations(page, axe, { dark }), []);
        assert.deepEqual(await smallBoxes(page), []);
      }
      await full(page);
      await page.tap('#zone-points-row');
      await page.run(() => {
        document.querySelector('.points-part').scrollIntoView();
      });
      assert.deepEqual(await violations(page, axe), []);
      await story.close(page);
    },
  );
}

test('the form has three groups, and shows no range of a number before it is wrong', async () => {
  const page = await opened(story, { ...square, category: '', lead_s: 150 });
  await full(page);
  const titles = () =>
    page.run(() => [...document.querySelectorAll('.zone-form h2')].map((title) => title.textContent));
  assert.deepEqual(await titles(), ['When', 'How it rings', 'Only if']);
  const within = (title) =>
    page.run(
      (of) =>
        [...document.querySelectorAll(`.zone-form section[aria-label="${of}"] :is(label, .row) `)]
          .filter((each) => each.checkVisibility())
          .map((each) => (each.querySelector('.headline') ?? each).textContent),
      title,
    );
  assert.deepEqual(await within('When'), ['Alert distance', 'Before you arrive', 'Also when passing through']);
  assert.deepEqual(await within('How it rings'), [
    'Sound',
    'Vibrate',
    'Messages',
    'Notice',
    'Category',
    'Priority',
    'Sleep time',
  ]);
  assert.deepEqual(await within('Only if'), ['Ceiling', 'Floor', 'Hours', 'Active']);
  assert.doesNotMatch(await page.run(() => document.querySelector('.zone-form').innerText), /0 to |10,000,000/);
  // An uncommon time is listed among the common ones.
  const times = () =>
    page.run(() => {
      const label = [...document.querySelectorAll('label')].find((each) => each.textContent === 'Before you arrive');
      const select = document.getElementById(label.htmlFor);
      return [select.selectedOptions[0].text, ...[...select.options].map(({ text }) => text)];
    });
  assert.deepEqual(await times(), [
    '150 s',
    'not by time',
    '1 min',
    '2 min',
    '150 s',
    '5 min',
    '10 min',
    '15 min',
    '20 min',
    '30 min',
    'Other …',
  ]);
  await enter(page, 'Before you arrive', '600');
  assert.equal((await times())[0], '10 min');
  await enter(page, 'Before you arrive', '420');
  assert.equal((await times())[0], '7 min');
  assert.equal((await save(page, square.id)).lead_s, 420);
  await story.close(page);
});

test('before it is armed a zone says how late it can ring, and proposes what is early enough (F2)', async () => {
  const lone = zone(0x52, { size_m: 50, alert_distance_m: 0, places: [at(0, 0)] });
  const page = await opened(story, lone);
  await full(page);
  await page.see('#zone-lateness', 'Rings within 15 m of the edge on foot, and up to 495 m after it by train.');
  await page.tap('#zone-early', 'Ring 500 m before, in time by train');
  await page.see('#zone-lateness', 'Rings before the edge, even by train.');
  await page.gone('#zone-early');
  // A zone for staying does not depend on the speed of arrival.
  await page.tap('.segments button', 'Staying');
  await page.gone('#zone-lateness');
  await page.tap('.segments button', 'Entering');
  await page.see('#zone-lateness');
  const { alert_distance_m: distance } = await save(page, lone.id);
  assert.equal(distance, 500);
  await story.close(page);
});

test('with the form drawn down a phone has the map to itself, and its tools can change the sound (S65)', async () => {
  const page = await opened(story);
  await page.see('.map-tools');
  assert.equal(
    await page.run(() => document.querySelector('.map-tools [aria-label="Change sound"]').checkVisibility()),
    false,
  );
  await page.run(() => {
    document.querySelector('bottom-sheet').rest = 'peek';
  });
  await page.tap('.map-tools [aria-label="Change sound"]');
  await page.see('dialog[open]', 'Klaxon');
  await page.shot('editor-map-phone');
  await page.tap('[data-key="sound-Klaxon"]');
  await page.press('Escape');
  await page.gone('dialog[open]');
  const zone = await save(page, square.id);
  assert.equal(zone.sound, 'Klaxon');
  await story.close(page);
});
