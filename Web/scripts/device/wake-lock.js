// Keeps the screen on while alarms are on, because a page out of view gets no positions. Reports the battery's charge.

/** Dispatches `change` when the lock is acquired or released, and when the battery's state changes. */
export class WakeLock extends EventTarget {
  #app;
  #lock;
  #battery;
  #asking = false;

  constructor(app) {
    super();
    this.#app = app;
    app.addEventListener('change', () => this.#consider());
    app.addEventListener('settings', () => this.#consider());
    document.addEventListener('visibilitychange', () => this.#consider());
    navigator.getBattery?.().then(
      (battery) => {
        this.#battery = battery;
        for (const name of ['levelchange', 'chargingchange']) battery.addEventListener(name, () => this.#tell());
        this.#tell();
      },
      () => {},
    );
    this.#consider();
  }

  static get isPossible() {
    return 'wakeLock' in navigator;
  }
  get isWanted() {
    return this.#app.settings.keep_awake !== false;
  }
  get isHeld() {
    return Boolean(this.#lock && !this.#lock.released);
  }
  /** The battery: `{percent, charging}`; undefined if the browser does not report it. */
  get battery() {
    return this.#battery && { percent: Math.round(this.#battery.level * 100), charging: this.#battery.charging };
  }

  async #consider() {
    const should =
      WakeLock.isPossible && this.#app.report.armed && this.isWanted && document.visibilityState === 'visible';
    if (!should) {
      const lock = this.#lock;
      this.#lock = undefined;
      if (lock && !lock.released) {
        await lock.release().catch(() => {});
        this.#tell();
      }
      return;
    }
    if (this.isHeld || this.#asking) return;
    this.#asking = true;
    // The system may refuse, for instance when the battery is low; it is asked again at the next change.
    try {
      this.#lock = await navigator.wakeLock.request('screen');
      this.#lock.addEventListener('release', () => this.#tell());
    } catch {
      this.#lock = undefined;
    }
    this.#asking = false;
    this.#tell();
    // The alarms were switched off during the request.
    if (this.isHeld && !this.#app.report.armed) this.#consider();
  }

  #tell() {
    this.dispatchEvent(new CustomEvent('change'));
  }
}
