// Links, numbers and times that are made in script. Needs no browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { system } from '../../../Web/scripts/device/device-help.js';
import { offsets, offsetsOf, timed } from '../../../Web/scripts/device/local-time.js';
import { isApple, problemWithNumber, smsLink } from '../../../Web/scripts/messages/sms.js';
import { directionsLink } from '../../../Web/scripts/reminders/directions.js';
import { promise } from '../../../Web/scripts/words/promises.js';
import { problemWithService, problemWithTiles, readNumber } from '../../../Web/scripts/words/setting-words.js';
import { fieldUnit, isImperial, roundLength, useUnits } from '../../../Web/scripts/words/units.js';
import { watchWords } from '../../../Web/scripts/words/watch-words.js';
import * as whyWords from '../../../Web/scripts/words/why-words.js';
import * as words from '../../../Web/scripts/words/words.js';

const agents = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  ipad: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  android:
    'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
  linux: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
};
const proposal = {
  text: 'Mum, Dad: Ann is near "Cliff" & Old mine? 100 % — call me.\u{1f6a8}',
  addressees: [
    { name: 'Mum', number: '+41 (79) 111-22.33' },
    { name: 'Dad', number: '*100#' },
  ],
};

test('one link holds all addressees and the whole text, as the standard has it (S98, S99)', () => {
  const link = smsLink(proposal, { apple: isApple(agents.android) });
  const [, numbers, body] = /^sms:([^?]*)\?body=(.*)$/.exec(link);
  assert.deepEqual(numbers.split(',').map(decodeURIComponent), ['+41791112233', '*100#']);
  assert.equal(decodeURIComponent(body), proposal.text);
  assert.ok(/^[\x21-\x7e]+$/.test(link) && !/["<> ]/.test(link));
});

test('on an iPhone, an iPad and a Mac the addressees are where Messages looks for them (S98)', () => {
  for (const agent of [agents.iphone, agents.ipad]) {
    const url = new URL(smsLink(proposal, { apple: isApple(agent) }));
    assert.equal(`${url.protocol}//${url.host}`, 'sms://open');
    assert.deepEqual(
      url.search
        .slice(1)
        .split('&')
        .map((part) => part.split('=')[0]),
      ['addresses', 'body'],
    );
    assert.equal(decodeURIComponent(/addresses=([^&]*)/.exec(url.search)[1]), '+41791112233,*100#');
    assert.equal(decodeURIComponent(/body=(.*)$/.exec(url.search)[1]), proposal.text);
  }
});

test('without a number the message opens all the same, and the person chooses', () => {
  assert.equal(smsLink({ text: 'Hi', addressees: [] }, { apple: false }), 'sms:?body=Hi');
  assert.equal(smsLink({ text: 'Hi', addressees: [] }, { apple: true }), 'sms:&body=Hi');
});

test('a text that is not a telephone number is refused with a message, and the usual spellings of a number are not (S103)', () => {
  for (const good of ['', '112', '+41 79 111 22 33', '(030) 123-456', '*100#', ' 0049/30.1 '])
    assert.equal(problemWithNumber(good), undefined, good);
  assert.match(problemWithNumber('call Mum'), /“c” cannot be in a phone number/);
  assert.match(problemWithNumber('+'), /no digit/);
  assert.match(problemWithNumber('12+3'), /only be at the beginning/);
});

test('the way to a place opens in the device’s own maps (S210)', () => {
  const to = { place: [47.14, -9.52], name: 'Bakery (Sonne) & Co' };
  assert.equal(directionsLink(to, agents.iphone), 'https://maps.apple.com/?daddr=47.14,-9.52&dirflg=w');
  assert.equal(directionsLink(to, agents.android), 'geo:47.14,-9.52?q=47.14,-9.52(Bakery%20%20Sonne%20%20%26%20Co)');
  assert.equal(new URL(directionsLink(to, agents.linux)).searchParams.get('to'), '47.14,-9.52');
});

test('the system is told by what the browser says, an iPad by its fingers', () => {
  assert.deepEqual(
    Object.values(agents).map((agent) => system(agent, 5)),
    ['ios', 'ios', 'android', 'other'],
  );
  assert.equal(system(agents.ipad, 0), 'mac');
});

test('clocks that change are found to the millisecond', () => {
  const change = Date.UTC(2026, 2, 29, 1);
  const berlin = (at) => (at < change ? 3600 : 7200);
  assert.deepEqual(offsets(change - 86_400_000, change + 86_400_000, berlin), [
    [change - 86_400_000, 3600],
    [change, 7200],
  ]);
  assert.deepEqual(
    offsets(5, 5, () => 0),
    [[5, 0]],
  );
  // Away and back within the period.
  const back = change + 30 * 86_400_000;
  assert.deepEqual(
    offsets(0, back * 2, (at) => (at >= change && at < back ? 7200 : 3600)),
    [
      [0, 3600],
      [change, 7200],
      [back, 3600],
    ],
  );
});

test('the hours of a zone follow the rules of their named time zone, whatever offsets are kept', () => {
  const now = Date.UTC(2026, 10, 28);
  const rules = offsetsOf('Europe/Stockholm', now);
  // The same number as on the server.
  assert.equal(rules.length, 101);
  assert.deepEqual(rules.slice(0, 2), [
    [Date.UTC(2000, 0, 1), 3600],
    [Date.UTC(2000, 2, 26, 1), 7200],
  ]);
  assert.deepEqual(rules.at(-1), [Date.UTC(2049, 9, 31, 1), 3600]);
  assert.ok(offsetsOf('Europe/Stockholm', Date.UTC(2051, 0, 1)).at(-1)[0] > Date.UTC(2079, 0, 1));
  assert.deepEqual(offsetsOf('Asia/Kolkata', now), [[Date.UTC(2000, 0, 1), 19_800]]);
  assert.equal(offsetsOf('Mars/Olympus', now), undefined);

  const windows = [[0x7f, 135, 165]];
  const form = (name, offsets) => ({ id: '1', schedule: { time_zone: name, windows, offsets } });
  for (const kept of [undefined, [], [[0, 60]]])
    assert.deepEqual(timed(form('Europe/Stockholm', kept), now).schedule, {
      time_zone: 'Europe/Stockholm',
      windows,
      offsets: rules,
    });
  for (const same of [{ id: '1' }, form('', []), form('Mars/Olympus', [[0, 60]])]) assert.equal(timed(same, now), same);
  // The engine refuses such windows: the zone is refused by name and not evaluated in UTC.
  assert.equal(timed(form('Mars/Olympus', []), now).schedule.windows, 'Mars/Olympus');
  const one = form('Europe/Stockholm', []);
  assert.equal(timed(one, now), timed(one, now));
});

test('a number is read as people write it, and refused with what is allowed', () => {
  const allowed = { least: 1, most: 3600, unit: 's' };
  for (const [text, value] of [
    ['10', 10],
    [' 12,5 ', 12.5],
    ['.5', undefined],
    ['1 000', 1000],
    ['3600', 3600],
  ])
    assert.equal(readNumber(text, allowed).value, value, text);
  assert.match(readNumber('ten', allowed).problem, /“ten” is not a number; 1 to 3,600 s are allowed/);
  assert.match(readNumber('0', allowed).problem, /0 s is out of range; 1 to 3,600 s/);
  for (const odd of ['', 'NaN', '1e3', '0x10', '--1', '1,2,3', 'Infinity', '9'.repeat(400)])
    assert.ok(readNumber(odd, allowed).problem, odd);
});

test('addresses of tiles and places are checked before they are used', () => {
  assert.equal(problemWithTiles('https://t.example/{z}/{x}/{y}.png'), undefined);
  assert.equal(problemWithTiles(''), undefined);
  assert.match(problemWithTiles('https://t.example/{z}/{x}.png'), /\{y\} is missing/);
  assert.match(problemWithTiles('tiles'), /not an address/);
  assert.match(problemWithTiles('http://t.example/{z}/{x}/{y}'), /https/);
  assert.equal(problemWithService('https://nominatim.example/x'), undefined);
  assert.match(problemWithService('https://n.example/?q=1'), /before any \?/);
  assert.match(problemWithService('javascript:alert(1)'), /https/);
});

test('every reason that the engine has for not watching is said in words, of the device and of a zone', async () => {
  const source = await readFile('Sources/WebEngine/Asks/PageEngine+State.swift', 'utf8');
  const reasons = [...source.slice(source.indexOf('extension WatchState.Obstacle')).matchAll(/: "(\w+)"/g)].map(
    ([, word]) => word,
  );
  assert.ok(reasons.length >= 12);
  const ofZones = ['no_zones', 'no_area', 'zones_off', 'zones_asleep'];
  for (const why of reasons) {
    const { kind, title, detail } = watchWords({
      report: { state: { kind: 'cannot_watch', why, age_s: 130, accuracy_m: 4000 }, total: 2, watching: 2 },
    });
    assert.equal(kind, 'cannot_watch');
    assert.match(title, /^(Cannot watch|Not watching)/, why);
    assert.match(detail, /^[A-Z].* .*\.$/, why);
    if (!ofZones.includes(why)) assert.match(promise({ kind: 'not_watched', why }), /^Not watched: [a-z][^_]*$/, why);
  }
});

test('lengths, areas and speeds are said and typed in metres, or in feet and miles', () => {
  const said = () => [
    [3, 50, 304.5, 950, 2000, 40_000].map((metres) => words.length(metres)),
    [1, 120, 1500, 90_000].map((metres) => Object.values(words.split(metres)).join(' ')),
    [50, 5000, 2e6, 9e7].map((square) => words.area(square)),
    [1.4, 45].map((speed) => words.speed(speed)),
    [words.roughly(5), words.inFull(50), words.roundSpeed(38.9)],
  ];
  useUnits('imperial', 'de-DE');
  assert.deepEqual(said(), [
    ['10 ft', '164 ft', '999 ft', '0.6 mi', '1.2 mi', '25 mi'],
    ['3 feet', '394 feet', '0.9 miles', '56 miles'],
    ['538 ft²', '1.2 acres', '490 acres', '34.7 mi²'],
    ['3.1 mph', '101 mph'],
    ['16 ft', '164 feet', '87 mph'],
  ]);
  const { unit, shown, kept } = fieldUnit('m');
  assert.deepEqual([unit, shown(50), shown(0.3048)], ['ft', 164, 1]);
  // A typed value is shown again unchanged.
  for (const typed of [0.5, 1, 33.3, 164, 999, 12_345.6]) assert.equal(shown(kept(typed)), typed);
  assert.deepEqual([fieldUnit('s').unit, fieldUnit('m/s').unit, fieldUnit('km').unit], ['s', 'mph', 'mi']);

  useUnits('metric', 'en-US');
  // People do not use metres per second.
  const pace = fieldUnit('m/s');
  assert.deepEqual([pace.unit, pace.shown(45), pace.shown(3.5)], ['km/h', 162, 12.6]);
  assert.ok(Math.abs(pace.kept(100) - 100 / 3.6) < 1e-9);
  assert.deepEqual(said(), [
    ['3.0 m', '50 m', '305 m', '950 m', '2.0 km', '40 km'],
    ['1 metre', '120 metres', '1.5 kilometres', '90 kilometres'],
    ['50 m²', '5,000 m²', '2 km²', '90 km²'],
    ['5.0 km/h', '162 km/h'],
    ['5 m', '50 metres', '140 km/h'],
  ]);
  for (const [language, isFeet] of [
    ['en-US', true],
    ['es-US', true],
    ['en', false],
    ['en-GB', false],
    ['de', false],
    ['zh-Hant-TW', false],
  ]) {
    useUnits(undefined, language);
    assert.equal(isImperial(), isFeet, language);
  }
  useUnits('metric', 'en');
});

test('the longest round length is round, fits, and is more than a third of what fits, in either unit', () => {
  const feet = { ft: 0.3048, mi: 1609.344 };
  for (const [wish, units] of [
    ['metric', { m: 1, km: 1000 }],
    ['imperial', feet],
  ]) {
    useUnits(wish, 'en-GB');
    for (let most = 0.7; most < 20_000_000; most *= 1.07) {
      const { count, unit, metres } = roundLength(most);
      assert.ok(Math.abs(metres - count * units[unit]) < 1e-9 * metres, `${count} ${unit}`);
      assert.ok(metres <= most * (1 + 1e-9) && metres > most / 2.6, `${count} ${unit} of ${most} m`);
      assert.match(String(count), /^(0\.[125]|[125]0*)$/);
      // 5,280 feet are a mile, and a thousand metres a kilometre.
      assert.ok(unit === 'km' || unit === 'mi' || count < (wish === 'metric' ? 1000 : 5280), `${count} ${unit}`);
    }
  }
  useUnits('metric', 'en-GB');
});

test('records in a row that say the same are one, with how often and since when', () => {
  const record = (minute, verdict) => ({ decided_ms: minute * 60_000, distance_m: 100 - minute, verdict });
  const far = 'over_or_under';
  const found = whyWords.joined([
    record(1, far),
    record(2, far),
    record(3, far),
    record(4, 'off_duty'),
    record(5, far),
  ]);
  assert.deepEqual(
    found.map(({ times, since, decided_ms: last }) => [times, since / 60_000, last / 60_000]),
    [
      [3, 1, 3],
      [1, 4, 4],
      [1, 5, 5],
    ],
  );
});
