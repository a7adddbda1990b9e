// The Swift engine in WebAssembly: every decision is taken there. One call takes a request and gives an answer.
import { decode, encode } from './cbor.js';

/** The engine said no: `error.field` and `error.why` name what was wrong with the request. */
export class Refused extends Error {
  constructor({ field, why }) {
    super(field ? `${field}: ${why}` : why);
    this.name = 'Refused';
    this.field = field;
    this.why = why;
  }
}

export class Engine {
  #module;
  #exports;

  /** @param {Promise<Response> | Response} response of the .wasm file */
  static async load(response) {
    const engine = new Engine();
    engine.#module = await WebAssembly.compileStreaming(response);
    engine.#start();
    return engine;
  }

  /** For tests outside a browser. */
  static from(bytes) {
    const engine = new Engine();
    engine.#module = new WebAssembly.Module(bytes);
    engine.#start();
    return engine;
  }

  #start() {
    this.#exports = new WebAssembly.Instance(this.#module, {}).exports;
  }

  /**
   * @param {string} name of what is asked, as `PageEngine` lists it
   * @param {object} [values] that it takes
   * @throws {Refused}
   */
  ask(name, values = {}) {
    const request = encode({ ask: name, ...values });
    const x = this.#exports;
    let answer;
    try {
      // Addresses beyond two gigabytes come as negative numbers.
      const address = x.allocate(request.length) >>> 0;
      new Uint8Array(x.memory.buffer).set(request, address);
      let count;
      try {
        count = x.ask(address, request.length);
      } finally {
        x.release(address);
      }
      answer = decode(new Uint8Array(x.memory.buffer, x.answer() >>> 0, count).slice());
    } catch (error) {
      // A trap may leave the engine half-changed: the app must begin anew from what it has stored.
      this.#start();
      throw error;
    }
    if (answer.refused) throw new Refused(answer.refused);
    return answer;
  }
}
