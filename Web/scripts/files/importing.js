// The page's side of `import-worker.js`: files are read in a thread of their own, and reading can be cancelled at any time.
import { decode } from '../engine/cbor.js';
import { language } from '../words/language.js';
import { t } from '../words/translate.js';
import { FileProblem } from './file-problem.js';

export class Import extends EventTarget {
  #worker = new Worker(new URL(`./import-worker.js?language=${language()}`, import.meta.url), { type: 'module' });
  #waiting = new Map();
  #number = 0;

  constructor() {
    super();
    this.#worker.onmessage = ({ data }) => {
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
      this.#fail(t`The files could not be read: the reader did not start, or ran out of memory.`);
    };
  }

  #fail(text) {
    this.#worker.terminate();
    for (const { failed } of this.#waiting.values()) failed(new FileProblem(text));
    this.#waiting.clear();
  }

  #do(task, values) {
    return new Promise((done, failed) => {
      const number = ++this.#number;
      this.#waiting.set(number, { done, failed });
      this.#worker.postMessage({ number, task, values });
    });
  }

  /** @returns {Promise<object>} the files' content: counts and first rows of zones, or a track */
  read(values) {
    return this.#do('read', values);
  }
  /** Sends a request to the thread's engine, which keeps the replayed track. */
  ask(name, values) {
    return this.#do('ask', { name, values });
  }

  /** The zones to store, as forms, in portions. @param {string[]} without ids to leave out */
  async *forms(without) {
    for (let part = await this.#do('hand', { without }); part.count; part = await this.#do('hand', {})) {
      yield { forms: decode(part.bytes), done: part.done, whole: part.whole };
    }
  }

  /** Ends the thread. Pending requests fail with a message that nothing was added. */
  end() {
    this.#fail(t`Cancelled. Nothing was added.`);
  }
}
