// What the map knows of the place of a new zone: a name, and shapes that it can have. Offered while it is a circle still.
import { nameOfPlace, pointAt } from '../../map/streets/name-of-place.js';
import { areasAt, streetAt } from '../../map/streets/shapes-at.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { painted } from '../../scripts/page/painted.js';
import { t } from '../../scripts/words/translate.js';
import { length, span } from '../../scripts/words/words.js';

/** A zone around a building is grown by so much, and one along a street reaches so far to each side, in metres. */
const beside_m = 10;
const aside_m = 15;
/** Near a stop or a shop is so far around it; an alert before it comes so much earlier, in metres, or in seconds. */
const near_m = 150;
const before_m = 500;
const stop_m = 50;
/** On a train 500 m are over in 11 s. */
const farBefore_m = 2000;
const lead_s = 300;
const stops = new Set(['station', 'subway', 'stop', 'bus_station', 'ferry', 'airport']);
/** As the form's field has it. */
const longestName = 200;

/** Tells `change` when there is something to offer, or no longer, and `take` when a shape was taken. */
export class ZoneOffers extends EventTarget {
  element = h('div', { class: 'map-offers', hidden: true });
  #view;
  #draft;
  /** The name that the zone began with, or that was proposed: a better one may take its place. */
  #name;
  #place;

  /** @param {import('./zone-draft.js').ZoneDraft} draft of a new zone @param {string} name that it begins with: any other one was chosen */
  constructor(draft, name) {
    super();
    this.#draft = draft;
    this.#name = name;
  }

  /** From now on, with a map. */
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

  /** The place was found by its name, which is better than what the map would say. */
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
    // What was tapped is brought into view first.
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
    // The building, and what has a name around it; else the smallest there is.
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
          // A position beside the wall is still at the building.
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

  /** A stop, a station, a shop: a circle around it, or an alert before it; before a stop also farther off, or by time. */
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
