// The messages between page and engine: the subset of CBOR (RFC 8949) that `PageValue` implements. null, booleans, numbers, text,
// bytes (Uint8Array), arrays and plain objects; a member that is undefined is left out.

const text = new TextEncoder();
const words = new TextDecoder();

/** An encoded value: a value that is sent repeatedly without change is encoded once. */
export class Encoded {
  constructor(value) {
    this.bytes = encode(value);
  }
}

/** @returns {Uint8Array} */
export function encode(value) {
  let bytes = new Uint8Array(256);
  let count = 0;
  const room = (more) => {
    if (count + more <= bytes.length) return;
    const larger = new Uint8Array(Math.max(bytes.length * 2, count + more));
    larger.set(bytes.subarray(0, count));
    bytes = larger;
  };
  const put = (...some) => {
    room(some.length);
    for (const byte of some) bytes[count++] = byte;
  };
  const run = (some) => {
    room(some.length);
    bytes.set(some, count);
    count += some.length;
  };
  const head = (major, size) => {
    const kind = major << 5;
    if (size < 24) return put(kind | size);
    if (size < 2 ** 8) return put(kind | 24, size);
    if (size < 2 ** 16) return put(kind | 25, size >> 8, size & 255);
    const low = size % 2 ** 32;
    const word = (n) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
    if (size < 2 ** 32) return put(kind | 26, ...word(low));
    put(kind | 27, ...word((size - low) / 2 ** 32), ...word(low));
  };
  const write = (item) => {
    if (item === null || item === undefined) return put(0xf6);
    if (item === false) return put(0xf4);
    if (item === true) return put(0xf5);
    if (typeof item === 'number') {
      if (Number.isSafeInteger(item) && !Object.is(item, -0)) return item < 0 ? head(1, -1 - item) : head(0, item);
      room(9);
      bytes[count] = 0xfb;
      new DataView(bytes.buffer).setFloat64(count + 1, item);
      count += 9;
      return;
    }
    if (typeof item === 'string') {
      const some = text.encode(item);
      head(3, some.length);
      return run(some);
    }
    if (item instanceof Encoded) return run(item.bytes);
    if (item instanceof Uint8Array) {
      head(2, item.length);
      return run(item);
    }
    if (Array.isArray(item)) {
      head(4, item.length);
      return item.forEach(write);
    }
    const members = Object.entries(item).filter(([, member]) => member !== undefined);
    head(5, members.length);
    for (const [key, member] of members) {
      write(key);
      write(member);
    }
  };
  write(value);
  return bytes.slice(0, count);
}

/** @param {Uint8Array} bytes */
export function decode(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let place = 0;
  const size = (first) => {
    const short = first & 31;
    if (short < 24) return short;
    if (short === 24) return view.getUint8(place++);
    if (short === 25) {
      place += 2;
      return view.getUint16(place - 2);
    }
    if (short === 26) {
      place += 4;
      return view.getUint32(place - 4);
    }
    if (short === 27) {
      place += 8;
      return view.getUint32(place - 8) * 2 ** 32 + view.getUint32(place - 4);
    }
    throw new RangeError(`CBOR head ${first} at byte ${place - 1} is not of the subset`);
  };
  const run = (count) => {
    if (place + count > bytes.length) throw new RangeError(`CBOR ends at byte ${bytes.length}, ${count} wanted`);
    place += count;
    return bytes.subarray(place - count, place);
  };
  const read = () => {
    const first = view.getUint8(place++);
    switch (first >> 5) {
      case 0:
        return size(first);
      case 1:
        return -1 - size(first);
      case 2:
        return run(size(first)).slice();
      case 3:
        return words.decode(run(size(first)));
      case 4:
        return Array.from({ length: size(first) }, read);
      case 5: {
        const item = {};
        for (let left = size(first); left > 0; left--) {
          const key = read();
          item[key] = read();
        }
        return item;
      }
      default:
        if (first === 0xf4) return false;
        if (first === 0xf5) return true;
        if (first === 0xf6) return null;
        if (first === 0xfb) {
          place += 8;
          return view.getFloat64(place - 8);
        }
        throw new RangeError(`CBOR head ${first} at byte ${place - 1} is not of the subset`);
    }
  };
  const value = read();
  if (place !== bytes.length) throw new RangeError(`CBOR goes on after its value, at byte ${place}`);
  return value;
}
