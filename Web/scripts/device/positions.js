// The device's positions from the browser: every position while listening, and a fresh one on request.
import { fix } from '../engine/rows.js';
import { PositionClock } from './clock.js';

/** The shortest time between requests for a single position, in ms. */
const pause = 5_000;
const options = { enableHighAccuracy: true, maximumAge: 0, timeout: 30_000 };

export class Positions {
  /** `unknown`, `asking`, `granted`, `denied`, `unavailable`. */
  state = 'unknown';
  #clock;
  #steady;
  #stamps = new PositionClock();
  #taken;
  #changed;
  #watch;
  #askedAt = -Infinity;
  #later;

  /** @param {{clock: () => number, steady: () => number, taken: (fixes) => void, changed: () => void}} parts `steady` is a clock that nobody sets */
  constructor({ clock, steady, taken, changed }) {
    this.#clock = clock;
    this.#steady = steady;
    this.#taken = taken;
    this.#changed = changed;
  }

  begin() {
    if (this.#watch !== undefined) return;
    if (!navigator.geolocation) {
      this.#become('unavailable');
      return;
    }
    this.#become('asking');
    this.#watch = navigator.geolocation.watchPosition(this.#got, this.#failed, options);
  }

  end() {
    navigator.geolocation?.clearWatch(this.#watch);
    this.#watch = undefined;
    clearTimeout(this.#later);
    this.#later = undefined;
  }

  /** Requests one position, as fresh as possible, beside those that come by themselves. */
  ask() {
    if (!navigator.geolocation || this.#watch === undefined) return;
    const wait = this.#askedAt + pause - this.#steady();
    if (wait > 0) {
      this.#later ??= setTimeout(
        () => {
          this.#later = undefined;
          this.ask();
        },
        Math.min(wait, pause),
      );
      return;
    }
    this.#askedAt = this.#steady();
    navigator.geolocation.getCurrentPosition(this.#got, this.#failed, options);
  }

  #got = (position) => {
    // Ignores a position that arrives after listening has ended.
    if (this.#watch === undefined) return;
    this.state = 'granted';
    const received = this.#clock();
    this.#taken([
      { ...fix(position, received), measured: this.#stamps.measured(position.timestamp, received, this.#steady()) },
    ]);
  };

  #failed = (error) => {
    // Unavailability and timeouts come and go with reception; only a refusal by the person is permanent.
    this.#become(error.code === error.PERMISSION_DENIED ? 'denied' : 'unavailable');
  };

  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.#changed();
  }
}
