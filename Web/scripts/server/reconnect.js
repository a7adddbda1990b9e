// Reconnects to the server by itself: retries as long as something is unsent or the live stream is down.

const first = 2_000;
/** Longest pauses between two tries, in ms. A person who looks at the page expects the server's alarms on it. */
const longest = () => (document.visibilityState === 'visible' ? 15_000 : 60_000);

export class Reconnect {
  #server;
  #sync;
  #live;
  #pause = first;
  #timer;
  #isTrying = false;

  constructor(server, sync, live) {
    this.#server = server;
    this.#sync = sync;
    this.#live = live;
    const look = () => this.#look();
    server.addEventListener('change', look);
    sync.addEventListener('change', look);
    for (const name of ['open', 'lost']) live.addEventListener(name, look);
    const atOnce = () => this.#atOnce();
    addEventListener('online', atOnce);
    addEventListener('pageshow', atOnce);
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') atOnce();
    });
    look();
  }

  /** True if there is something to send or receive without a connection to the server. */
  get #isWanted() {
    const { state } = this.#server;
    if (state === 'offline') return true;
    return (
      state === 'in' &&
      (this.#sync.state === 'failed' ||
        this.#sync.state === 'waiting' ||
        (document.visibilityState === 'visible' && !this.#live.isOpen))
    );
  }

  #look() {
    if (!this.#isWanted) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#pause = first;
      return;
    }
    if (this.#isTrying) return;
    // A random pause, so that not all pages of a household retry at the same moment.
    this.#timer ??= setTimeout(() => this.#try(), this.#pause * (0.75 + Math.random() / 2));
  }

  #atOnce() {
    this.#pause = first;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWanted) this.#try();
  }

  async #try() {
    if (this.#isTrying) return;
    this.#timer = undefined;
    this.#isTrying = true;
    this.#pause = Math.min(longest(), this.#pause * 2);
    try {
      if (this.#server.state === 'offline') await this.#server.look();
      this.#live.consider();
      if (this.#sync.state !== 'done') await this.#sync.now();
    } catch (error) {
      console.error(error);
    } finally {
      this.#isTrying = false;
    }
    this.#look();
  }
}
