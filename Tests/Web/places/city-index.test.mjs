// The cities on board: the list that the build makes, reading it, and finding a city in any language. Needs no browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CityIndex, CityIndexProblem } from '../../../Web/scripts/places/city-index.js';
import { plain } from '../../../Web/scripts/words/plain.js';

const city = (id, name, countrycode, [latitude, longitude], population, alternatenames = [], admin1code = '01') => ({
  geonameid: id,
  name,
  countrycode,
  latitude,
  longitude,
  population,
  admin1code,
  alternatenames,
});
const cities = [
  city(1, 'Vienna', 'AT', [48.20849, 16.37208], 1_691_468, [
    'Wien',
    'Вена',
    'Viên',
    'Vien',
    'VIE',
    'wei ye na',
    '維也納',
  ]),
  city(2, 'Wiener Neustadt', 'AT', [47.80485, 16.23196], 45_000, ['Bécsújhely']),
  city(3, 'Munich', 'DE', [48.13743, 11.57549], 1_260_391, ['München', 'Munchen', 'Muenchen', 'Мюнхен', 'ミュンヘン']),
  city(4, 'Haar', 'DE', [48.10881, 11.72653], 19_000, ['Haar bei München']),
  city(5, 'Köln', 'DE', [50.93333, 6.95], 963_395, ['Cologne', 'Koln']),
  city(6, 'Tokyo', 'JP', [35.6895, 139.69171], 9_733_276, ['Tokio', 'Токио', '東京', '東京都', '도쿄']),
  city(7, 'Paris', 'FR', [48.85341, 2.3488], 2_138_551, ['París', 'Париж']),
  city(8, 'Paris', 'US', [33.66094, -95.55551], 24_782, [], 'TX'),
  city(9, 'Springfield', 'US', [39.80172, -89.64371], 116_565, [], 'IL'),
  city(10, 'Springfield', 'US', [37.21533, -93.29824], 166_810, [], 'MO'),
  city(11, 'Rome', 'IT', [41.89193, 12.51133], 2_318_895, ['Roma', 'Róma']),
  city(12, 'Łódź', 'PL', [51.77058, 19.47395], 768_755, ['Lodz']),
  city(13, 'Saint-Étienne', 'FR', [45.43389, 4.39], 176_280, []),
  city(14, 'Delhi', 'IN', [28.65195, 77.23149], 10_927_986, ['दिल्ली', 'دہلی']),
  city(15, 'Yaren', 'NR', [-0.55085, 166.9252], 0, []),
];
const states = Object.fromEntries(
  Object.entries({ TX: 'Texas', IL: 'Illinois', MO: 'Missouri' }).map(([code, name]) => [code, { name }]),
);

