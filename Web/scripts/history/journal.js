// The device's own history: every position it was given, in pieces, and the alarms' events, by day. It stays on this device and
// is deleted after ninety days, or when the person asks for it.
import { fromPiece, rows, width } from '../engine/rows.js';

const pieceLength = 30;
const pieceTime_ms = 10_000;
export const keptDays = 90;
const day_ms = 86_400_000;

export class Journal {
  #app;
  #fixes = [];
  #timer;
  #writing = Promise.resolve();

  constructor(app) {
    this.#app = app;
    app.addEventListener('fixes', ({ detail }) => this.#add(detail));
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.flush();
    });
    addEventListener('pagehide', () => this.flush());
    this.#writing = this.#forgetOld().catch((error) => console.error(error));
  }

  #add(fixes) {
    this.#fixes.push(...fixes);
    if (this.#fixes.length >= pieceLength) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), pieceTime_ms);
  }

  /** Writes the gathered positions. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const fixes = this.#fixes;
    this.#fixes = [];
    if (fixes.length) {
      const times = fixes.map((fix) => fix.measured);
      // Two pieces may begin in the same millisecond: a fraction keeps them apart.
      const [from, until] = [Math.min(...times), Math.max(...times)];
      const piece = { measured: from + Math.random() / 2, until, rows: rows(fixes), width };
      this.#writing = this.#writing
        .then(() => this.#app.storage.put('fixes', piece))
        .catch((error) => console.error(error));
    }
    return this.#writing;
  }

  /** Fixes measured in [from, to), in the order of time. */
  async fixes(from, to) {
    await this.flush();
    // A piece may begin before `from`, by no more than the page was open in one go.
    const pieces = await this.#app.storage.range('fixes', from - day_ms, to);
    return pieces
      .filter((piece) => piece.until >= from)
      .flatMap(fromPiece)
      .filter(({ measured }) => measured >= from && measured < to)
      .sort((a, b) => a.measured - b.measured);
  }

  /** The events in [from, to), as the engine reported them at the time, with people's answers. */
  async events(from, to) {
    const found = await this.#app.storage.range('events', `${from}`, `${to}`);
    return found
      .filter(({ time_ms: at }) => at >= from && at < to)
      .sort((a, b) => a.time_ms - b.time_ms || a.decided_ms - b.decided_ms);
  }

  /** The local midnights that begin days with stored data, in ascending order. */
  async days() {
    await this.flush();
    const [pieces, events] = await Promise.all([this.#app.storage.keys('fixes'), this.#app.storage.keys('events')]);
    const days = new Set([...pieces, ...events.map((key) => parseInt(key, 10))].map(dayOf));
    return [...days].sort((a, b) => a - b);
  }

  /** The time of the last position; 0 if none is kept. */
  async last() {
    await this.flush();
    // Tries short ranges first: there may be much data.
    for (const days of [1, 10, keptDays + 1]) {
      const pieces = await this.#app.storage.range('fixes', this.#app.now - days * day_ms, Infinity);
      if (pieces.length) return Math.max(...pieces.map(({ until }) => until));
    }
    return 0;
  }

  async clear() {
    this.#fixes = [];
    await this.#app.storage.clear('fixes');
    await this.#app.storage.clear('events');
  }

  async #forgetOld() {
    const before = this.#app.now - keptDays * day_ms;
    await this.#app.storage.removeRange('fixes', 0, before);
    await this.#app.storage.removeRange('events', '0', `${before}`);
  }
}

/** The local midnight before an instant. */
export function dayOf(milliseconds) {
  const day = new Date(milliseconds);
  day.setHours(0, 0, 0, 0);
  return day.getTime();
}
/** The local midnight `days` days later: days are not always 24 h long. */
export function dayAfter(day, days = 1) {
  const next = new Date(day);
  next.setDate(next.getDate() + days);
  return next.getTime();
}

let shared;
export function journalOf(app) {
  shared ??= new Journal(app);
  return shared;
}
