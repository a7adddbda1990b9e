// Zones sent and received: S125-S131, S142.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { tablet } from '../support/Browser.mjs';
import { choose, drop, kept, manyZones } from '../support/Handing.mjs';
import { run } from '../support/LiveServer.mjs';
import { ears, Story, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const count = (page) =>
  page.run(async () => (await (await import('/scripts/storage/storage.js')).Storage.open()).count('zones'));
const part = (page, title) =>
  page.run(
    (one) =>
      [...document.querySelectorAll(`[data-part="${one}"] .row`)].map((row) => row.innerText.replaceAll('\n', ' | ')),
    title,
  );

test('a file of 1,000 zones is previewed, then added, and the addition can be undone (S126, S131, S142)', async () => {
  const page = await story.open({ address: '/receive' });
  const began = performance.now();
  await drop(page, { name: 'site.pad', text: manyZones(1000) });
  await page.see('.summary', '1,000 new');
  console.log(`1,000 zones were read and compared in ${Math.round(performance.now() - began)} ms`);
  assert.equal(await count(page), 0);
  assert.equal(await page.text('[aria-label="New"] h2'), 'New', 'their number is said once');
  await auditBoth(page, 'receive-many-phone');
  assert.equal(await page.text('#add'), 'Add 1,000 zones');
  await page.tap('#add');
  await page.see('.snackbar', '1,000 zones added from site.pad');
  assert.equal(await count(page), 1000);
  assert.equal(await page.run(() => location.hash), '#/zones');
  await page.tap('.snackbar button', 'Undo');
  await page.until(async () => (await import('/scripts/main.js')).app.zones.size === 0);
  await story.close(page);
});

test('the same file again changes what differs, leaves what does not, and refuses with line and reason', async () => {
  const page = await story.open({ address: '/receive', look: tablet });
  await drop(page, { name: 'site.pad', text: manyZones(5) });
  await page.click('#add');
  await page.see('.snackbar', '5 zones added');
  await page.run(() => {
    location.hash = '#/receive';
  });
  const second = `${manyZones(5, (index) => (index === 2 ? 'Quarry' : `Zone ${index}`))}\nAlertZoneStart\nAlertZoneName,Nowhere\nAlertZoneEnd\nAlertZoneStart\nAlertZoneName,Odd\nAlertZoneSize,wide\nLocation,1,51,11\nAlertZoneEnd`;
  await drop(page, { name: 'again.pad', text: second });
  await page.see('.summary', '1 changed');
  assert.match(await page.text('.summary'), /1 new[\s\S]*1 changed[\s\S]*4 the same/);
  assert.deepEqual(await part(page, 'Changed'), ['Quarry | name will be as in the file']);
  const out = await part(page, 'Left out');
  assert.ok(
    out.some((line) => /Nowhere \| no location: the zone has no place \| line 41/.test(line)),
    out.join('; '),
  );
  assert.ok(
    out.some((line) => /Odd \| a number was expected \| line 46/.test(line)),
    out.join('; '),
  );
  await auditBoth(page, 'receive-again-wide');
  // Only the changed zone.
  await page.click('[data-part="New"] label', 'Odd');
  assert.equal(await page.text('#add'), 'Change 1 zone');
  await page.click('#add');
  await page.see('.snackbar', '1 changed');
  assert.equal(await count(page), 5);
  await story.close(page);
});

test('GeoJSON and KML are read as zones, each refused one by name', async () => {
  const page = await story.open({ address: '/receive' });
  const square = [
    [13, 52],
    [13.01, 52],
    [13.01, 52.01],
    [13, 52.01],
    [13, 52],
  ];
  const geojson = {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        id: 'way/7',
        properties: { name: 'Pit', category: 'Mine', alarm_distance_m: 80, alarm_priority: 3 },
        geometry: {
          type: 'Polygon',
          coordinates: [
            square,
            [
              [13.004, 52.004],
              [13.006, 52.004],
              [13.006, 52.006],
              [13.004, 52.004],
            ],
          ],
        },
      },
      {
        type: 'Feature',
        properties: { name: 'Well', radius: 25 },
        geometry: { type: 'Point', coordinates: [13.1, 52.1] },
      },
      { type: 'Feature', properties: { name: 'Far north' }, geometry: { type: 'Point', coordinates: [13.1, 152.1] } },
      { type: 'Feature', properties: { name: 'Nothing' }, geometry: null },
    ],
  };
  const kml =
    '<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Ridge</name><ExtendedData><Data name="alarm_size_m"><value>30</value></Data></ExtendedData><LineString><coordinates>13,52,0 13.02,52.01,0</coordinates></LineString></Placemark></Document></kml>';
  await drop(page, { name: 'a.geojson', text: JSON.stringify(geojson) }, { name: 'b.kml', text: kml });
  await page.see('.summary', '3 new');
  assert.deepEqual(await part(page, 'New'), [
    'Pit | Mine · area of 7 points',
    'Well | circle',
    'Ridge | path of 2 points',
  ]);
  assert.deepEqual(await part(page, 'Left out'), [
    'Far north | has no place that can be read | line 1',
    'Nothing | has no place that can be read | line 1',
  ]);
  await page.tap('#add');
  await page.see('.snackbar', '3 zones added');
  const forms = await page.run(async () =>
    (await (await import('/scripts/storage/storage.js')).Storage.open()).all('zones'),
  );
  const pit = forms.find(({ name }) => name === 'Pit');
  assert.deepEqual(
    [pit.alert_distance_m, pit.priority, pit.outline, pit.edges, pit.parts[0].length],
    [80, 3, 'area', 'lonlat', 2],
  );
  assert.equal(forms.find(({ name }) => name === 'Well').size_m, 25);
  assert.equal(forms.find(({ name }) => name === 'Ridge').size_m, 30);
  await story.close(page);
});

