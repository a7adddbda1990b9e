// Via List: S55-S61, in a real browser by touch, mouse and keys.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, tablet, withMap } from '../support/Browser.mjs';
import { smallBoxes, Story, violations } from '../support/Story.mjs';
import { at, drawn, many, middle, onMap, settled, town } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const bakery = town[0];
/** Alarms on, the device in the middle of the town: distances are known. */
async function opened(more = {}) {
  const page = await story.open({ zones: town, kept: { armed: true }, at: middle, address: '/zones', ...more });
  await page.see('.zone-row');
  return page;
}
const byDistance = { zone_list: { group: 'active', order: 'distance' } };
const groups = (page) =>
  page.run(() =>
    [...document.querySelectorAll('.zone-list section')].map((section) => [
      section.querySelector('h2').firstChild.textContent,
      [...section.querySelectorAll('.open .headline')].map((each) => each.querySelector('.name').textContent),
    ]),
  );
const kept = (page, id) =>
  page.run(
    async (wanted) =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).get('zones', wanted)) ?? null,
    id,
  );

test('zones stand by category, the most urgent first, and those that are off below (S55-S57)', async () => {
  const page = await opened({ zones: [...town, { ...bakery, id: 'b000000000000001', name: 'Crêperie', priority: 4 }] });
  await page.run(() => {
    document.querySelector('#outlet').scrollTop = 9999;
  });
  await page.see('.zone-row .headline', 'Office');
  const all = await groups(page);
  assert.deepEqual(
    all.map(([name]) => name),
    ['Food', 'Hazard', 'Health', 'Home', 'Path', 'Shopping', 'Transit', 'Off'],
  );
  assert.equal(await page.text('.chip[aria-haspopup]'), 'Category');
  await page.run(() => {
    document.querySelector('#outlet').scrollTop = 0;
  });
  await page.see('.zone-row .headline', 'Crêperie');
  assert.deepEqual((await groups(page))[0], ['Food', ['Crêperie', 'Bakery Sonne']]);
  await story.close(page);
});

test('how urgent a zone is, is seen beside a name of any length', async () => {
  const name = 'Quarry edge with a name that is longer than a row of a phone is wide';
  const page = await opened({ zones: [{ ...town[6], name }], look: { ...phone, width: 320 } });
  const [mark, row] = await page.run(() =>
    ['.zone-row .mark', '.zone-row .open'].map((each) => document.querySelector(each).getBoundingClientRect().right),
  );
  assert.ok(mark <= row, `the mark ends at ${mark}, the text at ${row}`);
  await story.close(page);
});

test('on request, active zones are on top and those that are off below, each nearest first (S55)', async () => {
  const page = await opened({ kept: { armed: true, ...byDistance } });
  await page.see('.zone-row .subhead', '52 m');
  await page.run(() => {
    document.querySelector('#outlet').scrollTop = 9999;
  });
  await page.see('.zone-row .headline', 'Office');
  assert.deepEqual(
    (await groups(page)).map(([name]) => name),
    ['On', 'Off'],
  );
  const [[, on], [, off]] = await groups(page);
  assert.deepEqual(on.slice(0, 3), ['Tow path', 'Market hall', 'Pharmacy at the ring']);
  assert.deepEqual(off.toSorted(), ['Office', 'Stadtpark']);
  await story.close(page);
});

test('groups and order can be chosen, and stay chosen; the menu ticks the order that holds (S56, S57)', async () => {
  const page = await opened();
  await page.tap('.chip[aria-haspopup]');
  await page.see('dialog.menu-sheet');
  assert.deepEqual(
    await page.run(() =>
      [...document.querySelectorAll('.menu-sheet .row')].map((row) => [row.textContent, row.ariaPressed]),
    ),
    [
      ['Category, then priority', 'true'],
      ['Distance', 'false'],
      ['Name', 'false'],
      ['Priority', 'false'],
      ['Recently used', 'false'],
    ],
  );
  const edges = await page.run(() =>
    [...document.querySelectorAll('.menu-sheet .headline:not(.menu-title)')].map(
      (each) => each.getBoundingClientRect().x,
    ),
  );
  assert.equal(new Set(edges).size, 1, 'the labels stand one below the other');
  await page.tap('dialog .row', 'Name');
  await page.see('.chip[aria-haspopup]', 'Name');
  await page.tap('.segments button', 'Priority');
  await page.see('h2', 'Critical');
  assert.deepEqual(
    (await groups(page)).map(([name]) => name),
    ['Critical', 'High', 'Normal', 'Low'],
  );
  await page.reload();
  await page.see('h2', 'Critical');
  await page.see('.chip[aria-haspopup]', 'Name');
  await story.close(page);
});

