// The map: its first view, following the position, its base map, and its speed with ten thousand zones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { ears, report, Story } from '../support/Story.mjs';
import { at, centerOf, drawn, many, middle, near, onMap, openedMap, settled, town } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

/** The duration of frames and of the page's own work while the map is panned by one screen, in ms. */
const panned = (page) =>
  onMap(page, async (view) => {
    const frames = [];
    const tasks = [];
    const observer = new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    );
    observer.observe({ entryTypes: ['longtask'] });
    let last = performance.now();
    for (let step = 0; step < 40; step++) {
      view.map.panBy([14, 6], { animate: false });
      await new Promise((done) => {
        requestAnimationFrame(done);
      });
      frames.push(performance.now() - last);
      last = performance.now();
    }
    observer.disconnect();
    frames.sort((a, b) => a - b);
    return { median: Math.round(frames[20]), p95: Math.round(frames[37]), longest: Math.round(Math.max(0, ...tasks)) };
  });

test('ten thousand zones are drawn while the page answers', { skip: inAll }, async (t) => {
  const said = ({ median, p95, longest }) =>
    `${median} ms a frame in the median, ${p95} ms in 95 of 100, longest task ${longest} ms`;
  const empty = await openedMap(story, { zones: [] });
  t.diagnostic(`panning without zones: ${said(await panned(empty))}`);
  await story.close(empty);
  const page = await openedMap(story, { zones: many(10_000), kept: { map_range_m: 3000 } });
  await drawn(page, 'zone-border', 10);
  await settled(page);
  t.diagnostic(`panning with 10,000 zones: ${said(await panned(page))}`);
  const asked = await page.run(async () => {
    const { Engine } = await import('/scripts/engine/engine.js');
    const zones = await (await (await import('/scripts/storage/storage.js')).Storage.open()).all('zones');
    const engine = await Engine.load(fetch('/engine.wasm'));
    engine.ask('open', { device: '00000000000000d1', zones, now_ms: 0 });
    const times = [];
    for (let next = 0; next !== undefined;) {
      const from = performance.now();
      ({ next } = engine.ask('map_lines', {
        view: [52.3, 13, 52.7, 13.8],
        tolerance_m: 5,
        from: next,
        count: 100,
        now_ms: 0,
      }));
      times.push(performance.now() - from);
    }
    return {
      batches: times.length,
      longest: Math.round(Math.max(...times)),
      all: Math.round(times.reduce((sum, time) => sum + time, 0)),
    };
  });
  t.diagnostic(
    `the lines of all 10,000 zones: ${asked.all} ms in ${asked.batches} batches, ${asked.longest} ms the longest`,
  );
  await onMap(page, (view) => {
    view.map.jumpTo({ zoom: 9 });
  });
  assert.ok((await drawn(page, 'zone-cluster')).length > 0);
  await settled(page);
  await page.shot('map-10000-phone');
  await story.close(page);
});

test('what lies below the zones is chosen and kept: tiles where there are some, the world, nothing', async () => {
  const page = await openedMap(story);
  const layers = () => onMap(page, (view) => view.map.getStyle().layers.map(({ id }) => id));
  assert.ok((await layers()).includes('land'));
  await page.tap('[aria-label="Layers"]');
  await page.see('dialog .row', 'Nothing');
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('dialog .row')].map((each) => each.textContent)),
    ['The world, kept on this device', 'OpenStreetMap', 'Nothing', 'A map file of this device …'],
  );
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
  const page = await openedMap(story, { kept: { ...near, armed: true } });
  const tool = (label) => page.tap(`.map-tools [aria-label="${label}"]`);
  const bearing = (wanted) =>
    page.until(
      async (angle) => Math.abs((await (await import('/map/map-view.js')).mapView()).map.getBearing() - angle) < 1,
      wanted,
    );
  await tool('My position');
  await page.see('[aria-label="My position: turn with my way"][aria-pressed="true"]');
  await tool('My position: turn with my way');
  await page.see('[aria-label="My position: stop following"]');
  const [latitude, longitude] = at(-60, -40);
  await report(page, { latitude, longitude, speed: 5, heading: 90 });
  await bearing(90);
  const [north, east] = await centerOf(page);
  assert.ok(Math.abs(north - latitude) < 1e-4 && Math.abs(east - longitude) < 1e-4, 'the device is in the middle');
  await page.shot('map-heading-phone');
  await tool('My position: stop following');
  await page.see('[aria-label="My position"][aria-pressed="false"]');
  await bearing(0);
  await story.close(page);
});

