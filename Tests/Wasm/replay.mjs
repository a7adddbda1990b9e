// Replays recorded traces in the WebAssembly engine and compares every answer, byte for byte, with the native one's.
//
//     node replay.mjs WebModule.wasm TRACES
//
// TRACES holds a folder for each trace, as TraceRecorder writes it. Ends with `N passed, N failed`; 1 if any failed.
import fs from 'fs';
import path from 'path';

const [, , wasmFile, traces] = process.argv;
const module = new WebAssembly.Module(fs.readFileSync(wasmFile));
const rowsAtOnce = 100;
const numbersInRow = 10;

class Engine {
  constructor() {
    this.exports = new WebAssembly.Instance(module, {}).exports;
  }

  /** Calls `use` with the address of a copy of `bytes`. */
  lend(bytes, use) {
    const address = this.exports.allocate(bytes.length);
    new Uint8Array(this.exports.memory.buffer).set(bytes, address);
    try {
      return use(address);
    } finally {
      this.exports.release(address);
    }
  }

  /** The bytes that a call answered with, by their number. */
  answer(count) {
    if (count < 0) throw new Error(`the engine refused with ${count}`);
    return Buffer.from(this.exports.memory.buffer, this.exports.answer(), count);
  }
}

function replay(folder) {
  const read = (name) => fs.readFileSync(path.join(folder, name));
  const engine = new Engine();
  const { exports } = engine;
  const answers = [];
  const keep = (count) => answers.push(Buffer.from(engine.answer(count)));

  const zones = read('zones');
  engine.lend(zones, (address) => keep(exports.start(0, 1, address, zones.length)));
  const rows = read('rows');
  const step = rowsAtOnce * numbersInRow * 8;
  for (let from = 0; from < rows.length; from += step) {
    const some = rows.subarray(from, from + step);
    engine.lend(some, (address) => keep(exports.insert(address, some.length / (numbersInRow * 8))));
  }
  keep(exports.advance(read('end').readDoubleLE(0)));

  same('answers', Buffer.concat(answers), read('answers'));
  const events = Buffer.from(engine.answer(exports.events()));
  same('events', events, read('events'));
  return `${rows.length / (numbersInRow * 8)} fixes, ${events.readUInt32LE(1)} events`;
}

function same(what, here, native) {
  if (here.equals(native)) return;
  let at = 0;
  while (at < here.length && here[at] === native[at]) at++;
  throw new Error(`${what} differ from byte ${at} on: ${here.length} bytes in WebAssembly, ${native.length} natively`);
}

/** Many sizes, in and out of order: no block overlaps another, and memory does not grow without end. */
function allocator() {
  const { exports } = new Engine();
  let state = 1n;
  const below = (limit) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(limit));
  };
  const live = [];
  const check = ([address, size, value]) => {
    const bytes = new Uint8Array(exports.memory.buffer, address, size);
    if (address % 16 !== 0) throw new Error(`address ${address} is not aligned`);
    if (bytes.some((byte) => byte !== value)) throw new Error(`bytes at ${address} were overwritten`);
  };
  for (let round = 0; round < 60_000; round++) {
    if (live.length < 500 && below(2) === 0) {
      const size = below(20) === 0 ? below(50_000) : below(300);
      const address = exports.allocate(size);
      const value = below(256);
      new Uint8Array(exports.memory.buffer, address, size).fill(value);
      live.push([address, size, value]);
    } else if (live.length > 0) {
      const [block] = live.splice(below(live.length), 1);
      check(block);
      exports.release(block[0]);
    }
  }
  live.forEach(check);
  const size = exports.memory.buffer.byteLength;
  if (size > 8 << 20) throw new Error(`memory grew to ${size} bytes for at most about 1 MB in use`);
  return `${size >> 10} KiB of memory in the end`;
}

const trials = [['allocator', allocator]];
for (const name of fs.readdirSync(traces).sort()) trials.push([name, () => replay(path.join(traces, name))]);
let failed = 0;
for (const [name, trial] of trials) {
  try {
    console.log(`ok    ${name}: ${trial()}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}: ${error.message}`);
  }
}
console.log(`${trials.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || trials.length < 2 ? 1 : 0;
