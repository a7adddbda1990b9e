// The state of alarms: one answer of the engine, the same wherever it is shown, and never more than is true.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { auditBoth } from '../support/Audit.mjs';
import { phone } from '../support/Browser.mjs';
import { ears, place, report, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

/** Counts requests for a position, and records sounds. */
const counted = `${ears}
  globalThis.asked = 0;
  const current = Geolocation.prototype.getCurrentPosition;
  Geolocation.prototype.getCurrentPosition = function (...how) { globalThis.asked++; return current.apply(this, how); };`;
const upright = { width: 820, height: 1180, touch: true };
const state = (page) => page.run(() => document.querySelector('.hero').dataset.state);
const becomes = (page, kind) => page.see(`.hero[data-state="${kind}"]`);
const permit = (page, setting) =>
  page.context.browser.send('Browser.setPermission', {
    permission: { name: 'geolocation' },
    setting,
    origin: story.server.origin,
    browserContextId: page.context.id,
  });
const unavailable = (page) => page.send('Emulation.setGeolocationOverride', {});
/** True if the disc is filled as on a page that watches. */
const isFilled = (page) =>
  page.run(() => getComputedStyle(document.querySelector('#activate')).backgroundImage.includes('gradient'));
/** The texts of all places that show the state. */
const signs = (page) =>
  page.run(() => ({
    title: document.title,
    bar: document.querySelector('.places .sign')?.textContent ?? '',
    heading: document.querySelector('h1').textContent,
  }));

async function armed(more = {}) {
  const page = await story.open({ zones: [zone()], at: place(1000), ...more });
  await page.tap('#activate');
  await becomes(page, 'watching');
  return page;
}
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

test('while the position is denied nothing looks as if it were watched; allowed, it is watched without a reload', async () => {
  const page = await story.open({ zones: [zone()], at: place(1000), permissions: ['notifications'] });
  await permit(page, 'denied');
  await page.tap('#activate');
  await page.see('#obstacle', 'Location is not allowed.');
  assert.equal(await state(page), 'cannot_watch');
  assert.equal(await isFilled(page), false);
  assert.deepEqual(await signs(page), {
    title: 'Cannot watch · Proximity Alarm',
    bar: ', cannot watch',
    heading: 'Cannot watch',
  });
  assert.equal(await page.run(() => document.querySelector('#nearest, #guarantee')), null);
  await page.tap('#dim');
  await page.see('#watch-face', 'Cannot watch');
  await page.see('#watch-face', 'Location is not allowed.');
  await page.touch([[200, 400]]);
  await page.gone('#watch-face');
  await page.tap('[data-place="zones"]');
  await page.see('.zone-row .tag.warn', 'not watched');
  await page.tap('[data-place="alarm"]');
  await permit(page, 'granted');
  await becomes(page, 'watching');
  assert.equal(await isFilled(page), true);
  assert.deepEqual(await signs(page), { title: 'Proximity Alarm', bar: '', heading: 'Alarms on' });
  await story.close(page);
});

test('before the first position, and when it is too old or too coarse, nothing is said to be watched', async () => {
  const page = await story.open({ zones: [zone()], look: { ...phone, before: counted } });
  await unavailable(page);
  await page.tap('#activate');
  await becomes(page, 'cannot_watch');
  assert.equal(await isFilled(page), false);
  await page.move(place(1000));
  await becomes(page, 'watching');
  await unavailable(page);
  await page.run(async () => {
    globalThis.skip(130_000);
    (await import('/scripts/main.js')).app.ask('advance');
  });
  await page.see('#obstacle', 'The last position is 2 min old.');
  assert.equal(await state(page), 'cannot_watch');
  // The button requests a position.
  const before = await page.run(() => globalThis.asked);
  await page.tap('#mend');
  await page.until((count) => globalThis.asked > count, before);
  await report(page, { ...place(1000), accuracy: 4000 });
  await page.see('#obstacle', 'The position is known only within 4.0 km.');
  await page.run(() => {
    globalThis.skip(1000);
  });
  await report(page, place(1001));
  await becomes(page, 'watching');
  await page.context.close();
});

test('with motion, too, a page that was out of view waits for a position and then watches again', async () => {
  const page = await armed({ look: { ...phone, still: false } });
  const hide = (hidden) =>
    page.run((is) => {
      Object.defineProperty(document, 'visibilityState', {
        configurable: true,
        get: () => (is ? 'hidden' : 'visible'),
      });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await unavailable(page);
  await hide(true);
  await becomes(page, 'cannot_watch');
  await page.see('#obstacle', 'This page is not in view.');
  await page.run(() => {
    globalThis.skip(15_000);
  });
  await hide(false);
  await page.see('#obstacle', 'Waiting for a position: this page was out of view.');
  await report(page, place(990));
  await becomes(page, 'watching');
  await page.context.close();
});

test('without a zone there is nothing to switch on: the page asks where it should ring', async () => {
  const page = await story.open({ at: place(0) });
  await page.see('.place-first', 'Where should it ring?');
  assert.equal(await page.run(() => document.querySelector('#activate')), null);
  await page.tap('.place-first a', 'From a file');
  await page.until(() => location.hash === '#/receive');
  assert.equal(await page.run(async () => (await import('/scripts/main.js')).app.report.armed), false);
  await page.context.close();
});

test('zones that are all off, or outside their hours, are not watched, and the list is one tap away', async () => {
  const never = { time_zone: 'UTC', windows: [] };
  for (const [more, said] of [
    [{ active: false }, 'Every zone is switched off.'],
    [{ schedule: never }, 'Every zone is'],
  ]) {
    const page = await story.open({ zones: [zone(more)], at: place(1000) });
    await page.tap('#activate');
    await page.see('#obstacle', said);
    assert.equal(await state(page), 'cannot_watch');
    await page.tap('#obstacle .button', 'Show the zones');
    await page.until(() => location.hash === '#/zones');
    await page.context.close();
  }
});

test('armed without zones, as after deleting the last one, it says so and offers a new one', async () => {
  const page = await armed();
  await page.run(async () => {
    const { app } = await import('/scripts/main.js');
    await app.removeZones(...app.zones.keys());
  });
  await page.see('#obstacle', 'There is no zone to watch.');
  await page.tap('#obstacle .button', 'New zone');
  await page.until(() => location.hash === '#/zones/new');
  await page.context.close();
});

test('after Close the first screen says that it goes on ringing; a reload finds the alarm again', async () => {
  const page = await armed({ at: place(240) });
  await report(page, place(180));
  await page.see('#alarm-sheet');
  // A page that is loaded during an alarm shows its sheet again, which can be answered.
  await page.reload();
  await page.see('#alarm-sheet', 'Market hall');
  await answer(page, '#alarm-close');
  await page.gone('#alarm-sheet');
  assert.deepEqual(await signs(page), {
    title: 'Ringing: Market hall · Proximity Alarm',
    bar: ', ringing',
    heading: 'Ringing',
  });
  assert.equal(await state(page), 'ringing');
  await page.see('.ringing-cards', 'Ringing sounds again every 10 s');
  await page.tap('.ringing-cards button', 'Sleep');
  await becomes(page, 'watching');
  await story.close(page);
});

test('the sheet says where one is now: inside no longer outside, to go no longer walking away, and no arrival at a hazard', async () => {
  const page = await armed({ zones: [zone({ category: 'Hazard' })] });
  await walk(page, place(120));
  await page.see('#alarm-why', 'You are coming near');
  await page.see('#alarm-sheet .count', 'metres to go');
  await walk(page, place(0));
  await page.see('#alarm-sheet .count', 'You are inside');
  assert.equal(await page.run(() => document.querySelector('#alarm-sheet').textContent.includes('arrived')), false);
  await walk(page, place(140));
  await page.see('#alarm-sheet .count', 'metres away');
  await page.see('#alarm-why', 'You came near');
  await page.context.close();
  const other = await armed();
  await walk(other, place(0));
  await other.see('#alarm-sheet .count', 'You have arrived');
  await walk(other, place(160));
  await other.see('#alarm-sheet .count', 'metres away');
  await other.until(() => /You (were inside|came near|passed)/.test(document.querySelector('#alarm-why').textContent));
  await other.context.close();
});

for (const width of [320, 390])
  test(`with a time to entry, pill and row have no further line, ${width} px wide; a zone that sleeps has no time`, async () => {
    const page = await armed({ zones: [zone({ name: 'Schaan Bahnhof' })], look: { ...phone, width } });
    const height = (what) => page.run((of) => document.querySelector(of).offsetHeight, what);
    await report(page, place(1000));
    await page.see('#nearest', 'Schaan Bahnhof');
    const row = 'section .card .row:has(.small-ring)';
    const before = [await height('#nearest'), await height(row)];
    for (const east of [990, 975, 960, 945]) {
      await page.run(() => {
        globalThis.skip(3000);
      });
      await report(page, { ...place(east), speed: 5, heading: 270 });
    }
    await page.see('#nearest .soon', '≈');
    await page.see(`${row} .soon`, '≈');
    await page.shot(`alarm-soon-${width}`);
    assert.deepEqual([await height('#nearest'), await height(row)], before);
    await page.run(async () => {
      const { app } = await import('/scripts/main.js');
      // The engine's state after Sleep.
      app.report.nearest[0].state = 'asleep';
      app.dispatchEvent(new Event('change'));
    });
    await page.gone('#nearest .soon');
    const names = await page.run(async () => {
      const { compareNames } = await import('/scripts/words/locale.js');
      return ['Danger 10', 'Danger 100', 'danger 2', 'Danger 1'].sort(compareNames);
    });
    assert.deepEqual(names, ['Danger 1', 'danger 2', 'Danger 10', 'Danger 100']);
    await story.close(page);
  });

test('a long name has two lines in Nearby', async () => {
  const page = await armed({ zones: [zone({ name: 'Schaan Bahnhof '.repeat(20) })] });
  const row = 'section .card .row:has(.small-ring)';
  await page.see(row);
  assert.ok((await page.run((of) => document.querySelector(of).offsetHeight, row)) < 120);
  await story.close(page);
});

test('compass and time to entry are apart; the age of a position moves nothing', async () => {
  const page = await armed();
  for (const east of [990, 975, 960, 945]) {
    await page.run(() => {
      globalThis.skip(3000);
    });
    await report(page, { ...place(east), speed: 5, heading: 270 });
  }
  await page.see('.row .way .soon', '≈');
  assert.match(await page.text('.row .way'), /^W\s+≈ \d+ (s|min)$/);
  const top = () => page.run(() => document.querySelector('.hero').getBoundingClientRect().top);
  const before = await top();
  await unavailable(page);
  await page.run(async () => {
    globalThis.skip(100_000);
    (await import('/scripts/main.js')).app.ask('advance');
  });
  await page.see('#position-chip', '2 min ago');
  assert.equal(await top(), before);
  await page.context.close();
});

test('the version of the page is that of the engine, and is in About', async () => {
  const page = await story.open({ address: '/about' });
  const version = await page.run(async () => (await import('/scripts/main.js')).app.ask('version').version);
  assert.equal(await page.text('#version'), `Version ${version}`);
  assert.match(
    await readFile('Sources/AlarmEngine/ProductVersion.swift', 'utf8'),
    new RegExp(`"${version.replaceAll('.', '\\.')}"`),
  );
  await story.close(page);
});

for (const [size, look] of [
  ['phone', phone],
  ['tablet', upright],
]) {
  test(`each state as it is seen on a ${size}, light and dark`, { skip: look !== phone && inAll }, async () => {
    const zones = [zone(), zone({ id: 'a000000000000002', name: 'Quarry edge', category: 'Hazard', east: 2000 })];
    const page = await story.open({ zones, at: place(1000), look });
    const shoot = (name) => auditBoth(page, `state-${name}-${size}`);
    await shoot('off');
    await page.tap('#activate');
    await becomes(page, 'watching');
    await page.see('section[aria-label="Screen"]', 'On.');
    await shoot('watching');
    await walk(page, place(0));
    await page.see('#alarm-sheet');
    await answer(page, '#alarm-close');
    await becomes(page, 'ringing');
    await page.gone('#alarm-sheet');
    await shoot('ringing');
    await page.tap('.ringing-cards button', 'Stop');
    await becomes(page, 'watching');
    await unavailable(page);
    await page.run(async () => {
      globalThis.skip(200_000);
      (await import('/scripts/main.js')).app.ask('advance');
    });
    await becomes(page, 'cannot_watch');
    await shoot('old');
    await page.move(place(1000));
    await becomes(page, 'watching');
    await permit(page, 'denied');
    await page.see('#obstacle', 'Location is not allowed.');
    await shoot('denied');
    await page.run(async () => {
      const { app } = await import('/scripts/main.js');
      await app.removeZones(...app.zones.keys());
    });
    await page.see('#obstacle', 'There is no zone');
    await shoot('no-zones');
    await page.context.close();
  });
}
