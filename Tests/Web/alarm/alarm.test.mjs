// Activate, walk in, hear and see it, answer it: S17-S41.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tablet, withMap } from '../support/Browser.mjs';
import { noNotices, noticed } from '../support/Notices.mjs';
import { place, report, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin({ isWhole: true });
});
after(() => story?.end());

const title = (page, text) => page.see('h1', text);
const heard = (page) => page.run(() => globalThis.heard);

/** Armed, a kilometre to the east, before any alarm. */
async function armed(more = {}) {
  const page = await story.open({ zones: [zone()], at: place(1000), ...more });
  await page.tap('#activate');
  await title(page, 'Alarms on');
  await page.see('#nearest');
  // Without the service worker, notifications have no buttons.
  await page.until(() => navigator.serviceWorker.ready.then(() => true));
  return page;
}
async function walkIn(page, to = place(120)) {
  await walk(page, to);
  await page.see('#alarm-sheet');
}
/** Waits until the sheet accepts taps. */
const answer = async (page, selector) => {
  await page.until(() => {
    globalThis.seen ??= performance.now();
    return performance.now() - globalThis.seen > 750;
  });
  await page.run(() => {
    delete globalThis.seen;
  });
  await page.tap(selector);
};

test('one large button arms every active zone and becomes Deactivate (S17, S18, S19)', async () => {
  const page = await story.open({
    zones: [zone(), zone({ id: 'a000000000000002', name: 'Off', active: false, east: 900 })],
    at: place(1000),
  });
  assert.equal(await page.text('#activate'), 'Activate');
  const { width, height } = await page.box('#activate');
  assert.ok(width >= 200 && height >= 200, `${width} x ${height}`);
  await page.tap('#activate');
  await title(page, 'Alarms on');
  assert.equal(await page.text('#activate'), 'Deactivate');
  assert.equal(await page.run(() => document.querySelector('#activate').ariaPressed), 'true');
  await page.see('header .subhead', 'Watching 1 of 2 zones');
  await story.close(page);
});

test('a coarse position that leaves it open is told in a quiet line, and the entry after it rings', async () => {
  const page = await armed();
  const before = await heard(page);
  await walk(page, { ...place(262), accuracy: 150 });
  await walk(page, { ...place(262), accuracy: 150 });
  await page.see('.snackbar', 'Market hall: Perhaps inside');
  assert.deepEqual(await heard(page), before, 'nothing sounds');
  assert.equal(await page.run(() => document.querySelector('#alarm-sheet').open), false);
  await walkIn(page);
  await page.see('#alarm-zone', 'Market hall');
  await story.close(page);
});

test('one press of one button starts the watch, and a second press ends it (S28)', async () => {
  const page = await story.open({ zones: [zone()], at: place(1000) });
  // The button is by far the largest control, and the first one in the screen for the keyboard.
  const [largest, first] = await page.run(() => {
    const pressable = [...document.querySelectorAll('#outlet :is(button, a[href])')].filter((each) =>
      each.checkVisibility(),
    );
    const area = (each) => each.offsetWidth * each.offsetHeight;
    return [
      pressable.toSorted((a, b) => area(b) - area(a))[0].id,
      pressable.filter((each) => each.tagName === 'BUTTON')[0].id,
    ];
  });
  assert.deepEqual([largest, first], ['activate', 'activate']);
  await page.run(() => document.querySelector('#activate').focus());
  for (const [key, said] of [
    ['Enter', 'Alarms on'],
    [' ', 'Alarms off'],
  ]) {
    await page.press(key);
    await title(page, said);
    assert.equal(await page.run(() => document.activeElement.id), 'activate', 'the focus stays on it');
  }
  await story.close(page);
});

test('Deactivate disarms all, and can be undone (S20, S21)', async () => {
  const page = await armed();
  await page.tap('#activate');
  await title(page, 'Alarms off');
  assert.equal(await page.text('#activate'), 'Activate');
  // Not watching now.
  await page.move(place(0));
  await page.run(() => globalThis.skip(60_000));
  await page.tap('.snackbar .button', 'Undo');
  await page.see('#alarm-sheet');
  await story.close(page);
});

test('armed and active are two levels; both outlive a reload (S22)', async () => {
  const page = await armed();
  await page.reload();
  // Watches again from the next position on. Chromium may report "unavailable" to a page that was just loaded.
  await report(page, place(990));
  await title(page, 'Alarms on');
  await story.close(page);
});

