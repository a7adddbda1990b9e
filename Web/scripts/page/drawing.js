// Drawing what has changed: once for all that changes at once, and in a task of its own. Done in the frame, it would make one
// long task with the layout and the painting that follow, and a tap would wait for all of them.

export class Drawing {
  #draw;
  #task = 0;
  #frame = 0;

  /** @param {() => void} draw */
  constructor(draw) {
    this.#draw = draw;
  }

  /** Draws soon; a page that is not in front, when it is there again. */
  ask() {
    if (this.#task || this.#frame) return;
    if (document.visibilityState === 'visible') this.#task = setTimeout(this.#now);
    else this.#frame = requestAnimationFrame(this.#now);
  }

  /** What was asked for is not wanted any more, or has been done. */
  drop() {
    clearTimeout(this.#task);
    cancelAnimationFrame(this.#frame);
    this.#task = this.#frame = 0;
  }

  #now = () => {
    this.drop();
    this.#draw();
  };
}
