// Reads files of zones in WebAssembly, and compares every answer, byte for byte, with the native reader's.
//
//     node files.mjs FileModule.wasm TRACES
//
// TRACES holds a folder for each format, as TraceRecorder writes it. Ends with 1 if any answer differs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , wasmFile, traces] = process.argv;
const module = new WebAssembly.Module(readFileSync(wasmFile));

/** The entries of a file, each of which follows its length. */
function* entries(file) {
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readUInt32LE(at);
    yield bytes.subarray(at + 4, end);
    at = end;
  }
}

let [asked, differing] = [0, 0];
const formats = readdirSync(traces).toSorted();
for (const format of formats) {
  const { exports } = new WebAssembly.Instance(module, {});
  const answers = entries(join(traces, format, 'answers'));
  for (const request of entries(join(traces, format, 'requests'))) {
    const address = exports.allocate(request.length) >>> 0;
    new Uint8Array(exports.memory.buffer).set(request, address);
    const count = exports.ask(address, request.length);
    exports.release(address);
    const here = Buffer.from(exports.memory.buffer, exports.answer() >>> 0, count);
    asked += 1;
    if (here.equals(answers.next().value)) continue;
    differing += 1;
    if (differing < 10) console.log(`FAIL  ${format}: answer ${asked} differs`);
  }
}
console.log(`${asked} answers about files of ${formats.join(', ')}: ${differing} differ`);
process.exitCode = differing > 0 || asked === 0 ? 1 : 0;
