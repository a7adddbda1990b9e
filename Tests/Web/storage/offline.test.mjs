// The installed page: without network, after updates, from the system's share sheet, by push.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { phone, tablet, withMap } from '../support/Browser.mjs';
import { noNotices, noticed, openings, pushed, registrationOf, tapNotice } from '../support/Notices.mjs';
import { folder, PageServer } from '../support/PageServer.mjs';
import { ears, place, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin({ isWhole: true });
});
after(() => story?.end());

const installed = (page) =>
  page.until(
    async () =>
      Boolean((await navigator.serviceWorker.getRegistration())?.active) && Boolean(navigator.serviceWorker.controller),
  );

test('without network a reload shows everything, and an alarm rings as before', async () => {
  const server = await PageServer.start(folder, { keeps: true });
  const context = await story.browser.context({ origin: server.origin });
  const page = await context.page({ ...phone, before: ears });
  await page.move(place(1000));
  await page.open(`${server.origin}/icons/icon.svg`, { ready: null });
  await page.run(async (form) => {
    const { Storage } = await import('/scripts/storage/storage.js');
    await (await Storage.open()).put('zones', form);
  }, zone());
  await page.open(`${server.origin}/`);
  await installed(page);
  await server.stop();
  await page.reload();
  await page.tap('#activate');
  await page.see('#nearest', 'Market hall');
  await walk(page, place(100));
  await page.see('#alarm-sheet', 'Market hall');
  await page.until(() => globalThis.heard.sounds > 0);
  await context.close();
});

test('a first visit asks for the texts of all screens at once, and for each by itself where that fails', async () => {
  const far = 'screens/sounds/sound-list.js';
  const kept = (page) =>
    page.run(async (file) => {
      const { url } = (
        await (await caches.open((await caches.keys()).find((name) => name.startsWith('page-')))).keys()
      ).find((each) => each.url.includes(file));
      const answer = await caches.match(url);
      return [answer.headers.get('content-type'), await answer.text()];
    }, far);
  for (const comes of [true, false]) {
    const server = await PageServer.start(folder, { keeps: true });
    const together = /self\.together = "([^"]+)"/.exec(await readFile(join(folder, 'service-worker.js'), 'utf8'))[1];
    if (!comes) server.answers.set(`/${together}`, (_, response) => response.writeHead(503).end());
    const context = await story.browser.context({ origin: server.origin });
    const page = await context.page(phone);
    await page.open(`${server.origin}/`);
    await installed(page);
    assert.equal(server.asked.filter((path) => path === `/${together}`).length, 1);
    assert.equal(server.asked.includes(`/${far}`), !comes);
    // A file with a policy of its own is requested by itself.
    assert.ok(server.asked.includes('/scripts/packs/pack-worker.js'));
    const [type, text] = await kept(page);
    assert.match(type, /^text\/javascript\b/);
    assert.equal(text, await readFile(join(folder, far), 'utf8'));
    await server.stop();
    page.problems = page.problems.filter((problem) => !/status of 503/.test(problem));
    await page.open(`${server.origin}/#/sounds`);
    await page.see('h1', 'Sounds');
    await context.close();
  }
});

test(
  'without network the map is there, too',
  withMap(async () => {
    const server = await PageServer.start(folder, { keeps: true });
    const context = await story.browser.context({ origin: server.origin });
    const page = await context.page(tablet);
    await page.open(`${server.origin}/`);
    await installed(page);
    await server.stop();
    await page.reload();
    await page.see('.maplibregl-canvas');
    const part = await page.run(async () => {
      const response = await fetch('map/world.pmtiles', { headers: { range: 'bytes=0-6' } });
      return [response.status, response.headers.get('content-range').replace(/\/\d+$/, ''), await response.text()];
    });
    assert.deepEqual(part, [206, 'bytes 0-6', 'PMTiles']);
    const beyond = await page.run(async () => {
      const response = await fetch('map/world.pmtiles', { headers: { range: 'bytes=999999999-' } });
      return [response.status, response.headers.get('content-range').slice(0, 8)];
    });
    assert.deepEqual(beyond, [416, 'bytes */']);
    await context.close();
  }),
);

