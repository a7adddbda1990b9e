// The wire format of server-sent events (HTML standard, 9.2.6), for streams that are fetched.

export class EventReader {
  /** The id of the last event, which outlives the stream. */
  last = '';
  /** The pause in milliseconds that the server asks for before its stream is opened again. */
  retry;
  #decoder;
  #held;
  #type;
  #data;
  #id;

  constructor() {
    this.begin();
  }

  /** Begins a stream: what the former one left unfinished is dropped. */
  begin() {
    this.#decoder = new TextDecoder();
    this.#held = '';
    this.#id = this.last;
    this.#clear();
  }

  /** @param {Uint8Array} bytes @returns {{type: string, data: string}[]} the events that they complete */
  take(bytes) {
    this.#held += this.#decoder.decode(bytes, { stream: true });
    const events = [];
    // A CR at the end may be half of a CRLF.
    const lines = this.#held.split(/\r\n|\n|\r(?!$)/);
    this.#held = lines.pop();
    for (const line of lines) {
      if (line) this.#field(line);
      else {
        this.last = this.#id;
        if (this.#data.length) events.push({ type: this.#type || 'message', data: this.#data.join('\n') });
        this.#clear();
      }
    }
    return events;
  }

  #clear() {
    this.#type = '';
    this.#data = [];
  }

  #field(line) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
    if (name === 'event') this.#type = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retry = Number(value);
  }
}
