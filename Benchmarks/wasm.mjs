#!/usr/bin/env node
// The index in WebAssembly on the points that the native one is measured on, and the times of both.
//
//     Benchmarks/wasm.mjs [--check] [WORKLOAD...]
//
// Workloads are one-zone, circles-10k, polygons-10k and long-edges unless named. The checksums must be the same; 1 if one is not.
// --check takes fewer fixes and the native program as the tests have it, and says nothing of times.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const named = process.argv.slice(2).filter((word) => word !== '--check');
const isCheck = process.argv.includes('--check');
const native = `.build-bench/${isCheck ? 'debug' : 'release'}/IndexBenchmark`;
const size = isCheck ? ['--small'] : [];
const module = new WebAssembly.Module(
  fs.readFileSync('.build-bench-wasm/wasm32-unknown-none-wasm/release/IndexModule.wasm'),
);
const folder = '.build-bench-wasm/workloads';
const workloads = named.length ? named : ['one-zone', 'circles-10k', 'polygons-10k', 'long-edges'];
const passes = isCheck ? 1 : 5;

/** Milliseconds of this process's own work. */
const now = () => {
  const used = process.cpuUsage();
  return (used.user + used.system) / 1000;
};

/** Calls `use` with the address of a copy of `bytes`. */
function lend(exports, bytes, use) {
  const address = exports.allocate(bytes.length);
  new Uint8Array(exports.memory.buffer).set(bytes, address);
  try {
    return use(address);
  } finally {
    exports.release(address);
  }
}

function measured(workload) {
  const { exports } = new WebAssembly.Instance(module, {});
  lend(exports, fs.readFileSync(`${folder}/${workload}.zones`), (address) => exports.takeZones(address));
  const started = now();
  exports.build();
  const build = (now() - started) / 1000;
  const fixes = fs.readFileSync(`${folder}/${workload}.fixes`);
  const count = Number(fixes.readBigUInt64LE(0));
  lend(exports, fixes.subarray(8), (address) => exports.takeFixes(address, count));
  const operations = [
    ['contains', exports.contains],
    ['contains-batch', exports.containsBatch],
  ];
  return operations.map(([operation, call]) => {
    // The first pass is compiled while it runs.
    const times = [];
    let found = call();
    for (let pass = 0; pass < passes; pass++) {
      const start = now();
      found = call();
      times.push(((now() - start) * 1e6) / count);
    }
    times.sort((a, b) => a - b);
    const hex = (number) => (number >>> 0).toString(16).padStart(8, '0');
    return {
      operation,
      count,
      hits: found,
      sum: hex(exports.sumHigh()) + hex(exports.sumLow()),
      ns: times[passes >> 1],
      build,
    };
  });
}

let differ = 0;
if (!isCheck)
  console.log('| workload | operation | fixes | native, ns | in node, ns | times | build, s | in node, s | checksum |');
if (!isCheck) console.log(`${'| --- '.repeat(9)}|`);
for (const workload of workloads) {
  fs.mkdirSync(folder, { recursive: true });
  execFileSync(native, ['write', workload, folder, ...size]);
  const said = execFileSync(
    native,
    ['measure', workload, 'contains', 'contains-batch', '--passes', String(passes), ...size],
    { encoding: 'utf8' },
  );
  const rows = said
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  for (const here of measured(workload)) {
    const row = rows.find((words) => words[2] === here.operation);
    const same = Number(row[3]) === here.count && Number(row[5]) === here.hits && row[6] === here.sum;
    if (!same) differ++;
    const verdict = same ? 'equal' : `DIFFERS: ${here.sum}, natively ${row[6]}`;
    if (isCheck) console.log(`${workload} ${here.operation}, ${here.count} fixes in WebAssembly: ${verdict}`);
    else
      console.log(
        `| ${workload} | ${here.operation} | ${here.count} | ${Number(row[4]).toFixed(1)} | ${here.ns.toFixed(1)} | ` +
          `${(here.ns / Number(row[4])).toFixed(2)} | ${Number(row[7]).toFixed(2)} | ${here.build.toFixed(2)} | ${verdict} |`,
      );
  }
}
process.exit(differ ? 1 : 0);