test('a newer version is offered, and taken over with one tap', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'page-'));
  await cp(folder, copy, { recursive: true });
  const server = await PageServer.start(copy, { keeps: true });
  const context = await story.browser.context({ origin: server.origin });
  const page = await context.page(phone);
  await page.open(`${server.origin}/`);
  await installed(page);
  const worker = join(copy, 'service-worker.js');
  const text = await readFile(worker, 'utf8');
  await writeFile(worker, text.replace(/("scripts\/words\/words\.js": ")[0-9a-f]+/, '$10123456789abcdef'));
  for (const ending of ['gz', 'br']) await rm(`${worker}.${ending}`, { force: true });
  await page.run(async () => {
    await (await navigator.serviceWorker.getRegistration()).update();
  });
  await page.see('.snackbar', 'A newer version is here');
  const again = page.event('Page.loadEventFired');
  await page.tap('.snackbar .button');
  await again;
  await page.see('.place-first');
  await page.until(async () => (await caches.keys()).filter((name) => name.startsWith('page-')).length === 1);
  await context.close();
  await server.stop();
  await rm(copy, { recursive: true });
});

test('a push message shows an alarm, and one that says close takes it away', async () => {
  const page = await story.open();
  await installed(page);
  const push = (data) => pushed(page, story.server.origin, data);
  const alarm = {
    web_push: 8030,
    type: 'alarm',
    notification: { title: 'Runway 24', body: 'Near', tag: 'alarm-77', data: { alarm: '77' } },
  };
  assert.deepEqual(
    (await push(JSON.stringify(alarm))).map(({ title, tag }) => [title, tag]),
    [['Runway 24', 'alarm-77']],
  );
  await page.send('ServiceWorker.deliverPushMessage', {
    origin: story.server.origin,
    registrationId: await registrationOf(page, story.server.origin),
    data: JSON.stringify({ type: 'close', tag: 'alarm-77', reason: 'closed' }),
  });
  await noNotices(page);
  // A push message that is not ours still shows a notification, as push services require.
  assert.equal((await push('not json')).length, 1);
  await story.close(page);
});

test('a tap on a notice opens the link that the server signed, a tap on an alarm does so only where no page is open (S188)', async () => {
  const page = await story.open();
  await installed(page);
  await openings(page);
  const notice = (kind) =>
    JSON.stringify({
      web_push: 8030,
      type: kind,
      notification: {
        title: 'Helmet on',
        body: 'Near',
        tag: `${kind}-77`,
        data: { kind, alarm: '77', links: { open: `${story.server.origin}/l/open` } },
      },
    });
  await pushed(page, story.server.origin, notice('notice'));
  await tapNotice(page);
  assert.deepEqual(await openings(page), [`${story.server.origin}/l/open`]);
  await pushed(page, story.server.origin, notice('alarm'));
  await tapNotice(page);
  assert.deepEqual(await openings(page), [`${story.server.origin}/l/open`], 'the open page is shown instead');
  await story.close(page);
});

/** A page in which an alarm rang and was answered on its notification. */
async function answeredByNotice(action, what) {
  const page = await story.open({ at: place(1000), ...what });
  await installed(page);
  await page.tap('#activate');
  await page.see('#nearest');
  await walk(page, place(100));
  await page.see('#alarm-sheet');
  assert.equal((await noticed(page)).length, 1);
  await tapNotice(page, action);
  return page;
}

test('Stop on the notification ends the alarm for this visit', async () => {
  const page = await answeredByNotice('acknowledge', { zones: [zone()] });
  await page.gone('#alarm-sheet');
  await page.see('.ringing-cards .tag.sleep', 'until you leave');
  await noNotices(page);
  await story.close(page);
});

test('Sleep on the notification answers the alarm (S34)', async () => {
  const page = await answeredByNotice('sleep', { zones: [zone()] });
  await page.gone('#alarm-sheet');
  await page.see('.tag.sleep');
  await noNotices(page);
  await story.close(page);
});

test(
  'with Bypass to Map, Sleep on the notification leads to the map with the zone (S41)',
  withMap(async () => {
    const page = await answeredByNotice('sleep', {
      zones: [zone({ sleep_s: 600 })],
      kept: { settings: { bypass_to_map: true } },
    });
    await page.gone('#alarm-sheet');
    await page.see('.callout', 'asleep until');
    assert.equal(await page.run(() => location.hash), '#/map?flash=a000000000000001');
    await story.close(page);
  }),
);

test('what another application shares is kept for the page', async () => {
  const page = await story.open();
  await installed(page);
  // The page takes a shared file as soon as it starts; here it must not be faster than the test.
  await page.open(`${story.server.origin}/icons/icon.svg`, { ready: null });
  const said = await page.run(async () => {
    const form = new FormData();
    form.append('title', 'Zones');
    form.append('files', new File(['AlertZoneStart,,,\nAlertZoneEnd,,,\n'], 'mine.pad', { type: 'text/csv' }));
    const response = await fetch('/receive', { method: 'POST', body: form, redirect: 'manual' });
    const cache = await caches.open('shared');
    const kept = [];
    for (const key of await cache.keys()) {
      const found = await cache.match(key);
      kept.push([decodeURIComponent(found.headers.get('x-name')), await found.text()]);
    }
    return { type: response.type, kept };
  });
  assert.equal(said.type, 'opaqueredirect');
  assert.deepEqual(said.kept.sort(), [
    ['mine.pad', 'AlertZoneStart,,,\nAlertZoneEnd,,,\n'],
    ['shared.txt', 'Zones'],
  ]);
  await story.close(page);
});

test('it can be installed, with its file types, shortcuts and icons', async () => {
  const page = await story.open();
  await installed(page);
  const { installabilityErrors } = await page.send('Page.getInstallabilityErrors');
  // The context without a profile is the only obstacle.
  assert.deepEqual(
    installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
    [],
  );
  const { data, errors } = await page.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const manifest = JSON.parse(data);
  assert.deepEqual(
    manifest.file_handlers.flatMap(({ accept }) => Object.values(accept).flat()),
    ['.pad', '.gpx', '.kml', '.geojson', '.pmtiles', '.zonepack'],
  );
  for (const { src, sizes } of manifest.icons.filter(({ type }) => type === 'image/png')) {
    const found = await page.run(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    assert.equal(found, sizes);
  }
  await story.close(page);
});