test('a file is chosen, pasted, opened with the page or shared to it', async () => {
  const page = await story.open({ address: '/receive' });
  await choose(page, '.file-button input', 'Scenarios/zones.pad');
  await page.see('.summary', 'new');
  await page.tap('[aria-label="Close this file"]');
  await auditBoth(page, 'receive-phone');

  await page.type('#pasted', 'AlertZoneStart\nAlertZoneName,Pasted\nLocation,1,51,11\nAlertZoneEnd');
  await page.tap('.paste button');
  await page.see('[data-part="New"]', 'Pasted');
  await page.tap('[aria-label="Close this file"]');
  await page.type('#pasted', 'What a day');
  await page.tap('.paste button');
  await page.see('[data-part="Left out"]', 'no zone in it');

  // As another application shares: through the service worker and its cache to the preview.
  await page.until(() => navigator.serviceWorker.controller);
  await page.run(async (text) => {
    const form = new FormData();
    form.append('files', new File([text], 'shared.pad', { type: 'text/csv' }));
    await fetch('receive', { method: 'POST', body: form, redirect: 'manual' });
    location.hash = '#/receive?shared';
  }, manyZones(3));
  await page.see('.summary', '3 new');
  assert.deepEqual(page.problems, []);
  await story.close(page);
});

test('a file that is opened with the installed page is looked at', async () => {
  const context = await story.browser.context({ origin: story.server.origin });
  const page = await context.page({
    width: 390,
    height: 844,
    touch: true,
    before:
      'Object.defineProperty(globalThis, "launchQueue", { value: { setConsumer(consumer) { globalThis.consumer = consumer; } } });',
  });
  await page.open(`${story.server.origin}/#/`);
  await page.until(() => globalThis.consumer);
  await page.run(
    (text) => globalThis.consumer({ files: [{ getFile: async () => new File([text], 'opened.pad') }] }),
    manyZones(2),
  );
  await page.see('.summary', '2 new');
  await story.close(page);
});

test('zones are sent as a file, by mail, or saved, and are equal when read back (S125, S127-S130)', async () => {
  const context = await story.browser.context({ origin: story.server.origin });
  const page = await context.page({
    width: 390,
    height: 844,
    touch: true,
    before: `${ears} Navigator.prototype.canShare = () => true;
    Navigator.prototype.share = async ({ files, title }) => { globalThis.shared = { title, name: files[0].name, text: await files[0].text() }; };`,
  });
  await page.open(`${story.server.origin}/#/about`);
  await page.run(
    async (forms) => {
      const { Storage } = await import('/scripts/storage/storage.js');
      await (await Storage.open()).put('zones', ...forms);
    },
    [zone(), zone({ id: 'a000000000000002', name: 'Quarry, north', priority: 4, sound: 'Beacon' })],
  );
  await page.reload();
  await page.run(() => {
    location.hash = '#/share';
  });
  await page.see('#send', 'Send 2 zones');
  await page.see('.share-actions .footnote', '1 detail, such as a comma in a name, cannot be written');
  await auditBoth(page, 'share-phone');
  await page.tap('label.row', 'Market hall');
  await page.see('#send', 'Send the file');
  await page.tap('#send');
  const shared = await page.until(() => globalThis.shared);
  assert.equal(shared.name, 'Quarry, north.pad');
  assert.match(shared.text, /^AlertZoneStart\nAlertZoneName,Quarry; north\n/);
  assert.match(
    await page.run(() => decodeURIComponent(document.querySelector('#mail').href)),
    /AlertZoneName,Quarry; north\r\n/,
  );
  const { name, bytes } = await kept(page, () => page.tap('#save'));
  assert.equal(name, 'Quarry, north.pad');
  assert.equal(bytes.toString(), shared.text);

  await page.run(() => {
    location.hash = '#/receive';
  });
  await drop(page, { name, text: bytes.toString() });
  await page.see('.summary', '1 changed');
  assert.deepEqual(await part(page, 'Changed'), ['Quarry; north | name will be as in the file']);
  await story.close(page);
});

