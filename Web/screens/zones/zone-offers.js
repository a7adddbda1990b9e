// Proposals for a new zone from the map: a name, and shapes. Shown while the zone is still a circle.
import { nameOfPlace, pointAt } from '../../map/streets/name-of-place.js';
import { areasAt, streetAt } from '../../map/streets/shapes-at.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { painted } from '../../scripts/page/painted.js';
import { t } from '../../scripts/words/translate.js';
import { length, span } from '../../scripts/words/words.js';

/** The margin around a building, and the distance to each side of a street, in metres. */
const beside_m = 10;
const aside_m = 15;
/**
 * The radius for "near" a stop or a shop, the distance of an alert before it, and the radius of a zone with such an alert, in
 * metres.
 */
const near_m = 150;
const before_m = 500;
const stop_m = 50;
/** On a train 500 m take 11 s. In metres and seconds. */
const farBefore_m = 2000;
const lead_s = 300;
const stops = new Set(['station', 'subway', 'stop', 'bus_station', 'ferry', 'airport']);
/** The limit of the form's field. */
const longestName = 200;

/** Fires `change` when proposals appear or disappear, and `take` when one was accepted. */
export class ZoneOffers extends EventTarget {
  element = h('div', { class: 'map-offers', hidden: true });
  #view;
  #draft;
  /** The initial or the last proposed name, which a better one may replace; undefined if the name is final. */
  #name;
  #place;

  /**
   * @param {import('./zone-draft.js').ZoneDraft} draft of a new zone @param {string} name the initial one; any other was typed
   */
  constructor(draft, name) {
    super();
    this.#draft = draft;
    this.#name = name;
  }

  /** Starts, once there is a map. */
  begin(view) {
    this.#view = view;
    this.#draft.addEventListener('change', this.#look);
    this.#look();
  }

  remove() {
    this.#draft.removeEventListener('change', this.#look);
    this.#place = undefined;
  }

  get isShown() {
    return !this.element.hidden;
  }

  /** Sets a place that was found by name; the map's own name for it would be worse. */
  named(name, place) {
    this.#propose(name);
    this.#name = undefined;
    this.#found = { name, place };
    this.#place = undefined;
    if (this.#view) this.#look();
  }
  #found;

  #look = async () => {
    const { isLoose, places } = this.#draft;
    const [place] = places;
    if (!isLoose) {
      this.#place = undefined;
      this.#show([]);
      return;
    }
    if (place === this.#place) return;
    this.#place = place;
    // The map moves to the tapped place first.
    await painted();
    await this.#view.idle();
    if (this.#place !== place) return;
    const name = nameOfPlace(this.#view, place);
    if (name) this.#propose(name);
    this.#show(this.#shapes(place));
  };

  #propose(name) {
    if (this.#name === undefined || this.#draft.form.name !== this.#name) return;
    this.#name = name.slice(0, longestName);
    this.#draft.propose({ name: this.#name });
  }

  #shapes(place) {
    const areas = areasAt(this.#view, place);
    // The building, and the smallest named area around it; without a building, the smallest area.
    const building = areas.find(({ isBuilding }) => isBuilding) ?? areas[0];
    const around = areas.find((area) => area !== building && area.name);
    const street = streetAt(this.#view, place);
    const isFound = this.#found?.place.every((degrees, index) => degrees === place[index]);
    const drawn = pointAt(this.#view, place);
    const stop = isFound ? { kind: drawn?.kind, ...this.#found } : drawn;
    return [
      ...(stop ? this.#around(stop) : []),
      ...[building, around].filter(Boolean).map(({ called, name, isBuilding, places }) =>
        this.#offer(t`Around ${called}`, 'area', name, {
          outline: 'locations',
          places,
          // A position beside a wall counts as at the building.
          inset_m: isBuilding ? -beside_m : 0,
        }),
      ),
      ...(street
        ? [
            this.#offer(t`Along ${street.name}`, 'path', street.name, {
              outline: 'path',
              places: street.places,
              size_m: aside_m,
            }),
          ]
        : []),
    ];
  }

  /**
   * Proposals for a stop, a station or a shop: a circle around it, or an alert before it. For a stop, also an earlier alert, by
   * distance or by time.
   */
  #around({ name, kind, place }) {
    const circle = { outline: 'locations', places: [place], inset_m: 0 };
    const before = (label, more) =>
      this.#offer(label, 'bell', name, { ...circle, size_m: stop_m, alert_distance_m: 0, lead_s: undefined, ...more });
    return [
      this.#offer(t`Near ${name}`, 'position', name, {
        ...circle,
        size_m: near_m,
        alert_distance_m: 0,
        lead_s: undefined,
      }),
      before(t`${length(before_m)} before ${name}`, { alert_distance_m: before_m }),
      ...(kind === undefined || stops.has(kind)
        ? [
            before(t`${length(farBefore_m)} before ${name}`, { alert_distance_m: farBefore_m }),
            before(t`${span(lead_s)} before ${name}`, { lead_s }),
          ]
        : []),
    ];
  }

  #offer(label, picture, name, shape) {
    return h(
      'button',
      {
        type: 'button',
        class: 'chip',
        onclick: () => {
          const isNamed = this.#draft.form.name !== this.#name;
          this.#draft.change({ ...shape, ...(name && !isNamed && { name: name.slice(0, longestName) }) });
          this.dispatchEvent(new Event('take'));
        },
      },
      icon(picture, { size: 20 }),
      h('span', {}, label),
    );
  }

  #show(offers) {
    if (!offers.length && !this.isShown) return;
    this.element.replaceChildren(...offers);
    this.element.hidden = offers.length === 0;
    this.dispatchEvent(new Event('change'));
  }
}
