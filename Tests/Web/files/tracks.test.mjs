// Tracks of other programs: the page's rows are those of the program's readers (Tests/FormatsTests/Tracks), which it has compiled
// to WebAssembly.
import assert from 'node:assert/strict';
import { readFile as readBytes } from 'node:fs/promises';
import { before, test } from 'node:test';
import { Engine } from '../../../Web/scripts/engine/engine.js';
import { fromRows } from '../../../Web/scripts/engine/rows.js';
import { readFile } from '../../../Web/scripts/files/file-reader.js';
import { toGPX } from '../../../Web/scripts/files/gpx-export.js';

let engine;
before(async () => {
  engine = Engine.from(await readBytes('.build-page/files.wasm'));
});

const joined = (rows) => new Uint8Array(Buffer.concat(rows));

/** A file's track, as the import worker reads it; undefined if it holds none. */
async function read(name, content) {
  const what = {
    engine: { ask: () => ({ zones: [], issues: [] }) },
    readers: async () => engine,
    ...Object.fromEntries(['told', 'zones', 'issues'].map((each) => [each, () => undefined])),
  };
  const track = await readFile(new File([content], name), what);
  return track && { ...track, fixes: fromRows(joined(track.rows)) };
}
const fixesOf = async (name, content) => (await read(name, content))?.fixes ?? [];
const places = async (name, content) =>
  (await fixesOf(name, content)).map(({ latitude, longitude }) => [latitude, longitude]);

const time = '<time>2026-01-01T00:00:00Z</time>';
const gpx = (points, before = '') => `<gpx>${before}<trk><name>Way</name><trkseg>${points}</trkseg></trk></gpx>`;
const heights = (fixes) => fixes.map(({ altitude, altitudeError, overSea }) => [altitude, altitudeError, overSea]);

test('a GPX: the name of the track before that of the file, times, and what phones add', async () => {
  const { name, untimed, fixes } = await read(
    'a.gpx',
    gpx(
      `<trkpt lat="52" lon="13">${time}<extensions><x:hAcc>4</x:hAcc><speed>1.5</speed></extensions></trkpt>
       <trkpt lat="53" lon="14"/>`,
      '<metadata><author><name>Nobody</name></author><name>File</name></metadata><wpt lat="9" lon="9"/>',
    ),
  );
  assert.deepEqual([name, untimed, fixes.length], ['Way', 1, 1]);
  const [{ latitude, longitude, accuracy, speed, measured }] = fixes;
  assert.deepEqual([latitude, longitude, accuracy, speed, measured], [52, 13, 4, 1.5, Date.UTC(2026, 0, 1)]);
});

test('elements, attributes, entities, CDATA and comments, cut after every letter', () => {
  const sample = new TextEncoder().encode(`\ufeff<?xml version="1.0"?>
<!DOCTYPE gpx [ <!ENTITY x "a > b"> ]>
<!-- a > comment < with marks -->
<k:gpx xmlns:k="urn:k" k:id='a "b"'><trk>
  <name>Gro&#223;e &amp; <![CDATA[<Straße> &amp;]]> &#x1F6D1;</name><empty with="&lt;&quot;"/>
  <trkseg><trkpt lat=" 52&#46;5" lon='13'>${time}</trkpt><trkpt lat="53" lon="14">${time}</trkpt></trkseg></trk>
</k:gpx>`);
  for (const size of [1, 2, 3, 7, 64, sample.length]) {
    const rows = [];
    let first = { format: 'gpx', now_ms: 0 };
    for (let from = 0; from < sample.length; from += size) {
      rows.push(engine.ask('read_track', { bytes: sample.slice(from, from + size), ...first }).rows);
      first = {};
    }
    const last = engine.ask('read_track', { bytes: new Uint8Array(), last: true });
    assert.equal(last.name, 'Große & <Straße> &amp; 🛑', `in pieces of ${size}`);
    assert.deepEqual(
      fromRows(joined([...rows, last.rows])).map(({ latitude, longitude }) => [latitude, longitude]),
      [
        [52.5, 13],
        [53, 14],
      ],
    );
  }
});

for (const [text, kept, damaged] of [
  ['<gpx><trk><trkpt lat="1" lon="2">TIME</trkpt>\n<b></trk></gpx>', 1, 1],
  ['<gpx><trk><trkpt lat="1" lon="2">TIME</trkpt>\n<b>', 1, 1],
  ['<gpx><trk><name>1 & 2</name><trkpt lat="1" lon="2">TIME</trkpt></trk></gpx>', 1, 0],
  ['<gpx><trk><trkpt lat="1" lon="2">TIME</trkpt><trkpt', 1, 1],
  ['<gpx><trk><name>&#xFFFFFFFF;</name><trkpt lat="1" lon="2">TIME</trkpt></trk></gpx>', 1, 0],
  ['<gpx>', 0, 1],
])
  test(`of broken markup the rest is read, and the damage counted: ${text.replaceAll('\n', ' ')}`, async () => {
    const track = await read('broken.gpx', text.replaceAll('TIME', time));
    assert.deepEqual([track.fixes.length, track.damaged], [kept, damaged]);
  });

