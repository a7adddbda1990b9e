// Whether this device's clock was set, and when positions were measured by it.

/** Two clocks never run quite alike: less than that is no jump until it has grown, in ms. */
const grain = 1_000;

/** Compares the time of day with a clock that nobody sets. */
export class Clock {
  #now;
  #steady;
  #apart;

  /** @param {() => number} now the time of day, in ms @param {() => number} [steady] ms since any moment */
  constructor(now, steady = () => performance.now()) {
    this.#now = now;
    this.#steady = steady;
    this.#apart = now() - steady();
  }

  get steady() {
    return this.#steady();
  }

  /**
   * By how much the clock was set back since the last call, in ms: negative, or 0 where it was not. A clock that is further
   * ahead was set forward, or the computer slept, which stops the other clock in many browsers: time that passed, either way.
   */
  jump() {
    const apart = this.#now() - this.#steady();
    const by = apart - this.#apart;
    if (by < 0 && by > -grain) return 0;
    this.#apart = apart;
    return Math.min(0, Math.round(by));
  }
}

/** A position that is older than this was kept by the device, or is of another clock, in ms. */
const old = 30_000;

/**
 * When live positions were measured, by this device's clock. Their time stamps may be of a clock of their own: satellites
 * know the time, and the clock of a phone can be set.
 */
export class PositionClock {
  #offset = 0;
  #last;

  /**
   * @param {number} stamp of the position, in ms
   * @param {number} received by the time of day
   * @param {number} steady by a clock that nobody sets
   */
  measured(stamp, received, steady) {
    const last = this.#last;
    this.#last = { stamp, steady };
    const ahead = stamp + this.#offset - received;
    // Nothing is measured after it came.
    if (ahead > grain) this.#offset -= ahead;
    // One that the device had kept comes once, or all at once. Those that are as far apart as they come are live.
    else if (-ahead > old && last && this.#isLive(stamp - last.stamp, steady - last.steady)) this.#offset -= ahead;
    return Math.round(stamp + this.#offset);
  }

  #isLive(measured, arrived) {
    return measured > 0 && arrived >= 500 && Math.abs(measured - arrived) <= Math.max(grain, arrived / 10);
  }
}
