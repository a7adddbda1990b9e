// BLAKE2b (RFC 7693) without a key: libsodium's sealed boxes derive their nonce with it, and neither TweetNaCl nor browsers have
// it. Inputs are a few hundred bytes, so plain 64-bit arithmetic is fast enough.
const mask = (1n << 64n) - 1n;
const start = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];
/** The two words of a block that each step takes, in each of ten rounds; the last two rounds repeat the first two. */
const order = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
/** The four words that each of the eight steps of a round mixes. */
const steps = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];
const block_bytes = 128;

const turned = (word, by) => ((word >> by) | (word << (64n - by))) & mask;

function compress(state, block, count, isLast) {
  const view = new DataView(block.buffer, block.byteOffset, block_bytes);
  const words = Array.from({ length: 16 }, (_, at) => view.getBigUint64(8 * at, true));
  const v = [...state, ...start];
  v[12] ^= BigInt(count);
  if (isLast) v[14] ^= mask;
  for (let round = 0; round < 12; round++)
    steps.forEach(([a, b, c, d], step) => {
      const [x, y] = [words[order[round % 10][2 * step]], words[order[round % 10][2 * step + 1]]];
      v[a] = (v[a] + v[b] + x) & mask;
      v[d] = turned(v[d] ^ v[a], 32n);
      v[c] = (v[c] + v[d]) & mask;
      v[b] = turned(v[b] ^ v[c], 24n);
      v[a] = (v[a] + v[b] + y) & mask;
      v[d] = turned(v[d] ^ v[a], 16n);
      v[c] = (v[c] + v[d]) & mask;
      v[b] = turned(v[b] ^ v[c], 63n);
    });
  for (let at = 0; at < 8; at++) state[at] ^= v[at] ^ v[at + 8];
}

/**
 * @param {Uint8Array} bytes
 * @param {number} length of the hash, 1 to 64 bytes
 */
export function blake2b(bytes, length = 64) {
  if (!Number.isInteger(length) || length < 1 || length > 64) throw new RangeError('not 1 to 64 bytes');
  const state = [...start];
  state[0] ^= 0x01010000n ^ BigInt(length);
  const blocks = Math.max(1, Math.ceil(bytes.length / block_bytes));
  for (let at = 0; at < blocks; at++) {
    const block = new Uint8Array(block_bytes);
    block.set(bytes.subarray(at * block_bytes, (at + 1) * block_bytes));
    const isLast = at === blocks - 1;
    compress(state, block, isLast ? bytes.length : (at + 1) * block_bytes, isLast);
  }
  const hash = new DataView(new ArrayBuffer(64));
  state.forEach((word, at) => hash.setBigUint64(8 * at, word, true));
  return new Uint8Array(hash.buffer, 0, length);
}
