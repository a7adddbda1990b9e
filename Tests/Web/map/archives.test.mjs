// A person's own base map: a PMTiles archive on the device or at an address, or a style at an address.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { archive, tileOf, vectorTile } from '../support/Archives.mjs';
import { Browser, phone, tablet } from '../support/Browser.mjs';
import { choose } from '../support/Handing.mjs';
import { LiveServer } from '../support/LiveServer.mjs';
import { Story, zone } from '../support/Story.mjs';
import { settled } from '../support/Zones.mjs';

const middle = { latitude: 52.52, longitude: 13.4, accuracy: 8 };
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const { bounds, ...square } = tileOf(middle.latitude, middle.longitude, 14);
const all = [
  [0, 0],
  [4096, 0],
  [4096, 4096],
  [0, 4096],
  [0, 0],
];
const across = [
  [0, 2000],
  [4096, 2100],
];
const block = [
  [1800, 1500],
  [2400, 1500],
  [2400, 1900],
  [1800, 1900],
  [1800, 1500],
];
const line = (is) => ({ type: 'line', at: across, is });
const area = (is, at = all) => ({ type: 'area', at, is });
const contents = {
  openmaptiles: {
    water: [area({ class: 'lake' }, block)],
    landcover: [area({ class: 'wood' })],
    transportation: [
      line({ class: 'primary' }),
      line({ class: 'rail', subclass: 'rail' }),
      line({ class: 'path', subclass: 'steps' }),
    ],
    transportation_name: [line({ class: 'primary', name: 'Hauptstraße' })],
    building: [area({ render_height: 9 }, block)],
    place: [{ type: 'point', at: [[2000, 2400]], is: { class: 'town', name: 'Altstadt' } }],
  },
  protomaps: {
    earth: [area({ kind: 'earth' })],
    water: [
      area({ kind: 'lake' }, block),
      {
        type: 'line',
        at: [
          [0, 3600],
          [4096, 3700],
        ],
        is: { kind: 'river', name: 'Panke' },
      },
    ],
    landuse: [area({ kind: 'park' })],
    roads: [
      line({ kind: 'major_road', kind_detail: 'primary', name: 'Hauptstraße' }),
      line({ kind: 'rail', kind_detail: 'rail' }),
    ],
    buildings: [area({ kind: 'building' }, block)],
    places: [{ type: 'point', at: [[2000, 2400]], is: { kind: 'locality', kind_detail: 'town', name: 'Altstadt' } }],
  },
  own: {
    land: [area({})],
    road: [line({ kind: 'primary' })],
    road_name: [line({ kind: 'primary', name: 'Hauptstraße' })],
    building: [area({}, block)],
    place: [{ type: 'point', at: [[2000, 2400]], is: { kind: 'town', rank: 2, name: 'Altstadt' } }],
  },
};
const ofSchema = (schema, more = {}) => {
  const layers = contents[schema];
  return archive({
    tiles: [{ ...square, bytes: vectorTile(layers) }],
    bounds,
    metadata: { vector_layers: Object.keys(layers).map((id) => ({ id })), attribution: '<a href="/">© Mappers</a>' },
    ...more,
  });
};

let browser, server, folder, others, third;
const asked = [];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archives-'));
  const answer = (request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    const head = { 'access-control-allow-origin': '*' };
    const here = `http://${request.headers.host}`;
    if (request.url === '/berlin.pmtiles' || request.url === '/whole.pmtiles') {
      const bytes = ofSchema('openmaptiles');
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
      if (!range || request.url === '/whole.pmtiles') return response.writeHead(200, head).end(bytes);
      const [from, to] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
      return response
        .writeHead(206, { ...head, 'content-range': `bytes ${from}-${to}/${bytes.length}` })
        .end(bytes.subarray(from, to + 1));
    }
    if (request.url.startsWith('/style')) {
      const elsewhere = request.url.includes('elsewhere') ? third : here;
      return response.writeHead(200, { ...head, 'content-type': 'application/json' }).end(
        JSON.stringify({
          version: 8,
          glyphs: `${here}/{fontstack}/{range}.pbf`,
          sources: { far: { type: 'raster', tiles: [`${elsewhere}/tiles/{z}/{x}/{y}.png`], attribution: '© Stylist' } },
          layers: [{ id: 'pictures', type: 'raster', source: 'far' }],
        }),
      );
    }
    if (request.url.startsWith('/tiles'))
      return response.writeHead(200, { ...head, 'content-type': 'image/png' }).end(pixel);
    return response.writeHead(404, head).end('none');
  };
  const listening = async () => {
    const listener = createServer(answer);
    await new Promise((done) => listener.listen(0, '127.0.0.1', done));
    return listener;
  };
  others = await Promise.all([listening(), listening()]);
  third = `http://localhost:${others[1].address().port}`;
  others.origin = `http://localhost:${others[0].address().port}`;
  [browser, server] = await Promise.all([
    Browser.launch({ map: true }),
    LiveServer.start({ options: ['--page-origins', others.origin] }),
  ]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  for (const listener of others) {
    listener.closeAllConnections();
    await new Promise((done) => listener.close(done));
  }
  await rm(folder, { recursive: true, force: true });
});

