// Where the device is: a dot with a white rim, in a halo as wide as the position may be wrong. An old position is grey, with
// its age, and is asked for anew while somebody looks at the map.
import { ageOf, isOld, renewPosition } from '../scripts/device/own-position.js';
import { dayAfter, journalOf } from '../scripts/history/journal.js';
import { t } from '../scripts/words/translate.js';
import * as words from '../scripts/words/words.js';
import { discWidth } from './zone-style.js';

/** So often the age is told anew, in ms. */
const pace_ms = 5_000;

export function draw(app, view) {
  const dot = document.createElement('div');
  dot.className = 'own-position';
  // Without these it would be announced as a button.
  dot.setAttribute('role', 'img');
  const age = document.createElement('span');
  age.className = 'age number';
  dot.append(age);
  const marker = new view.library.Marker({ element: dot });
  let shown = false;
  view.overlay('position', ({ token }) => ({
    sources: { 'position-halo': { type: 'geojson', data: none } },
    layers: [
      {
        id: 'position-halo',
        type: 'fill',
        source: 'position-halo',
        paint: {
          'fill-color': ['case', ['get', 'old'], token('--ink-2'), token('--position')],
          'fill-opacity': 0.14,
        },
      },
    ],
  }));
  new RingedDot(view, marker, dot);
  // Beside screens that do not move it the map begins where one is, with the nearest zone in it; once it was moved, by
  // whomever, it is left alone.
  let isLed = true;
  let leads = false;
  view.map.on('movestart', () => {
    if (!leads) isLed = false;
  });
  const lead = ({ latitude, longitude }) => {
    if (!isLed || document.getElementById('stage').dataset.map !== 'none') return;
    // As far as the list beside it.
    const farthest = Math.max(...app.report.nearest.map(({ distance_m: away }) => Math.abs(away)));
    view.around(
      [latitude, longitude],
      Math.min(20_000, Math.max(400, 1.3 * (Number.isFinite(farthest) ? farthest : 1_000))),
    );
  };
  // While nobody knows where one is: all zones, or where one was last.
  const begin = async () => {
    if (app.report.position || document.getElementById('stage').dataset.map !== 'none') return;
    const box = boxOfZones(app);
    const last = box ? undefined : await lastPlace(app);
    if (!isLed || app.report.position) return;
    // A first look, which a position may still better.
    leads = true;
    if (box) view.fit(box, { margin: 60, most: 14 });
    else if (last) view.around(last, 2_000);
    leads = false;
  };
  const update = () => {
    const { position } = app.report;
    if (!position) {
      marker.remove();
      shown = false;
      view.setData('position-halo', none);
      return;
    }
    marker.setLngLat([position.longitude, position.latitude]);
    lead(position);
    if (!shown) {
      marker.addTo(view.map);
      shown = true;
    }
    const old = isOld(app);
    const said = old ? words.ago(ageOf(app) / 1000) : '';
    dot.classList.toggle('old', old);
    if (age.textContent !== said) age.textContent = said;
    dot.setAttribute('aria-label', old ? t`Your position, ${said}` : t`Your position`);
    view.setData('position-halo', position.accuracy_m ? halo(position, old) : none);
  };
  const isLookedAt = () =>
    document.visibilityState === 'visible' && document.getElementById('stage').dataset.map !== 'none';
  const look = () => {
    update();
    if (app.report.position && isLookedAt()) renewPosition(app).catch((error) => console.error(error));
  };
  app.addEventListener('change', update);
  addEventListener('screen', look);
  document.addEventListener('visibilitychange', look);
  setInterval(() => isOld(app) && look(), pace_ms);
  update();
  begin().catch((error) => console.error(error));
}

/** Layers of zones that the dot would cover, with the width of what they draw. */
const covered = { 'zone-pin': () => 36, 'zone-cluster': ({ point_count: count }) => discWidth(count) };
/** More than the dot and the zone's picture reach. */
const reach_px = 14;

/** Where the dot would lie on a zone's picture or on the number of a cluster, it is a ring around that. */
class RingedDot {
  #view;
  #marker;
  #dot;

  constructor(view, marker, dot) {
    this.#view = view;
    this.#marker = marker;
    this.#dot = dot;
    view.map.on('zoomstart', () => this.#draw());
    view.map.on('idle', () => this.#draw(this.#below()));
  }

  /** The picture that the dot would cover: where it is from the dot, and how wide. */
  #below() {
    const { map } = this.#view;
    const layers = Object.keys(covered).filter((layer) => map.getLayer(layer));
    if (!this.#dot.isConnected || !layers.length) return undefined;
    const { x, y } = map.project(this.#marker.getLngLat());
    const box = [
      [x - reach_px, y - reach_px],
      [x + reach_px, y + reach_px],
    ];
    return map
      .queryRenderedFeatures(box, { layers })
      .map(({ layer, properties, geometry }) => {
        const at = map.project(geometry.coordinates);
        return { offset: [at.x - x, at.y - y], width: covered[layer.id](properties) };
      })
      .filter(({ offset, width }) => Math.hypot(...offset) < width / 2 + reach_px / 2)
      .sort((a, b) => Math.hypot(...a.offset) - Math.hypot(...b.offset))[0];
  }

  #draw(below) {
    this.#dot.classList.toggle('around', Boolean(below));
    this.#dot.style.setProperty('--around', `${(below?.width ?? 0) + 14}px`);
    this.#marker.setOffset(below?.offset ?? [0, 0]);
  }
}

/** Around all zones of the app; undefined where there are none. */
export const boxOfZones = (app) =>
  boxOf(app.watched.flatMap((form) => (form.outline === 'area' ? form.parts.flat(2) : (form.places ?? []))));

/** Around all places, over the 180th meridian where that is shorter; undefined around none. */
export function boxOf(places) {
  if (!places.length) return undefined;
  const latitudes = places.map(([latitude]) => latitude);
  const longitudes = places.map(([, longitude]) => longitude).sort((a, b) => a - b);
  const gaps = longitudes.map((longitude, index) =>
    index ? longitude - longitudes[index - 1] : longitude + 360 - longitudes.at(-1),
  );
  const first = gaps.indexOf(gaps.reduce((most, gap) => Math.max(most, gap)));
  const [west, east] = [longitudes[first], longitudes.at(first - 1)];
  const [south, north] = [(a, b) => Math.min(a, b), (a, b) => Math.max(a, b)].map((of) =>
    latitudes.reduce((a, b) => of(a, b)),
  );
  return [
    [south, west],
    [north, east < west ? east + 360 : east],
  ];
}

async function lastPlace(app) {
  const journal = journalOf(app);
  const day = (await journal.days()).at(-1);
  const last = day === undefined ? undefined : (await journal.fixes(day, dayAfter(day))).at(-1);
  return last && [last.latitude, last.longitude];
}

const none = { type: 'FeatureCollection', features: [] };

// A picture, no decision: a ring of 48 points drawn flat.
function halo({ latitude, longitude, accuracy_m: radius }, old) {
  const up = radius / 111_320;
  const across = up / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  const ring = Array.from({ length: 49 }, (_, k) => [
    longitude + across * Math.cos((k * Math.PI) / 24),
    latitude + up * Math.sin((k * Math.PI) / 24),
  ]);
  return { type: 'Feature', properties: { old }, geometry: { type: 'Polygon', coordinates: [ring] } };
}