test('the list and the map are two states of one tab, which opens as it was left; help is one tap away (S23, S24, S26)', async () => {
  const page = await story.open();
  const at = (address) => page.until((wanted) => location.hash === wanted, address);
  const marked = () =>
    page.run(() => [...document.querySelectorAll('nav.places [aria-current]')].map(({ dataset }) => dataset.place));
  await page.tap('[data-place="zones"]');
  await at('#/zones');
  await page.tap('.zones-switch a', 'Map');
  await page.see('[data-screen="/map"]');
  assert.deepEqual(await marked(), ['zones']);
  await page.tap('[data-place="alarm"]');
  await page.see('[data-place="alarm"][aria-current]');
  await page.tap('[data-place="zones"]');
  await at('#/map');
  // Also on the next visit.
  await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('place_states'))?.zones ===
      '/map',
  );
  await page.tap('[data-place="alarm"]');
  await at('#/');
  await page.reload();
  await page.see('[data-place="zones"][href="#/map"]');
  await page.tap('[data-place="zones"]');
  await at('#/map');
  await page.tap('.zones-switch a', 'List');
  await at('#/zones');
  assert.deepEqual(await marked(), ['zones']);
  await page.tap('[data-place="alarm"]');
  await page.tap('#information');
  await page.until(() => location.hash === '#/about');
  await page.context.close();
});

test('the nearest zone is told with distance, time to entry and what is guaranteed', async () => {
  const page = await armed();
  await page.see('#nearest', 'Market hall');
  assert.match(await page.text('#nearest b'), /^95\d m$/);
  await page.see('#guarantee');
  for (const east of [990, 975, 960, 945]) await report(page, { ...place(east), speed: 5, heading: 270 });
  await page.see('#nearest .soon', '≈');
  assert.match(await page.run(() => document.querySelector('#nearest').ariaLabel), /in about \d+ (s|min)$/);
  await story.close(page);
});

test('coming near vibrates, sounds and shows a notification with Stop and Sleep (S29, S30, S31)', async () => {
  const page = await armed();
  await walkIn(page);
  assert.equal(await page.text('#alarm-zone'), 'Market hall');
  await page.see('#alarm-why', 'You are coming near');
  const what = await page.until(() =>
    globalThis.heard.sounds > 0 && globalThis.heard.vibrations.length > 1 ? globalThis.heard : null,
  );
  assert.ok(what.vibrations.some((pattern) => Array.isArray(pattern)));
  const shown = await noticed(page);
  assert.deepEqual(
    shown.map(({ title, actions }) => [title, actions]),
    [['Market hall', ['acknowledge', 'sleep']]],
    'and Close where a browser has room for it',
  );
  await page.shot('alarm-sheet-phone');
  await story.close(page);
});

/** Acts as if another tab were in front, since a browser without a window cannot hide a page. */
const hide = (page, hidden) =>
  page.run((is) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (is ? 'hidden' : 'visible') });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
test('in view the notification is silent, as the page sounds; out of view it is not (S33)', async () => {
  const page = await armed();
  await walkIn(page);
  assert.deepEqual(
    (await noticed(page)).map(({ silent }) => silent),
    [true],
  );
  await answer(page, '#alarm-stop');
  await walk(page, place(900));
  await walk(page, place(910));
  await hide(page, true);
  await walk(page, place(120));
  assert.ok((await noticed(page, 2)).some(({ silent }) => !silent));
  await story.close(page);
});

test('what was passed while the page was hidden is told when it is back', async () => {
  const page = await armed();
  await hide(page, true);
  await page.run(() => globalThis.skip(15_000));
  await hide(page, false);
  await page.see('#obstacle', 'this page was out of view');
  await walk(page, place(-1000));
  await page.see('#alarm-why', 'You passed through');
  await page.see('#alarm-sheet .count', 'away');
  await page.see('.snackbar', 'Paused for');
  await story.close(page);
});

test('a zone that must not vibrate does not (S29)', async () => {
  const page = await armed({ zones: [zone({ vibrate: false })] });
  await walkIn(page);
  await page.until(() => globalThis.heard.sounds > 0);
  assert.deepEqual((await heard(page)).vibrations.filter(Array.isArray), []);
  await story.close(page);
});

