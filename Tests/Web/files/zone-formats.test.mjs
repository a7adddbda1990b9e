// Zone files read by the page, with the same results as the program (Tests/FormatsTests/Zones): fields match by their whole
// name, and units are as stated. Needs no browser and no engine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kmlCoordinates } from '../../../Web/scripts/files/kml-coordinates.js';
import { readFile } from '../../../Web/scripts/files/file-reader.js';
import { coordinate, limit, OpenAirReader } from '../../../Web/scripts/files/openair.js';
import { fromWaypoints } from '../../../Web/scripts/files/owntracks.js';
import { XMLReader } from '../../../Web/scripts/files/xml.js';
import { fromGeoJSON, fromPlacemark } from '../../../Web/scripts/files/zone-files.js';

const openAir = (records) => {
  const reader = new OpenAirReader(({ radius_m }) => [
    [1, 1],
    [2, radius_m / 1000],
    [3, 1],
  ]);
  reader.feed(`AC D\nAN Mill\nV X=48:12:00 N 009:30:00 E\n${records}\n`);
  reader.finish();
  return reader.taken();
};

test('OpenAir: a radius is in nautical miles or in the unit that is stated, and nothing else stands behind it', () => {
  for (const [written, size_m] of [
    ['5', 9260],
    ['5.5 NM.', 10_186],
    ['5 NM* about, 7 km', 9260],
    ['5.5 km', 5500],
    ['926 km', 926_000],
  ]) {
    const { zones, issues } = openAir(`DC ${written}`);
    assert.deepEqual([zones.map((zone) => zone.size_m), issues], [[size_m], []], written);
  }
  assert.equal(openAir('V W=5 km\nDY 48:00 N 009:00 E\nDY 48:10 N 009:00 E').zones[0].size_m, 2500);
  assert.equal(openAir('DA 5 km, 340 , 160 * half').zones[0].places[1][1], 5);
  for (const written of [
    '5,5',
    '5x9',
    '5 7',
    '5.5.5',
    '-5',
    '3000 ft',
    '5 m',
    '48:13:00 N 009:31:00 E',
    '1e1',
    '5..',
    '',
  ])
    for (const record of [`DC ${written}`, `V W=${written}`, `DA ${written},10,20`]) {
      const { zones, issues } = openAir(record);
      assert.deepEqual([zones.length, issues[0].line, issues[0].error], [0, 4, true], record);
    }
  for (const record of ['DA 5,,10,20', 'DA 5,10x,20', 'DA 5,10,20 E', 'V D=+5', 'V D=clockwise'])
    assert.equal(openAir(record).issues[0].error, true, record);
});

test('OpenAir: coordinates and limits are read whole, times of activation are told once', () => {
  assert.deepEqual(coordinate('48:12:00.0 S 009:30:00 W * corner'), [-48.2, -9.5]);
  for (const written of [
    '48:12 N 009:30 E 5',
    '48:12 N 009:30 East',
    '4 8:12 N 009:30 E',
    '48 12 N 009 30 E',
    '48.5:30 N 009:30 E',
    '-48:12 N 009:30 E',
    '48:12 N 181 E',
  ])
    assert.throws(() => coordinate(written), { message: 'bad_coordinate' }, written);
  assert.deepEqual(limit('4500 ft MSL * gliders', false), limit('4500 ft MSL', false));
  for (const written of ['4 500 ft', 'FL 9 5', 'UNL5', '4500 ft/FL 95', '999999 ft'])
    assert.deepEqual(limit(written, false), { why: 'bad_height' }, written);
  const { zones, issues } = openAir('AA 2031-05-02T07:00Z/2031-05-02T17:00Z\nAA NONE\nDC 5');
  assert.deepEqual(
    issues.map(({ line, why, error }) => [line, why, error]),
    [[4, 'times_ignored', false]],
  );
  assert.equal(zones[0].pad_rows.length, 2);
});

const names = {
  name: ['name'],
  size_m: ['alarm_size_m', 'size_m', 'radius_m', 'size', 'radius'],
  outline: [],
  edges: [],
  floor_m: ['alarm_floor_m'],
  ceiling_m: ['alarm_ceiling_m'],
};
const point = { type: 'Point', coordinates: [8, 47] };
const silo = { type: 'Feature', properties: { name: 'Silo' }, geometry: point };
const geoJSON = (content) => fromGeoJSON(content, names);

