// A journey on the map: the past path solid, the rest dotted, alarms as badges, the phone as a dot.
import { h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { t } from '../scripts/words/translate.js';

const none = { type: 'FeatureCollection', features: [] };
const line = (coordinates) =>
  coordinates.length > 1 ? { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } } : none;
const mostBadges = 150;
const pause_ms = 150;

/** Draws a journey until `remove` is called. */
export class JourneyLayers {
  #view;
  #journey;
  #dot = h('div', { class: 'own-position replayed', role: 'img', 'aria-label': t`The phone at the time shown` });
  #marker;
  #badges = [];
  #time;
  #later;

  constructor(view, journey) {
    this.#view = view;
    this.#journey = journey;
    const round = { 'line-cap': 'round', 'line-join': 'round' };
    view.overlay('journey', ({ token }) => ({
      sources: { 'journey-before': { type: 'geojson', data: none }, 'journey-after': { type: 'geojson', data: none } },
      layers: [
        {
          id: 'journey-after',
          type: 'line',
          source: 'journey-after',
          layout: round,
          paint: {
            'line-color': token('--primary'),
            'line-width': 5,
            'line-opacity': 0.5,
            'line-dasharray': [0.1, 1.9],
          },
        },
        {
          id: 'journey-casing',
          type: 'line',
          source: 'journey-before',
          layout: round,
          paint: { 'line-color': token('--surface'), 'line-width': 9 },
        },
        {
          id: 'journey-before',
          type: 'line',
          source: 'journey-before',
          layout: round,
          paint: { 'line-color': token('--primary'), 'line-width': 5 },
        },
      ],
    }));
    this.#marker = new view.library.Marker({ element: this.#dot });
  }

  /**
   * Replaces the badges of the journey.
   * @param {{time: number, place: number[], kind: string, picture: string, name: string}[]} badges
   * @param {(badge) => void} chosen
   */
  mark(badges, chosen) {
    for (const marker of this.#badges) marker.remove();
    this.#badges = badges
      .filter(({ place }) => place)
      .slice(0, mostBadges)
      .map((badge) => {
        const element = h(
          'button',
          {
            type: 'button',
            class: `badge ${badge.kind}`,
            'aria-label': badge.name,
            onclick: (event) => {
              event.stopPropagation();
              chosen(badge);
            },
          },
          icon(badge.picture, { size: 20 }),
        );
        return new this.#view.library.Marker({ element })
          .setLngLat([badge.place[1], badge.place[0]])
          .addTo(this.#view.map);
      });
  }

  /** Moves the dot with every frame, and the lines only a few times a second, as the map has to cut them into tiles again. */
  show(time) {
    this.#time = time;
    const { place } = this.#journey.at(time);
    this.#marker.setLngLat([place[1], place[0]]).addTo(this.#view.map);
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      this.#showLines();
    }, pause_ms);
  }

  #showLines() {
    const { before, after } = this.#journey.lines(this.#time);
    this.#view.setData('journey-before', line(before));
    this.#view.setData('journey-after', line(after));
  }

  fit() {
    this.#view.fit(this.#journey.box, { margin: 60, most: 16 });
  }

  remove() {
    clearTimeout(this.#later);
    this.#view.remove('journey');
    this.#marker.remove();
    for (const marker of this.#badges) marker.remove();
    this.#badges = [];
  }
}
