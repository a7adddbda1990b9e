// Detects changes of this device's clock, and converts the times of positions to it.

/** The smallest difference, in ms, that counts as a jump: two clocks never run exactly alike. */
const grain = 1_000;

/** Compares the time of day with a clock that is never set. */
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
   * Returns by how much the clock was set back since the last call, in ms: negative, or 0 if it was not. A jump forward counts as
   * elapsed time: the clock was set forward, or the computer slept, which stops the other clock in many browsers.
   */
  jump() {
    const apart = this.#now() - this.#steady();
    const by = apart - this.#apart;
    if (by < 0 && by > -grain) return 0;
    this.#apart = apart;
    return Math.min(0, Math.round(by));
  }
}

/** The age, in ms, from which a position was stored by the device, or has the time of another clock. */
const old = 30_000;

/**
 * Computes the time of live positions by this device's clock. Their time stamps may come from another clock: satellites know the
 * time, and the clock of a phone can be set.
 */
export class PositionClock {
  #offset = 0;
  #last;

  /**
   * @param {number} stamp the position's time stamp, in ms
   * @param {number} received the time of receipt, by the time of day
   * @param {number} steady the same, by a clock that is never set
   */
  measured(stamp, received, steady) {
    const last = this.#last;
    this.#last = { stamp, steady };
    const ahead = stamp + this.#offset - received;
    // A position cannot be measured after its receipt.
    if (ahead > grain) this.#offset -= ahead;
    // Stored positions arrive singly or all at once. Those with equal intervals of measurement and of receipt are live.
    else if (-ahead > old && last && this.#isLive(stamp - last.stamp, steady - last.steady)) this.#offset -= ahead;
    return Math.round(stamp + this.#offset);
  }

  #isLive(measured, arrived) {
    return measured > 0 && arrived >= 500 && Math.abs(measured - arrived) <= Math.max(grain, arrived / 10);
  }
}
