// The stream of the account's events while the page is visible: edits made elsewhere are fetched at once, and alarms of phones that
// report to the server are shown. The stream resumes where it stopped.

/**
 * Dispatches `open` and `lost` of the stream, `sealed`, `check_in`, `expected_arrival`, and `alarm` with an alarm of the account as
 * the server has it.
 */
export class Live extends EventTarget {
  #server;
  #sync;
  #stream;

  constructor(server, sync) {
    super();
    this.#server = server;
    this.#sync = sync;
    const consider = () => this.consider();
    server.addEventListener('change', consider);
    document.addEventListener('visibilitychange', consider);
    addEventListener('pagehide', () => this.#close());
    consider();
  }

  get isOpen() {
    return this.#stream?.readyState === EventSource.OPEN;
  }

  /** Opens the stream if it is wanted and not open; closes it if it is not wanted. */
  consider() {
    if (this.#server.state !== 'in' || document.visibilityState !== 'visible') return this.#close();
    if (this.#stream && this.#stream.readyState !== EventSource.CLOSED) return;
    const stream = this.#server.events();
    this.#stream = stream;
    // Fetches changes made while there was no stream.
    stream.addEventListener('open', () => {
      this.#sync.soon();
      this.dispatchEvent(new CustomEvent('open'));
    });
    stream.addEventListener('error', () => this.dispatchEvent(new CustomEvent('lost')));
    for (const kind of ['zone', 'follow', 'reminder', 'settings', 'message', 'sound', 'reset'])
      stream.addEventListener(kind, () => this.#sync.soon());
    for (const kind of ['sealed', 'check_in', 'expected_arrival'])
      stream.addEventListener(kind, () => this.dispatchEvent(new CustomEvent(kind)));
    // The account itself changed, for instance whether it is private.
    stream.addEventListener('account', () => this.#server.look());
    stream.addEventListener('alarm', ({ data }) => {
      const { alarm } = JSON.parse(data);
      if (alarm) this.dispatchEvent(new CustomEvent('alarm', { detail: alarm }));
    });
  }

  #close() {
    this.#stream?.close();
    this.#stream = undefined;
  }
}
