// How long a stretch of the map is on the ground: a round number in the person's units. It stands where nothing else is, at
// the map's upper left, on wide screens at its lower right.
import { h } from '../scripts/page/dom.js';
import { t } from '../scripts/words/translate.js';
import { roundLength } from '../scripts/words/units.js';
import { pixel_m } from '../scripts/page/metres.js';

/** The bar is at most so long, in pixels. */
const longest_px = 96;

const written = {
  m: (count) => t`${count} m`,
  km: (count) => t`${count} km`,
  ft: (count) => t`${count} ft`,
  mi: (count) => t`${count} mi`,
};

/** A control of MapLibre's; `draw` is for when the units have changed. */
export class ScaleBar {
  #map;
  #words = h('span', { class: 'number' });
  #element = h('div', { class: 'maplibregl-ctrl scale-bar', 'aria-hidden': 'true' }, this.#words);

  onAdd(map) {
    this.#map = map;
    map.on('move', this.draw);
    this.draw();
    return this.#element;
  }
  onRemove() {
    this.#map.off('move', this.draw);
    this.#element.remove();
  }

  draw = () => {
    const one_m = pixel_m(this.#map.getCenter().lat, this.#map.getZoom());
    const { count, unit, metres } = roundLength(one_m * longest_px);
    const text = written[unit](count);
    if (this.#words.textContent !== text) this.#words.textContent = text;
    this.#element.style.width = `${(metres / one_m).toFixed(1)}px`;
  };
}
