// The account's server as the page inside an app reaches it: at an address that the person gives, with a session's token in place
// of a cookie. The server lets the two origins of the apps read its answers (`AppOrigins` there).
import { EventReader } from './event-reader.js';

const key = 'server';
/** The pause before a broken stream is opened again, in ms, until the server names one; as browsers do. */
const retry_ms = 3000;

/** @returns {string|undefined} the origin of a server's address, or of a link to its page; HTTPS only, as the apps send nothing in clear */
export function serverAddress(text) {
  const given = text.trim();
  try {
    const { protocol, origin } = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`);
    return protocol === 'https:' ? origin : undefined;
  } catch {
    return undefined;
  }
}

export class AppServer {
  /** An origin; empty until the person has given one. */
  address = '';
  #token;
  #storage;

  /** @returns {Promise<AppServer>} as it was kept */
  static async recall(storage) {
    const server = new AppServer();
    server.#storage = storage;
    await storage.arrived;
    const { address = '', token } = await storage.kept(key, {});
    server.address = address;
    server.#token = token;
    return server;
  }

  get hasToken() {
    return this.#token !== undefined;
  }

  /** Takes another address, or none. A token is never sent to another server than that which gave it. */
  move(address) {
    this.address = address;
    return this.take(undefined);
  }

  /** Takes the token of a session that has begun, or undefined when it is over. */
  take(token) {
    this.#token = token;
    return this.#storage.keep(key, { address: this.address, token });
  }

  /** As the global one, for a path of the server. A redirect is an error: the token is for this server alone. */
  async fetch(path, { headers, ...how } = {}) {
    if (!this.address) throw new TypeError();
    return fetch(this.address + path, {
      ...how,
      headers: this.#token ? { ...headers, authorization: `Bearer ${this.#token}` } : headers,
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
  }

  /** The stream of the account's events. */
  events() {
    return new TokenStream(this);
  }
}

/** Reads events as `EventSource` does, which cannot send a token: it opens a broken stream again where it stopped. */
class TokenStream extends EventTarget {
  readyState = EventSource.CONNECTING;
  #server;
  #ending = new AbortController();
  #reader = new EventReader();
  #timer;

  constructor(server) {
    super();
    this.#server = server;
    this.#open();
  }

  close() {
    this.readyState = EventSource.CLOSED;
    clearTimeout(this.#timer);
    this.#ending.abort();
  }

  async #open() {
    // As for an `EventSource`, an answer that refuses is final; whoever listens decides when to ask again.
    let isRefused = false;
    try {
      const answer = await this.#server.fetch(`/api/v1/events${this.#place}`, {
        headers: { accept: 'text/event-stream' },
        signal: this.#ending.signal,
      });
      isRefused = !answer.ok;
      if (answer.ok) await this.#read(answer.body);
    } catch {
      // The connection broke, or the stream was closed.
    }
    if (this.#ending.signal.aborted) return;
    this.readyState = isRefused ? EventSource.CLOSED : EventSource.CONNECTING;
    if (!isRefused) this.#timer = setTimeout(() => this.#open(), this.#reader.retry ?? retry_ms);
    this.dispatchEvent(new Event('error'));
  }

  async #read(body) {
    this.readyState = EventSource.OPEN;
    this.dispatchEvent(new Event('open'));
    this.#reader.begin();
    for (const chunks = body.getReader(); ;) {
      const { value, done } = await chunks.read();
      if (done || this.#ending.signal.aborted) return;
      for (const { type, data } of this.#reader.take(value)) this.dispatchEvent(new MessageEvent(type, { data }));
    }
  }

  /** The query that names the event read last; ids are `EPOCH-CURSOR`. */
  get #place() {
    const [, epoch, after] = /^([^-]+)-(\d+)$/.exec(this.#reader.last) ?? [];
    return after === undefined ? '' : `?${new URLSearchParams({ epoch, after })}`;
  }
}
