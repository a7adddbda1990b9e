// The streets of a person's own server: imported by the program, served by it, drawn by the page.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { Browser, phone, tablet } from '../support/Browser.mjs';
import { LiveServer, run } from '../support/LiveServer.mjs';
import { Story } from '../support/Story.mjs';
import { settled } from '../support/Zones.mjs';

const extract = fileURLToPath(new URL('streets.osm', import.meta.url));
const middle = { latitude: 52.52, longitude: 13.4, accuracy: 8 };
const near = { map_range_m: 700 };

let story;
before(async () => {
  story = new Story();
  [story.browser, story.server] = await Promise.all([
    Browser.launch({ map: true }),
    LiveServer.start({
      prepare: async (data) => {
        await run('map', 'import', extract, '--data', data);
        const shop = { type: 'Point', coordinates: [13.401, 52.5215] };
        const file = join(await mkdtemp(join(tmpdir(), 'places-')), 'shops.geojson');
        await writeFile(
          file,
          JSON.stringify({
            type: 'FeatureCollection',
            features: [{ type: 'Feature', properties: { name: 'Kiosk am Ring', shop: 'kiosk' }, geometry: shop }],
          }),
        );
        await run('places', 'import', file, '--data', data);
        await rm(dirname(file), { recursive: true });
      },
    }),
  ]);
});
after(() => story?.end());

async function opened(more = {}) {
  const page = await story.open({ kept: near, at: middle, address: '/map', ...more });
  await page.see('.map-tools');
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getZoom() > 12 && !map.isMoving();
  });
  await settled(page);
  return page;
}

/** The drawn features of a layer: the named attribute of each. */
const drawn = (page, layer, attribute) =>
  page.run(
    async (id, name) => {
      const { map } = await (await import('/map/map-view.js')).mapView();
      return map.queryRenderedFeatures({ layers: [id] }).map(({ properties }) => properties[name] ?? null);
    },
    layer,
    attribute,
  );

const jump = async (page, zoom, [latitude, longitude] = [middle.latitude, middle.longitude]) => {
  await page.run(
    async (where, at) => {
      const { map } = await (await import('/map/map-view.js')).mapView();
      map.jumpTo({ center: at, zoom: where });
      await new Promise((done) => {
        map.once('idle', done);
      });
    },
    zoom,
    [longitude, latitude],
  );
};

for (const [look, what] of [
  [phone, 'a phone'],
  [tablet, 'a wide screen'],
])
  test(
    `streets, buildings, parks and the sea are under the zones on ${what}, light and dark`,
    { skip: !look.touch && inAll },
    async () => {
      const grounds = new Set();
      for (const theme of ['light', 'dark']) {
        const page = await opened({ look, kept: { ...near, settings: { theme } } });
        const ground = await page.run(async () => {
          const { map } = await (await import('/map/map-view.js')).mapView();
          return map.getPaintProperty('streets-sea', 'fill-color');
        });
        grounds.add(ground);
        await jump(page, 15.5);
        assert.deepEqual(new Set(await drawn(page, 'road-primary-face', 'kind')), new Set(['primary']));
        assert.deepEqual(new Set(await drawn(page, 'road-minor-face', 'kind')), new Set(['minor']));
        assert.ok((await drawn(page, 'building', 'name')).length > 0);
        assert.deepEqual(new Set(await drawn(page, 'road-name', 'name')), new Set(['Lindenallee', 'Werkstraße']));
        await jump(page, 13);
        assert.ok((await drawn(page, 'ground-park', 'name')).includes('Stadtpark'));
        assert.ok((await drawn(page, 'streets-sea', 'name')).length > 0);
        await jump(page, 18, [52.52055, 13.4009]);
        assert.deepEqual(new Set(await drawn(page, 'house', 'number')), new Set(['12']));
        await page.see('.maplibregl-ctrl-attrib', '© OpenStreetMap contributors');
        await story.close(page);
      }
      assert.equal(grounds.size, 2, `${[...grounds]}`);
    },
  );

