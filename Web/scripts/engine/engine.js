// The Swift engine in WebAssembly, which takes every decision. Each call sends a request and returns an answer.
import { decode, encode } from './cbor.js';

/** The engine refused a request: `error.field` and `error.why` say what is wrong with it. */
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
   * @param {string} name the request, as `PageEngine` lists it
   * @param {object} [values] its parameters
   * @throws {Refused}
   */
  ask(name, values = {}) {
    const request = encode({ ask: name, ...values });
    const x = this.#exports;
    let answer;
    try {
      // Addresses beyond two gigabytes are returned as negative numbers.
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
      // A trap may leave the engine in an inconsistent state: the app must begin again from its stored data.
      this.#start();
      throw error;
    }
    if (answer.refused) throw new Refused(answer.refused);
    return answer;
  }
}