test('zones go to other programs as GeoJSON and KML, which the program reads as the same zones', async () => {
  const forms = [
    zone({
      name: 'Yard <1> & "2"',
      category: 'Hazard',
      active: false,
      vibrate: false,
      priority: 4,
      sleep_s: 600,
      lead_s: 90,
      inset_m: -5,
      sound: 'Beacon',
      assurance: 'safety',
      messages: [{ your_moniker: 'Ann', to_moniker: 'Mum', contact_number: '+41 79 111 22 33', supplement: 'Call me' }],
      schedule: {
        time_zone: 'Europe/Berlin',
        windows: [
          [31, 480, 1080],
          [96, 0, 1440],
        ],
        offsets: [[0, 3600]],
      },
    }),
    zone({ id: 'a000000000000002', name: 'Circle', distance: 0, size_m: 75, places: [[60.17, 24.94]] }),
    zone({
      id: 'a000000000000003',
      name: 'Path',
      outline: 'path',
      size_m: 20,
      places: zone({ east: 900 }).places,
      trigger: 'leave',
    }),
    zone({
      id: 'a000000000000004',
      name: 'Islands',
      outline: 'area',
      places: undefined,
      parts: [[zone({ east: 2000 }).places], [zone({ east: 4000 }).places]],
      trigger: 'dwell',
      dwell_s: 120,
    }),
    zone({ id: 'a000000000000005', name: 'Strip', size_m: 12, places: zone({ east: 6000 }).places.slice(0, 2) }),
  ];
  const page = await story.open({ zones: forms, address: '/share' });
  await page.see('#save-other');
  const folder = await mkdtemp(join(tmpdir(), 'share-'));
  const pad = await kept(page, () => page.tap('#save'));
  const said = {};
  for (const [label, ending] of [
    ['GeoJSON', 'geojson'],
    ['KML', 'kml'],
  ]) {
    const { name, bytes } = await kept(page, async () => {
      await page.tap('#save-other');
      await page.tap('dialog.menu-sheet button', label);
    });
    assert.equal(name, `zones.${ending}`);
    await writeFile(join(folder, name), bytes);
    await run('zones', 'convert', join(folder, name), '--to', 'pad', '--output', join(folder, `${ending}.pad`));
    said[ending] = await readFile(join(folder, `${ending}.pad`), 'utf8');
  }
  const tidy = (text) => text.replaceAll('\r\n', '\n');
  assert.equal(said.geojson, tidy(pad.bytes.toString()));
  assert.equal(said.kml, said.geojson);
  await rm(folder, { recursive: true });
  await story.close(page);
});

test('of a GeoJSON that is cut off, the zones before that place are read, and one without any is refused in words', async () => {
  const page = await story.open({ address: '/receive' });
  const feature = (name) =>
    JSON.stringify({ type: 'Feature', properties: { name }, geometry: { type: 'Point', coordinates: [13.4, 52.5] } });
  const whole = `{"type":"FeatureCollection","features":[${[feature('One "}'), feature('Two'), feature('Three')]}]}`;
  await drop(page, { name: 'cut.geojson', text: whole.slice(0, -30) });
  await page.see('.summary', '2 new');
  assert.deepEqual(await part(page, 'Left out'), [
    'The file | the file is damaged or cut off: the zones before that place are read | line 1',
  ]);
  await page.shot('receive-cut-phone');
  await drop(page, { name: 'cut.geojson', text: whole.slice(0, 50) });
  await page.see('.snackbar', 'cut.geojson is damaged or cut off: no zone in it can be read.');
  await story.close(page);
});
