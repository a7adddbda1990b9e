// With animations, as most people have them: the map flies, and events on the way must not stop it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone } from '../support/Browser.mjs';
import { kept, square, opened } from '../support/Editor.mjs';
import { Story } from '../support/Story.mjs';
import { at, drawn, middle, onMap, pixel, settled, zone } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

const moving = { ...phone, still: false };
const seen = (page, place) => onMap(page, (view, wanted) => view.sees(wanted), place);

test(
  'the map moves to the places that a search found, and their pins can be tapped (S203)',
  { skip: inAll },
  async () => {
    const found = [
      [60.17, 24.94],
      [60.18, 24.96],
    ];
    story.server.answers.set('/api/v1/places', (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          items: found.map(([latitude, longitude], index) => ({ name: `Kahvila ${index + 1}`, latitude, longitude })),
          attribution: '',
        }),
      ),
    );
    const page = await story.open({ look: moving, at: middle, address: '/reminders/new' });
    await settled(page);
    await page.type('#place-search', 'kahvila');
    await page.press('Enter');
    await page.see('.place-pin', 'Kahvila 2');
    await page.until(async (places) => {
      const view = await (await import('/map/map-view.js')).mapView();
      return !view.map.isMoving() && places.every((place) => view.sees(place)) && view.map.getZoom() > 9;
    }, found);
    await page.shot('search-motion-phone');
    await page.touch([await pixel(page, found[0])]);
    await page.see('.place-pin.chosen', 'Kahvila 1');
    await story.close(page);
  },
);

test('a sheet that is moved while the map flies does not stop it', async () => {
  const page = await opened(story, square, { look: moving });
  const [far] = [at(40_000, 30_000)];
  await onMap(
    page,
    (view, place) => {
      view.around(place, 300);
    },
    far,
  );
  await page.run(() => {
    document.querySelector('bottom-sheet').rest = 'peek';
  });
  await page.until(async (place) => {
    const view = await (await import('/map/map-view.js')).mapView();
    return !view.map.isMoving() && view.sees(place) && view.map.getZoom() > 13;
  }, far);
  await story.close(page);
});

test('a long press sets the zone exactly where the finger was, and the map zooms in until the zone can be seen (S78)', async () => {
  const page = await story.open({ look: moving, at: middle, address: '/zones/new?from=list' });
  await page.see('.map-hint', 'Tap where it should ring');
  // At rest, and not between two flights.
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    if (map.getZoom() <= 6 || map.isMoving()) globalThis.restsSince = performance.now();
    return performance.now() - (globalThis.restsSince ??= performance.now()) > 600;
  });
  const finger = [140, 260];
  const wanted = await onMap(
    page,
    (view, [x, y]) => {
      const { left, top } = view.map.getCanvas().getBoundingClientRect();
      const { lat, lng } = view.map.unproject([x - left, y - top]);
      return [lat, lng];
    },
    finger,
  );
  await page.touch([finger], { hold: 700 });
  await page.see('.edit-pill', '1 point');
  await drawn(page, 'draft-border');
  // A flight that ends because the sheet covers more of the map is started again with the same target. It is over when the zoom
  // is high enough.
  await page.until(async ([latitude, longitude]) => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    const [middle, edge] = [latitude, latitude + 50 / 111_195].map((each) => map.project([longitude, each]));
    return !map.isMoving() && middle.y - edge.y > 24;
  }, wanted);
  assert.ok(await seen(page, wanted), 'the place is in sight');
  // The circle on the screen, from its center to its northern edge.
  const [[x, y], [, top]] = [await pixel(page, wanted), await pixel(page, [wanted[0] + 50 / 111_195, wanted[1]])];
  assert.ok(y - top > 24, `a radius of ${y - top} pixels`);
  // In the middle of the uncovered part.
  const sheet = await page.box('bottom-sheet');
  assert.ok(Math.abs(x - 195) < 12 && Math.abs(y - sheet.top / 2) < 12, `at ${x}, ${y}`);
  const dot = await page.box('.zone-point');
  assert.ok(Math.hypot(dot.x - x, dot.y - y) < 1.5, 'the point stands where the finger was');
  await page.shot('editor-held-phone');
  await page.tap('.save');
  await page.until(() => location.hash.startsWith('#/zones?'));
  const saved = await kept(
    page,
    await page.run(async () => [...(await import('/scripts/main.js')).app.zones.keys()][0]),
  );
  assert.ok(
    Math.abs(saved.places[0][0] - wanted[0]) < 1e-9 && Math.abs(saved.places[0][1] - wanted[1]) < 1e-9,
    `${saved.places[0]} for ${wanted}`,
  );
  await story.close(page);
});

test('a hold beside the own position says how far off the zone is, and moves it there', async () => {
  const page = await story.open({ look: moving, at: middle, address: '/zones/new?from=list' });
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getZoom() > 6 && !map.isMoving();
  });
  const [x, y] = await pixel(page, [middle.latitude, middle.longitude]);
  await page.touch([[x + 10, y - 8]], { hold: 700 });
  await page.see('.snackbar', 'km from your position');
  await page.tap('.snackbar .button', 'Move it there');
  await page.clickAtOnce('#zone-points-row');
  await page.see('.point-list .row', '52.52000 N, 13.40500 E');
  await story.close(page);
});

test(
  'a place that was chosen by a long press at street zoom stays in view in the editor (S78)',
  { skip: inAll },
  async () => {
    const page = await story.open({
      look: moving,
      zones: [zone(9, { places: [at(90_000, 0)] })],
      kept: { map_range_m: 250 },
      at: middle,
      address: '/map',
    });
    await page.until(async () => {
      const { map } = await (await import('/map/map-view.js')).mapView();
      return map.getZoom() > 13 && !map.isMoving();
    });
    const zoom = await onMap(page, (view) => view.map.getZoom());
    const place = at(60, -70);
    await page.touch([await pixel(page, place)], { hold: 700 });
    await page.see('.edit-pill', '1 point');
    await drawn(page, 'draft-border');
    await page.until(async () => !(await (await import('/map/map-view.js')).mapView()).map.isMoving());
    assert.ok(await seen(page, place), 'the place is in sight');
    assert.ok(Math.abs((await onMap(page, (view) => view.map.getZoom())) - zoom) < 1.5, 'about as near as before');
    await settled(page);
    await page.shot('editor-held-at-street-zoom');
    await page.context.close();
  },
);