test('what is neither GPX nor KML nor TCX is named', async () => {
  await assert.rejects(read('a.xml', '<?xml version="1.0"?><!-- <gpx> --><s:svg/>'), /a\.xml holds <svg>/);
});

test('heights: of GPX with their error, of KML over the sea alone', async () => {
  const point = (more) => `<trkpt lat="52" lon="13">${time}${more}</trkpt>`;
  const fixes = await fixesOf(
    'a.gpx',
    gpx(
      point('<ele>440</ele><extensions><vAcc>4</vAcc><eleReference>sea_level</eleReference></extensions>') +
        point('<ele>441</ele>') +
        point(''),
    ),
  );
  assert.deepEqual(heights(fixes), [
    [440, 4, true],
    [441, NaN, false],
    [NaN, NaN, false],
  ]);
  assert.deepEqual(heights(await fixesOf('again.gpx', toGPX('Way', fixes))), heights(fixes));
  const high = [];
  for (const mode of ['', '<altitudeMode>absolute</altitudeMode>', '<altitudeMode>relativeToGround</altitudeMode>'])
    high.push(
      ...(await fixesOf(
        'a.kml',
        `<kml><gx:Track>${mode}<when>2026-01-01T00:00:00Z</when><gx:coord>13 52 440</gx:coord></gx:Track></kml>`,
      )),
    );
  assert.deepEqual(heights(high), [
    [NaN, NaN, false],
    [440, NaN, true],
    [NaN, NaN, false],
  ]);
});

test('a KML track has the name of its placemark', async () => {
  const { name, fixes } = await read(
    'a.kml',
    `<kml><Placemark><name>Place</name></Placemark><Placemark><name>Way</name><gx:Track>
     <when>2026-01-01T00:00:00Z</when><gx:coord>13 52 0</gx:coord></gx:Track></Placemark></kml>`,
  );
  const [{ latitude, longitude, measured }] = fixes;
  assert.deepEqual([name, fixes.length, latitude, longitude, measured], ['Way', 1, 52, 13, Date.UTC(2026, 0, 1)]);
});

test('a TCX and a Google timeline are tracks too', async () => {
  assert.deepEqual(
    await places(
      'a.tcx',
      `<TrainingCenterDatabase><Trackpoint><Time>2026-01-01T00:00:00Z</Time><Position><LatitudeDegrees>52</LatitudeDegrees>
       <LongitudeDegrees>13</LongitudeDegrees></Position></Trackpoint></TrainingCenterDatabase>`,
    ),
    [[52, 13]],
  );
  const at = { latLng: '48.1°, 11.5°' };
  const timeline = {
    semanticSegments: [{ startTime: '2026-05-16T09:00:00Z', visit: { topCandidate: { placeLocation: at } } }],
  };
  assert.deepEqual(await places('Timeline.json', JSON.stringify(timeline)), [[48.1, 11.5]]);
});

for (const text of [
  '46.0512',
  '46,0512',
  '٤٦٫٠٥١٢',
  '۴۶٫۰۵۱۲',
  '४६.०५१२',
  '４６．０５１２',
  '๔๖.๐๕๑๒',
  '\u200e۴۶,۰۵۱۲',
])
  test(`a latitude is read: ${text}`, async () =>
    assert.deepEqual(await places('a.gpx', gpx(`<trkpt lat="${text}" lon="13">${time}</trkpt>`)), [[46.0512, 13]]));

/** The speed that is read of a text; NaN for none. */
async function speedOf(text) {
  const found = await fixesOf('a.gpx', gpx(`<trkpt lat="1" lon="2">${time}<speed>${text}</speed></trkpt>`));
  return found[0].speed;
}

test('a number that could mean two things is none', async () => {
  for (const text of [
    '1,234',
    '12,345',
    '1,234.5',
    '1.234,5',
    '46,05,14',
    '46,',
    ',5',
    '١٬٢٣٤',
    '4²',
    '0x10',
    'Infinity',
    '',
  ])
    assert.ok(Number.isNaN(await speedOf(text)), text);
  for (const [text, value] of [
    ['12,5', 12.5],
    ['0,125', 0.125],
    ['1234,567', 1234.567],
  ])
    assert.equal(await speedOf(text), value);
  const [{ altitude }] = await fixesOf('a.gpx', gpx(`<trkpt lat="1" lon="2">${time}<ele>−8,5</ele></trkpt>`));
  assert.equal(altitude, -8.5);
  const [[latitude]] = await places('a.gpx', gpx(`<trkpt lat="46,051" lon="2">${time}</trkpt>`));
  assert.equal(latitude, 46.051);
});

