// A magnifier for dragging a point: shows the map under the finger, above the finger and at twice the size.
import { h } from '../scripts/page/dom.js';

const size_px = 96;
const above_px = 92;

export class Loupe {
  #map;
  #canvas = h('canvas', { width: size_px * 2, height: size_px * 2 });
  #element = h('div', { class: 'loupe', 'aria-hidden': 'true' }, this.#canvas);
  #at;

  /** @param map MapLibre's map. Its canvas can only be read within the event in which it was drawn. */
  constructor(map) {
    this.#map = map;
  }

  /** @param {{x: number, y: number}} point of the map, in CSS pixels from its corner */
  show(point) {
    if (!this.#at) {
      this.#map.getContainer().append(this.#element);
      this.#map.on('render', this.#draw);
    }
    this.#at = point;
    const y = point.y - above_px < size_px / 2 ? point.y + above_px : point.y - above_px;
    this.#element.style.transform = `translate(${point.x - size_px / 2}px, ${y - size_px / 2}px)`;
    this.#map.triggerRepaint();
  }

  hide() {
    this.#at = undefined;
    this.#map.off('render', this.#draw);
    this.#element.remove();
  }

  #draw = () => {
    if (!this.#at) return;
    const source = this.#map.getCanvas();
    const ratio = source.width / source.clientWidth;
    const pen = this.#canvas.getContext('2d');
    const half = size_px / 4;
    pen.clearRect(0, 0, size_px * 2, size_px * 2);
    pen.drawImage(
      source,
      (this.#at.x - half) * ratio,
      (this.#at.y - half) * ratio,
      half * 2 * ratio,
      half * 2 * ratio,
      0,
      0,
      size_px * 2,
      size_px * 2,
    );
  };
}
