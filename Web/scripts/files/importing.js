// The page's end of `import-worker.js`: files are read in a thread of their own, and can be given up at any time.
import { decode } from '../engine/cbor.js';
import { language } from '../words/language.js';
import { t } from '../words/translate.js';
import { FileProblem } from './file-problem.js';

/**
 * A thread that ends before it has said anything is begun anew so often, each time after a longer pause: while the service
 * worker takes a page over, for a second or so, a browser may not get the thread's script.
 */
const mostStarts = 5;
const pause_ms = 200;

export class Import extends EventTarget {
  #worker;
  #starts = 0;
  #isHeard = false;
  #isOver = false;
  #waiting = new Map();
  #number = 0;

  constructor() {
    super();
    this.#start();
  }

  #start() {
    this.#starts += 1;
    this.#worker = new Worker(new URL(`./import-worker.js?language=${language()}`, import.meta.url), {
      type: 'module',
    });
    this.#worker.onmessage = ({ data }) => {
      this.#isHeard = true;
      if (data.progress) {
        this.dispatchEvent(new CustomEvent('progress', { detail: data.progress }));
        return;
      }
      const { done, failed } = this.#waiting.get(data.number) ?? {};
      this.#waiting.delete(data.number);
      if (data.problem === undefined) done?.(data.answer);
      else failed?.(data.isFile ? new FileProblem(data.problem) : new Error(data.problem));
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#worker.terminate();
      if (!this.#isHeard && this.#starts < mostStarts) setTimeout(() => this.#again(), pause_ms * this.#starts);
      else this.#fail(t`The files could not be read: the reader did not start, or ran out of memory.`);
    };
  }

  /** What was asked of the thread that did not begin is asked of the next one. */
  #again() {
    if (this.#isOver) return;
    this.#start();
    for (const [number, { task, values }] of this.#waiting) this.#worker.postMessage({ number, task, values });
  }

  #fail(text) {
    this.#isOver = true;
    this.#worker.terminate();
    for (const { failed } of this.#waiting.values()) failed(new FileProblem(text));
    this.#waiting.clear();
  }

  #do(task, values) {
    return new Promise((done, failed) => {
      const number = ++this.#number;
      this.#waiting.set(number, { done, failed, task, values });
      this.#worker.postMessage({ number, task, values });
    });
  }

  /** @returns {Promise<object>} what is in the files: counts and first rows of zones, or a track */
  read(values) {
    return this.#do('read', values);
  }
  /** Asks the engine of this thread, which keeps what was replayed. */
  ask(name, values) {
    return this.#do('ask', { name, values });
  }

  /** The zones that are to be kept, as forms, some at a time. @param {string[]} without ids that are left out */
  async *forms(without) {
    for (let part = await this.#do('hand', { without }); part.count; part = await this.#do('hand', {})) {
      yield { forms: decode(part.bytes), done: part.done, whole: part.whole };
    }
  }

  /** Ends the thread. Whoever still waits for it hears that nothing was read. */
  end() {
    this.#fail(t`Cancelled. Nothing was added.`);
  }
}