test(
  'on a wide screen with alarms off the map begins at the zones, or where one was last',
  { skip: inAll },
  async () => {
    const page = await story.open({ zones: town, look: tablet, permissions: [] });
    await page.see('.maplibregl-canvas');
    await page.until(async () => (await (await import('/map/map-view.js')).mapView()).map.getZoom() > 9);
    const [latitude, longitude] = await centerOf(page);
    assert.ok(
      Math.abs(latitude - middle.latitude) < 0.02 && Math.abs(longitude - middle.longitude) < 0.04,
      `${latitude}, ${longitude}`,
    );
    await story.close(page);
    const other = await story.open({ look: tablet, permissions: [], address: '/about' });
    await other.run(async (place) => {
      const [{ app }, { journalOf }] = await Promise.all([
        import('/scripts/main.js'),
        import('/scripts/history/journal.js'),
      ]);
      app.dispatchEvent(new CustomEvent('fixes', { detail: [{ ...place, measured: Date.now() }] }));
      await journalOf(app).flush();
    }, middle);
    await other.open(`${story.server.origin}/#/`);
    await other.reload();
    await other.see('.maplibregl-canvas');
    await other.until(async () => (await (await import('/map/map-view.js')).mapView()).map.getZoom() > 9);
    assert.ok(Math.abs((await centerOf(other))[0] - middle.latitude) < 0.01);
    await story.close(other);
  },
);

test('the graphics are waited for once a program, also in a context that was lost and came back', async () => {
  const before = `globalThis.asked = { shaders: 0, programs: 0 };
    for (const [name, kind] of [['getShaderParameter', 'shaders'], ['getProgramParameter', 'programs']])
      for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
        const ask = prototype[name];
        prototype[name] = function (...what) { globalThis.asked[kind]++; return ask.apply(this, what); };
      }`;
  const page = await openedMap(story, { look: { ...phone, before } });
  await drawn(page, 'zone-border');
  const first = await page.run(() => globalThis.asked);
  assert.equal(first.shaders, 0);
  assert.ok(first.programs > 0, 'programs are asked');
  await onMap(page, async ({ map }) => {
    const { context } = map.painter;
    const part = context.gl.getExtension('WEBGL_lose_context');
    const lost = new Promise((done) => map.once('webglcontextlost', done));
    part.loseContext();
    await lost;
    const back = new Promise((done) => map.once('webglcontextrestored', done));
    // A lost context can only be restored in a later task.
    setTimeout(() => part.restoreContext());
    await back;
  });
  await page.until((before) => globalThis.asked.programs > before, first.programs);
  await drawn(page, 'zone-border');
  assert.equal(await page.run(() => globalThis.asked.shaders), 0);
  await story.close(page);
});

test('where the position is allowed the map opens there and is not moved; names come once the ground is drawn', async () => {
  // The library is loaded after the position is known; otherwise their order would be random.
  const { answers } = story.server;
  const library = '/vendor/maplibre-gl.js';
  const said = new Promise((done) => {
    answers.set('/position-said', (_, response) => {
      response.writeHead(204).end();
      done();
    });
  });
  answers.set(library, async (_, response) => {
    await said;
    answers.delete(library);
    response.writeHead(307, { location: library }).end();
  });
  // Records the first view of the library's map, its names at that time, and each movement.
  const before = `${ears}
    const { getCurrentPosition } = Geolocation.prototype;
    Geolocation.prototype.getCurrentPosition = function (yes, ...rest) {
      return getCurrentPosition.call(this, (position) => { yes(position); fetch('/position-said'); }, ...rest);
    };
    let library;
    globalThis.opened = { moves: 0 };
    Object.defineProperty(globalThis, 'maplibregl', {
      configurable: true,
      get: () => library,
      set(given) {
        library = given;
        const { Map } = given;
        given.Map = class extends Map {
          constructor(options) {
            super(options);
            const { lat, lng } = this.getCenter();
            Object.assign(globalThis.opened, { lat, lng, zoom: this.getZoom() });
            globalThis.opened.names = options.style.layers.filter(({ type }) => type === 'symbol').map(({ layout }) => layout.visibility);
            this.on('movestart', () => { globalThis.opened.moves++; });
          }
        };
      },
    });`;
  const page = await openedMap(story, { look: { ...phone, before } });
  await drawn(page, 'zone-border');
  const { lat, lng, zoom, names, moves } = await page.run(() => globalThis.opened);
  assert.ok(Math.abs(lat - middle.latitude) < 1e-6 && Math.abs(lng - middle.longitude) < 1e-6, `${lat}, ${lng}`);
  assert.ok(zoom > 10, `zoom ${zoom}`);
  assert.equal(moves, 0);
  assert.ok(names.length > 1 && names.every((visibility) => visibility === 'none'), String(names));
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    const all = map.getStyle().layers.filter(({ type, source }) => type === 'symbol' && source === 'world');
    return all.length > 1 && all.every(({ layout }) => layout.visibility !== 'none');
  });
  await story.close(page);
});
