// All zones on the map. The engine writes them as GeoJSON in batches. The text goes to the map's worker unparsed, so that ten
// thousand zones cost the page's thread only a copy.
import { pixel_m } from '../scripts/page/metres.js';
import { zoneFilters, zoneStyle } from './zone-style.js';
import { alarmsOf, areSame, earlyPins, written } from './zone-geojson.js';

let shared;
/** Draws the app's zones on the map from now on. */
export function draw(app, view) {
  shared ??= new ZoneLayers(app, view);
  return shared;
}

/** Fires `pick` with the id of the zone whose pin was tapped, and `tap` with the place of a tap on no pin. */
export class ZoneLayers extends EventTarget {
  #app;
  #view;
  #forms = [];
  #alarms = '';
  #hidden = '';
  #selected = '';
  #urls = {};
  /** The bounds and zoom for which lines were written. */
  #drawn;
  #work = {};
  #flashing;
  #ringing = [];
  #isLaid = false;
  /** True until the base map was drawn for the first time; lines wait for that. */
  #isWaiting = true;

  constructor(app, view) {
    super();
    this.#app = app;
    this.#view = view;
    view.map.on('moveend', () => this.#refreshLines());
    view.map.on('click', (event) => this.#tapped(event));
    app.addEventListener('change', () => this.#changed());
    view.rest.addEventListener('change', () => this.#flash(this.#ringing));
    view.drawn.then(() => {
      this.#isWaiting = false;
      this.#refreshLines();
    });
    this.#changed();
  }

  /** The id of the selected zone; empty for none. */
  set selected(id) {
    this.#selected = id ?? '';
    this.#restyle();
  }
  /** The id of the zone that another layer draws at present; empty for none. */
  set hidden(id) {
    this.#hidden = id ?? '';
    this.#restyle();
  }

  #lay() {
    this.#isLaid = true;
    const categories = new Set(this.#forms.map((form) => form.category ?? ''));
    this.#view.overlay('zones', (look) =>
      zoneStyle(look, { categories, hidden: this.#hidden, selected: this.#selected }),
    );
  }

  #restyle() {
    const { map } = this.#view;
    const filters = zoneFilters({ hidden: this.#hidden, selected: this.#selected });
    for (const [layer, filter] of Object.entries(filters)) if (map.getLayer(layer)) map.setFilter(layer, filter);
  }

  /** Zones are never changed in place, so a different object is a change. */
  #changed() {
    const forms = this.#app.watched;
    const alarms = alarmsOf(this.#app);
    const same = areSame(forms, this.#forms);
    if (same && alarms === this.#alarms && this.#urls['zone-pins']) return;
    const categories = (list) => [...new Set(list.map((form) => form.category ?? ''))].sort().join('\n');
    const looksChange = !same && categories(forms) !== categories(this.#forms);
    this.#forms = forms;
    this.#alarms = alarms;
    if (looksChange || !this.#isLaid) this.#lay();
    this.#write('zone-pins', 'map_pins', {}, earlyPins(this.#app));
    this.#drawn = undefined;
    this.#refreshLines();
    this.#flash(this.#app.report.alarms.filter(({ zone }) => zone.state === 'ringing').map(({ zone }) => zone.id));
  }

  #refreshLines() {
    if (this.#isWaiting) return;
    const { map } = this.#view;
    const bounds = map.getBounds();
    const seen = {
      south: bounds.getSouth(),
      north: bounds.getNorth(),
      west: bounds.getWest(),
      east: bounds.getEast(),
      zoom: map.getZoom(),
    };
    const drawn = this.#drawn;
    if (
      drawn &&
      seen.south >= drawn.south &&
      seen.north <= drawn.north &&
      seen.west >= drawn.west &&
      seen.east <= drawn.east &&
      Math.abs(seen.zoom - drawn.zoom) < 1
    )
      return;
    const [up, across] = [(seen.north - seen.south) / 2, (seen.east - seen.west) / 2];
    const view = [
      Math.max(-90, seen.south - up),
      Math.max(-540, seen.west - across),
      Math.min(90, seen.north + up),
      Math.min(540, seen.east + across),
    ];
    this.#drawn = { south: view[0], west: view[1], north: view[2], east: view[3], zoom: seen.zoom };
    const pixel = pixel_m(map.getCenter().lat, seen.zoom);
    this.#write('zone-lines', 'map_lines', { view, tolerance_m: Math.max(0.01, pixel * 0.3), least_m: pixel * 3 });
  }

  /** A later call for the same source cancels the earlier one. */
  async #write(source, ask, values, begun) {
    const turn = (this.#work[source] = {});
    const isWanted = () => this.#work[source] === turn;
    const parts = await (begun ?? written(this.#app, ask, values, { isWanted }));
    if (!parts || !isWanted()) return;
    const former = this.#urls[source];
    this.#urls[source] = URL.createObjectURL(new Blob(parts, { type: 'application/json' }));
    this.#view.setData(source, this.#urls[source]);
    this.#work[source] = undefined;
    if (former) this.#view.map.once('idle', () => URL.revokeObjectURL(former));
    this.dispatchEvent(new CustomEvent('written', { detail: { source } }));
  }

  /**
   * Makes ringing zones flash (S54), slowly enough to be safe (WCAG 2.2, 2.3.1). They do not flash for people who prefer
   * reduced motion.
   */
  #flash(ringing) {
    this.#ringing = ringing;
    this.#view.map.getContainer().dataset.flashing = ringing.join(' ');
    clearInterval(this.#flashing);
    this.#flashing = undefined;
    if (!ringing.length || !this.#view.rest.isShown || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let isLit = false;
    this.#flashing = setInterval(() => {
      isLit = !isLit;
      if (this.#view.map.getLayer('zone-ringing'))
        this.#view.map.setPaintProperty('zone-ringing', 'fill-opacity', isLit ? 0.6 : 0.15);
    }, 500);
  }

  async #tapped(event) {
    const { map } = this.#view;
    if (this.#view.swallowsTap || !map.getLayer('zone-pin')) return;
    const { x, y } = event.point;
    // A box of 44 pixels for a finger.
    const [found] = map
      .queryRenderedFeatures(
        [
          [x - 22, y - 22],
          [x + 22, y + 22],
        ],
        { layers: ['zone-pin', 'zone-cluster'] },
      )
      .sort((a, b) => gap(map, a, event.point) - gap(map, b, event.point));
    if (found?.properties.cluster) {
      const zoom = await map.getSource('zone-pins').getClusterExpansionZoom(found.properties.cluster_id);
      map.easeTo({ center: found.geometry.coordinates, zoom: zoom + 0.2 });
    } else if (found) {
      this.dispatchEvent(new CustomEvent('pick', { detail: { id: found.properties.id } }));
    } else {
      this.dispatchEvent(new CustomEvent('tap', { detail: { place: [event.lngLat.lat, event.lngLat.wrap().lng] } }));
    }
  }
}

function gap(map, feature, point) {
  const at = map.project(feature.geometry.coordinates);
  return Math.hypot(at.x - point.x, at.y - point.y);
}
