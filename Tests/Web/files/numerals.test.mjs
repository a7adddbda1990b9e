// Numbers, times and hemispheres in tracks: the page reads the same as the program (`NumeralsTests`, `HemisphereTests`).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { degrees, degreesOn, number, time } from '../../../Web/scripts/files/numerals.js';
import { takeRecorded } from '../../../Web/scripts/files/owntracks.js';
import { CSVTrack, gpxElements, TrackCollector } from '../../../Web/scripts/files/track-files.js';
import { XMLReader } from '../../../Web/scripts/files/xml.js';

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
  test(`a latitude is read: ${text}`, () => assert.equal(degrees(text), 46.0512));

test('a number that could mean two things is none', () => {
  for (const text of [
    '1,234',
    '12,345',
    '-1,234',
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
    assert.ok(Number.isNaN(number(text)), text);
  for (const [text, value] of [
    ['12,5', 12.5],
    ['0,125', 0.125],
    ['1234,567', 1234.567],
    ['−8,5', -8.5],
  ])
    assert.equal(number(text), value);
  assert.equal(degrees('46,051'), 46.051);
});

test('times are read in whatever digits, without a zone as UTC', () => {
  for (const text of [
    '۲۰۲۶-۰۶-۲۱T۱۴:۱۳:۲۰Z',
    '２０２６-०६-२१T१४:१३:२०Z',
    '2026-06-21 14:13:20',
    '2026-06-21T14:13:20',
    'Sun, 21 Jun 2026 14:13:20 GMT',
  ])
    assert.equal(time(text), 1_782_051_200_000, text);
});

function table(...lines) {
  const csv = CSVTrack.of(lines[0]);
  for (const line of lines.slice(1)) csv.take(line);
  return csv.track.fixes.map(({ latitude, longitude }) => [latitude, longitude]);
}

for (const [north, east] of [
  ['N/S', 'E/W'],
  ['lat_hem', 'lon_hem'],
  ['LATITUDE N/S', 'LONGITUDE E/W'],
  ['Latitude hemisphere', 'Longitude hemisphere'],
  ['lat_dir', 'lng_dir'],
  ['hemisphere', 'hemisphere'],
  ['', ''],
])
  test(`hemispheres in columns are obeyed: ${north || 'without a name'}`, () => {
    assert.deepEqual(
      table(
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

test('a hemisphere that is none, or contradicts, makes no position', () => {
  for (const [field, beside] of [
    ['46.05', 'X'],
    ['46.05', ''],
    ['46.05', 'E'],
    ['-46.05', 'N'],
    ['46.05 S', 'N'],
    ['-46.05 N', undefined],
    ['46.05 E', undefined],
    ['46.05 X', undefined],
  ])
    assert.ok(Number.isNaN(degreesOn('latitude', field, beside)), `${field} ${beside}`);
  for (const field of ['46.05S', 'S46,05', '46.05° S', '-46.05 S'])
    assert.equal(degreesOn('latitude', field), -46.05, field);
  assert.equal(degreesOn('latitude', '-46.05', 'S'), -46.05);
});

test('commas in tables and attributes are decimal marks', () => {
  assert.deepEqual(table('lat;lon;time', '46,05;14,5;1790000000'), [[46.05, 14.5]]);
  assert.deepEqual(table('lat,lon,time', '"46,05","14,5",1790000000'), [[46.05, 14.5]]);
  const track = new TrackCollector();
  const reader = new XMLReader(gpxElements(track));
  reader.feed('<gpx><trk><trkpt lat="46,05" lon="-14,5"><time>۲۰۲۶-۰۹-۲۱T۱۴:۱۳:۲۰Z</time></trkpt></trk></gpx>');
  reader.finish();
  assert.deepEqual(
    track.fixes.map(({ latitude, longitude, measured }) => [latitude, longitude, measured]),
    [[46.05, -14.5, 1_790_000_000_000]],
  );
});

test('line ends that OwnTracks Recorder wrote as digits are blanks', () => {
  const track = new TrackCollector();
  takeRecorded(
    track,
    '2026-09-21T14:13:25Z\t*\t{ 0A "_type": "location", 0A 09"lat": 46.05, 0A "lon": 14.5, "addr": "a 0A b", 0D 0A "tst": 1790000000 0A} 00',
  );
  assert.deepEqual(
    track.fixes.map(({ latitude, longitude }) => [latitude, longitude]),
    [[46.05, 14.5]],
  );
});
