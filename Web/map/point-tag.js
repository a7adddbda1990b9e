// The tag of a tapped point: the name of the zone, the number of the point, and a button for its actions (S71).
import { h, update } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { t } from '../scripts/words/translate.js';
import { toMap } from './map-view.js';

export class PointTag {
  #marker;
  #element;

  /** @param {() => void} onopen called for a tap on the tag */
  constructor(onopen) {
    this.#element = h('button', {
      type: 'button',
      class: 'callout point-tag',
      'aria-haspopup': 'dialog',
      onclick: (event) => {
        event.stopPropagation();
        onopen();
      },
    });
  }

  /** @param {[number, number]} place @param {number} number of the point, from 1 */
  show(view, place, name, number) {
    this.#marker ??= new view.library.Marker({ element: this.#element, anchor: 'bottom', offset: [0, -26] });
    this.#element.setAttribute('aria-label', t`${t`${name}, point ${number}`}: actions`);
    update(
      this.#element,
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline' }, name),
        h('span', { class: 'footnote number' }, t`Point ${number}`),
      ),
      icon('forward', { size: 20 }),
    );
    this.#marker.setLngLat(toMap(place));
    if (!this.#element.isConnected) this.#marker.addTo(view.map);
  }

  remove() {
    this.#marker?.remove();
  }
}