test('a refused permission is shown, with what to do about it (S32)', async () => {
  const page = await story.open({ zones: [zone()], permissions: [] });
  await page.context.browser.send('Browser.setPermission', {
    permission: { name: 'geolocation' },
    setting: 'denied',
    origin: story.server.origin,
    browserContextId: page.context.id,
  });
  await page.context.browser.send('Browser.setPermission', {
    permission: { name: 'notifications' },
    setting: 'denied',
    origin: story.server.origin,
    browserContextId: page.context.id,
  });
  await page.tap('#activate');
  await page.see('.trouble', 'Location is not allowed');
  await page.see('.trouble', 'Notifications are not allowed');
  await page.shot('alarm-refused-phone');
  await story.close(page);
});

test('Close removes the sheet, and the alarm repeats each cycle (S34, S35, S36)', async () => {
  const page = await armed({ kept: { settings: { alarm_cycle_s: 1 } } });
  await walkIn(page);
  await answer(page, '#alarm-close');
  await page.gone('#alarm-sheet');
  const before = (await heard(page)).vibrations.length;
  await page.until((count) => globalThis.heard.vibrations.length >= count + 2, before);
  await page.see('.tag.alarm', 'Ringing');
  assert.equal(await page.run(() => document.querySelector('#alarm-sheet').open), false);
  await story.close(page);
});

test('an alarm that sleeps is quiet for the zone’s sleep time, then rings anew (S37, S38, S39)', async () => {
  const page = await armed({ zones: [zone({ sleep_s: 2 })], kept: { settings: { alarm_cycle_s: 1 } } });
  await walkIn(page);
  await page.see('#alarm-sleep', 'Sleep 2 s');
  await answer(page, '#alarm-sleep');
  await page.gone('#alarm-sheet');
  await page.see('.tag.sleep');
  await walk(page, place(110));
  await page.see('#alarm-sheet');
  await story.close(page);
});

test('Stop ends an alarm with one tap, and the next visit rings', async () => {
  const page = await armed({ kept: { settings: { alarm_cycle_s: 1 } } });
  await walkIn(page);
  assert.equal(await page.text('#alarm-stop'), 'Stop\nQuiet until I leave');
  await answer(page, '#alarm-stop');
  await page.gone('#alarm-sheet');
  await page.see('.snackbar', 'Market hall is quiet until you have left');
  await page.see('.ringing-cards .tag.sleep', 'until you leave');
  const { sounds, vibrations } = await heard(page);
  // Deeper inside, and over many cycles.
  await walk(page, place(20));
  await page.run(() => globalThis.skip(60_000));
  await report(page, place(15));
  const later = await heard(page);
  assert.deepEqual([later.sounds, later.vibrations.length], [sounds, vibrations.length]);
  await noNotices(page);
  await walk(page, place(900));
  await walk(page, place(910));
  await page.gone('.ringing-cards');
  await walkIn(page);
  await story.close(page);
});

test('Stop of an alarm on leaving lasts until one is back', async () => {
  const page = await armed({ zones: [zone({ trigger: 'leave' })], at: place(0) });
  await walk(page, place(0));
  await walk(page, place(600));
  await walk(page, place(620));
  await page.see('#alarm-stop', 'Quiet until I am back');
  await answer(page, '#alarm-stop');
  await page.see('.snackbar', 'Market hall is quiet until you are back');
  await page.see('.ringing-cards .tag.sleep', 'until you are back');
  await story.close(page);
});

test('an alarm can sleep longer, or for today (S37)', async () => {
  const page = await armed();
  for (const [key, says, tells] of [
    ['300', 'Sleep 5 min', 'sleeps for 5 min'],
    ['today', 'Sleep for today', 'quiet for today'],
  ]) {
    await walkIn(page);
    await page.tap(`[data-key="time-${key}"]`);
    await page.see('#alarm-sleep', says);
    await answer(page, '#alarm-sleep');
    await page.gone('#alarm-sheet');
    await page.see('.snackbar', tells);
    // Turned off and on, it rings again, except for zones asleep for today.
    await page.tap('#activate');
    await title(page, 'Alarms off');
    await page.tap('#activate');
    await title(page, key === 'today' ? 'Not watching now' : 'Ringing');
  }
  await page.see('#obstacle', 'Every zone is quiet until');
  await page.gone('#alarm-sheet');
  await story.close(page);
});

