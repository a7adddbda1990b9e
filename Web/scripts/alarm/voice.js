// Chooses, among the armed tabs of one browser, the one that sounds, vibrates and notifies: the one that came into view last. The
// others show the alarm only. The chosen tab holds a lock; when it is closed or disarmed, the next one gets the lock.
const name = 'voice';
const isSeen = () => document.visibilityState === 'visible';

/** Dispatches `change`. */
export class Voice extends EventTarget {
  /** True if this tab is the chosen one. True until that is known, and in a browser without locks: twice is better than never. */
  isOurs = true;
  #app;
  #release;
  /** The number of the latest request, so that results of earlier ones are ignored. 0: none, as nothing is armed. */
  #turn = 0;
  #turns = 0;

  constructor(app) {
    super();
    this.#app = app;
    if (!navigator.locks) return;
    app.addEventListener('change', () => {
      if (app.report.armed !== this.#turn > 0) this.#consider();
    });
    document.addEventListener('visibilitychange', () => {
      if (app.report.armed && isSeen() !== this.isOurs) this.#consider();
    });
    if (app.report.armed) this.#consider();
  }

  #consider() {
    if (this.#app.report.armed) return this.#ask({ steal: isSeen() });
    this.#turn = 0;
    this.#release?.();
    this.#release = undefined;
    this.#become(true);
  }

  /** Requests the lock. A visible tab steals it; a hidden one, which gets no positions, lets waiting tabs go first. */
  async #ask({ steal }) {
    const turn = (this.#turn = ++this.#turns);
    const before = this.#release;
    this.#release = undefined;
    const over = navigator.locks.request(
      name,
      { steal },
      () =>
        new Promise((release) => {
          if (turn !== this.#turn) return release();
          this.#release = release;
          this.#become(true);
        }),
    );
    before?.();
    if (!steal) this.#look(turn);
    try {
      await over;
    } catch (error) {
      if (error.name !== 'AbortError') throw error;
      if (turn !== this.#turn) return;
      // Another tab came into view and took the lock.
      this.#become(false);
      this.#ask({ steal: false });
    }
  }

  async #look(turn) {
    const { held } = await navigator.locks.query();
    if (turn === this.#turn && !this.#release && held.some((lock) => lock.name === name)) this.#become(false);
  }

  #become(isOurs) {
    if (this.isOurs === isOurs) return;
    this.isOurs = isOurs;
    this.dispatchEvent(new Event('change'));
  }
}
