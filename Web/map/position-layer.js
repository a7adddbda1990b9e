// The own position: a dot with a white rim, in a halo as wide as the accuracy. An old position is grey, shows its age, and is
// renewed while the map is visible.
import { ageOf, isOld, renewPosition } from '../scripts/device/own-position.js';
import { dayAfter, journalOf } from '../scripts/history/journal.js';
import { t } from '../scripts/words/translate.js';
import * as words from '../scripts/words/words.js';
import { discWidth } from './zone-style.js';

/** The interval at which the age is updated, in ms. */
const pace_ms = 5_000;

export function draw(app, view) {
  const dot = document.createElement('div');
  dot.className = 'own-position';
  // Without a role and a name, screen readers would announce the marker as a button.
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
  // Beside screens that do not move the map, it shows the own position and the nearest zones, until anything else moves it.
  let isLed = true;
  let leads = false;
  view.map.on('movestart', () => {
    if (!leads) isLed = false;
  });
  const lead = ({ latitude, longitude }) => {
    if (!isLed || document.getElementById('stage').dataset.map !== 'none') return;
    // As far as the nearest zones that the list shows.
    const farthest = Math.max(...app.report.nearest.map(({ distance_m: away }) => Math.abs(away)));
    view.around(
      [latitude, longitude],
      Math.min(20_000, Math.max(400, 1.3 * (Number.isFinite(farthest) ? farthest : 1_000))),
    );
  };
  // Without a position: all zones, or the last known position.
  const begin = async () => {
    if (app.report.position || document.getElementById('stage').dataset.map !== 'none') return;
    const box = boxOfZones(app);
    const last = box ? undefined : await lastPlace(app);
    if (!isLed || app.report.position) return;
    // A position that comes later may move this first view.
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

/** Layers of zones that the dot could cover, with the width of their symbols in pixels. */
const covered = { 'zone-pin': () => 36, 'zone-cluster': ({ point_count: count }) => discWidth(count) };
/** A little more than the dot and the symbol of the zone extend, in pixels. */
const reach_px = 14;

/** A dot that becomes a ring around the symbol of a zone or cluster that it would cover. */
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

  /** The symbol that the dot would cover: its offset from the dot, and its width. */
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

/** The bounding box of all zones; undefined if there are none. */
export const boxOfZones = (app) =>
  boxOf(app.watched.flatMap((form) => (form.outline === 'area' ? form.parts.flat(2) : (form.places ?? []))));

/** The smallest bounding box of all places, across the 180th meridian if that is shorter; undefined without places. */
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

// For display only: a circle of 48 points, on a plane.
function halo({ latitude, longitude, accuracy_m: radius }, old) {
  const up = radius / 111_320;
  const across = up / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  const ring = Array.from({ length: 49 }, (_, k) => [
    longitude + across * Math.cos((k * Math.PI) / 24),
    latitude + up * Math.sin((k * Math.PI) / 24),
  ]);
  return { type: 'Feature', properties: { old }, geometry: { type: 'Polygon', coordinates: [ring] } };
}