test('walking out ends the alarm, and coming back rings anew', async () => {
  const page = await armed();
  await walkIn(page);
  await noticed(page);
  await walk(page, place(900));
  await walk(page, place(910));
  await page.gone('#alarm-sheet');
  await noNotices(page);
  await walkIn(page);
  await story.close(page);
});

test(
  'Close leads to the main view, or to the map with the zone if Bypass to Map is on (S40, S41)',
  withMap(async () => {
    for (const [settings, address] of [
      [{}, '#/'],
      [{ bypass_to_map: true }, '#/map?flash=a000000000000001'],
    ]) {
      const page = await armed({ kept: { settings } });
      await walkIn(page);
      await answer(page, '#alarm-close');
      await page.until((wanted) => location.hash === wanted, address);
      await page.context.close();
    }
  }),
);

test(
  'the zone flashes on the map (S40)',
  withMap(async () => {
    const page = await story.open({ zones: [zone()], at: place(1000), look: { ...tablet, still: false } });
    await page.see('.maplibregl-canvas');
    await page.click('#activate');
    await title(page, 'Alarms on');
    await page.see('#nearest');
    await walk(page, place(0));
    await page.see('#alarm-sheet');
    await page.see('#map[data-flashing~="a000000000000001"]');
    await answer(page, '#alarm-close');
    await page.gone('#alarm-sheet');
    await page.shot('alarm-flashing-wide');
    await page.click('#activate');
    await page.see('#map[data-flashing=""]');
    await story.close(page);
  }),
);

test('several alarms are a stack, the most urgent first', async () => {
  const page = await armed({
    zones: [zone(), zone({ id: 'a000000000000002', name: 'Runway', priority: 9, category: 'Danger' })],
  });
  await walkIn(page);
  assert.equal(await page.text('#alarm-zone'), 'Runway');
  await page.see('#alarm-next', '1 of 2');
  await page.tap('#alarm-next');
  await page.see('#alarm-zone', 'Market hall');
  await story.close(page);
});

test('Escape closes nothing, a tap in the first moment answers nothing, focus is on Stop, then Sleep, its times, Close', async () => {
  const page = await armed();
  // A finger that touches just as the sheet appears.
  await page.run(() => {
    const sheet = document.querySelector('#alarm-sheet');
    new MutationObserver((_, observer) => {
      if (!sheet.open) return;
      observer.disconnect();
      document.querySelector('#alarm-stop').click();
      globalThis.tapped = true;
    }).observe(sheet, { attributes: true });
  });
  await walkIn(page);
  await page.until(() => globalThis.tapped);
  assert.equal(await page.run(() => document.activeElement.id), 'alarm-stop');
  const order = await page.run(() =>
    [...document.querySelectorAll('#alarm-sheet .acts > :is(button, [role=radiogroup])')].map(
      (each) => each.id || each.ariaLabel,
    ),
  );
  assert.deepEqual(order, ['alarm-stop', 'alarm-sleep', 'Sleep for', 'alarm-close']);
  await page.press('Escape');
  await page.press('Escape');
  assert.equal(await page.run(() => document.querySelector('#alarm-sheet').open), true);
  await story.close(page);
});

test('muted it is silent and rings on', async () => {
  const page = await armed({ kept: { settings: { alarm_cycle_s: 1 } } });
  await walkIn(page);
  await page.until(() => globalThis.heard.sounds > 0);
  await page.tap('#alarm-mute');
  await page.see('#alarm-mute', 'Unmute');
  const { sounds, vibrations } = await heard(page);
  await page.until((count) => globalThis.heard.vibrations.length >= count + 2, vibrations.length);
  assert.equal((await heard(page)).sounds, sounds);
  await story.close(page);
});

test('the screen is kept on while armed, and let go after', async () => {
  const page = await armed();
  await page.see('section[aria-label="Screen"]', 'On.');
  await page.tap('#keep-awake');
  await page.see('section[aria-label="Screen"]', 'Off: alarms pause');
  await page.tap('#dim');
  await page.see('#watch-face', 'Market hall');
  await page.shot('watch-face-phone');
  await page.touch([[200, 400]]);
  await page.gone('#watch-face');
  await story.close(page);
});
