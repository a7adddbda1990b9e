// A first visit: from nothing to a zone that is armed and whose sound was heard.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { phone } from '../support/Browser.mjs';
import { place, Story, walk } from '../support/Story.mjs';
import { onMap, settled } from '../support/Zones.mjs';

const most = { taps: 6, ms: 60_000 };

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

/** The page on a first visit, with every tap counted. */
async function arrived({ look = phone, kept } = {}) {
  const page = await story.open({ at: place(0), look, kept });
  await page.see('.place-first h2', 'Where should it ring?');
  const began = Date.now();
  let taps = 0;
  const tap = async (...what) => {
    taps++;
    await page.tap(...what);
  };
  const touch = async (at) => {
    taps++;
    await page.touch([at]);
  };
  const enough = () => {
    assert.ok(taps <= most.taps, `${taps} taps`);
    assert.ok(Date.now() - began < most.ms, `${Date.now() - began} ms`);
  };
  return { page, tap, touch, enough };
}

const zones = (page) =>
  page.run(async () => [...(await import('/scripts/main.js')).app.zones.values()].map((form) => ({ ...form })));
const isArmed = (page) => page.run(async () => (await import('/scripts/main.js')).app.report.armed);
const metres = ([a, b], [c, d]) => Math.hypot((c - a) * 111_200, (d - b) * 111_200 * Math.cos((a * Math.PI) / 180));
const home = [place(0).latitude, place(0).longitude];
const rests = (page) =>
  page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getZoom() > 14 && !map.isMoving();
  });

test('where one is: three taps, and it has rung', async () => {
  const { page, tap, enough } = await arrived();
  await page.see('#state-detail', 'An alarm clock for places: come near one, and it rings.');
  assert.equal(await page.run(() => document.querySelector('#activate')), null);
  await page.shot('newcomer-first-phone');
  await tap('.place-first a', 'Where I am now');
  await page.see('.edit-pill', '1 point');
  await rests(page);
  await settled(page);
  // The circle is visible, at a size that a finger can change.
  await page.see('.circle-edge');
  await page.shot('newcomer-here-phone');
  await tap('.save');
  await page.until(() => location.hash === '#/');
  await page.see('#guarantee', 'When on, it rings while this page is visible');
  await page.shot('newcomer-saved-phone');
  await tap('#activate');
  await page.see('#alarm-sheet');
  await page.until(() => globalThis.heard.sounds > 0);
  enough();
  const [zone] = await zones(page);
  assert.ok(metres(zone.places[0], home) < 1, JSON.stringify(zone.places));
  await story.close(page);
});

test('on the map: a tap sets it, another moves it, its edge is dragged, and it is heard before it is switched on', async () => {
  const { page, tap, touch, enough } = await arrived();
  await tap('.place-first a', 'On the map');
  await page.see('.map-hint', 'Tap where it should ring');
  await rests(page);
  await settled(page);
  await touch([150, 240]);
  await page.see('.edit-pill', '1 point');
  await rests(page);
  await settled(page);
  await page.see('.map-hint', 'Tap to move');
  // At the position of the finger, not merely near it.
  const finger = [90, 160];
  const wanted = await onMap(
    page,
    (view, [x, y]) => {
      const { left, top } = view.map.getCanvas().getBoundingClientRect();
      const { lat, lng } = view.map.unproject([x - left, y - top]);
      return [lat, lng];
    },
    finger,
  );
  await touch(finger);
  await page.until(() =>
    document.querySelector('.visually-hidden[role="status"]').textContent.startsWith('The zone is at'),
  );
  await rests(page);
  await settled(page);
  await page.shot('newcomer-map-phone');
  const edge = await page.box('.circle-edge');
  // A quick drag is no fling: the next tap works at once.
  await page.flick([
    [edge.x, edge.y],
    [edge.x + 20, edge.y],
    [edge.x + 50, edge.y],
  ]);
  await page.until(() => Number(document.querySelector('.circle-edge').ariaValueNow) > 60);
  await tap('.save');
  await page.until(() => location.hash === '#/');
  const [zone] = await zones(page);
  assert.ok(metres(zone.places[0], wanted) < 3, `${metres(zone.places[0], wanted)} m beside the finger`);
  assert.ok(zone.size_m > 60, `${zone.size_m}`);
  await tap('#try');
  await page.see('#trial-alarm', 'Only tried');
  await page.until(() => globalThis.heard.sounds > 0);
  await page.shot('newcomer-trial-phone');
  assert.equal(await isArmed(page), false);
  await page.tap('#trial-close');
  await page.gone('#trial-alarm');
  await tap('#activate');
  await page.until(() => document.querySelector('.hero').dataset.state !== 'off');
  enough();
  await story.close(page);
});

test('by name, on a server without places: plain words and no command say who can add stations and shops', async () => {
  const hint = /"(no places have been imported.*)"/.exec(
    await readFile('Sources/AlarmService/Places/PlaceFinder.swift', 'utf8'),
  )[1];
  story.server.answers.set('/api/v1/places', (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items: [], hint })),
  );
  const { page, tap, enough } = await arrived();
  await tap('.place-first #find-place');
  await page.send('Input.insertText', { text: 'zzmarket' });
  const who = 'For stations and shops, ask the person who runs your server to import places.';
  await page.see('.place-first .note', who);
  await page.press('Enter');
  await page.see('.place-first .note', `Nothing is called “zzmarket”. Cities and towns are on board. ${who}`);
  assert.equal((await page.text('.place-first .results')).includes('`'), false);
  enough();
  await story.close(page);
});

