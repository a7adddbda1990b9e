#!/usr/bin/env node
// Fuzzes the page's readers of untrusted bytes: sealed messages and signed packs.
//
//   Scripts/page/fuzz.mjs SECONDS [READER...]   runs each reader for this long; SEED=2 tries other inputs
//   Scripts/page/fuzz.mjs again READER FILE     repeats one input
//
// Inputs are mutations, from a seed, of the output of the page's writers. An input that breaks a reader is stored in
// .build-fuzz/found.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PackProblem, parse, section, zonesOf } from '../../Web/scripts/packs/pack-file.js';
import { open, seal } from '../../Web/scripts/sealed/sealed-box.js';
import { alarmMessage, read, write } from '../../Web/scripts/sealed/sealed-form.js';

globalThis.nacl = createRequire(import.meta.url)('/usr/share/nodejs/tweetnacl/nacl-fast.js');
const utf8 = new TextEncoder();

/** Numbers below `most`, the same for the same seed (mulberry32). */
function numbers(seed) {
  let state = seed >>> 0;
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

const tokens = [
  '""',
  '[]',
  '{}',
  'null',
  '-0',
  '1e999',
  '\\ud800',
  '"id"',
  '["0123456789abcdef"]',
  '\u0000',
  '\ufeff',
].map((text) => utf8.encode(text));
/** Replaces one member of an object by another value, usually of another type. */
function otherMember(bytes, next) {
  const value = JSON.parse(new TextDecoder().decode(bytes));
  const names = Object.keys(value);
  const name = names[next(names.length)];
  const found = value[name];
  const others = [
    [found],
    { 0: found },
    null,
    String(found),
    Number(found),
    true,
    -found,
    `${found}\ud800`,
    '',
    [],
    undefined,
  ];
  return write({ ...value, [name]: others[next(others.length)] });
}

/** Makes up to six changes: bits, bytes, cuts, repetitions, parts of other inputs, JSON tokens. */
function changed(bytes, others, next) {
  let result = [...bytes];
  for (let times = next(6) + 1; times > 0; times--) {
    const at = next(result.length + 1);
    const length = next(next(4) === 0 ? 64 : 4);
    const other = others[next(others.length)];
    const from = next(other.length + 1);
    const parts = [
      () => [result[at] === undefined ? 0 : result[at] ^ (1 << next(8))],
      () => [next(256)],
      () => [],
      () => result.slice(at, at + 2 * length),
      () => other.subarray(from, from + length),
      () => tokens[next(tokens.length)],
      () => [0xff, 0xff, 0xff, 0xff],
    ];
    result = [...result.slice(0, at), ...parts[next(parts.length)](), ...result.slice(at + length)];
  }
  return Uint8Array.from(result);
}

/** Checks that a message has the required types, and that writing and reading it again gives the same. */
function checkMessage(message) {
  if (message === null) return;
  assert.equal(typeof message.id, 'string');
  assert.match(message.id, /^[0-9a-f]{16,64}$/);
  assert.ok(Number.isSafeInteger(message.time_ms) && !Number.isNaN(new Date(message.time_ms).getTime()));
  if (message.kind === 'alarm') {
    assert.ok(typeof message.zone === 'string' && message.zone.length <= 200);
    for (const number of [...(message.place ?? []), message.distance_m ?? 0]) assert.ok(Number.isFinite(number));
  } else assert.equal(message.kind, 'answer');
  // Compared as text: JSON has only one zero.
  assert.equal(JSON.stringify(read(write(message))), JSON.stringify(message));
}

const messages = [
  { kind: 'answer', id: '0123456789abcdef', command: 'close', time_ms: 1_795_000_000_000 },
  alarmMessage(
    { alarm: 'a1b2c3d4e5f60718', name: 'Steinbruch 🏗'.repeat(20), cause: 'inside', time_ms: 1_795_000_000_000 },
    { place: [47.3, 13.2], distance: -12 },
  ),
  alarmMessage({ alarm: 'a1b2c3d4e5f60718', name: '', cause: 'left', time_ms: 1 }),
].map((message) => write(message));

const keysOf = (seed) => globalThis.nacl.box.keyPair.fromSecretKey(new Uint8Array(32).fill(seed));
const [own, sender] = [keysOf(1), keysOf(2)];

const readers = {
  'page-message': { seeds: async () => messages, check: (bytes) => checkMessage(read(bytes)) },
  /** Changed in transit: nothing may be opened. */
  'page-sealed': {
    seeds: async () => Promise.all(messages.map((bytes) => seal(bytes, own.publicKey, sender))),
    check: async (bytes, seeds) => {
      const opened = await open(bytes, own);
      assert.ok(!opened || seeds.some((seed) => Buffer.compare(seed, bytes) === 0), 'a changed message was opened');
    },
  },
  /** Sealed correctly by a sender with arbitrary content. */
  'page-opened': {
    seeds: async () => messages,
    check: async (bytes) => {
      const opened = await open(await seal(bytes, own.publicKey, sender), own);
      assert.deepEqual(opened.bytes, bytes);
      checkMessage(read(opened.bytes));
    },
  },
  /** Refused with a message, or read in the only valid form. */
  'page-pack': {
    seeds: async () =>
      ['whole.zonepack', 'changes.zonepack', 'changed-key.zonepack'].map(
        (name) => new Uint8Array(readFileSync(`Fuzz/Seeds/${name}`)),
      ),
    check: (bytes) => {
      let found;
      try {
        found = parse(bytes);
      } catch (error) {
        if (error instanceof PackProblem) return;
        throw error;
      }
      assert.deepEqual(zonesOf(section(found.zones)), found.zones);
      assert.ok(found.head.changes.length <= 16 && found.head.version >= 1);
    },
  },
};

async function run(name, milliseconds, from) {
  const { seeds: make, check } = readers[name];
  const seeds = await make();
  const next = numbers(from);
  let count = 0;
  for (const bytes of seeds) await check(bytes, seeds);
  for (const end = performance.now() + milliseconds; performance.now() < end; count++) {
    const seed = seeds[next(seeds.length)];
    const isObject = seed[0] === 0x7b && next(4) === 0;
    const bytes = isObject ? otherMember(seed, next) : changed(seed, seeds, next);
    try {
      await check(bytes, seeds);
    } catch (error) {
      mkdirSync('.build-fuzz/found', { recursive: true });
      const file = `.build-fuzz/found/${name}-${from}-${count}`;
      writeFileSync(file, bytes);
      console.log(`FAIL  ${name}: ${error.stack}\n      again: Scripts/page/fuzz.mjs again ${name} ${file}`);
      return false;
    }
  }
  console.log(`ok    ${name}: ${count} runs`);
  return true;
}

const usage = () => {
  console.error(`SECONDS [READER...] or again READER FILE allowed; readers: ${Object.keys(readers).join(', ')}`);
  process.exit(2);
};
const [first, ...rest] = process.argv.slice(2);
if (first === 'again') {
  const [name, file] = rest;
  if (!readers[name] || !file) usage();
  const { seeds, check } = readers[name];
  await check(new Uint8Array(readFileSync(file)), await seeds());
} else {
  const seconds = Number(first);
  if (!(seconds > 0) || rest.some((name) => !readers[name])) usage();
  let isWell = true;
  for (const name of rest.length > 0 ? rest : Object.keys(readers))
    isWell = (await run(name, seconds * 1000, Number(process.env.SEED ?? 1))) && isWell;
  process.exitCode = isWell ? 0 : 1;
}