async function opened({ look = phone, of = server, address = '/map' } = {}) {
  const story = new Story();
  Object.assign(story, { browser, server: of });
  const page = await story.open({ kept: { map_range_m: 500 }, zones: [zone()], at: middle, address, look });
  await page.see(address === '/map' ? '.map-tools' : '#tile_url');
  return { story, page };
}

async function give(page, name, bytes) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  await page.tap('[aria-label="Layers"]');
  await page.tap('dialog .row', 'A map file of this device');
  await choose(page, 'input[aria-label="Map file"]', path);
}

/** The number of features that each of these layers draws around the center. */
async function drawn(page, ...layers) {
  const center = [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2];
  await page.until(async (at) => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    if (Math.abs(map.getCenter().lng - at[0]) > 1e-6) map.jumpTo({ center: at, zoom: 14.5 });
    return map.getSource('streets') && map.loaded() && !map.isMoving();
  }, center);
  // Names are placed shortly after their tiles have loaded.
  await settled(page);
  return page.run(async (ids) => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return Object.fromEntries(ids.map((id) => [id, map.queryRenderedFeatures({ layers: [id] }).length > 0]));
  }, layers);
}

for (const schema of Object.keys(contents)) {
  for (const look of [phone, { ...tablet, dark: true }]) {
    const name = `a file of the device with the layers of ${schema} is drawn in our look, ${look.dark ? 'wide and dark' : 'on a phone'}`;
    test(name, { skip: (schema !== 'own' || !look.touch) && inAll }, async () => {
      const { story, page } = await opened({ look });
      await give(page, `berlin-${schema}.pmtiles`, ofSchema(schema));
      await page.see('.snackbar', 'is the map now');
      const layers = ['road-primary-face', 'building', 'road-name', 'town'];
      if (schema !== 'own') layers.push('streets-water', 'rail');
      const there = await drawn(page, ...layers);
      await page.shot(`archive-${schema}-${look.dark ? 'wide-dark' : 'phone'}`);
      assert.deepEqual(there, Object.fromEntries(layers.map((layer) => [layer, true])));
      await page.see('.maplibregl-ctrl-attrib', '© Mappers');
      assert.equal(
        await page.run(async () => {
          const view = await (await import('/map/map-view.js')).mapView();
          const { streetAt } = await import('/map/streets/shapes-at.js');
          return streetAt(view, [52.5197, 13.4])?.name ?? view.streetFeatures('road_name')[0]?.properties.name;
        }),
        'Hauptstraße',
      );
      await story.close(page);
    });
  }
}

test('pictures are drawn as pictures, and an archive can be dropped on the page', { skip: inAll }, async () => {
  const { story, page } = await opened({ look: tablet });
  const bytes = archive({ tiles: [{ ...square, bytes: pixel }], type: 2, bounds });
  await page.see('[data-attends]');
  await page.run(
    (given) => {
      const carried = new DataTransfer();
      carried.items.add(new File([new Uint8Array(given)], 'photo.pmtiles'));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
    },
    [...bytes],
  );
  await page.see('.snackbar', 'photo.pmtiles is the map now');
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getSource('tiles')?.type === 'raster';
  });
  await story.close(page);
});

