// Zones of GPX, CSV, Traccar, Home Assistant and KMZ: the import worker tells the files apart and reads them by the program's readers
// (Tests/FormatsTests/Zones), which it has compiled to WebAssembly. The browser unzips KMZ.
import assert from 'node:assert/strict';
import { readFile as readBytes } from 'node:fs/promises';
import { before, test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { decode } from '../../../Web/scripts/engine/cbor.js';
import { Engine } from '../../../Web/scripts/engine/engine.js';
import { FileProblem } from '../../../Web/scripts/files/file-problem.js';
import { readFile } from '../../../Web/scripts/files/file-reader.js';

let [engine, files] = [];
before(async () => {
  engine = Engine.from(await readBytes('.build-page/engine.wasm'));
  files = Engine.from(await readBytes('.build-page/files.wasm'));
});

/** A file's zones and issues, and its track, if it is one. */
async function read(name, ...content) {
  const [zones, issues] = [[], []];
  const track = await readFile(new File(content, name), {
    engine,
    readers: async () => files,
    told: () => undefined,
    zones: (forms) => zones.push(...forms.map((form) => (form instanceof Uint8Array ? decode(form) : form))),
    issues: (some) => issues.push(...some),
  });
  return { zones, issues, track };
}

const time = '<time>2026-01-01T00:00:00Z</time>';
const waypoint = '<wpt lat="47.5" lon="8.25"><name>工地</name><extensions><Proximity>80</Proximity></extensions></wpt>';
const route = (inside = '') =>
  `<rte><name>Lane</name><rtept lat="47" lon="8">${inside}</rtept><rtept lat="47.1" lon="8.1">${inside}</rtept></rte>`;
const gpx = (...parts) => `<?xml version="1.0"?><gpx version="1.1">${parts.join('')}</gpx>`;

test('waypoints and routes of a GPX without a track are zones, whatever its encoding', async () => {
  const found = await read('a.gpx', gpx(waypoint, route()));
  assert.deepEqual(
    found.zones.map(({ name, size_m: size, outline, places }) => [name, size, outline, places.length]),
    [
      ['工地', 80, 'locations', 1],
      ['Lane', undefined, 'path', 2],
    ],
  );
  assert.equal(found.track, undefined);
  const wide = Buffer.from(`\ufeff${gpx(waypoint, route())}`, 'utf16le');
  assert.equal((await read('a.txt', wide)).zones.length, 2);
});

test('a GPX with a track, or a route whose points have times, stays a track', async () => {
  const track = `<trk><trkseg><trkpt lat="1" lon="2">${time}</trkpt></trkseg></trk>`;
  for (const text of [gpx(waypoint, track), gpx(waypoint, route(time))]) {
    const found = await read('a.gpx', text);
    assert.equal(found.track.timed, true);
    assert.deepEqual(found.zones, []);
  }
  assert.deepEqual((await read('a.gpx', gpx())).zones, []);
});

test('a table of places is zones, one with times a track', async () => {
  const { zones, issues, track } = await read(
    'a.csv',
    'name;latitude;longitude;radius_km\nSilo;47,5;8,25;0,5\n"Lane; end";47.5;8.5;1\nFar;97;8;1\n',
  );
  assert.equal(track, undefined);
  assert.deepEqual(
    zones.map(({ name, size_m: size }) => [name, size]),
    [
      ['Silo', 500],
      ['Lane; end', 1000],
    ],
  );
  assert.deepEqual(
    issues.map(({ zone, why, line }) => [zone, why, line]),
    [['Far', 'no_geometry', 4]],
  );
  const timed = await read('a.csv', 'time,lat,lon\n2026-01-01T00:00:00Z,47,8\n');
  assert.equal(timed.track.timed, true);
});

test('geofences of Traccar and zones of Home Assistant', async () => {
  const traccar = await read(
    'geofences.json',
    JSON.stringify([
      { id: 7, name: 'Silo', area: 'CIRCLE (47.5 8.25, 80.5)', attributes: {}, calendarId: 2 },
      { id: 9, name: 'Lane', area: 'LINESTRING (47 8, 47.1 8.1)', attributes: { polylineDistance: 25 } },
      { id: 10, name: 'Odd', area: 'CIRCLE' },
    ]),
  );
  assert.deepEqual(
    traccar.zones.map(({ name, size_m: size }) => [name, size]),
    [
      ['Silo', 80.5],
      ['Lane', 25],
    ],
  );
  assert.deepEqual(
    traccar.issues.map(({ zone, why }) => [zone, why]),
    [
      ['Silo', 'calendar_ignored'],
      ['Odd', 'no_geometry'],
    ],
  );
  const home = await read(
    'zones.yaml',
    'zone:\r\n  - name: "Silo" # tall\r\n    latitude: 47.5\r\n    longitude: 8.25\r\n  - name: Odd\r\n    latitude: !secret x\r\n',
  );
  assert.deepEqual(
    home.zones.map(({ name, size_m: size }) => [name, size]),
    [['Silo', 100]],
  );
  assert.deepEqual(
    home.issues.map(({ line, error }) => [line, error]),
    [[6, true]],
  );
});

/** A zip archive of `{name, text, stored?, sum?, bytes?}`. */
function zip(...entries) {
  const [parts, list] = [[], []];
  let offset = 0;
  for (const { name, text = '', stored = false, sum, bytes, flags = 0 } of entries) {
    const content = Buffer.from(text);
    const packed = bytes ?? (stored ? content : deflateRawSync(content));
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(flags, 2);
    head.writeUInt16LE(stored ? 0 : 8, 4);
    head.writeUInt32LE(sum ?? crc32(content), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt16LE(Buffer.byteLength(name), 22);
    parts.push(Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), packed);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    list.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), head, place, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const size = list.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...list, end]);
}
const kml = (name, inside = '<Point><coordinates>8,47</coordinates></Point>') =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>${name}</name>${inside}</Placemark></kml>`;

test('a KMZ is its main document, deflated or stored, and others are said', async () => {
  const main = { name: 'doc.kml', text: kml('Mill Ćuk') };
  const picture = { name: 'files/a.png', text: 'PNG' };
  for (const stored of [false, true]) {
    const { zones, issues } = await read('a.kmz', zip(picture, { ...main, stored }));
    assert.deepEqual([zones.map(({ name }) => name), issues], [['Mill Ćuk'], []]);
  }
  const other = await read(
    'a.zip',
    zip({ name: 'z/one.KML', text: kml('One') }, { name: 'two.kml', text: kml('Two') }),
  );
  assert.deepEqual(
    [other.zones.map(({ name }) => name), other.issues.map(({ why }) => why)],
    [['One'], ['other_documents']],
  );
  const commented = Buffer.concat([zip(main), Buffer.from('a comment')]);
  assert.equal((await read('a.kmz', commented)).zones.length, 1);
  const moving = await read(
    'track.kmz',
    zip({ name: 'doc.kml', text: kml('Way', '<Track><when>2026-01-01T00:00:00Z</when><coord>8 47 0</coord></Track>') }),
  );
  assert.equal(moving.track.timed, true);
});

test('an archive that is damaged, locked, without KML, or a bomb is refused in words', async () => {
  const whole = zip({ name: 'doc.kml', text: kml('Mill') });
  const is = (message) => (error) => error instanceof FileProblem && message.test(error.message);
  await assert.rejects(read('a.kmz', zip({ name: 'a.txt', text: 'a' })), is(/a\.kmz is an archive without KML/));
  for (const broken of [
    whole.subarray(0, 4),
    whole.subarray(0, -1),
    zip({ name: 'doc.kml', text: kml('Mill'), sum: 1 }),
    zip({ name: 'doc.kml', text: kml('Mill'), flags: 1 }),
    zip({ name: 'doc.kml', text: kml('Mill'), bytes: deflateRawSync(kml('Mill')).subarray(0, 20) }),
    zip({ name: 'doc.kml', text: 'no KML' }),
    zip({ name: 'doc.kml', text: '' }),
  ])
    await assert.rejects(read('a.kmz', broken), is(/a\.kmz is damaged or cut off/));
  const bomb = zip({ name: 'doc.kml', text: `<kml>${' '.repeat(17 * 2 ** 20)}</kml>` });
  assert.ok(bomb.length < 100_000);
  await assert.rejects(read('a.kmz', bomb), is(/a\.kmz unzips to more than 16 MB/));
});

test('archives with changed bytes are read or refused, and nothing else', async () => {
  const whole = zip({ name: 'a.png', text: 'PNG' }, { name: 'doc.kml', text: kml('Mill') });
  let seed = 5;
  const next = (below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  let refused = 0;
  for (let round = 0; round < 400; round++) {
    const bytes = Buffer.from(whole);
    for (let change = 0; change <= next(3); change++) bytes[4 + next(bytes.length - 4)] = next(256);
    try {
      const { zones, track } = await read('a.kmz', bytes);
      assert.ok(track === undefined && zones.every(({ name }) => name === 'Mill'), `round ${round}`);
    } catch (error) {
      assert.ok(error instanceof FileProblem, `round ${round}: ${error.stack}`);
      refused += 1;
    }
  }
  assert.ok(refused > 100 && refused < 400, `${refused} refused`);
});