/** The list as the build makes it. */
async function made(of = cities) {
  const folder = await mkdtemp(join(tmpdir(), 'cities-'));
  try {
    const file = (name) => join(folder, name);
    await writeFile(file('cities.json'), JSON.stringify(Object.fromEntries(of.map((each) => [each.geonameid, each]))));
    await writeFile(file('states.json'), JSON.stringify(states));
    execFileSync('python3', ['Scripts/page/city-index.py', file('cities.json'), file('states.json'), file('out.txt')]);
    return await readFile(file('out.txt'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
const list = await made();
const index = new CityIndex(list);
/** The cities found, as "name (first name) country". */
const found = (typed, how) =>
  index
    .search(typed, how)
    .map(({ name, first, state, country }) =>
      [name, name !== first && `(${first})`, state, country].filter(Boolean).join(' '),
    );

test('the list is the same in whatever order its source is, and leaves out names that nobody types', async () => {
  const other = [...cities].reverse().map((each) => ({ ...each, alternatenames: [...each.alternatenames].reverse() }));
  assert.deepEqual(await made(other), list);
  const lines = list.toString().split('\n');
  assert.equal(lines[0], 'proximity cities 1\t15');
  assert.deepEqual(lines.slice(1, 3), ['@AT', '62\t48.208\t16.372\tVienna\tViên\tWien\tВена\t維也納']);
  assert.ok(lines.includes('@US\tMissouri'));
});

test('names are found in every script, whatever case and accents are typed', () => {
  for (const typed of ['Wien', 'wien', 'WIEN', 'Вена', 'вена', '維也納', ' wien '])
    assert.match(found(typed)[0], /^(Wien|Вена|維也納) \(Vienna\) Austria$/i, typed);
  assert.deepEqual(found('vienna'), ['Vienna Austria']);
  assert.deepEqual(found('東京'), ['東京 (Tokyo) Japan']);
  assert.deepEqual(found('도쿄'), ['도쿄 (Tokyo) Japan']);
  assert.deepEqual(found('दिल्ली'), ['दिल्ली (Delhi) India']);
  assert.deepEqual(found('دهلي').length, 1, 'letters of Arabic and of Persian keyboards are the same');
  assert.deepEqual(found('lodz'), ['Łódź Poland']);
  assert.deepEqual(found('st etienne'), []);
  assert.deepEqual(found('saint etienne'), ['Saint-Étienne France']);
  for (const typed of ['München', 'Munchen', 'münchen', 'Mu\u0308nchen', 'Muenchen', 'мюнхен', 'ミュンヘン'])
    assert.match(found(typed)[0], /\(Munich\) Germany$/, typed);
});

test('a name is shown with the accents that were typed, the first name as it is', () => {
  assert.equal(found('roma')[0], 'Roma (Rome) Italy');
  assert.equal(found('Róma')[0], 'Róma (Rome) Italy');
  assert.equal(found('münchen')[0], 'München (Munich) Germany');
  assert.equal(found('koln')[0], 'Köln Germany');
});

test('words may begin anywhere in a name, and name the country or the state as well', () => {
  assert.deepEqual(found('neu'), ['Wiener Neustadt Austria']);
  assert.deepEqual(found('neustadt wiener'), ['Wiener Neustadt Austria']);
  assert.deepEqual(found('ienna'), [], 'only at the beginning of a word');
  assert.deepEqual(found('paris texas'), ['Paris Texas United States']);
  assert.deepEqual(found('Paris, France'), ['Paris France']);
  assert.deepEqual(found('wien österreich', { language: 'de' }).slice(0, 1), ['Wien (Vienna) Österreich']);
  assert.deepEqual(found('france'), [], 'a country alone is no city');
  for (const typed of ['', ' ', '-', 'zzz', '62', '48', '@AT', 'proximity', '15'])
    assert.deepEqual(found(typed), [], typed);
});

test('a whole name comes before a beginning, this before other words, and then people and nearness count', () => {
  assert.deepEqual(found('wien'), ['Wien (Vienna) Austria', 'Wiener Neustadt Austria']);
  assert.deepEqual(found('mun'), ['Munich Germany', 'Haar bei München (Haar) Germany']);
  assert.deepEqual(found('paris'), ['Paris France', 'Paris Texas United States']);
  assert.deepEqual(found('paris', { near: [33.5, -96] }), ['Paris Texas United States', 'Paris France']);
  assert.deepEqual(
    found('springfield').map((each) => each.split(' ')[1]),
    ['Missouri', 'Illinois'],
  );
  assert.deepEqual(
    found('springfield', { near: [39.8, -89.6] }).map((each) => each.split(' ')[1]),
    ['Illinois', 'Missouri'],
  );
  assert.equal(index.search('a', { most: 3 }).length <= 3, true);
});

test('a city has its place and all its names, to be told from what a server finds', () => {
  const [vienna] = index.search('Wien', { language: 'fr' });
  assert.deepEqual([vienna.place, vienna.size, vienna.country], [[48.208, 16.372], 62, 'Autriche']);
  assert.deepEqual(vienna.names, ['vienna', 'vien', 'wien', 'вена', '維也納']);
  assert.deepEqual(index.search('yaren')[0].place, [-0.551, 166.925], 'also one of which GeoNames knows no people');
});

test('a name is compared in the same form by the build and by the page', () => {
  const names = cities.flatMap(({ name, alternatenames }) => [name, ...alternatenames]);
  const odd = [
    "'s-Hertogenbosch",
    'Diyarbakır',
    'İzmir',
    'Straße',
    'Ærøskøbing',
    'Hà Nội',
    'Ђердап',
    'القاهرة',
    'ירושלים',
    '(Halle) Saale/',
  ];
  const program = `
import json, runpy, sys
plain = runpy.run_path('Scripts/page/city-index.py')['plain']
print(json.dumps([plain(each) for each in json.load(sys.stdin)]))`;
  const output = execFileSync('python3', ['-c', program], { input: JSON.stringify([...names, ...odd]) });
  assert.deepEqual(JSON.parse(output.toString()), [...names, ...odd].map(plain));
});

test('a list that is damaged, cut off or of another kind is refused with the reason', () => {
  const text = list.toString();
  const refused = (bytes, why) =>
    assert.throws(
      () => new CityIndex(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes),
      (error) => error instanceof CityIndexProblem && why.test(error.message),
      `${bytes.slice(0, 60)}`,
    );
  refused('', /no list of cities/);
  refused('<!doctype html><title>404</title>', /no list of cities/);
  refused(text.replace('cities 1', 'cities 2'), /of version 1/);
  refused(text.slice(0, -1), /cut off/);
  refused(`${text.slice(0, 300)}\n`, /cities found, 15 announced|no city/);
  refused(text.replace('@AT\n', ''), /line 2 is no city of a country/);
  refused(text.replace('48.208', '98.208'), /line 3 is no city/);
  refused(text.replace('48.208', 'x'), /line 3 is no city/);
  refused(text.replace('62\t', ''), /line 3 is no city/);
  refused(text.replace(/\n([^\n]*Wiener)/, '\n\n$1'), /line 4 is no city/);
  refused(list.subarray(0, list.indexOf('維') + 1), /UTF-8/);
  // Every cut is refused, and none of them traps or is taken for a shorter list.
  for (let size = 0; size < list.length; size += 7)
    assert.throws(() => new CityIndex(list.subarray(0, size)), CityIndexProblem, `${size} bytes`);
});
