// Input in the zone editor, and the editor's messages about it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tablet } from '../support/Browser.mjs';
import { enter, full, kept, opened, save, square } from '../support/Editor.mjs';
import { Story } from '../support/Story.mjs';
import { at, middle, pixel, settled, zone } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

const chosen = (page) =>
  page.run(() => document.querySelector('[aria-label="Shape"] [aria-checked="true"]').textContent);

/** Zooms in to the size of a yard. */
async function beginArea(page) {
  await settled(page);
  await page.run(
    async (place) => {
      (await (await import('/map/map-view.js')).mapView()).map.jumpTo({ center: [place[1], place[0]], zoom: 15 });
    },
    at(0, 0),
  );
  await settled(page);
  await page.tap('.segments button', 'Area');
  await page.until(() => document.querySelector('[aria-label="Shape"] [aria-checked="true"]')?.textContent === 'Area');
}

test('an area that is chosen before its first point stays chosen, and is saved with three points', async () => {
  const page = await story.open({
    zones: [zone(3, { places: [at(0, 0)] })],
    kept: { map_range_m: 400 },
    at: middle,
    address: '/map',
  });
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getZoom() > 13 && !map.isMoving();
  });
  await page.tap('[aria-label="Add a zone"]');
  await page.see('.edit-pill', 'No points');
  await beginArea(page);
  const corners = [at(120, -120), at(120, 60), at(20, 0)];
  for (const [index, corner] of corners.entries()) {
    await page.touch([await pixel(page, corner)], { hold: 600 });
    await page.see('.edit-pill', `${index + 1} point`);
    assert.equal(await chosen(page), 'Area', `with ${index + 1} points`);
    if (index === 1) {
      await page.see('.map-hint', 'Tap the map 1 more time: an area has three points');
      await page.tap('.save');
      await page.see('.finding', 'An area needs at least three points: 1 point more.');
    }
  }
  await page.tap('.save');
  await page.until(() => location.hash.startsWith('#/map'));
  const made = await page.run(async () =>
    [...(await import('/scripts/main.js')).app.zones.values()].find(({ name }) => name === 'Zone 2'),
  );
  assert.equal(made.places.length, 3);
  await story.close(page);
});

test('My position says so to everybody when it is not allowed', async () => {
  const page = await opened(story, square, { at: undefined });
  await page.context.browser.send('Browser.setPermission', {
    permission: { name: 'geolocation' },
    setting: 'denied',
    origin: story.origin,
    browserContextId: page.context.id,
  });
  await page.tap('[aria-label="My position"]');
  await page.see('.snackbar', 'Your position is not known');
  await story.close(page);
});

test('a link that is no web address is refused with what is allowed, and what was kept stays', async () => {
  const page = await opened(story, {
    ...square,
    notice: { title: 'Helmet', text: '', link: 'https://example.org/a', image: '', cap_s: 0 },
  });
  await full(page);
  await page.tap('.form-rows .row', 'Notice');
  for (const [label, given] of [
    ['Link', 'javascript:alert(1)'],
    ['Picture', 'notaurl'],
  ]) {
    await enter(page, label, given);
    await page.see('dialog .problem', `“${given}” is not a web address: it begins with https:// or http://.`);
  }
  await page.shot('editor-notice-refused-phone');
  await page.tap('dialog .button', 'Done');
  const { notice } = await save(page, square.id);
  assert.deepEqual([notice.link, notice.image ?? ''], ['https://example.org/a', '']);
  await story.close(page);
});

