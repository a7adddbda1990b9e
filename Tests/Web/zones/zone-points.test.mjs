// The points of a zone on the map: S66-S73, in a real browser by touch, mouse and keys.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { place } from '../../../Web/scripts/words/zone-words.js';
import { inAll } from '../support/All.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { enter, kept, opened, points, save, square } from '../support/Editor.mjs';
import { Story } from '../support/Story.mjs';
import { at, drawn, onMap, pixel, zone } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

test('View map shows the zone with one pin, and Edit map shows a point on each location (S66, S67, S68)', async () => {
  const page = await opened(story);
  assert.equal(await points(page), 4);
  await page.tap('.map-tools [aria-pressed]');
  assert.equal(await points(page), 0);
  await drawn(page, 'zone-pin');
  await page.tap('.map-tools [aria-pressed]');
  assert.equal(await points(page), 4);
  await story.close(page);
});

test('a long press adds exactly one point, in the nearest edge, however long it is held (S69, S70)', async () => {
  const page = await opened(story);
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

test('a point shows the zone and its number, and what can be done with it (S71, S72)', async () => {
  const page = await opened(story);
  await page.tap('[data-point="3"]');
  await page.see('.point-tag', 'Square');
  await page.see('.point-tag', 'Point 3');
  await page.shot('editor-point-tag-phone');
  await page.tap('.point-tag');
  await page.see('dialog h2', 'Square, point 3');
  await page.shot('editor-point-phone');
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('dialog .headline')].map((each) => each.textContent)),
    ['Move to the middle of the map', 'Type coordinates', 'Insert a point before', 'Insert a point after', 'Delete'],
  );
  await page.tap('dialog .row', 'Insert a point before');
  await page.see('.edit-pill', '5 points');
  await page.see('[data-point="3"].selected');
  await page.tap('[data-point="3"]');
  await page.tap('.point-tag');
  await page.tap('dialog .row', 'Delete');
  await page.see('.edit-pill', '4 points');
  // A second tap on the point itself does the same.
  await page.tap('[data-point="1"]');
  await page.see('.point-tag', 'Point 1');
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

test('a dragged point lifts, shows the map under the finger, and moves to where it is dropped (S73)', async () => {
  const page = await opened(story);
  const from = await pixel(page, square.places[2]);
  const to = [from[0] + 44, from[1] - 30];
  const finger = (type, point) =>
    page.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [{ x: point[0], y: point[1], id: 1 }] : [] });
  await finger('touchStart', from);
  for (let step = 1; step <= 6; step++) await finger('touchMove', [from[0] + (44 * step) / 6, from[1] - 5 * step]);
  await page.see('.zone-point.lifted');
  await page.see('.loupe');
  const wanted = await onMap(
    page,
    (view, [x, y]) => {
      const box = view.map.getCanvas().getBoundingClientRect();
      const { lat, lng } = view.map.unproject([x - box.left, y - box.top]);
      return [lat, lng];
    },
    to,
  );
  await page.shot('editor-drag-phone');
  await finger('touchEnd');
  await page.gone('.loupe');
  const zone = await save(page, square.id);
  assert.equal(zone.places.length, 4);
  assert.ok(
    Math.abs(zone.places[2][0] - wanted[0]) < 2e-5 && Math.abs(zone.places[2][1] - wanted[1]) < 2e-5,
    `${zone.places[2]} instead of ${wanted}`,
  );
  assert.deepEqual(
    [zone.places[0], zone.places[1], zone.places[3]],
    [square.places[0], square.places[1], square.places[3]],
  );
  await story.close(page);
});

