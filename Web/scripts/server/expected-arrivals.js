// By when the account's phones are expected at a zone. The server keeps it, and rings if one has not arrived.
import { serverOf } from './server.js';
import { liveOf } from './signed-in.js';
import { syncOf } from './sync.js';

/** The expected arrivals of a zone, as the server has them until `end`. Dispatches `change`. */
export class ExpectedArrivals extends EventTarget {
  /** Undefined while they are not known. */
  items;
  /** The account's phones. */
  phones = [];
  /** The reason why the server could not be asked. */
  problem;
  #app;
  #server;
  #zone;
  #looks = 0;
  /** The last look. */
  #latest;
  #life = new AbortController();

  /** @param {string|undefined} zone the id; undefined for a zone that is not saved yet */
  constructor(app, zone) {
    super();
    this.#app = app;
    this.#server = serverOf(app);
    this.#zone = zone;
    const { signal } = this.#life;
    const look = () => this.look();
    this.#server.addEventListener('change', look, { signal });
    liveOf(app).then((stream) => {
      for (const event of ['expected_arrival', 'open']) stream.addEventListener(event, look, { signal });
    });
    this.look();
  }

  /** True on a page of an account that the server may keep places of. */
  get isOffered() {
    return this.#server.signedIn && !this.#server.account?.is_private;
  }

  /** Asks the server. If it does not answer, what is known stays. Ends when the last look has its answer. */
  look() {
    this.#latest = this.#look(++this.#looks);
    return this.#latest;
  }

  async #look(mine) {
    const found = { items: undefined, phones: [], problem: undefined };
    if (this.isOffered && this.#zone) {
      try {
        const [{ items }, { items: phones }] = await Promise.all([
          this.#server.ask('GET', '/expected-arrivals'),
          this.#server.ask('GET', '/devices'),
        ]);
        Object.assign(found, { items: items.filter(({ zone_id: zone }) => zone === this.#zone), phones });
      } catch (error) {
        Object.assign(found, { items: this.items, phones: this.phones, problem: error.message });
      }
    }
    if (this.#life.signal.aborted) return;
    if (mine !== this.#looks) return this.#latest;
    Object.assign(this, found);
    this.dispatchEvent(new Event('change'));
  }

  /** @param {string} key the same for each attempt to add the same: it is added once */
  async add(wanted, key) {
    const sync = await syncOf(this.#app);
    // A zone that was saved just now.
    if (sync.waiting) await sync.now();
    const body = { zone_id: this.#zone, ...wanted };
    return this.#send('POST', '', body, { headers: { 'Idempotency-Key': key } });
  }
  edit = (id, changes) => this.#send('PATCH', `/${id}`, changes);
  remove = (id) => this.#send('DELETE', `/${id}`);

  async #send(method, path, body, how) {
    try {
      await this.#server.ask(method, `/expected-arrivals${path}`, body, how);
    } catch (error) {
      // The list may be out of date.
      this.look();
      throw error;
    }
    await this.look();
  }

  end() {
    this.#life.abort();
  }
}