test('what cannot be the map says why, and nothing is kept', async () => {
  const { story, page } = await opened();
  const good = ofSchema('own');
  const packed = Buffer.from(good);
  packed[98] = 3;
  const older = Buffer.from(good);
  older[7] = 4;
  for (const [name, bytes, why] of [
    ['text.pmtiles', Buffer.from('hello'), 'is not a PMTiles archive'],
    ['short.pmtiles', good.subarray(0, good.length - 40), 'is incomplete'],
    ['brotli.pmtiles', packed, 'compressed with Brotli'],
    ['newer.pmtiles', older, 'a version after 3'],
    [
      'other.pmtiles',
      ofSchema('own', { metadata: { vector_layers: [{ id: 'roofs' }] } }),
      'does not know how to draw the layers',
    ],
    ['silent.pmtiles', ofSchema('own', { metadata: {} }), 'does not say which layers'],
    ['nowhere.pmtiles', ofSchema('own', { bounds: [1, 1, 1, 1] }), 'cannot be'],
  ]) {
    await give(page, name, bytes);
    await page.see('.snackbar', why);
  }
  assert.deepEqual(
    await page.run(async () => (await (await import('/map/archives/kept-archives.js')).keptArchives()).all()),
    [],
  );
  await story.close(page);
});

for (const where of ['the browser’s file system', 'IndexedDB'])
  test(
    `a file is kept in ${where}, drawn with the server stopped, listed with its size and deleted`,
    { skip: inAll },
    async () => {
      const own = await LiveServer.start();
      const { page } = await opened({ of: own });
      try {
        if (where === 'IndexedDB')
          await page.run(() => {
            delete FileSystemFileHandle.prototype.createWritable;
          });
        await give(page, 'berlin.pmtiles', ofSchema('own'));
        await page.see('.snackbar', 'is the map now');
        await page.until(async () => Boolean((await navigator.serviceWorker.ready).active));
        await page.reload();
        await page.until(() => Boolean(navigator.serviceWorker.controller));
      } finally {
        await own.stop();
      }
      await page.reload();
      await page.see('.map-tools');
      await settled(page);
      assert.deepEqual(await drawn(page, 'road-primary-face'), { 'road-primary-face': true });
      await page.run(() => {
        location.hash = '#/settings/map';
      });
      await page.see('.kept-regions', 'berlin.pmtiles');
      await page.see('.kept-regions', 'Vector tiles of this program, zoom 14 to 14');
      await page.shot('archive-kept');
      await page.tap('.kept-regions button', 'Delete');
      await page.until(() => !document.querySelector('.kept-regions button.small'));
      assert.deepEqual(
        await page.run(async () => {
          const names = [];
          const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('map-files');
          for await (const name of root.keys()) names.push(name);
          return names;
        }),
        [],
      );
      await page.context.close();
    },
  );

const set = async (page, text) => {
  await page.type('#tile_url', text);
  await page.press('Enter');
};
const ground = (page) =>
  page.run(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return Object.keys(map.getStyle().sources);
  });

test(
  'an archive at an address of an allowed origin is drawn; one without ranges, or refused, is said',
  { skip: inAll },
  async () => {
    const { story, page } = await opened({ look: tablet, address: '/settings/map' });
    await set(page, `${others.origin}/whole.pmtiles`);
    await page.see('.problem', 'it has to answer ranges');
    await set(page, `${others.origin}/missing.pmtiles`);
    await page.see('.problem', 'answers 404');
    await set(page, `${others.origin}/berlin.pmtiles`);
    await page.until(async () => {
      const { map } = await (await import('/map/map-view.js')).mapView();
      return Boolean(map.getSource('streets'));
    });
    assert.deepEqual(await drawn(page, 'road-primary-face'), { 'road-primary-face': true });
    page.problems.splice(0);
    await story.close(page);
  },
);

test(
  'a style is drawn with its credit; one that loads from elsewhere asks, and says which origin refuses',
  { skip: inAll },
  async () => {
    const { page } = await opened({ look: tablet, address: '/settings/map' });
    await set(page, `${others.origin}/style.json`);
    await page.see('.maplibregl-ctrl-attrib', '© Stylist');
    assert.ok((await ground(page)).includes('style-far'));
    const before = asked.length;
    await set(page, `${others.origin}/style-elsewhere.json`);
    await page.see('dialog', third);
    await page.shot('style-asked');
    assert.ok(!asked.slice(before).some((each) => each.startsWith(new URL(third).host)), 'nothing before a yes');
    await page.tap('dialog button', 'Not now');
    await page.see('.problem', 'did not agree');
    await set(page, `${others.origin}/style-elsewhere.json?2`);
    await page.tap('dialog button', 'Use it');
    await page.see('.problem', `--page-origins ${third}`);
    await set(page, `${others.origin}/nothing.json`);
    await page.see('.problem', 'answers 404');
    await page.context.close();
  },
);