test('22:00 is shown whole in a 12-hour clock, on phones and wide screens', async () => {
  for (const look of [undefined, tablet]) {
    const page = await opened(
      story,
      { ...square, schedule: { time_zone: 'UTC', windows: [[0x1f, 480, 1320]], offsets: [[0, 0]] } },
      { look },
    );
    await full(page);
    await page.tap('.form-rows .row', 'Hours');
    await page.see('dialog input[aria-label="To"]');
    const cut = await page.run(() =>
      [...document.querySelectorAll('dialog input[type="time"]')].map((input) => {
        const whole = input.cloneNode();
        whole.style.cssText = 'position: fixed; flex: none; width: max-content; min-width: 0; max-width: none';
        input.parentElement.append(whole);
        const { width } = whole.getBoundingClientRect();
        whole.remove();
        return width - input.getBoundingClientRect().width;
      }),
    );
    assert.ok(cut.length === 2 && cut.every((missing) => missing <= 0.5), `so many pixels are missing: ${cut}`);
    assert.ok(
      await page.run(() => {
        const box = document.querySelector('dialog');
        return box.scrollWidth <= box.clientWidth;
      }),
    );
    await page.shot(`editor-times-${look ? 'wide' : 'phone'}`);
    await page.context.close();
  }
});

test('a zone of several parts is not called shrunk while no inset is set (S83)', async () => {
  const ring = (north) => [at(north, -50), at(north, 50), at(north + 80, 50), at(north + 80, -50)];
  const islands = zone(0x53, {
    name: 'Islands',
    outline: 'area',
    parts: [[ring(-200)], [ring(0)], [ring(150)]],
    edges: 'lonlat',
  });
  const page = await opened(story, islands);
  assert.equal(await page.run(() => document.querySelector('.finding').hidden), true, await page.text('.finding'));
  await story.close(page);
});

test('what is said while a sheet is open lies over it and can be tapped; closing the sheet leaves it', async () => {
  const page = await opened(story, square);
  await full(page);
  await page.tap('.form-rows .row', 'Notice');
  await page.run(async () => {
    const { snackbar } = await import('/parts/snackbar.js');
    snackbar('Message deleted', {
      undo: () => {
        globalThis.undone = true;
      },
    });
  });
  await page.see('.snackbar', 'Message deleted');
  const isOnTop = () =>
    page.run(() => {
      const { x, y, width, height } = document.querySelector('.snackbar .button').getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.snackbar') !== null;
    });
  assert.ok(await isOnTop());
  await page.shot('snackbar-over-sheet-phone');
  await page.tap('.snackbar .button', 'Undo');
  assert.ok(await page.run(() => globalThis.undone));
  await page.run(async () => {
    const { snackbar } = await import('/parts/snackbar.js');
    snackbar('The link is copied');
  });
  await page.tap('dialog .button', 'Done');
  await page.gone('dialog');
  await page.see('#notes .snackbar', 'The link is copied');
  assert.ok(await isOnTop());
  assert.ok(await kept(page, square.id));
  await page.context.close();
});

test('an area goes on by taps after its third point, and has no size before it', async () => {
  const page = await story.open({ kept: { map_range_m: 400 }, at: middle, address: '/zones/new?from=list' });
  await page.see('.map-tools');
  await beginArea(page);
  for (const [index, corner] of [at(120, -120), at(120, 60), at(20, 60), at(20, -30), at(60, -120)].entries()) {
    await page.touch([await pixel(page, corner)]);
    await page.see('.edit-pill', `${index + 1} point`);
    const said = await page.text('.edit-pill');
    if (index < 2) assert.doesNotMatch(said, /m²|ha/, said);
  }
  assert.match(await page.text('.edit-pill'), /m²|ha/);
  await page.see('.map-hint', 'Tap to add');
  await page.shot('editor-area-by-taps-phone');
  await page.context.close();
});

test('a new zone is called in the reader’s language', async () => {
  const page = await story.open({ zones: [zone(3, { places: [at(0, 0)] })], address: '/about' });
  const again = page.event('Page.loadEventFired');
  await page.run(async () => {
    const { app } = await import('/scripts/main.js');
    await app.begun;
    setTimeout(() => app.changeSettings({ language: 'ja' }));
  });
  await again;
  await page.until(
    () => document.documentElement.lang === 'ja' && document.documentElement.dataset.ready !== undefined,
  );
  await page.run(() => {
    location.hash = '#/zones/new';
  });
  await page.until(() =>
    [...document.querySelectorAll('.editor-sheet input')].some(({ value }) => value === 'ゾーン2'),
  );
  await story.close(page);
});