test('GeoJSON: a unit of a size is obeyed wherever it is stated', () => {
  for (const [properties, size_m] of [
    [{ radius: 40 }, 40],
    [{ radius: ' 40 m ' }, 40],
    [{ radius: '1e2' }, 100],
    [{ radius: 2, radius_units: 'km' }, 2000],
    [{ diameter: 500 }, 250],
    [{ Diameter: '1 km' }, 500],
    [{ diameter_km: 2 }, 1000],
    [{ radius: 2, units: 'nautical miles' }, 3704],
    [{ radius: 2, units: 12 }, 2],
    [{ Radius: 40 }, 40],
    [{ radiusInKm: 1.5 }, 1500],
    [{ 'Radius (km)': '1.5' }, 1500],
    [{ radius_ft: 1000 }, 304.8],
    [{ rad: '40 m' }, 40],
    [{ bufferDistance: 2, units: 'km' }, 2000],
    [{ size_km: 2 }, 2000],
    [{ alarm_size_m: 40, radius: 2, radius_units: 'km' }, 40],
    [{ rad: 5, radius_km: 2 }, 2000],
  ]) {
    const { zones, issues } = geoJSON({ ...silo, properties });
    assert.deepEqual([zones.map((zone) => zone.size_m), issues], [[size_m], []], JSON.stringify(properties));
  }
});

test('GeoJSON: a size that cannot be meant is told, and the zone has none', () => {
  for (const [properties, why] of [
    [{ radius: '40 fathoms' }, 'bad_size'],
    [{ radius: '40,5' }, 'bad_size'],
    [{ radius: '4 0' }, 'bad_size'],
    [{ radius: 2, radius_units: 'furlong' }, 'bad_size'],
    [{ radius: '2 km', units: 'm' }, 'bad_size'],
    [{ radius_m: '2 km' }, 'bad_size'],
    [{ radius: [2] }, 'bad_size'],
    [{ rad: 250 }, 'unknown_size'],
    [{ buffer: 250 }, 'unknown_size'],
    [{ radius_in: 2 }, 'unknown_size'],
    [{ radius2: 2 }, 'unknown_size'],
    [{ radio: 118.5 }, undefined],
    [{ radius: null }, undefined],
    [{ SIZE: 3 }, undefined],
  ]) {
    const { zones, issues } = geoJSON({ ...silo, properties });
    assert.deepEqual([zones[0].size_m, issues[0]?.why], [undefined, why], JSON.stringify(properties));
  }
  const area = {
    type: 'Polygon',
    coordinates: [
      [
        [8, 47],
        [8, 48],
        [9, 48],
        [8, 47],
      ],
    ],
  };
  const { zones, issues } = geoJSON({ ...silo, geometry: area, properties: { rad: 5, alarm_size_m: '30' } });
  assert.deepEqual([zones[0].size_m, issues], [30, []]);
});

test('GeoJSON: another reference system is refused, WGS 84 may be named', () => {
  for (const crs of [
    'EPSG:2056',
    { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } },
    {},
    7,
    { properties: { code: 31_370 } },
  ])
    for (const content of [
      { type: 'FeatureCollection', crs, features: [silo] },
      { ...silo, crs },
      { ...silo, geometry: { ...point, crs } },
      { type: 'GeometryCollection', geometries: [{ ...point, crs }] },
    ]) {
      const { zones, issues } = geoJSON(content);
      assert.deepEqual([zones.length, issues.map(({ why }) => why)], [0, ['foreign_crs']], JSON.stringify(content));
    }
  for (const name of [
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'EPSG:4326',
    'http://www.opengis.net/def/crs/EPSG/0/4326',
    'WGS 84',
  ])
    assert.equal(
      geoJSON({ type: 'FeatureCollection', crs: { properties: { name } }, features: [silo] }).zones.length,
      1,
    );
});

