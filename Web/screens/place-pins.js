// Places on the map as pins that are tapped: coloured while they are only found, grey once they are chosen (S204).
import { h } from '../scripts/dom.js';
import { icon } from '../scripts/icons.js';

const hold_ms = 450;
const slop_px = 8;

export class PlacePins {
  #view;
  #onchoose;
  #markers = [];
  #leave = new AbortController();

  /** @param {{onchoose: (place: object) => void, onhold: (position: {lng: number, lat: number}) => void}} what `onhold` is told where the map was held */
  constructor(view, { onchoose, onhold }) {
    this.#view = view;
    this.#onchoose = onchoose;
    this.#listen(onhold);
  }

  get center() {
    const { lat, lng } = this.#view.map.getCenter();
    return this.#view.map.getZoom() < 5 ? undefined : [lat, ((lng + 540) % 360) - 180];
  }

  show(places) {
    for (const marker of this.#markers) marker.remove();
    this.#markers = places.map((place) => {
      const { name, chosen = false, place: [latitude, longitude] } = place;
      const pin = h('button', {
        type: 'button', class: `place-pin${chosen ? ' chosen' : ''}`, 'aria-pressed': String(chosen), 'aria-label': chosen ? `${name}, chosen` : `Choose ${name}`,
        onclick: (event) => { event.stopPropagation(); this.#onchoose(place); },
      }, h('span', { class: 'pin-body' }, icon(chosen ? 'check' : 'shop', { size: 20 })), h('span', { class: 'pin-name' }, name));
      return new this.#view.library.Marker({ element: pin, anchor: 'bottom' }).setLngLat([longitude, latitude]).addTo(this.#view.map);
    });
  }

  fit(places) {
    if (places.length === 1) return this.around(places[0].place, 600);
    const latitudes = places.map(({ place }) => place[0]);
    const longitudes = places.map(({ place }) => place[1]);
    return this.#view.fit([[Math.min(...latitudes), Math.min(...longitudes)], [Math.max(...latitudes), Math.max(...longitudes)]], { margin: 56, most: 16 });
  }
  around(place, metres) { this.#view.around(place, metres); }

  /** Keeps what is shown clear of a sheet, wherever it rests. */
  cover(sheet) {
    const wide = matchMedia('(min-width: 840px)');
    const pad = () => this.#view.pad(wide.matches ? {} : { top: 72, bottom: sheet.offsetHeight });
    sheet.addEventListener('rest', pad, { signal: this.#leave.signal });
    wide.addEventListener('change', pad, { signal: this.#leave.signal });
    pad();
  }

  remove() {
    this.#leave.abort();
    for (const marker of this.#markers) marker.remove();
    this.#view.pad({});
  }

  /** Holding, and the other mouse button, are the same. */
  #listen(onhold) {
    const { map } = this.#view;
    const canvas = map.getCanvasContainer();
    const { signal } = this.#leave;
    let timer;
    let begun;
    const stop = () => clearTimeout(timer);
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return map.unproject([event.clientX - box.left, event.clientY - box.top]);
    };
    canvas.addEventListener('pointerdown', (event) => {
      stop();
      if (!event.isPrimary || event.button !== 0 || event.target.closest('button, a')) return;
      begun = event;
      timer = setTimeout(() => { navigator.vibrate?.(10); onhold(at(event)); }, hold_ms);
    }, { signal });
    canvas.addEventListener('pointermove', (event) => { if (begun && Math.hypot(event.clientX - begun.clientX, event.clientY - begun.clientY) > slop_px) stop(); }, { signal });
    for (const name of ['pointerup', 'pointercancel', 'pointerleave']) canvas.addEventListener(name, stop, { signal });
    canvas.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      stop();
      if (event.pointerType === 'mouse' && !event.target.closest('button, a')) onhold(at(event));
    }, { signal });
  }
}