test(
  'Select is the mode at first and shows the zone; Edit edits, Delete deletes, Add adds (S58, S59)',
  withMap(async () => {
    const page = await opened();
    assert.equal(await page.text('.list-foot [aria-checked="true"]'), 'Select');
    await page.tap('.open', 'Market hall');
    await page.see('.callout', 'Market hall');
    await page.tap('.zones-switch a', 'List');
    await page.tap('.list-foot button', 'Edit');
    await page.tap('.open', 'Market hall');
    await page.until(() => /^#\/zones\/0+2\?from=list$/.test(location.hash));
    await page.tap('.close-editor');
    await page.tap('.list-foot button', 'Delete');
    await page.tap('.open', 'Market hall');
    await page.see('.snackbar', 'Market hall deleted');
    assert.equal(await kept(page, town[1].id), null);
    await page.tap('.snackbar .button', 'Undo');
    await page.see('.open', 'Market hall');
    assert.deepEqual(await kept(page, town[1].id), town[1]);
    await page.tap('.list-foot a', 'New zone');
    await page.until(() => location.hash === '#/zones/new?from=list');
    await page.context.close();
  }),
);

test('two zones deleted one after the other: each has its Undo, and nothing covers what a tap does', async () => {
  const page = await opened();
  await page.tap('.list-foot button', 'Delete');
  await page.tap('.open', 'Market hall');
  await page.see('.snackbar', 'Market hall deleted');
  await page.tap('.open', 'Bakery Sonne');
  await page.see('.snackbar', 'Bakery Sonne deleted');
  const undo = await page.run(() =>
    [...document.querySelectorAll('.snackbar')].map((bar) => bar.innerText.replace(/\s+/g, ' ').trim()),
  );
  assert.deepEqual(undo, ['Market hall deleted Undo', 'Bakery Sonne deleted Undo']);
  const free = await page.run(() =>
    [...document.querySelectorAll('.list-foot button, .list-foot a')].every((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.list-foot');
    }),
  );
  assert.ok(free, 'the switch at the foot can be reached');
  await page.shot('zones-two-undos-phone');
  // The older one first.
  await page.tap('.snackbar:first-child .button');
  await page.see('.open', 'Market hall');
  await page.see('.snackbar', 'Bakery Sonne deleted');
  await page.tap('.snackbar .button', 'Undo');
  await page.see('.open', 'Bakery Sonne');
  assert.deepEqual([await kept(page, town[1].id), await kept(page, town[0].id)], [town[1], town[0]]);
  await page.gone('.snackbar');
  await page.context.close();
});

test('the way back to the alarm is its tab, and a row has no Send (S60, S61)', async () => {
  const page = await opened();
  await page.tap('.zone-row .tile-button');
  await page.see('dialog[open] .row', 'Edit');
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('dialog .card .headline')].map((each) => each.textContent)),
    ['Active', 'Edit', 'Sleep', 'Show on the map', 'Hear how it rings', 'Why', 'Delete'],
  );
  await page.tap('dialog .button', 'Cancel');
  await page.tap('[data-place="alarm"]', 'Alarm');
  await page.until(() => location.hash === '#/');
  await story.close(page);
});

test("the switch of a row is the zone's own (S22, S25)", async () => {
  const page = await opened();
  await page.tap('[aria-label="Watch Market hall"]');
  await page.until(
    async (id) =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).get('zones', id)).active === false,
    town[1].id,
  );
  await page.see('section[aria-label="Off"] .count', '3');
  await story.close(page);
});

test('swiped to the left a row is deleted, to the right it sleeps while it rings', async () => {
  const page = await opened({ at: { latitude: at(380, 520)[0], longitude: at(380, 520)[1], accuracy: 5 } });
  await page.until(() => document.querySelector('.zone-row .tag.alarm') || document.querySelector('#alarm-sheet'));
  // The alarm's own sheet is put off: what is tested lies under it.
  await page.run(() => document.querySelector('#alarm-sheet')?.remove());
  await page.see('.tag.alarm', 'ringing');
  const row = await page.box('.zone-row:has(.tag.alarm) .open');
  await page.touch([
    [row.x - 60, row.y],
    [row.x - 30, row.y],
    [row.x, row.y],
    [row.x + 40, row.y],
    [row.x + 90, row.y],
  ]);
  await page.see('.tag.sleep', 'until');
  await page.shot('zones-asleep-phone');
  const first = await page.run(() => document.querySelector('.zone-row').dataset.id);
  const other = await page.box(`[data-id="${first}"] .open`);
  await page.touch([
    [other.x + 60, other.y],
    [other.x + 30, other.y],
    [other.x - 20, other.y],
    [other.x - 70, other.y],
  ]);
  await page.see('.snackbar', 'deleted');
  assert.equal(await kept(page, first), null);
  // A short swipe is none, and opens nothing.
  const next = await page.box('.zone-row .open');
  await page.touch([
    [next.x, next.y],
    [next.x - 25, next.y],
    [next.x - 50, next.y],
  ]);
  assert.equal(await page.run(() => location.hash), '#/zones');
  await page.context.close();
});

test('a search finds names and categories, and says when it finds nothing', async () => {
  const page = await opened();
  await page.type('#zone-search', 'SÜDKREUZ');
  await page.until(() => document.querySelectorAll('.zone-row').length === 1);
  await page.see('.open', 'Südkreuz station');
  await page.type('#zone-search', 'food');
  await page.see('.open', 'Bakery Sonne');
  await page.type('#zone-search', 'nowhere at all');
  await page.see('.empty', 'Nothing found');
  await story.close(page);
});