test('by name: what was found is where the zone is, and what it is called', async () => {
  const found = [{ name: 'Market hall', display_name: 'Market hall, Town', lat: '52.5300', lon: '13.4100' }];
  let asked = 0;
  story.server.answers.set('/nominatim/search', (_, response) => {
    asked++;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  });
  story.server.answers.set('/api/v1/places', (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"items":[],"hint":"no places were imported"}'),
  );
  const { page, tap, enough } = await arrived({
    kept: { settings: { places_service: `${story.origin}/nominatim` } },
  });
  await tap('.place-first #find-place');
  await page.send('Input.insertText', { text: 'market' });
  // While a person types, only the page's own server is asked, another service only on request.
  await page.until(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/v1/places')));
  assert.equal(asked, 0);
  await page.press('Enter');
  await page.see('.place-first .row', 'Market hall');
  assert.equal(asked, 1);
  await page.shot('newcomer-found-phone');
  await tap('.place-first .row', 'Market hall');
  await page.until(() => document.querySelector('#zone-name')?.value === 'Market hall');
  await rests(page);
  await tap('.save');
  await page.until(() => location.hash === '#/');
  const [zone] = await zones(page);
  assert.deepEqual([zone.name, zone.places], ['Market hall', [[52.53, 13.41]]]);
  await tap('#activate');
  await page.until(() => document.querySelector('.hero').dataset.state !== 'off');
  await walk(page, { latitude: 52.525, longitude: 13.405, accuracy: 5 });
  await walk(page, { latitude: 52.53, longitude: 13.41, accuracy: 5 });
  await page.see('#alarm-sheet', 'Market hall');
  enough();
  await story.close(page);
});

test('by keys alone it is as far', async () => {
  const { page } = await arrived();
  const enter = async (selector) => {
    await page.see(selector);
    await page.run((one) => document.querySelector(one).focus(), selector);
    await page.press('Enter');
  };
  await enter('.place-first a');
  await page.see('.circle-edge');
  await page.run(() => document.querySelector('.circle-edge').focus());
  const before = await page.run(() => Number(document.activeElement.ariaValueNow));
  await page.press('ArrowRight');
  await page.press('PageUp');
  await page.until((size) => Number(document.querySelector('.circle-edge').ariaValueNow) === size, before + 11);
  await enter('.save');
  await page.until(() => location.hash === '#/');
  await enter('#activate');
  await page.see('#alarm-sheet');
  await story.close(page);
});

test('a trial ends where an alarm begins, which sounds on', async () => {
  const { page, tap } = await arrived();
  await tap('.place-first a', 'Where I am now');
  await page.see('.edit-pill', '1 point');
  await tap('.save');
  await page.until(() => location.hash === '#/');
  await page.run(() => {
    globalThis.playing = new Set();
    const { start, stop } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...how) {
      if (this.context instanceof AudioContext) globalThis.playing.add(this);
      return start.apply(this, how);
    };
    AudioBufferSourceNode.prototype.stop = function (...how) {
      globalThis.playing.delete(this);
      return stop.apply(this, how);
    };
  });
  await tap('#try');
  await page.until(() => globalThis.playing.size === 1);
  await page.run(async () => {
    await (await import('/scripts/main.js')).app.activate();
  });
  await page.see('#alarm-sheet');
  await page.gone('#trial-alarm');
  await page.until(async () => (await import('/scripts/main.js')).app.ringing.playing);
  assert.equal(await page.run(() => globalThis.playing.size), 1);
  await story.close(page);
});

test('a tap right before Save counts, and two quick taps zoom and set nothing', async () => {
  const { page } = await arrived();
  await page.tap('.place-first a', 'On the map');
  await page.see('.map-hint', 'Tap where it should ring');
  await rests(page);
  await settled(page);
  const zoom = () => onMap(page, (view) => view.map.getZoom());
  const before = await zoom();
  // Sent together, with the times of a quick finger: on a busy machine, separate events would not be related.
  const finger = [{ x: 150, y: 240, id: 1, radiusX: 8, radiusY: 8 }];
  const began = Date.now() / 1000;
  await Promise.all(
    ['touchStart', 'touchEnd', 'touchStart', 'touchEnd'].map((type, number) =>
      page.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchStart' ? finger : [],
        timestamp: began + number * 0.04,
      }),
    ),
  );
  await page.until(async (least) => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getZoom() > least && !map.isMoving();
  }, before + 0.5);
  // Longer than the page waits for a second tap.
  await page.until((quick) => Date.now() > quick, began * 1000 + 600);
  await page.see('.edit-pill', 'No points');
  await settled(page);
  // Both within the same task of the page.
  await page.run(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    const { left, top } = map.getCanvas().getBoundingClientRect();
    const at = { bubbles: true, clientX: left + 150, clientY: top + 240 };
    map.getCanvas().dispatchEvent(new PointerEvent('pointerdown', at));
    for (const name of ['mousedown', 'mouseup', 'click']) map.getCanvas().dispatchEvent(new MouseEvent(name, at));
    document.querySelector('.save').click();
  });
  await page.until(() => location.hash === '#/');
  assert.equal((await zones(page)).length, 1);
  await story.close(page);
});
