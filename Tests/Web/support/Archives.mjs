// PMTiles archives with vector tiles, made byte by byte for tests.
const earth = 2 ** 32;

/** @param {number} value an unsigned integer */
function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}
const field = (number, bytes) => [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
const text = (value) => [...new TextEncoder().encode(value)];
const zigzag = (value) => (value < 0 ? -2 * value - 1 : 2 * value);

/**
 * A Mapbox vector tile.
 * @param {Record<string, {type: 'point'|'line'|'area', at: number[][], is?: Record<string, string|number|boolean>}[]>} layers
 *   places are in 4096ths of the tile
 */
export function vectorTile(layers) {
  return Buffer.from(Object.entries(layers).flatMap(([name, features]) => field(3, layer(name, features))));
}

function layer(name, features) {
  const keys = [];
  const values = [];
  const place = (list, value) => (list.includes(value) ? list.indexOf(value) : list.push(value) - 1);
  const written = features.flatMap(({ type, at, is = {} }) => {
    const tags = Object.entries(is).flatMap(([key, value]) => [
      ...varint(place(keys, key)),
      ...varint(place(values, value)),
    ]);
    const kind = { point: 1, line: 2, area: 3 }[type];
    return field(2, [...field(2, tags), ...varint(24), kind, ...field(4, drawn(kind, at))]);
  });
  const written_values = values.flatMap((value) =>
    field(
      4,
      typeof value === 'string'
        ? field(1, text(value))
        : typeof value === 'boolean'
          ? [...varint(56), Number(value)]
          : [...varint(40), ...varint(value)],
    ),
  );
  return [
    ...field(1, text(name)),
    ...written,
    ...keys.flatMap((key) => field(3, text(key))),
    ...written_values,
    ...varint(40),
    ...varint(4096),
    ...varint(120),
    2,
  ];
}

function drawn(kind, at) {
  const commands = [];
  let [x, y] = [0, 0];
  const move = ([to_x, to_y]) => {
    commands.push(...varint(zigzag(to_x - x)), ...varint(zigzag(to_y - y)));
    [x, y] = [to_x, to_y];
  };
  commands.push(9);
  move(at[0]);
  if (kind > 1) {
    commands.push(...varint((at.length - 1) * 8 + 2));
    for (const point of at.slice(1)) move(point);
  }
  if (kind === 3) commands.push(15);
  return commands;
}

/** The number of a tile along the Hilbert curve, as in PMTiles. */
export function tileNumber(z, x, y) {
  let number = 0;
  for (let level = 0; level < z; level++) number += 4 ** level;
  let [a, b] = [x, y];
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = (a & side) > 0 ? 1 : 0;
    const down = (b & side) > 0 ? 1 : 0;
    number += side * side * ((3 * right) ^ down);
    if (!down) {
      if (right) [a, b] = [side - 1 - a, side - 1 - b];
      [a, b] = [b, a];
    }
  }
  return number;
}

/**
 * @param {{tiles: {z: number, x: number, y: number, bytes: Buffer}[], type?: number, compression?: number, bounds: number[],
 *   metadata?: object}} what `type` 1 is vector, 2 PNG; `compression` 1 is none
 */
export function archive({ tiles, type = 1, compression = 1, bounds: [west, south, east, north], metadata = {} }) {
  const sorted = tiles
    .map(({ z, x, y, bytes }) => ({ number: tileNumber(z, x, y), z, bytes }))
    .toSorted((one, other) => one.number - other.number);
  let before = 0;
  let offset = 0;
  const numbers = sorted.flatMap(({ number }) => {
    const step = number - before;
    before = number;
    return varint(step);
  });
  const offsets = sorted.flatMap(({ bytes }) => {
    const told = varint(offset + 1);
    offset += bytes.length;
    return told;
  });
  const root = Buffer.from([
    ...varint(sorted.length),
    ...numbers,
    ...sorted.flatMap(() => varint(1)),
    ...sorted.flatMap(({ bytes }) => varint(bytes.length)),
    ...offsets,
  ]);
  const json = Buffer.from(JSON.stringify(metadata));
  const head = Buffer.alloc(127);
  head.write('PMTiles', 0, 'latin1');
  head[7] = 3;
  const long = (at, value) => {
    head.writeUInt32LE(value % earth, at);
    head.writeUInt32LE(Math.floor(value / earth), at + 4);
  };
  const data_at = 127 + root.length + json.length;
  for (const [place, value] of [
    127,
    root.length,
    127 + root.length,
    json.length,
    data_at,
    0,
    data_at,
    offset,
  ].entries())
    long(8 + 8 * place, value);
  for (const at of [72, 80, 88]) long(at, sorted.length);
  head[96] = 1;
  head[97] = 1;
  head[98] = compression;
  head[99] = type;
  head[100] = Math.min(...sorted.map(({ z }) => z));
  head[101] = Math.max(...sorted.map(({ z }) => z));
  for (const [place, degrees] of [west, south, east, north].entries())
    head.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * place);
  head[118] = head[101];
  head.writeInt32LE(Math.round(((west + east) / 2) * 1e7), 119);
  head.writeInt32LE(Math.round(((south + north) / 2) * 1e7), 123);
  return Buffer.concat([head, root, json, ...sorted.map(({ bytes }) => bytes)]);
}

/** The tile of a place, and its box: west, south, east, north. */
export function tileOf(latitude, longitude, z) {
  const across = 2 ** z;
  const sine = Math.sin((latitude * Math.PI) / 180);
  const x = Math.floor((longitude / 360 + 0.5) * across);
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * across);
  const north = (row) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / across))) * 180) / Math.PI;
  const west = (column) => (column / across - 0.5) * 360;
  return { z, x, y, bounds: [west(x), north(y + 1), west(x + 1), north(y)] };
}
