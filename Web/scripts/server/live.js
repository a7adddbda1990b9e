// What happens in the account while the page is looked at: what was edited elsewhere is fetched at once, alarms of phones
// that report to the server are shown. The stream resumes where it stood.

/** Tells `open` and `lost` of the stream, `sealed`, and `alarm` with an alarm of the account, as the server has it. */
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

  /** Opens the stream where it is wanted and not there. */
  consider() {
    if (this.#server.state !== 'in' || document.visibilityState !== 'visible') return this.#close();
    if (this.#stream && this.#stream.readyState !== EventSource.CLOSED) return;
    const stream = new EventSource('/api/v1/events');
    this.#stream = stream;
    // What changed while there was no stream.
    stream.addEventListener('open', () => {
      this.#sync.soon();
      this.dispatchEvent(new CustomEvent('open'));
    });
    stream.addEventListener('error', () => this.dispatchEvent(new CustomEvent('lost')));
    for (const kind of ['zone', 'follow', 'reminder', 'settings', 'message', 'sound', 'reset'])
      stream.addEventListener(kind, () => this.#sync.soon());
    stream.addEventListener('sealed', () => this.dispatchEvent(new CustomEvent('sealed')));
    // Whether it is private, for instance.
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