test('GeoJSON: arrays, collections in collections and numbers as text', () => {
  const collection = { type: 'FeatureCollection', features: [silo, silo] };
  assert.equal(geoJSON([silo, collection]).zones.length, 3);
  assert.equal(geoJSON({ type: 'FeatureCollection', features: [collection, silo] }).zones.length, 3);
  assert.deepEqual(geoJSON({ type: 'Point', coordinates: ['8', ' 47.5 '] }).zones[0].places, [[47.5, 8]]);
  assert.deepEqual(geoJSON({ type: 'Point', coordinates: ['8 E', '47'] }).zones[0].places, [[47, '8 E']]);
});

test('KML: blanks beside commas mean nothing, and what can mean several things is left out', () => {
  for (const text of [
    '8,47 9,47 9,48',
    '8,47, 9,47, 9,48,',
    '8, 47 9, 47 9, 48',
    '8 , 47  9 , 47  9 , 48',
    '8, 47, 5 9, 47, 5 9, 48, 5',
    '8,47,5\n9, 47\n9,48,5',
    '8,47,5,9,47,5,9,48,5',
  ])
    assert.deepEqual(
      [kmlCoordinates(text).places, kmlCoordinates(text).leftOut],
      [
        [
          [8, 47],
          [9, 47],
          [9, 48],
        ],
        0,
      ],
      text,
    );
  for (const text of [
    '8,47,9,47,9,48',
    '8, 47, 9, 47, 9, 48',
    '8',
    '8,',
    ',47',
    '8;47',
    '8,95',
    '8,47x',
    '8,,47',
    'nan,47',
  ])
    assert.deepEqual([kmlCoordinates(text).places, kmlCoordinates(text).leftOut > 0], [[], true], text);
  assert.deepEqual(kmlCoordinates(''), { places: [], heights: [], leftOut: 0, isStrange: false });
  assert.deepEqual(kmlCoordinates('8,47,5 9,47,high').isStrange, true);
});

test('KML: one issue a zone for the positions that cannot be read', () => {
  for (const [text, places, whys] of [
    ['8, 47 9, 47 9, 48', 3, []],
    ['8,47 9;47 9,48 x 8,48', 3, ['bad_coordinate']],
    ['8;47 9;47', undefined, ['bad_coordinate', 'no_geometry']],
    ['8,47,5 9,47,high 9,48,5', 3, ['bad_altitude']],
  ]) {
    const found = { zones: [], issues: [] };
    const reader = new XMLReader({ Placemark: (node) => fromPlacemark(found, names, node) });
    reader.feed(
      `<kml><Placemark><name>Silo</name><Polygon><outerBoundaryIs><coordinates>${text}</coordinates></outerBoundaryIs></Polygon></Placemark></kml>`,
    );
    reader.finish();
    assert.deepEqual([found.zones[0]?.parts[0][0].length, found.issues.map(({ why }) => why)], [places, whys], text);
  }
});

test('OwnTracks: a radius of 0 is no region, and one that is none is told', () => {
  for (const [rad, sizes, whys] of [
    [80, [80], []],
    [' 80 ', [80], []],
    [0, [], ['no_region']],
    ['0', [], ['no_region']],
    [-1, [undefined], ['bad_radius']],
    ['80 m', [undefined], ['bad_radius']],
    [undefined, [undefined], ['bad_radius']],
  ]) {
    const { zones, issues } = fromWaypoints({ _type: 'waypoint', desc: 'Quay', lat: '46.5', lon: 14, rad });
    assert.deepEqual([zones.map(({ size_m }) => size_m), issues.map(({ why }) => why)], [sizes, whys], String(rad));
  }
});

test('a FIT file is named, with what to do instead', async () => {
  const fit = (size, mark = '.FIT') =>
    new File([Uint8Array.of(size, 0x20, 0x54, 8, 232, 3, 0, 0), mark, new Uint8Array(1000)], 'walk.fit');
  const untold = Object.fromEntries(['told', 'zones', 'issues'].map((name) => [name, () => undefined]));
  const engine = { ask: () => ({ zones: [], issues: [] }) };
  for (const size of [12, 14])
    await assert.rejects(readFile(fit(size), { engine, ...untold }), /walk\.fit is a FIT file.* GPX or TCX/);
  for (const other of [fit(13), fit(12, '.FIX')]) assert.equal(await readFile(other, { engine, ...untold }), undefined);
});