test('times are read in whatever digits, without a zone as UTC', async () => {
  for (const text of [
    '۲۰۲۶-۰۶-۲۱T۱۴:۱۳:۲۰Z',
    '２０２６-०६-२१T१४:१३:२०Z',
    '2026-06-21 14:13:20',
    '2026-06-21T14:13:20',
    'Sun, 21 Jun 2026 14:13:20 GMT',
  ]) {
    const [{ measured }] = await fixesOf('a.gpx', gpx(`<trkpt lat="1" lon="2"><time>${text}</time></trkpt>`));
    assert.equal(measured, 1_782_051_200_000, text);
  }
});

const table = (...lines) => places('a.csv', lines.join('\n'));

for (const [north, east] of [
  ['N/S', 'E/W'],
  ['lat_hem', 'lon_hem'],
  ['LATITUDE N/S', 'LONGITUDE E/W'],
  ['Latitude hemisphere', 'Longitude hemisphere'],
  ['lat_dir', 'lng_dir'],
  ['hemisphere', 'hemisphere'],
  ['', ''],
])
  test(`hemispheres in columns are obeyed: ${north || 'without a name'}`, async () => {
    assert.deepEqual(
      await table(
        `lat,${north},lon,${east},time`,
        '46.05,S,14.5,west,2026-09-21T14:13:20Z',
        '46.05,n,14.5,E,2026-09-21T14:13:20Z',
      ),
      [
        [-46.05, -14.5],
        [46.05, 14.5],
      ],
    );
  });

test('a hemisphere that is none, or contradicts, makes no position', async () => {
  for (const [field, beside] of [
    ['46.05', 'X'],
    ['46.05', ''],
    ['46.05', 'E'],
    ['-46.05', 'N'],
    ['46.05 S', 'N'],
  ]) {
    const { fixes, impossible, why } = await read(
      'a.csv',
      `lat,N/S,lon,E/W,time\n${field},${beside},14.5,E,1790000000`,
    );
    assert.deepEqual([fixes.length, impossible, why], [0, 1, 'latitude'], `${field} ${beside}`);
  }
  for (const field of ['-46.05 N', '46.05 E', '46.05 X'])
    assert.deepEqual(await table('lat,lon,time', `${field},14.5,1790000000`), [], field);
  for (const field of ['46.05S', 'S46.05', '46.05° S', '-46.05 S', '"S46,05"'])
    assert.deepEqual(await table('lat,lon,time', `${field},14.5,1790000000`), [[-46.05, 14.5]], field);
  assert.deepEqual(await table('lat,N/S,lon,E/W,time', '-46.05,S,14.5,E,1790000000'), [[-46.05, 14.5]]);
});

test('commas in tables and attributes are decimal marks', async () => {
  assert.deepEqual(await table('lat;lon;time', '46,05;14,5;1790000000'), [[46.05, 14.5]]);
  assert.deepEqual(await table('lat,lon,time', '"46,05","14,5",1790000000'), [[46.05, 14.5]]);
  const [{ latitude, longitude, measured }] = await fixesOf(
    'a.gpx',
    gpx('<trkpt lat="46,05" lon="-14,5"><time>۲۰۲۶-۰۹-۲۱T۱۴:۱۳:۲۰Z</time></trkpt>'),
  );
  assert.deepEqual([latitude, longitude, measured], [46.05, -14.5, 1_790_000_000_000]);
});

test('line ends that OwnTracks Recorder wrote as digits are blanks', async () => {
  assert.deepEqual(
    await places(
      'a.rec',
      '2026-09-21T14:13:25Z\t*\t{ 0A "_type": "location", 0A 09"lat": 46.05, 0A "lon": 14.5, "addr": "a 0A b", 0D 0A "tst": 1790000000 0A} 00',
    ),
    [[46.05, 14.5]],
  );
});

test('JSON without times is no track, and more rows than one answer holds come one portion after the other', async () => {
  const point = (properties, longitude) =>
    JSON.stringify({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [longitude, 52] } });
  assert.equal(await read('a.geojson', point({ name: 'Mill', text: '"time":' }, 13)), undefined);
  const coordinates = Array.from({ length: 40_000 }, (_, index) => [13 + index / 1e6, 52]);
  const coordTimes = coordinates.map((_, index) => 1_790_000_000 + index);
  const line = { type: 'Feature', properties: { coordTimes }, geometry: { type: 'LineString', coordinates } };
  const fixes = await fixesOf('b.geojson', JSON.stringify(line));
  assert.deepEqual(
    fixes.map(({ longitude, measured }) => [longitude, measured / 1000]),
    coordinates.map(([longitude], index) => [longitude, coordTimes[index]]),
  );
});

test('times of a receiver that lost 1,024 weeks are put right', async () => {
  const early = '<trkpt lat="1" lon="2"><time>2006-05-05T10:00:00Z</time></trkpt>';
  const next = '<trkpt lat="1" lon="2"><time>2025-12-19T10:01:00Z</time></trkpt>';
  const { fixes, moved } = await read('a.gpx', gpx(early + next));
  assert.deepEqual([moved, fixes[0].measured], [1, Date.UTC(2025, 11, 19, 10)]);
});
