// Checks that alarms are still computed correctly on this device: replays recorded journeys in a separate engine and compares the
// bytes of all events with those of the native engine, which the tests hold to `check/expected.json`. Runs by itself after an
// update of the browser or of the page.
import { version } from '../version.js';
import { rowBytes } from './rows.js';

const folder = new URL('../../check/', import.meta.url);
const engine = new URL('../../engine.wasm', import.meta.url);
const rowsAtOnce = 100;
const kept = 'engine_check';

/** The 64-bit FNV-1a hash, as 16 digits: it needs no cryptography, which some pages lack. */
export function hash(bytes) {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const byte of bytes) {
    low ^= byte;
    // Times 0x100000001b3, in parts of 16 bits.
    const a = (low & 0xffff) * 0x1b3;
    const b = (low >>> 16) * 0x1b3 + Math.floor(a / 65536);
    const c = (high & 0xffff) * 0x1b3 + Math.floor(b / 65536) + ((low & 0xff) << 8);
    const d = (high >>> 16) * 0x1b3 + Math.floor(c / 65536) + ((low >>> 8) & 0xffff);
    low = (((b & 0xffff) << 16) | (a & 0xffff)) >>> 0;
    high = (((d & 0xffff) << 16) | (c & 0xffff)) >>> 0;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}

async function load(name) {
  const response = await fetch(new URL(name, folder));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

/** The bytes of all events of a journey. */
function replay(module, { zones, rows, end }) {
  const { exports } = new WebAssembly.Instance(module, {});
  const lend = (bytes, use) => {
    const address = exports.allocate(bytes.length) >>> 0;
    new Uint8Array(exports.memory.buffer).set(bytes, address);
    try {
      if (use(address) < 0) throw new Error('the engine refused the journey');
    } finally {
      exports.release(address);
    }
  };
  lend(zones, (address) => exports.start(0, 1, address, zones.length));
  for (let from = 0; from < rows.length; from += rowsAtOnce * rowBytes) {
    const some = rows.subarray(from, from + rowsAtOnce * rowBytes);
    lend(some, (address) => exports.insert(address, some.length / rowBytes));
  }
  exports.advance(end);
  const count = exports.events();
  return new Uint8Array(exports.memory.buffer, exports.answer() >>> 0, count);
}

/**
 * Replays every recorded journey.
 * @returns {Promise<{right: boolean, positions: number, events: number, wrong: string[]}>} `wrong` names the journeys whose
 *   events differ
 * @throws if the engine or the journeys cannot be loaded
 */
export async function checkEngine() {
  const [module, expected] = await Promise.all([
    WebAssembly.compileStreaming(fetch(engine)),
    load('expected.json').then((response) => response.json()),
  ]);
  const sums = { positions: 0, events: 0, wrong: [] };
  for (const [name, { end_ms: end, events, hash: known }] of Object.entries(expected)) {
    const [zones, rows] = await Promise.all(
      [`${name}.pad`, `${name}.rows`].map((file) =>
        load(file).then(async (response) => new Uint8Array(await response.arrayBuffer())),
      ),
    );
    let found;
    try {
      found = hash(replay(module, { zones, rows, end }));
    } catch (error) {
      console.error(error);
    }
    if (found !== known) sums.wrong.push(name);
    sums.positions += rows.length / rowBytes;
    sums.events += events;
  }
  return { right: sums.wrong.length === 0, ...sums };
}

/** The versions of page and browser: an update changes this string. */
const here = () => `${version} ${navigator.userAgent}`;

/**
 * Checks once after each update of the browser, the system or the page. A new device only stores its versions.
 * @param {{storage}} app
 * @param {() => void} alarm called if events differ
 */
export async function checkAfterUpdate({ storage }, alarm) {
  const last = await storage.kept(kept);
  if (last?.of === here() && last.right !== false) return;
  const right = last ? (await checkEngine()).right : undefined;
  await storage.keep(kept, { of: here(), right });
  if (right === false) alarm();
}