test('names of all scripts are drawn by the device, and nothing is loaded from elsewhere', async () => {
  const page = await opened({ look: tablet });
  await jump(page, 14.5, [52.5245, 13.4]);
  const names = new Set(await drawn(page, 'landmark', 'name'));
  for (const name of ['Hauptbahnhof', 'Σταθμός', 'Вокзал', 'محطة', 'תחנה', 'สถานี', '车站', 'Gipfel'])
    assert.ok(names.has(name), `${name} is not among ${[...names].join(', ')}`);
  const others = await page.run(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ protocol, origin }) => protocol.startsWith('http') && origin !== location.origin)
      .map(({ href }) => href),
  );
  assert.deepEqual(others, []);
  await page.shot('streets-names');
  await story.close(page);
});

test('the ground can be chosen: streets, nothing, and streets again', { skip: inAll }, async () => {
  const page = await opened();
  const hasStreets = () =>
    page.run(async () => Boolean((await (await import('/map/map-view.js')).mapView()).map.getSource('streets')));
  assert.equal(await hasStreets(), true);
  for (const [label, wanted] of [
    ['Nothing', false],
    ['Streets of this server', true],
  ]) {
    await page.tap('[aria-label="Layers"]');
    await page.tap('dialog .row', label);
    await page.until(
      async (is) => Boolean((await (await import('/map/map-view.js')).mapView()).map.getSource('streets')) === is,
      wanted,
    );
  }
  await story.close(page);
});

test('where there are no streets a line offers those of OpenStreetMap, which are asked only after a yes', async () => {
  for (const look of [phone, tablet]) {
    const page = await opened({ look });
    const line = () => page.run(() => document.querySelector('.no-streets').checkVisibility());
    assert.equal(await line(), false, 'streets reach here');
    await jump(page, 8, [48.2, 16.4]);
    assert.equal(await line(), false, 'nobody looks for streets at this zoom');
    await jump(page, 15, [48.2, 16.4]);
    assert.equal(await line(), true);
    await page.shot(`no-streets-${look === phone ? 'phone' : 'wide'}`);
    const small = await page.run(
      () => document.querySelector('.no-streets button').getBoundingClientRect().height < 44,
    );
    assert.equal(small, false);
    const ground = () =>
      page.run(async () => {
        const { map } = await (await import('/map/map-view.js')).mapView();
        return map.getSource('tiles')?.tiles?.[0] ?? '';
      });
    await page.tap('.no-streets button');
    await page.see('dialog', 'tile.openstreetmap.org');
    await page.shot(`no-streets-asked-${look === phone ? 'phone' : 'wide'}`);
    await page.tap('dialog button', 'Not now');
    assert.equal(await ground(), '');
    await page.tap('.no-streets button');
    await page.tap('dialog button', 'Show them');
    // A source knows its addresses once it is loaded.
    await page.until(async () => (await (await import('/map/map-view.js')).mapView()).map.getSource('tiles')?.tiles);
    assert.equal(await ground(), 'https://tile.openstreetmap.org/{z}/{x}/{y}.png');
    assert.equal(await line(), false);
    // Where this server has streets, no other server is asked.
    await page.run(
      async (at) => {
        (await (await import('/map/map-view.js')).mapView()).map.jumpTo({ center: at, zoom: 15 });
      },
      [middle.longitude, middle.latitude],
    );
    await page.until(async () => {
      const { map } = await (await import('/map/map-view.js')).mapView();
      return !map.getSource('tiles') && Boolean(map.getSource('streets'));
    });
    // There is no network here besides the server: the page reports missing tiles, and no other problem is allowed.
    const others = page.problems.filter((problem) => !/openstreetmap|ERR_|Failed to (load|fetch)/.test(problem));
    assert.deepEqual(others, []);
    await page.context.close();
  }
});

const draft = (page) =>
  page.run(() => [...document.querySelectorAll('.zone-point')].filter((each) => each.isConnected).length);

