// The handle on the edge of a circle that is being edited. Dragging it, or pressing keys, changes the radius.
import { toMap } from './map-view.js';
import { noFlick } from '../parts/no-flick.js';
import { h } from '../scripts/page/dom.js';
import { apart_m } from '../scripts/page/metres.js';
import * as words from '../scripts/words/words.js';
import { t } from '../scripts/words/translate.js';

/** The smallest circle, in pixels, with room for the handle beside its center. */
const least_px = 44;

export class CircleEdge {
  #ask;
  #view;
  #draft;
  #limits;
  #standard;
  #marker;
  #drag;
  #isShown = true;
  #label = h('span', { class: 'edge-label number', 'aria-hidden': 'true' });
  #element = h(
    'button',
    {
      type: 'button',
      class: 'circle-edge',
      role: 'slider',
      'aria-label': t`Radius on the map`,
      onkeydown: (event) => this.#key(event),
    },
    h('span', { class: 'edge-grip' }),
    this.#label,
  );

  /**
   * @param {{app, view, draft, limits: [number, number], standard: number}} what
   *   `standard` is the radius in metres for a circle that has none
   */
  constructor({ app, view, draft, limits, standard }) {
    this.#ask = (what, values) => app.ask(what, values);
    this.#view = view;
    this.#draft = draft;
    this.#limits = limits;
    this.#standard = standard;
    this.#marker = new view.library.Marker({ element: this.#element });
    this.#catch();
    view.map.on('zoom', this.draw);
    this.draw();
  }

  remove() {
    this.#view.map.off('zoom', this.draw);
    this.#marker.remove();
  }

  set isShown(isShown) {
    this.#isShown = isShown;
    this.draw();
  }

  get #size_m() {
    return this.#draft.form.size_m ?? this.#standard;
  }

  draw = () => {
    const { form, places, missing, drawing } = this.#draft;
    const isCircle = form.outline === 'locations' && places.length === 1 && !missing && !drawing.refused_zone;
    const at = this.#isShown && isCircle && this.#edge(places[0]);
    if (!at) {
      this.#marker.remove();
      return;
    }
    const [middle, edge] = [places[0], at].map((place) => this.#view.map.project(toMap(place)));
    if (!this.#drag && Math.hypot(middle.x - edge.x, middle.y - edge.y) < least_px) {
      this.#marker.remove();
      return;
    }
    const said = words.length(this.#size_m);
    this.#label.textContent = said;
    const [least, most] = this.#limits;
    for (const [name, value] of Object.entries({
      valuemin: least,
      valuemax: most,
      valuenow: this.#size_m,
      valuetext: said,
    }))
      this.#element.setAttribute(`aria-${name}`, String(value));
    this.#marker.setLngLat(toMap(at));
    if (!this.#element.isConnected) this.#marker.addTo(this.#view.map);
  };

  /** The point of the edge to the east of the center; undefined if that is not on the map. */
  #edge(place) {
    try {
      return this.#ask('shift', { place, north_m: 0, east_m: this.#size_m }).place;
    } catch (error) {
      if (!error.field) throw error;
      return undefined;
    }
  }

  /** Rounds a radius to a step that suits its size, within the limits. */
  #rounded(metres) {
    const step = metres < 100 ? 1 : metres < 500 ? 5 : metres < 2000 ? 10 : 50;
    const [least, most] = this.#limits;
    return Math.min(most, Math.max(least, Math.round(metres / step) * step));
  }

  #catch() {
    const element = this.#element;
    // A drag of the edge must not pan the map.
    for (const name of ['mousedown', 'touchstart', 'dblclick', 'click'])
      element.addEventListener(name, (event) => event.stopPropagation(), { passive: true });
    noFlick(element);
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || this.#drag) return;
      element.setPointerCapture(event.pointerId);
      const edge = this.#view.map.project(this.#marker.getLngLat());
      const { left, top } = this.#view.map.getCanvas().getBoundingClientRect();
      this.#drag = {
        pointer: event.pointerId,
        dx: edge.x - (event.clientX - left),
        dy: edge.y - (event.clientY - top),
      };
      element.classList.add('lifted');
    });
    element.addEventListener('pointermove', (event) => {
      const drag = this.#drag;
      if (!drag || drag.pointer !== event.pointerId) return;
      const { left, top } = this.#view.map.getCanvas().getBoundingClientRect();
      const at = this.#view.map.unproject([event.clientX - left + drag.dx, event.clientY - top + drag.dy]);
      drag.size_m = this.#rounded(apart_m(this.#draft.places[0], [at.lat, at.lng]));
      // At most one redraw per frame.
      drag.frame ??= requestAnimationFrame(() => {
        drag.frame = undefined;
        if (this.#drag === drag) this.#draft.preview({ size_m: drag.size_m });
      });
    });
    const end = (event, keeps) => {
      const drag = this.#drag;
      if (!drag || drag.pointer !== event.pointerId) return;
      cancelAnimationFrame(drag.frame);
      this.#drag = undefined;
      element.classList.remove('lifted');
      if (keeps && drag.size_m !== undefined) this.#draft.change({ size_m: drag.size_m });
      else this.#draft.abandon();
    };
    element.addEventListener('pointerup', (event) => end(event, true));
    element.addEventListener('pointercancel', (event) => end(event, false));
    element.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  #key(event) {
    const sign = { ArrowUp: 1, ArrowRight: 1, PageUp: 1, ArrowDown: -1, ArrowLeft: -1, PageDown: -1 }[event.key];
    if (!sign) return;
    event.preventDefault();
    event.stopPropagation();
    const size = this.#size_m;
    const step = (event.key.startsWith('Page') ? 10 : 1) * (size < 100 ? 1 : size < 500 ? 5 : size < 2000 ? 10 : 50);
    this.#draft.change({ size_m: this.#rounded(size + sign * step) });
  }
}