test('a handle between two points is dragged to a new one; undo and redo', async () => {
  const page = await opened(story, square, { look: tablet });
  const from = await page.box('[data-middle="1"]');
  await page.send('Input.dispatchMouseEvent', {
    type: 'mousePressed',
    x: from.x,
    y: from.y,
    button: 'left',
    clickCount: 1,
  });
  for (let step = 1; step <= 5; step++)
    await page.send('Input.dispatchMouseEvent', {
      type: 'mouseMoved',
      x: from.x,
      y: from.y + 10 * step,
      button: 'left',
      buttons: 1,
    });
  await page.see('.edit-pill', '5 points');
  await page.send('Input.dispatchMouseEvent', {
    type: 'mouseReleased',
    x: from.x,
    y: from.y + 50,
    button: 'left',
    clickCount: 1,
  });
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
  const page = await opened(story, square, { look: tablet });
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
  const east = (zone.places[0][1] - square.places[0][1]) * 111_320 * Math.cos((52.52 * Math.PI) / 180);
  assert.ok(Math.abs(north - 1) < 0.02 && Math.abs(east - 10) < 0.1, `${north}, ${east}`);
  assert.equal(zone.places.length, 3);
  await story.close(page);
});

test('edges that cross are shown, named, and refused', async () => {
  const bow = { ...square, places: [square.places[0], square.places[1], square.places[3], square.places[2]] };
  const page = await opened(story, bow);
  await page.see('.finding', 'Edge 2-3 crosses edge 4-1');
  await drawn(page, 'draft-crossing', 2);
  await page.shot('editor-crossing-phone');
  await page.tap('.save');
  assert.match(await page.run(() => location.hash), /^#\/zones\/0+51/);
  await page.tap('.close-editor');
  await page.context.close();
});

/** Two parts, the second with a hole. */
const grove = zone(0x52, {
  name: 'Grove',
  category: 'Nature',
  outline: 'area',
  places: undefined,
  parts: [
    [[at(-90, -140), at(-90, -40), at(10, -40), at(10, -140)]],
    [
      [at(-90, 20), at(-90, 140), at(30, 140), at(30, 20)],
      [at(-60, 50), at(-10, 80), at(-60, 110)],
    ],
  ],
});

test('points of a zone of several parts are dragged, put between two others, and deleted (S73)', async () => {
  const page = await opened(story, grove, { look: tablet });
  await page.see('.edit-pill', '11 points');
  assert.equal(await points(page), 11);
  const drag = async (selector, east, south) => {
    const { x, y } = await page.box(selector);
    const mouse = (type, left, top) =>
      page.send('Input.dispatchMouseEvent', { type, x: left, y: top, button: 'left', buttons: 1, clickCount: 1 });
    await mouse('mousePressed', x, y);
    for (let step = 1; step <= 4; step++) await mouse('mouseMoved', x + (east * step) / 4, y + (south * step) / 4);
    await page.see('.lifted');
    await mouse('mouseReleased', x + east, y + south);
    await page.gone('.lifted');
  };
  // The seventh point is the third of the second part's outer ring.
  await drag('[data-point="7"]', 30, -30);
  await page.until(
    (text) => document.querySelector('[data-point="7"]').getAttribute('aria-label') !== text,
    `Point 7 of 11, ${place(grove.parts[1][0][2])}`,
  );
  await drag('[data-middle="8"]', -20, 10);
  await page.see('.edit-pill', '12 points');
  await page.run(() => document.querySelector('[data-point="2"]').focus());
  await page.press('Delete');
  await page.see('.edit-pill', '11 points');
  const { parts } = await save(page, grove.id);
  const [[left], [right, hole]] = parts;
  assert.deepEqual(left, grove.parts[0][0].toSpliced(1, 1), 'the first part without its second point');
  assert.deepEqual(hole, grove.parts[1][1], 'the hole is as it was');
  assert.equal(right.length, 5);
  assert.ok(right[2][0] > grove.parts[1][0][2][0] && right[2][1] > grove.parts[1][0][2][1], 'to the north-east');
  assert.deepEqual(right.slice(0, 2), grove.parts[1][0].slice(0, 2));
  await story.close(page);
});

test(
  'in a zone of several parts a long press adds a point to the ring whose edge is nearest (S69, S70)',
  { skip: inAll },
  async () => {
    const page = await opened(story, grove);
    // Left of the first part, below the second, and in its hole, beside the edge on the left.
    for (const [press, count] of [
      [at(-60, -155), 12],
      [at(-105, 80), 13],
      [at(-50, 62), 14],
    ]) {
      // Zoomed in so far that no point is under the finger.
      await onMap(
        page,
        (view, [latitude, longitude]) => {
          view.map.jumpTo({ center: [longitude, latitude], zoom: 19 });
        },
        press,
      );
      await page.touch([await pixel(page, press)], { hold: 700 });
      await page.see('.edit-pill', `${count} points`);
    }
    const {
      parts: [[left], [right, hole]],
    } = await save(page, grove.id);
    const near = ([latitude, longitude], [north, east]) =>
      Math.abs(latitude - at(north, east)[0]) < 3e-5 && Math.abs(longitude - at(north, east)[1]) < 5e-5;
    assert.ok(near(left[4], [-60, -155]), `between the last and the first: ${left}`);
    assert.ok(near(right[1], [-105, 80]), `between the first and the second: ${right}`);
    assert.ok(near(hole[1], [-50, 62]), `between the first and the second: ${hole}`);
    assert.deepEqual([left.length, right.length, hole.length], [5, 5, 4]);
    await story.close(page);
  },
);

test('deleting a point of a ring of three deletes the ring, and the last part of a zone stays (S72)', async () => {
  const page = await opened(
    story,
    { ...grove, parts: [grove.parts[1].with(0, grove.parts[1][0].slice(0, 3))] },
    { look: tablet },
  );
  await page.see('.edit-pill', '6 points');
  const remove = async (point) => {
    await page.run((number) => document.querySelector(`[data-point="${number}"]`).focus(), point);
    await page.press('Delete');
  };
  await remove(5);
  await page.see('.edit-pill', '3 points');
  await remove(1);
  await page.until(() =>
    [...document.querySelectorAll('[role="status"]')].some(
      (each) => each.textContent === 'An area needs at least three points',
    ),
  );
  assert.equal((await save(page, grove.id)).parts[0].length, 1);
  await story.close(page);
});

test('what to do with the map is said in one line, and covers neither its credit nor its tools', async () => {
  for (const look of [phone, tablet]) {
    const page = await opened(story, square, { look });
    const [hint, credit, tools, sheet] = [
      await page.box('.map-hint'),
      await page.box('.maplibregl-ctrl-attrib'),
      await page.box('.map-tools'),
      await page.box('bottom-sheet'),
    ];
    const apart = (a, b) =>
      a.left + a.width <= b.left ||
      b.left + b.width <= a.left ||
      a.top + a.height <= b.top ||
      b.top + b.height <= a.top;
    assert.ok(apart(hint, credit) && apart(hint, tools), JSON.stringify({ hint, credit, tools }));
    assert.ok(hint.height < 40, `${hint.height} high`);
    assert.ok(apart(credit, sheet), 'the credit is seen above the sheet');
    await page.shot(`editor-hint-${look.touch ? 'phone' : 'wide'}`);
    await story.close(page);
  }
});

test('with a point in focus undo, redo and save work by keys as everywhere in the editor', async () => {
  const page = await opened(story, square, { look: tablet });
  const focus = () => page.run(() => document.querySelector('[data-point="1"]').focus());
  await focus();
  await page.press('Delete');
  await page.see('.edit-pill', '3 points');
  await focus();
  await page.press('z', { modifiers: 2 });
  await page.see('.edit-pill', '4 points');
  await focus();
  await page.press('y', { modifiers: 2 });
  await page.see('.edit-pill', '3 points');
  await focus();
  await page.press('s', { modifiers: 2 });
  await page.until(() => !location.hash.startsWith('#/zones/'));
  assert.equal((await kept(page, square.id)).places.length, 3);
  await story.close(page);
});