test('a building is a zone in three taps, named by its address, grown by 10 m', async () => {
  const page = await story.open({
    at: { latitude: 52.52055, longitude: 13.4009, accuracy: 8 },
    kept: { settings: { zone_map_range_km: 0.1 } },
    address: '/zones/new',
  });
  await page.see('.map-hint', 'Tap where it should ring');
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getZoom() > 16 && !map.isMoving();
  });
  await settled(page);
  const tapped = async (latitude, longitude) => {
    const at = await page.run(
      async (where) => {
        const { map } = await (await import('/map/map-view.js')).mapView();
        const { x, y } = map.project(where);
        const { left, top } = map.getCanvas().getBoundingClientRect();
        return [x + left, y + top];
      },
      [longitude, latitude],
    );
    await page.touch([at]);
  };
  await tapped(52.52055, 13.4009);
  await page.until(() => document.querySelector('#zone-name').value === 'Lindenallee 12');
  await page.see('.map-offers .chip', 'Around this building');
  await page.shot('editor-offers-phone');
  await page.tap('.map-offers .chip', 'Around this building');
  await page.see('.edit-pill', '4 points');
  assert.equal(await draft(page), 4);
  await page.see('.map-tag', '+10 m');
  await page.gone('.map-offers');
  await settled(page);
  await page.shot('editor-building-phone');
  await page.tap('.save');
  await page.until(() => !location.hash.startsWith('#/zones/new'));
  const [zone] = await page.run(async () => [...(await import('/scripts/main.js')).app.zones.values()]);
  assert.deepEqual([zone.name, zone.inset_m, zone.places.length], ['Lindenallee 12', -10, 4]);
  for (const [latitude, longitude] of zone.places) {
    assert.ok(Math.min(Math.abs(latitude - 52.5203), Math.abs(latitude - 52.5208)) < 1e-5, `${latitude}`);
    assert.ok(Math.min(Math.abs(longitude - 13.4004), Math.abs(longitude - 13.4014)) < 1e-5, `${longitude}`);
  }
  await story.close(page);
});

test('a street is a path along it, and what the map knows nothing of is offered nothing', { skip: inAll }, async () => {
  const page = await story.open({ at: middle, address: '/zones/new?at=here' });
  await page.see('.map-offers .chip', 'Along');
  await page.tap('.map-offers .chip', 'Along');
  await page.see('.edit-pill', 'points');
  await page.tap('.save');
  await page.until(() => location.hash === '#/');
  const [street] = await page.run(async () => [...(await import('/scripts/main.js')).app.zones.values()]);
  assert.ok(['Lindenallee', 'Werkstraße'].includes(street.name), street.name);
  assert.deepEqual([street.outline, street.size_m], ['path', 15]);
  const [from, to] = [street.places[0], street.places.at(-1)];
  assert.ok(Math.hypot(from[0] - to[0], from[1] - to[1]) > 0.01, JSON.stringify(street.places));
  await story.close(page);
  const nowhere = await story.open({
    at: { latitude: -30, longitude: -20, accuracy: 8 },
    address: '/zones/new?at=here',
  });
  await nowhere.see('.edit-pill', '1 point');
  await settled(nowhere);
  assert.equal(await nowhere.run(() => document.querySelectorAll('.map-offers .chip').length), 0);
  await story.close(nowhere);
});

test(
  'a station on the map, or a shop that was searched, is a circle around it or an alert before it in one tap',
  { skip: inAll },
  async () => {
    const size = (page) =>
      page.run(async () => {
        const zone = [...(await import('/scripts/main.js')).app.zones.values()].at(-1);
        return [zone.name, zone.size_m, zone.alert_distance_m, zone.places.length];
      });
    const station = { latitude: 52.52352, longitude: 13.39352, accuracy: 8 };
    let page = await story.open({ at: station, address: '/zones/new?at=here' });
    await page.tap('.map-offers .chip', 'Near Hauptbahnhof');
    await page.shot('editor-near-station-phone');
    await page.tap('.save');
    await page.until(() => location.hash === '#/');
    assert.deepEqual(await size(page), ['Hauptbahnhof', 150, 0, 1]);
    await story.close(page);
    // On a train the distance is covered in seconds; a time does not depend on the speed.
    page = await story.open({ at: station, address: '/zones/new?at=here' });
    await page.see('.map-offers .chip', '2.0 km before Hauptbahnhof');
    await page.tap('.map-offers .chip', '5 min before Hauptbahnhof');
    await page.tap('.save');
    await page.until(() => location.hash === '#/');
    assert.deepEqual(await size(page), ['Hauptbahnhof', 50, 0, 1]);
    assert.equal(
      await page.run(async () => [...(await import('/scripts/main.js')).app.zones.values()].at(-1).lead_s),
      300,
    );
    await story.close(page);
    // Without an account, since the server's places are public.
    page = await story.open({ at: middle, address: '/zones/new' });
    await page.tap('[aria-label="Find a place"]');
    await page.type('#find-place', 'Kiosk am Ring');
    await page.press('Enter');
    await page.tap('.results .row', 'Kiosk am Ring');
    await page.tap('.map-offers .chip', '500 m before Kiosk am Ring');
    await page.shot('editor-before-shop-phone');
    await page.tap('.save');
    await page.until(() => !location.hash.startsWith('#/zones/new'));
    assert.deepEqual(await size(page), ['Kiosk am Ring', 50, 500, 1]);
    await story.close(page);
  },
);

