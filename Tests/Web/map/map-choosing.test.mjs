// Selection on the map by taps, and access to zones without seeing the map.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { audit } from '../support/Audit.mjs';
import { Story } from '../support/Story.mjs';
import { at, drawn, onMap, openedMap, pixel, settled, town, zone } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

const park = town[5];

test('a tap on the area of a zone chooses it, also of one that is off; beside all zones it chooses a place (S49)', async () => {
  const page = await openedMap(story);
  await drawn(page, 'zone-pin', 5);
  // Well inside, and far from the pin.
  await page.touch([await pixel(page, at(-80 + 150, -1200 - 130))]);
  await page.see('.callout', park.name);
  assert.equal(await page.run(() => document.querySelector('.map-foot').textContent), '');
  await page.touch([await pixel(page, at(-250, 450))]);
  await page.see('.map-foot', 'The next zone goes here');
  await page.gone('.callout');
  await story.close(page);
});

test('of zones within each other a tap chooses the one whose edge is nearer', async () => {
  const zones = [
    zone(1, { name: 'Airfield', places: [at(0, 0)], size_m: 900 }),
    zone(2, { name: 'Runway', places: [at(550, 0)], size_m: 320 }),
  ];
  const page = await openedMap(story, { zones });
  await drawn(page, 'zone-border', 2);
  await page.touch([await pixel(page, at(750, 150))]);
  await page.see('.callout', 'Runway');
  await page.touch([await pixel(page, at(-450, 400))]);
  await page.see('.callout', 'Airfield');
  await story.close(page);
});

test('a place for the next zone is forgotten once it is out of sight, and on other screens (S51)', async () => {
  const page = await openedMap(story);
  await drawn(page, 'zone-pin');
  const next = () => page.run(async () => (await import('/screens/map/next-zone.js')).nextZone.place ?? null);
  await page.touch([await pixel(page, at(-250, 450))]);
  await page.see('.map-foot', 'The next zone goes here');
  await onMap(page, (view) => {
    view.map.panBy([60, 40], { animate: false });
  });
  assert.ok(await next(), 'a little further it is still in sight');
  await onMap(page, (view) => {
    view.map.panBy([3000, 0], { animate: false });
  });
  await page.gone('.map-foot .foot-card');
  assert.equal(await next(), null);
  await settled(page);
  await page.touch([[200, 420]]);
  await page.see('.map-foot', 'The next zone goes here');
  await page.tap('.zones-switch a', 'List');
  await page.see('.zones-pane');
  assert.equal(await next(), null);
  await story.close(page);
});

test('on a phone the zones on the map are a list for keys and screen readers, which leads to their actions', async () => {
  const page = await openedMap(story);
  await drawn(page, 'zone-pin');
  await page.until(() => document.querySelectorAll('.map-pane .row').length === 4);
  const { nodes } = await page.send('Accessibility.getFullAXTree');
  const named = nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => `${role?.value}: ${name?.value}`);
  assert.ok(
    named.some((text) => text.startsWith('button: Tow path')),
    named.join('; ').slice(0, 2000),
  );
  assert.ok(
    named.includes('image: Your position') || named.includes('img: Your position'),
    'the position is no button',
  );
  assert.ok(!named.some((text) => text.includes('Map marker')));
  await page.run(() => {
    document.querySelector('.map-pane .row').focus();
  });
  assert.equal(
    await page.run(() => getComputedStyle(document.querySelector('.map-pane section')).clipPath),
    'none',
    'it is seen while a key is in it',
  );
  await page.shot('map-list-by-keys-phone');
  await page.press('Enter');
  await page.see('.callout');
  await page.until(() => document.activeElement.matches('.callout'));
  await settled(page);
  await page.press('Enter');
  await page.see('dialog[open]', 'Active');
  await page.press('Escape');
  await page.gone('dialog');
  await audit(page, 'the map with its list');
  await story.close(page);
});

