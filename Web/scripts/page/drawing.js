// Draws all changes of one moment together, in a task of its own. Drawn inside the frame, they would make one long task with
// layout and painting, and a tap would wait for all of it.

export class Drawing {
  #draw;
  #task = 0;
  #frame = 0;

  /** @param {() => void} draw */
  constructor(draw) {
    this.#draw = draw;
  }

  /** Schedules a drawing: soon, or when the page is visible again. */
  ask() {
    if (this.#task || this.#frame) return;
    if (document.visibilityState === 'visible') this.#task = setTimeout(this.#now);
    else this.#frame = requestAnimationFrame(this.#now);
  }

  /** Cancels the scheduled drawing. */
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
