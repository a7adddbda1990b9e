// Reads files in a thread of its own, so that alarms continue while a large file is read (S142). A second engine in it decides
// whether each zone is new. On request it hands over the zones, or answers requests for a track.
import { timed } from '../device/local-time.js';
import { encode, Encoded } from '../engine/cbor.js';
import { Engine } from '../engine/engine.js';
import { rowBytes } from '../engine/rows.js';
import { useLanguage } from '../words/language.js';
import { issue } from '../words/issue-words.js';
import { t } from '../words/translate.js';
import { loadFileModule } from './file-module.js';
import { FileProblem } from './file-problem.js';
import { readFile } from './file-reader.js';

/** The most zones or issues of each kind that are shown. */
const mostShown = 100;
/** The size of a message that the page handles in a few milliseconds. */
const message_bytes = 100_000;
const step_ms = 100;

/** Errors are reported in the page's language. */
const spoken = useLanguage(new URL(location.href).searchParams.get('language'));
const engine = Engine.load(fetch(new URL('../../engine.wasm', import.meta.url)));

let module;
const readers = () => (module ??= loadFileModule());

/** The zones of all files that are read together, as the engine judged them. */
class Received {
  counts = { new: 0, changed: 0, same: 0, refused: 0 };
  shown = { new: [], changed: [], refused: [] };
  /** Oddities, and parts that were left out: the first ones, and their number. */
  odd = { count: 0, first: [] };
  left = { count: 0, first: [] };
  /** `{id, status, bytes}`: encoded forms take the least memory. */
  forms = [];
  #engine;
  #limit;

  constructor(engine, { limit }) {
    this.#engine = engine;
    this.#limit = limit;
  }

  add(zones, name) {
    if (!zones.length) return;
    // Time offsets stated in a file are used, as in the program. Forms in CBOR have no schedule.
    const timedZones = zones.map((form) => {
      if (form instanceof Uint8Array) return encoded(form);
      return form.schedule?.offsets?.length ? form : timed(form, Date.now());
    });
    for (const row of this.#engine.ask('compare', { zones: timedZones, more: true }).rows) this.#take(row, name);
  }

  #take(row, name) {
    const { status, form } = row;
    this.counts[status] += 1;
    if (status !== 'same' && this.shown[status].length < mostShown) this.shown[status].push(row);
    if (row.crossing)
      this.note([
        {
          zone: form.name,
          error: false,
          why: row.rings > 1 ? 'rings_cross' : 'edges_cross',
          edges: row.crossing,
          points: form.places?.length ?? form.parts[0][0].length,
        },
      ]);
    if (status !== 'new' && status !== 'changed') return;
    if (this.counts.new > this.#limit.more) {
      throw new FileProblem(
        t`${name} holds too many zones: this page watches at most ${this.#limit.most} and has
          ${this.#limit.most - this.#limit.more} already. Split the file, or let the command line or the server watch
          it.`,
      );
    }
    this.forms.push({ id: form.id, status, bytes: encode(form) });
  }

  note(issues) {
    for (const issue of issues) {
      // A zone without a place counts as refused, like those that the engine refuses; any other error counts as a part left out.
      const isZone = dropped.has(issue.why);
      if (isZone) this.counts.refused += 1;
      const list = issue.error ? this.left : this.odd;
      list.count += 1;
      if (isZone) list.count -= 1;
      if (list.first.length < mostShown) list.first.push(issue);
    }
  }
}
const dropped = new Set(['no_locations', 'too_few_locations_left', 'no_geometry']);

const encoded = (bytes) => Object.assign(new Encoded(undefined), { bytes });

let received;

async function read({ files, zones, settings, limit }) {
  const ready = await engine;
  ready.ask('open', { device: '0000000000000001', zones, settings, now_ms: 0 });
  received = new Received(ready, { limit });
  const whole = files.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  let said = 0;
  const tracks = [];
  const names = [];
  for (const file of files) {
    const told = (bytes) => {
      const now = performance.now();
      if (now - said < step_ms) return;
      said = now;
      postMessage({ progress: { name: file.name, done: before + bytes, whole } });
    };
    const track = await readFile(file, {
      engine: ready,
      readers,
      told,
      zones: (forms) => received.add(forms, file.name),
      issues: (issues) => received.note(issues),
    });
    // The engine keeps ids unique across all files: a zone whose id is taken gets another, even if both are the same zone.
    if (track) tracks.push(trackOf(file, track));
    else names.push(file.name);
    before += file.size;
  }
  if (!names.length) return tracks[0];
  const { counts, shown, odd, left } = received;
  return {
    kind: 'zones',
    name: names.join(', '),
    counts,
    shown,
    odd,
    left,
    ids: { changed: received.forms.filter(({ status }) => status === 'changed').map(({ id }) => id) },
  };
}

function trackOf(file, { name, rows, ...track }) {
  const size = rows.reduce((sum, { length }) => sum + length, 0);
  const { untimed, impossible, damaged } = track;
  if (!size) {
    throw new FileProblem(
      damaged
        ? t`${file.name} is damaged or cut off: no position in it can be read.`
        : untimed
          ? t`${file.name} has ${untimed} points, but none says when it was: a replay needs times.`
          : impossible
            ? t`${file.name}: none of its ${impossible} positions can be used. The first: ${issue(track.why)}.`
            : t`${file.name} holds no track.`,
    );
  }
  const whole = new Uint8Array(size);
  let at = 0;
  while (rows.length) {
    const part = rows.shift();
    whole.set(part, at);
    at += part.length;
  }
  return { ...track, kind: 'track', name: name || file.name, count: size / rowBytes, rows: whole };
}

/** Returns the next zones to store, without those that the person excluded. */
let handed;
function hand({ without }) {
  if (without) handed = { at: 0, without: new Set(without) };
  const batch = [];
  for (let size = 0; handed.at < received.forms.length && size < message_bytes; handed.at++) {
    const { id, bytes } = received.forms[handed.at];
    if (handed.without.has(id)) continue;
    batch.push(encoded(bytes));
    size += bytes.length;
  }
  const bytes = encode(batch);
  return { bytes, count: batch.length, done: handed.at, whole: received.forms.length };
}

const tasks = { read, hand, ask: async ({ name, values }) => (await engine).ask(name, values) };

onmessage = async ({ data: { number, task, values } }) => {
  await spoken;
  try {
    const answer = await tasks[task](values);
    postMessage(
      { number, answer },
      [answer.bytes, answer.rows].filter((each) => each instanceof Uint8Array).map(({ buffer }) => buffer),
    );
  } catch (error) {
    postMessage({
      number,
      problem: error instanceof RangeError ? t`It is too large for the memory of this device.` : error.message,
      isFile: error instanceof FileProblem,
    });
  }
};