test('without zones it says how to get one; a zone without an area says why', async () => {
  const page = await story.open({ address: '/zones' });
  await page.see('.empty', 'No zones yet');
  // One way to a first zone, and nothing to be done with zones that are not there.
  assert.deepEqual(
    await page.run(() =>
      [...document.querySelectorAll('#outlet :is(a, button, input)')]
        .filter((each) => each.checkVisibility())
        .map((each) => each.textContent),
    ),
    ['Map', 'List', 'New zone', 'From a file'],
  );
  await page.shot('zones-empty-phone');
  await page.run(async (form) => (await import('/scripts/main.js')).app.putZones(form), bakery);
  await page.see('.list-foot', 'New zone');
  await page.see('#zone-search');
  await page.context.close();
  const odd = await opened({ zones: [bakery, { ...bakery, id: 'c000000000000001', name: 'Nowhere', places: [] }] });
  await odd.see('h2', 'Without an area');
  await odd.see('.zone-row', 'It has no places');
  await story.close(odd);
});

test(
  'on a wide screen a row is shown on the map beside it',
  withMap(async () => {
    const page = await opened({ look: tablet });
    await drawn(page, 'zone-border');
    await page.click('.open', 'Market hall');
    assert.equal(await page.run(() => location.hash), '#/zones');
    await page.until(
      async (id) =>
        (await (await import('/map/map-view.js')).mapView()).map
          .queryRenderedFeatures({ layers: ['zone-picked'] })
          .some(({ properties }) => properties.id === id),
      town[1].id,
    );
    await settled(page);
    await page.shot('zones-wide');
    const { lat } = await onMap(page, (view) => view.map.getCenter());
    assert.ok(Math.abs(lat - at(380, 520)[0]) < 0.001);
    await story.close(page);
  }),
);

test('by keys: the switch, the row and the actions are reached and work', async () => {
  const page = await opened({ look: tablet });
  await page.run(() => document.querySelector('.zone-row .tile-button').focus());
  await page.press('Enter');
  await page.see('dialog[open]');
  await page.press('Escape');
  await page.gone('dialog[open]');
  await page.press('Tab');
  await page.press('Tab');
  await page.press(' ');
  await page.until(() => document.querySelector('.zone-list section:last-child .count').textContent === '3');
  await story.close(page);
});

test('ten thousand zones: only rows that are seen are there, and the last one can be reached', async (t) => {
  const page = await story.open({ zones: many(10_000), kept: { armed: true }, at: middle, address: '/zones' });
  await page.see('.zone-row');
  assert.ok((await page.run(() => document.querySelectorAll('.zone-row').length)) < 80);
  const spent = await page.run(() => {
    const from = performance.now();
    document.querySelector('#outlet').scrollTop = 1e9;
    document.querySelector('#outlet').dispatchEvent(new Event('scroll'));
    return performance.now() - from;
  });
  t.diagnostic(`10,000 zones: ${Math.round(spent)} ms from a jump to the end of the list to its rows`);
  await page.until(() => {
    const rows = [...document.querySelectorAll('.zone-list section:last-child .zone-row')];
    return rows.some(
      (row) =>
        Number(row.ariaSetSize ?? row.getAttribute('aria-setsize')) === Number(row.getAttribute('aria-posinset')),
    );
  });
  await story.close(page);
});

for (const look of [phone, tablet]) {
  const size = look.touch ? 'phone' : 'wide';
  test(
    `axe finds nothing and all boxes are large enough, light and dark, ${size}`,
    { skip: !look.touch && inAll },
    async () => {
      const axe = `${await readFile('.build-vendor/test/axe.min.js', 'utf8')}; undefined`;
      const page = await opened({ look });
      for (const dark of [false, true]) {
        await page.look({ dark });
        if (!look.touch) await settled(page);
        await page.shot(`zones-${size}${dark ? '-dark' : '-light'}`);
        assert.deepEqual(await violations(page, axe, { dark }), []);
        assert.deepEqual(await smallBoxes(page), []);
      }
      await story.close(page);
    },
  );
}

test('Recently used begins with what was changed here or rang last, also by the next visit', async () => {
  const page = await opened({ kept: { armed: true, ...byDistance } });
  await page.tap('.chip[aria-haspopup]');
  await page.tap('dialog .row', 'Recently used');
  await page.see('.chip[aria-label="Sorted by: Recently used"]');
  await page.tap('[aria-label="Watch Quarry edge"]');
  await page.see('section[aria-label="Off"] .headline', 'Quarry edge');
  await page.clickAtOnce('[aria-label="Watch Quarry edge"]');
  await page.until(() =>
    document.querySelector('section[aria-label="On"] .open .headline')?.textContent.startsWith('Quarry edge'),
  );
  await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('zone_times', {}))[
        '0000000000000007'
      ],
  );
  await page.reload();
  await page.see('.zone-row');
  assert.equal((await groups(page))[0][1][0], 'Quarry edge');
  await story.close(page);
});
