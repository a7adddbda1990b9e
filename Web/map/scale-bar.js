// The scale of the map: a round length in the person's units. It is at the upper left, on wide screens at the lower right,
// where nothing else is.
import { h } from '../scripts/page/dom.js';
import { t } from '../scripts/words/translate.js';
import { roundLength } from '../scripts/words/units.js';
import { pixel_m } from '../scripts/page/metres.js';

/** The greatest length of the bar, in pixels. */
const longest_px = 96;

const written = {
  m: (count) => t`${count} m`,
  km: (count) => t`${count} km`,
  ft: (count) => t`${count} ft`,
  mi: (count) => t`${count} mi`,
};

/** A control of MapLibre. `draw` is to be called after a change of units. */
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
