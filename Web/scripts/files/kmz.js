// The main document of a KMZ archive, unzipped by the browser. Source: PKWARE's APPNOTE 6.3.10; OGC 07-147r2, annex C.
import { FileProblem } from './file-problem.js';
import { t } from '../words/translate.js';

/** The largest end of an archive: its record and a comment. */
const end_bytes = 22 + 65_535;
/** The largest list of contents: a hundred thousand files with long names. */
const list_bytes = 2 ** 24;
/** The program's bounds (`KMZDocument.unzippedLimit`): a small archive unzips to no more than text can expand to. */
const unzippedLimit = (packed) => Math.min(2 ** 28, Math.max(2 ** 24, 100 * packed));

const damaged = (file) => new FileProblem(t`${file.name} is damaged or cut off: no zone in it can be read.`);

/**
 * @param {File} file
 * @returns {Promise<{document: File, others: number}>} the document `doc.kml`, else the first one, and how many others there are
 * @throws {FileProblem}
 */
export async function unzippedKML(file) {
  const all = (await entries(file)).filter(({ name }) => /\.kml$/i.test(name));
  const entry = all.find(({ name }) => name.toLowerCase() === 'doc.kml') ?? all[0];
  if (!entry) throw new FileProblem(t`${file.name} is an archive without KML. Unpack it and choose the file inside.`);
  const document = new File([await unzipped(file, entry)], file.name);
  return { document, others: all.length - 1 };
}

async function view(file, from, count) {
  if (from + count > file.size) throw damaged(file);
  return new DataView(await file.slice(from, from + count).arrayBuffer());
}

/** The files that the archive lists. */
async function entries(file) {
  const tail = await view(file, Math.max(0, file.size - end_bytes), Math.min(file.size, end_bytes));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw damaged(file);
  const [count, size, start] = [
    tail.getUint16(end + 10, true),
    tail.getUint32(end + 12, true),
    tail.getUint32(end + 16, true),
  ];
  if (size > list_bytes) throw damaged(file);
  const list = await view(file, start, size);
  const found = [];
  for (let at = 0; found.length < count;) {
    if (at + 46 > size || list.getUint32(at, true) !== 0x02014b50) throw damaged(file);
    const [named, extra, comment] = [28, 30, 32].map((place) => list.getUint16(at + place, true));
    if (at + 46 + named > size) throw damaged(file);
    found.push({
      name: new TextDecoder().decode(new Uint8Array(list.buffer, at + 46, named)),
      isEncrypted: (list.getUint16(at + 8, true) & 1) !== 0,
      method: list.getUint16(at + 10, true),
      checksum: list.getUint32(at + 16, true),
      packed: list.getUint32(at + 20, true),
      offset: list.getUint32(at + 42, true),
    });
    at += 46 + named + extra + comment;
  }
  return found;
}

async function unzipped(file, { isEncrypted, method, checksum, packed, offset }) {
  if (isEncrypted || (method !== 0 && method !== 8)) throw damaged(file);
  const local = await view(file, offset, 30);
  if (local.getUint32(0, true) !== 0x04034b50) throw damaged(file);
  const from = offset + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  if (from + packed > file.size) throw damaged(file);
  const stream = file.slice(from, from + packed).stream();
  const reader = (method === 0 ? stream : stream.pipeThrough(new DecompressionStream('deflate-raw'))).getReader();
  const limit = unzippedLimit(packed);
  // A browser may keep blobs outside its memory.
  let parts = [];
  let [size, sum] = [0, 0xffffffff];
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw damaged(file);
    });
    if (done) break;
    size += value.length;
    if (size > limit) {
      // The rest is not unzipped.
      await reader.cancel();
      throw new FileProblem(t`${file.name} unzips to more than ${limit / 2 ** 20} MB, which is too much.`);
    }
    for (const byte of value) sum = sums[(sum ^ byte) & 0xff] ^ (sum >>> 8);
    parts.push(value);
    if (parts.length === 256) parts = [new Blob(parts)];
  }
  if ((sum ^ 0xffffffff) >>> 0 !== checksum) throw damaged(file);
  return new Blob(parts);
}

/** The remainders of CRC-32 for each byte. */
const sums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});
