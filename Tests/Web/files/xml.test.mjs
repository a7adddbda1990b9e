// XML in pieces: gives the same as a DOM, wherever the pieces are cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromPiece, rows, width } from '../../../Web/scripts/engine/rows.js';
import { gpxElements, kmlTrack, toGPX, TrackCollector } from '../../../Web/scripts/files/track-files.js';
import { XMLReader } from '../../../Web/scripts/files/xml.js';

const pieces = (text, size) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
function read(text, size, closed) {
  const reader = new XMLReader(closed);
  for (const piece of pieces(text, size)) reader.feed(piece);
  reader.finish();
  return reader.root;
}
const tree = ({ name, attributes, children, content }) => [name, attributes, content, ...children.map(tree)];

const sample = `\ufeff<?xml version="1.0"?>
<!DOCTYPE kml [ <!ENTITY x "a > b"> ]>
<!-- a > comment < with marks -->
<k:kml xmlns:k="urn:k" k:id='a "b"'>
  <name>Gro&#223;e &amp; <![CDATA[<Straße> &amp;]]> &#x1F6D1;</name><empty with="&lt;&quot;"/>
  <a><b> 1 </b><b>2</b></a>
</k:kml>`;

test('elements, attributes, entities, CDATA and comments, cut after every letter', () => {
  const whole = read(sample, sample.length);
  assert.deepEqual(tree(whole), [
    'kml',
    { k: 'urn:k', id: 'a "b"' },
    '',
    ['name', {}, 'Große & <Straße> &amp; 🛑'],
    ['empty', { with: '<"' }, ''],
    ['a', {}, '', ['b', {}, '1'], ['b', {}, '2']],
  ]);
  for (const size of [1, 2, 3, 7, 64]) assert.deepEqual(tree(read(sample, size)), tree(whole), `in pieces of ${size}`);
});

test('an element that is handed over is forgotten, so that a large file needs no room', () => {
  const seen = [];
  const root = read('<gpx><trk><trkpt lat="1"/><trkpt lat="2"/></trk></gpx>', 5, {
    trkpt: (node) => seen.push(node.attribute('lat')),
  });
  assert.deepEqual(seen, ['1', '2']);
  assert.deepEqual(tree(root), ['gpx', {}, '', ['trk', {}, '']]);
});

for (const [text, said] of [
  ['<a>\n<b></a>', /line 2: <\/a> where <\/b> was expected/],
  ['<a>\n<b>', /line 2: <b> is not closed/],
  ['<a></a><b/>', /second outermost element/],
  ['<a>1 & 2</a>', /“&” has to be written/],
  ['<a x=1/>', /“x=1” is no attribute/],
  ['<a', /the markup does not end/],
  ['', /there is no element/],
  ['<a>&#xFFFFFFFF;</a>', /is no character/],
])
  test(`broken markup is refused with its line: ${text.replaceAll('\n', ' ')}`, () =>
    assert.throws(() => read(text, 3), said));

test('a GPX: the name of the track before that of the file, times, and what phones add', () => {
  const track = new TrackCollector();
  read(
    `<gpx><metadata><name>File</name></metadata><wpt lat="9" lon="9"/><trk><name>Way</name><trkseg>
    <trkpt lat="52" lon="13"><time>2026-01-01T00:00:00Z</time><extensions><x:hAcc>4</x:hAcc><speed>1.5</speed></extensions></trkpt>
    <trkpt lat="53" lon="14"/></trkseg></trk></gpx>`,
    11,
    gpxElements(track),
  );
  assert.deepEqual([track.name, track.untimed, track.fixes.length], ['Way', 1, 1]);
  const [{ latitude, longitude, accuracy, speed, measured }] = track.fixes;
  assert.deepEqual([latitude, longitude, accuracy, speed, measured], [52, 13, 4, 1.5, Date.UTC(2026, 0, 1)]);
});

test('heights: of GPX with their error, of KML over the sea alone', () => {
  const track = new TrackCollector();
  const point = (more) => `<trkpt lat="52" lon="13"><time>2026-01-01T00:00:00Z</time>${more}</trkpt>`;
  read(
    `<gpx><trk><trkseg>${point('<ele>440</ele><extensions><vAcc>4</vAcc><eleReference>sea_level</eleReference></extensions>')}
    ${point('<ele>441</ele>')}${point('')}</trkseg></trk></gpx>`,
    11,
    gpxElements(track),
  );
  assert.deepEqual(
    track.fixes.map(({ altitude, altitudeError, overSea }) => [altitude, altitudeError, overSea]),
    [
      [440, 4, true],
      [441, NaN, false],
      [NaN, NaN, false],
    ],
  );
  const again = new TrackCollector();
  read(toGPX('Way', track.fixes), 64, gpxElements(again));
  assert.deepEqual(
    again.fixes.map(({ altitude, altitudeError, overSea }) => [altitude, altitudeError, overSea]),
    track.fixes.map(({ altitude, altitudeError, overSea }) => [altitude, altitudeError, overSea]),
  );
  const high = new TrackCollector();
  for (const mode of ['', '<altitudeMode>absolute</altitudeMode>', '<altitudeMode>relativeToGround</altitudeMode>'])
    read(`<kml><gx:Track>${mode}<when>2026-01-01T00:00:00Z</when><gx:coord>13 52 440</gx:coord></gx:Track></kml>`, 9, {
      Track: (node) => kmlTrack(high, node),
    });
  assert.deepEqual(
    high.fixes.map(({ altitude, overSea }) => [altitude, overSea]),
    [
      [undefined, undefined],
      [440, true],
      [undefined, undefined],
    ],
  );
});

test('a piece of history from before there were heights reads as it was written', () => {
  const fix = { latitude: 52, longitude: 13, accuracy: 4, measured: 5000, received: 6000, speed: 1, course: 90 };
  const bytes = new Uint8Array(2 * 7 * 8);
  const view = new DataView(bytes.buffer);
  [52, 13, 4, 5000, 6000, 1, 90, 53, 14, 4, 7000, 8000, 1, 90].forEach((number, place) =>
    view.setFloat64(place * 8, number, true),
  );
  const [first, second] = fromPiece({ rows: bytes });
  assert.deepEqual(first, { ...fix, altitude: NaN, altitudeError: NaN, overSea: false });
  assert.equal(second.latitude, 53);
  const high = { ...fix, altitude: 440, altitudeError: 3, overSea: true };
  assert.deepEqual(fromPiece({ rows: rows([high, fix]), width }), [
    high,
    { ...fix, altitude: NaN, altitudeError: NaN, overSea: false },
  ]);
});

test('a KML track', () => {
  const track = new TrackCollector();
  read('<kml><gx:Track><when>2026-01-01T00:00:00Z</when><gx:coord>13 52 0</gx:coord></gx:Track></kml>', 9, {
    Track: (node) => kmlTrack(track, node),
  });
  assert.deepEqual(track.fixes, [{ latitude: 52, longitude: 13, measured: Date.UTC(2026, 0, 1) }]);
});
