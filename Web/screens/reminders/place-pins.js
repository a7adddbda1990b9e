// Places as pins on the map: coloured if only found, grey once selected (S204).
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { onLongPress } from '../../map/long-press.js';
import { t } from '../../scripts/words/translate.js';

export class PlacePins {
  #view;
  #onchoose;
  #markers = [];
  #leave = new AbortController();
  #release;

  /**
   * @param {{onchoose: (place: object) => void, onhold: (place: [number, number]) => void}} what `onhold` is called with the
   *   place of a long press
   */
  constructor(view, { onchoose, onhold }) {
    this.#view = view;
    this.#onchoose = onchoose;
    this.#release = onLongPress(view, onhold);
  }

  get center() {
    const { lat, lng } = this.#view.map.getCenter();
    return this.#view.map.getZoom() < 5 ? undefined : [lat, ((lng + 540) % 360) - 180];
  }

  show(places) {
    for (const marker of this.#markers) marker.remove();
    this.#markers = places.map((place) => {
      const {
        name,
        chosen = false,
        place: [latitude, longitude],
      } = place;
      const pin = h(
        'button',
        {
          type: 'button',
          class: `place-pin${chosen ? ' chosen' : ''}`,
          'aria-pressed': String(chosen),
          'aria-label': chosen ? t`${name}, chosen` : t`Choose ${name}`,
          onclick: (event) => {
            event.stopPropagation();
            this.#onchoose(place);
          },
        },
        h('span', { class: 'pin-body' }, icon(chosen ? 'check' : 'shop', { size: 20 })),
        h('span', { class: 'pin-name' }, name),
      );
      return new this.#view.library.Marker({ element: pin, anchor: 'bottom' })
        .setLngLat([longitude, latitude])
        .addTo(this.#view.map);
    });
  }

  fit(places) {
    if (places.length === 1) return this.around(places[0].place, 600);
    const latitudes = places.map(({ place }) => place[0]);
    const longitudes = places.map(({ place }) => place[1]);
    return this.#view.fit(
      [
        [Math.min(...latitudes), Math.min(...longitudes)],
        [Math.max(...latitudes), Math.max(...longitudes)],
      ],
      { margin: 56, most: 16 },
    );
  }
  around(place, metres) {
    this.#view.around(place, metres);
  }

  /** Keeps the pins clear of a sheet, whatever its height. */
  cover(sheet) {
    const wide = matchMedia('(min-width: 768px)');
    const pad = () => this.#view.pad(wide.matches ? {} : { top: 72, bottom: sheet.offsetHeight });
    sheet.addEventListener('rest', pad, { signal: this.#leave.signal });
    wide.addEventListener('change', pad, { signal: this.#leave.signal });
    pad();
  }

  remove() {
    this.#leave.abort();
    this.#release();
    for (const marker of this.#markers) marker.remove();
    this.#view.pad({});
  }
}