test('the search answers while typing: best match first, from the own position, no two rows alike', async () => {
  const place = (name, word, [latitude, longitude], more = {}) => ({ name, word, latitude, longitude, ...more });
  const near = [
    place('Youth hostel', 'hostel', at(200, 0), { address: { street: 'Quellhofer Weg', city: 'Altstadt' } }),
    place('Quellhof Bahnhof', 'bus stop', at(500, 0)),
    place('Quellhof Bahnhof', 'bus stop', at(540, 20)),
    place('Quellhof Bahnhof', 'bus stop', at(0, 1300)),
    place('Café Quellhof', 'café', at(100, 0), { address: { city: 'Altstadt' } }),
    place('Quellhof', 'bakery', at(300, 0), { address: { city: 'Altstadt' } }),
  ];
  const best = [place('Quellhof', 'town', at(3000, 3000), { category: 'place=town' }), near[5]];
  const asked = [];
  story.server.answers.set('/api/v1/places', (request, response) => {
    const { searchParams: query } = new URL(request.url, 'http://page');
    asked.push([query.get('q'), query.get('near')]);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ items: query.get('near') ? near : best, attribution: '© OpenStreetMap contributors' }));
  });
  const page = await openedMap(story);
  // The map shows another place; distances are from the own position.
  await onMap(page, (view) => void view.map.panBy([3000, 0], { animate: false }));
  await page.tap('[aria-label="Find a place"]');
  await page.type('dialog #find-place', 'quellhof');
  await page.see('dialog .results .row', 'Youth hostel');
  const rows = await page.run(() =>
    [...document.querySelectorAll('dialog .results .row')].map((row) => row.innerText.replaceAll('\n', ' | ')),
  );
  assert.deepEqual(rows, [
    'Quellhof | town · 4.2 km NE',
    'Quellhof | bakery · Altstadt | 300 m',
    'Quellhof Bahnhof | bus stop · 500 m N',
    'Quellhof Bahnhof | bus stop · 1.3 km E',
    'Café Quellhof | café · Altstadt | 100 m',
    'Youth hostel | hostel · Quellhofer Weg, Altstadt | 200 m',
  ]);
  const own = at(0, 0)
    .map((degrees) => degrees.toFixed(5))
    .join(',');
  assert.deepEqual(
    asked.filter(([, from]) => from).map(([, from]) => from),
    asked.filter(([, from]) => from).map(() => own),
  );
  await page.shot('map-suggestions-phone');
  await page.tap('dialog .row', 'Quellhof');
  await page.see('.map-foot .headline', 'Quellhof');
  await story.close(page);
});

test('a place that is looked for is shown at street scale, and is where the next zone goes', async () => {
  story.server.answers.set('/api/v1/places', (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        items: [{ name: 'Hauptbahnhof', word: 'station', latitude: 52.6, longitude: 13.5, distance_m: 11_000 }],
        attribution: '© OpenStreetMap contributors',
      }),
    ),
  );
  const page = await openedMap(story);
  await page.tap('[aria-label="Find a place"]');
  await page.type('dialog #find-place', 'haupt');
  await page.press('Enter');
  await page.see('dialog .footnote', '© OpenStreetMap contributors');
  await page.shot('map-find-phone');
  await page.tap('dialog .row', 'Hauptbahnhof');
  await page.see('.map-foot .headline', 'Hauptbahnhof');
  await page.see('.map-foot', 'The next zone goes here');
  await settled(page);
  await page.shot('map-found-phone');
  assert.ok((await onMap(page, (view) => view.map.getZoom())) > 14);
  await page.tap('.map-foot .button', 'New zone');
  await page.see('.edit-pill', '1 point');
  // Its name is proposed; a typed name stays.
  await page.until(() => document.querySelector('.zone-name').value === 'Hauptbahnhof');
  await page.tap('.map-offers .chip', '500 m before Hauptbahnhof');
  await page.see('.edit-pill', '1 point');
  await page.tap('.save');
  await page.until(() => location.hash.startsWith('#/map'));
  assert.deepEqual(
    await page.run(async () => {
      const { zones } = (await import('/scripts/main.js')).app;
      const { name, size_m, alert_distance_m, places } = [...zones.values()].at(-1);
      return { name, size_m, alert_distance_m, places };
    }),
    { name: 'Hauptbahnhof', size_m: 50, alert_distance_m: 500, places: [[52.6, 13.5]] },
  );
  await story.close(page);
});
