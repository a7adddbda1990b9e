// A clock that can run faster than real time, be paused and be set.

export const rates = [1, 10, 60, 600];

/** Fires `time` for each new time, with `detail.from` if it advanced by playing, and `state` when playing starts or stops. */
export class Player extends EventTarget {
  from;
  to;
  time;
  rate = 60;
  #frame;
  #last;

  constructor(from, to) {
    super();
    this.from = from;
    this.to = Math.max(from, to);
    this.time = from;
  }

  get playing() {
    return this.#frame !== undefined;
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.to) this.seek(this.from);
    this.#last = undefined;
    this.#next();
    this.#tell('state');
  }

  pause() {
    if (!this.playing) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#tell('state');
  }

  seek(time) {
    this.time = Math.min(this.to, Math.max(this.from, time));
    this.#tell('time', {});
  }

  /** Advances by an amount of real time. */
  pass(milliseconds) {
    const from = this.time;
    this.time = Math.min(this.to, from + milliseconds * this.rate);
    this.#tell('time', { from });
    if (this.time >= this.to) this.pause();
  }

  #next() {
    this.#frame = requestAnimationFrame((now) => {
      this.#next();
      // A page that was suspended for a while continues where it was.
      if (this.#last !== undefined) this.pass(Math.min(1000, now - this.#last));
      this.#last = now;
    });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
