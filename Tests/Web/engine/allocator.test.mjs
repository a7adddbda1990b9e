// The engine's memory allocator (Sources/WebRuntime/Allocator.c), compiled alone, with requests in any order.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { seeded } from '../support/Zones.mjs';

const source = new URL('../../../Sources/WebRuntime/Allocator.c', import.meta.url).pathname;
let module;
before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'allocator-'));
  after(() => rmSync(folder, { recursive: true }));
  const built = join(folder, 'allocator.wasm');
  const exported = ['malloc', 'free', 'posix_memalign'].map((name) => `-Wl,--export=${name}`);
  execFileSync('clang', [
    ...['--target=wasm32', '-O2', '-nostdlib', '-ffreestanding', '-Wl,--no-entry', '-Wl,--max-memory=67108864'],
    ...exported,
    source,
    '-o',
    built,
  ]);
  module = await WebAssembly.compile(readFileSync(built));
});

class Heap {
  blocks = [];
  constructor() {
    this.calls = new WebAssembly.Instance(module).exports;
  }
  get bytes() {
    return new Uint8Array(this.calls.memory.buffer);
  }
  /** Fills each block with a pattern of its own, so that an overlap is found when the block is freed. */
  ask(size, alignment = 16) {
    let at;
    if (alignment > 16) {
      this.result ??= this.calls.malloc(4);
      const failed = this.calls.posix_memalign(this.result, alignment, size);
      at = failed ? 0 : new DataView(this.calls.memory.buffer).getUint32(this.result, true);
    } else {
      at = this.calls.malloc(size) >>> 0;
    }
    if (!at) return false;
    assert.equal(at % alignment, 0);
    assert.ok(at + size <= this.bytes.length, `${size} bytes at ${at}`);
    const mark = (at / 16 + size) & 255;
    this.bytes.fill(mark, at, at + size);
    this.blocks.push({ at, size, mark });
    return true;
  }
  free(index) {
    const [{ at, size, mark }] = this.blocks.splice(index, 1);
    const held = this.bytes.subarray(at, at + size);
    assert.ok(
      held.every((byte) => byte === mark),
      `${size} bytes at ${at} were changed by others`,
    );
    this.calls.free(at);
  }
}

for (let seed = 0; seed < 6; seed++)
  test(`blocks of all sizes keep to themselves, whatever is freed when: seed ${seed}`, () => {
    const share = seeded(seed);
    const random = (below) => Math.floor(share() * below);
    const heap = new Heap();
    let [held, most] = [0, 0];
    for (let step = 0; step < 20_000; step++) {
      const isFull = held > 4e6 || heap.blocks.length > 3000;
      if (heap.blocks.length && (isFull || random(5) < 2)) {
        const index = random(heap.blocks.length);
        held -= heap.blocks[index].size;
        heap.free(index);
        continue;
      }
      const size = random(10) ? random(2 << random(11)) : random(2 << random(17));
      assert.ok(heap.ask(size, random(12) ? 16 : 32 << random(6)));
      held += size;
      most = Math.max(most, held);
    }
    while (heap.blocks.length) heap.free(random(heap.blocks.length));
    assert.ok(heap.bytes.length < 2.5 * most + 1e6, `${heap.bytes.length} bytes for ${most} at once`);
    // All blocks have become one again.
    const all = heap.bytes.length - 300_000;
    assert.ok(heap.ask(all), `${all} of ${heap.bytes.length} bytes`);
  });

test('among thousands of blocks that are a little too small, one that is large enough is found, and memory used again', () => {
  const heap = new Heap();
  for (let number = 0; number < 5000; number++) for (const size of [1800, 16]) assert.ok(heap.ask(size));
  for (let index = heap.blocks.length - 2; index >= 0; index -= 2) heap.free(index);
  const before = heap.bytes.length;
  for (let round = 0; round < 1000; round++) {
    assert.ok(heap.ask(1900));
    heap.free(heap.blocks.length - 1);
  }
  for (let number = 0; number < 4000; number++) assert.ok(heap.ask(1790));
  assert.ok(heap.bytes.length <= before * 1.3, `${heap.bytes.length} bytes after ${before}`);
});

test('what cannot be had is refused, and what was there stays', () => {
  const heap = new Heap();
  assert.ok(heap.ask(1000));
  for (const size of [0x7fff0001, 0xffffffff, 0x7fff0000, 80_000_000]) assert.equal(heap.ask(size), false);
  let count = 0;
  while (heap.ask(1 << 20)) count += 1;
  assert.ok(count > 40 && count < 64, String(count));
  while (heap.blocks.length) heap.free(0);
});
