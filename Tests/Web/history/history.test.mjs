// The history of this device: stored by day, played, explained, and exported as GPX.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { tablet, withMap } from '../support/Browser.mjs';
import { drop, kept } from '../support/Handing.mjs';
import { place, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const fixes = (page) =>
  page.run(async () => (await (await import('/scripts/storage/storage.js')).Storage.open()).all('fixes'));

/** A recorded day with the page open: a walk past the zone, with an alarm that was put to sleep. */
const past = (page, form, daysAgo) =>
  page.run(
    async (zoneForm, days) => {
      const { Storage } = await import('/scripts/storage/storage.js');
      const { rows, width } = await import('/scripts/engine/rows.js');
      const storage = await Storage.open();
      const begin = new Date();
      begin.setDate(begin.getDate() - days);
      begin.setHours(9, 0, 0, 0);
      const at = (minute) => begin.getTime() + minute * 60_000;
      const east = (metres) =>
        zoneForm.places[0][1] + metres / (111_320 * Math.cos((zoneForm.places[0][0] * Math.PI) / 180));
      const walk = Array.from({ length: 121 }, (_, step) => ({
        latitude: zoneForm.places[0][0],
        longitude: east(-1500 + step * 20),
        accuracy: 6,
        measured: at(step / 4),
        received: at(step / 4),
        speed: 1.33,
        course: 90,
      }));
      for (let start = 0; start < walk.length; start += 30) {
        const piece = walk.slice(start, start + 30);
        await storage.put('fixes', {
          measured: piece[0].measured,
          until: piece[piece.length - 1].measured,
          rows: rows(piece),
          width,
        });
      }
      const common = { zone: zoneForm.id, name: zoneForm.name, alarm: 'ab00000000000001' };
      const alarm = {
        ...common,
        event: 'alarm',
        cause: 'near',
        distance_m: 147,
        place: [zoneForm.places[0][0], east(-200)],
        time_ms: at(16),
        decided_ms: at(16),
        learned_ms: at(16),
        why: {
          decided_ms: at(16),
          verdict: 'position_inside',
          rings: true,
          agrees: true,
          distance_m: 147,
          level_m: 150,
          accuracy_m: 6,
          error_m: 10.4,
        },
      };
      await storage.put(
        'events',
        { ...alarm, key: `${at(16)}-alarm` },
        {
          ...common,
          key: `${at(16) + 6000}-answer`,
          event: 'answer',
          command: 'sleep',
          time_ms: at(16) + 6000,
          decided_ms: at(16) + 6000,
        },
        {
          ...common,
          key: `${at(25)}-cleared`,
          event: 'cleared',
          why: 'left',
          time_ms: at(25),
          decided_ms: at(25),
          learned_ms: at(25),
        },
      );
    },
    form,
    daysAgo,
  );

test('a walk into a zone is in the history, with the alarm, the answer and the rule that decided', async () => {
  const page = await story.open({ zones: [zone()], at: place(1000) });
  await page.tap('#activate');
  await page.see('h1', 'Alarms on');
  await page.see('#nearest');
  await walk(page, place(120));
  await page.see('#alarm-sheet');
  await page.run(() => document.querySelector('#alarm-sheet').close?.());
  await page.run(() => {
    location.hash = '#/history';
  });
  await page.see('.journey > .incidents .row', 'Market hall');
  assert.match(await page.text('.journey > .incidents'), /Came near · \d+ m from the edge/);
  await page.clickAtOnce('.journey > .incidents .row');
  await page.see('dialog.why-sheet', 'The position was inside, and it was exact enough to be sure.');
  await page.see('dialog.why-sheet', 'Noted when it rang.');
  assert.ok((await fixes(page)).length > 0);
  await page.context.close();
});

test(
  'days are turned, one is played, its silent zones say why, and it goes out as GPX that can be replayed',
  withMap(async () => {
    // Three hundred letters each, of which a row shows two lines.
    const near = zone({ name: 'Pharmacy at the ring. '.repeat(14).slice(0, 300) });
    const far = zone({ id: 'a000000000000002', name: 'Old quarry '.repeat(28).slice(0, 300), east: 4000 });
    const page = await story.open({ zones: [near, far], look: tablet });
    await past(page, near, 2);
    await page.run(() => {
      location.hash = '#/history';
    });
    await page.see('.empty', 'Nothing yet today');
    await page.click('[aria-label="The day before"]');
    await page.see('.journey > .incidents .row', 'Pharmacy at the ring');
    assert.match(
      await page.text('.journey > .incidents'),
      /Came near · 147 m from the edge · put to sleep after 6 s · left after 9 min/,
    );
    await page.see('.own-position.replayed');
    const heights = await page.run(() =>
      ['.journey > .incidents .row', 'section[aria-label="Kept silent"] .row'].map(
        (row) => document.querySelector(`${row} .name`).offsetHeight,
      ),
    );
    assert.deepEqual(heights, [44, 44]);
    await auditBoth(page, 'history-wide');
    await page.click('section[aria-label="Kept silent"] .row', 'Old quarry');
    await page.see('dialog.why-sheet', 'Checked again now, over the whole day');
    await page.press('Escape');
    await page.gone('dialog.why-sheet');

    await page.click('[aria-label="More"]');
    const { name, bytes } = await kept(page, () => page.click('dialog .row', 'Save as GPX'));
    assert.match(name, /^proximity-\d{4}-\d\d-\d\d\.gpx$/);
    assert.equal(bytes.toString().match(/<trkpt /g).length, 121);
    assert.match(bytes.toString(), /<speed>1.33<\/speed><course>90<\/course><hAcc>6<\/hAcc>/);
    await drop(page, { name, text: bytes.toString() });
    await page.see('.day-pill', 'Proximity Alarm,');
    await page.see('.journey > .incidents .row', 'Pharmacy at the ring');
    await page.run(() => {
      location.hash = '#/history';
    });
    await page.see('[aria-label="The day before"]:not(:disabled)');
    await story.close(page);
  }),
);

test('on a phone, light and dark; and all of it can be deleted', async () => {
  const near = zone({ name: 'Market hall' });
  const page = await story.open({ zones: [near] });
  await past(page, near, 1);
  await page.run(() => {
    location.hash = '#/history';
  });
  await page.tap('[aria-label="The day before"]');
  await page.see('.journey > .incidents .row', 'Market hall');
  await page.see('.badge.sleep');
  await auditBoth(page, 'history-phone');
  await page.tap('[aria-label="More"]');
  await page.tap('dialog .row', 'Delete the history');
  await page.tap('dialog button', 'Delete');
  await page.see('.empty', 'Nothing yet today');
  assert.deepEqual(await fixes(page), []);
  await story.close(page);
});

test('the history is empty before anything happened, and says what a page cannot do', async () => {
  const page = await story.open({ address: '/history' });
  await page.see('.empty', 'A page records only while it is in view.');
  await auditBoth(page, 'history-empty-phone');
  await story.close(page);
});

test('why says what a smaller alert distance would have done, by the positions that are kept', async () => {
  const page = await story.open({ zones: [zone()], at: place(1000) });
  await page.tap('#activate');
  await page.see('h1', 'Alarms on');
  await page.see('#nearest');
  await walk(page, place(120));
  await page.see('#alarm-sheet');
  await page.until(() => {
    globalThis.seen ??= performance.now();
    return performance.now() - globalThis.seen > 750;
  });
  await page.tap('#alarm-close');
  await page.gone('#alarm-sheet');
  // Close leads to the first screen, shortly after the sheet has gone.
  await page.until((address) => {
    if (location.hash !== address) location.hash = address;
    return document.querySelector('#what-if');
  }, `#/why/${zone().id}`);
  await page.see('#what-if', 'As it is: it would have rung at');
  await page.run(() => {
    const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === 'Alert distance');
    const input = document.getElementById(label.htmlFor);
    input.value = '10';
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.see('#what-if', 'With an alert distance of 10 m: it would not have rung. As it is: it would have rung at');
  await auditBoth(page, 'why-what-if-phone');
  await story.close(page);
});

test('from a plain file server the past of phones says that there is no server', async () => {
  const page = await story.open({ address: '/past' });
  await page.see('.pane .note', 'This page has no server');
  // The browser reports the response.
  page.problems = page.problems.filter((problem) => !/status of 404/.test(problem));
  await story.close(page);
});