test('a name that was found or chosen is not taken for the map’s', async () => {
  const page = await story.open({ at: middle, kept: { settings: { zone_map_range_km: 0.2 } }, address: '/zones/new' });
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getZoom() > 15 && !map.isMoving();
  });
  await settled(page);
  await page.type('#zone-name', 'Aunt Ada');
  await page.press('Tab');
  await page.touch([[195, 240]]);
  await page.see('.map-offers .chip', 'Along');
  assert.equal(await page.run(() => document.querySelector('#zone-name').value), 'Aunt Ada');
  await story.close(page);
});

test('what tiles have cut is put together: a street of several pieces, a building on a border as its hull', async () => {
  const page = await opened();
  const [street, building, park, none] = await page.run(async () => {
    const { areasAt, streetAt } = await import('/map/streets/shapes-at.js');
    // At the corner of four tiles of zoom 14, each of which holds a little more than its square, as real tiles do.
    const view = (layers) => ({
      streetFeatures: (layer) =>
        (layers[layer] ?? []).map(([id, type, coordinates, properties = {}]) => ({
          id,
          properties,
          geometry: { type, coordinates },
        })),
    });
    const line = (...longitudes) => longitudes.map((longitude) => [longitude, 0.001]);
    const square = (west, south, east, north) => [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ];
    const road = { name: 'Ring' };
    const roads = {
      road_name: [
        [1, 'LineString', line(-0.01, -0.004, 0.0004), road],
        [1, 'LineString', line(-0.0004, 0.005), road],
        [2, 'LineString', line(0.009, 0.005), road],
        [3, 'LineString', line(0.02, 0.03), road],
        [4, 'LineString', line(-0.01, 0.03), { name: '' }],
      ],
    };
    const cut = [
      [8, 'Polygon', square(-0.0003, 0.0005, 0.0001, 0.0008)],
      [8, 'Polygon', square(-0.0001, 0.0005, 0.0003, 0.0008)],
    ];
    return [
      streetAt(view(roads), [0.001, -0.002]),
      areasAt(view({ building: cut }), [0.0006, 0.0002]),
      areasAt(view({ ground: cut }), [0.0006, 0.0002]),
      [streetAt(view(roads), [0.01, 0]) ?? 'none', areasAt(view({ building: cut }), [0.01, 0.01]).length],
    ];
  });
  assert.equal(street.name, 'Ring');
  assert.deepEqual(
    street.places.map(([, longitude]) => longitude).toSorted((a, b) => a - b),
    [-0.01, -0.004, 0.0004, 0.005, 0.009],
  );
  assert.equal(building.length, 1);
  const longitudes = building[0].places.map(([, longitude]) => longitude);
  assert.deepEqual([building[0].places.length, Math.min(...longitudes), Math.max(...longitudes)], [4, -0.0003, 0.0003]);
  assert.deepEqual([park, none], [[], ['none', 0]]);
  await story.close(page);
});

test('names that run from right to left are shaped and turned by the map’s workers', { skip: inAll }, async () => {
  const page = await opened();
  await jump(page, 15.5, [52.5245, 13.395]);
  await page.until(async () =>
    (await import('/map/map-view.js')).mapView().then(({ library }) => library.getRTLTextPluginStatus() === 'loaded'),
  );
  assert.deepEqual(page.problems, []);
  await page.shot('map-right-to-left');
  await story.close(page);
});
