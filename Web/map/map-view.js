// The one map of the page. Phones show it behind map screens, wide screens always at the right; it is loaded when it is
// first wanted and lives on while screens come and go. Places are [latitude, longitude], as everywhere but in GeoJSON.
import { baseStyle } from './base-style.js';
import { restWhileHidden } from './map-rest.js';
import { h } from '../scripts/dom.js';

let shared;
/** @returns {Promise<MapView>} the same one for every screen */
export function mapView(app) {
  shared ??= load(app).catch((error) => { shared = undefined; throw error; });
  return shared;
}

export const toMap = ([latitude, longitude]) => [longitude, latitude];
export const fromMap = ({ lng, lat }) => [lat, lng];

async function load(app) {
  document.head.append(h('link', { rel: 'stylesheet', href: 'vendor/maplibre-gl.css' }));
  await Promise.all([script('vendor/maplibre-gl.js'), script('vendor/pmtiles.js')]);
  const { maplibregl, pmtiles } = globalThis;
  maplibregl.addProtocol('pmtiles', new pmtiles.Protocol().tile);
  return new MapView(maplibregl, app, document.getElementById('map'));
}

const script = (src) => new Promise((done, failed) => {
  document.head.append(h('script', { src, onload: done, onerror: () => failed(new Error(`the map could not be loaded: ${src}`)) }));
});

export class MapView extends EventTarget {
  /** MapLibre's map, for what is not here. */
  map;
  /** MapLibre itself: `new view.library.Marker(…)`. */
  library;
  /** Whether it is seen: `isShown`, told by `change`. */
  rest;
  #app;
  #overlays = new Map();
  #data = new Map();
  #darkness = matchMedia('(prefers-color-scheme: dark)');
  #isDark;
  #base;

  constructor(library, app, container) {
    super();
    this.library = library;
    this.#app = app;
    this.#isDark = this.isDark;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.map = new library.Map({
      container, style: this.#style(), center: [0, 25], zoom: 1.2, attributionControl: false, fadeDuration: still ? 0 : 300,
      pitchWithRotate: false, dragRotate: false, maxPitch: 0, keyboard: true, clickTolerance: 6,
    });
    this.rest = restWhileHidden(this.map);
    this.map.touchZoomRotate.disableRotation();
    this.map.addControl(new library.AttributionControl({ compact: true }), 'bottom-left');
    this.map.getCanvas().setAttribute('aria-label', 'Map, moved with the arrow keys');
    this.map.on('style.load', () => { for (const name of this.#overlays.keys()) this.#add(name); });
    const restyle = () => {
      if (this.isDark === this.#isDark && this.#baseNow === this.#base) return;
      this.#isDark = this.isDark;
      this.map.setStyle(this.#style(), { diff: false });
      this.dispatchEvent(new CustomEvent('look'));
    };
    this.#darkness.addEventListener('change', restyle);
    app.addEventListener('settings', restyle);
    new ResizeObserver(() => this.map.resize()).observe(container);
  }

  get isDark() {
    const { theme } = document.documentElement.dataset;
    return theme ? theme === 'dark' : this.#darkness.matches;
  }

  #style() {
    this.#base = this.#baseNow;
    const { map_base: base, tile_url: url, tile_attribution: attribution } = this.#app.settings;
    // What changes is drawn once: any change of a layer would begin transitions of all its colours.
    return { ...baseStyle({ isDark: this.isDark, base, tiles: { url, attribution } }), transition: { duration: 0, delay: 0 } };
  }

  get #baseNow() { return `${this.#app.settings.map_base ?? ''} ${this.#app.settings.tile_url ?? ''}`; }

  /**
   * Puts sources and layers over the base map and keeps them there when its look changes.
   * @param {string} name of the overlay; a second one of that name takes its place
   * @param {(look: {isDark: boolean, token: (name: string) => string}) => {sources?: object, layers?: object[], images?: object}} make
   *   is asked again with every new look; `token('--alarm')` is a colour of the page
   */
  overlay(name, make) {
    this.remove(name);
    this.#overlays.set(name, { make, sources: [], layers: [] });
    if (this.map.isStyleLoaded() || this.map.style?._loaded) this.#add(name);
  }

  #add(name) {
    const overlay = this.#overlays.get(name);
    const { sources = {}, layers = [], images = {} } = overlay.make({ isDark: this.isDark, token: colour });
    for (const [id, image] of Object.entries(images)) if (!this.map.hasImage(id)) this.map.addImage(id, image.data ?? image, image.options ?? { pixelRatio: 2 });
    for (const [id, source] of Object.entries(sources)) {
      if (!this.map.getSource(id)) this.map.addSource(id, this.#data.has(id) ? { ...source, data: this.#data.get(id) } : source);
    }
    for (const layer of layers) if (!this.map.getLayer(layer.id)) this.map.addLayer(layer, layer.before);
    overlay.sources = Object.keys(sources);
    overlay.layers = layers.map((layer) => layer.id);
  }

  remove(name) {
    const overlay = this.#overlays.get(name);
    if (!overlay) return;
    for (const id of overlay.layers) if (this.map.getLayer(id)) this.map.removeLayer(id);
    for (const id of overlay.sources) { this.#data.delete(id); if (this.map.getSource(id)) this.map.removeSource(id); }
    this.#overlays.delete(name);
  }

  /** Gives a GeoJSON source of an overlay its data, now and whenever the look changes. */
  setData(source, data) {
    this.#data.set(source, data);
    this.map.getSource(source)?.setData(data);
  }

  /** What of the map is covered, in pixels: what is shown keeps clear of it. */
  pad({ top = 0, right = 0, bottom = 0, left = 0 }) {
    this.map.setPadding({ top, right, bottom, left });
    this.map.getContainer().style.setProperty('--covered', `${bottom}px`);
  }

  /** Shows a box of places. Jumps for who wants no motion. */
  fit([southWest, northEast], { margin = 40, most = 17 } = {}) {
    this.map.fitBounds([toMap(southWest), toMap(northEast)], { padding: margin, maxZoom: most, animate: !still() });
  }
  /** @param {number} [bearing] what is up, in degrees from north */
  center(place, zoom = this.map.getZoom(), bearing = this.map.getBearing()) { this.map.easeTo({ center: toMap(place), zoom, bearing, animate: !still() }); }
  /** North is up again. */
  level() { if (this.map.getBearing()) this.map.easeTo({ bearing: 0, animate: !still() }); }

  /** Shows what lies within `metres` around a place, with the place in the middle of what is not covered. */
  around(place, metres) {
    const { clientWidth: width, clientHeight: height } = this.map.getContainer();
    const { top, right, bottom, left } = this.map.getPadding();
    const half_px = Math.max(40, Math.min(width - left - right, height - top - bottom) / 2);
    this.center(place, Math.min(20, Math.log2(pixel_m(place[0], 0) * half_px / metres)));
  }

  /** Settled: all that is asked for is loaded and drawn; or not seen, and not drawn until it is. */
  idle() {
    return new Promise((done) => {
      if (!this.rest.isShown || (this.map.loaded() && !this.map.isMoving())) return done();
      this.map.once('idle', done);
      this.rest.addEventListener('change', done, { once: true });
    });
  }
}

/** A colour of the page, as it is now, in a form that canvas and map read: `rgb(…)`. */
function colour(token) {
  const probe = h('i', { hidden: true, style: { color: `var(${token})` } });
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** How many metres a CSS pixel is, at a latitude and zoom: the world is 512 pixels wide at zoom 0. */
export const pixel_m = (latitude, zoom) => 40_075_017 / 512 / 2 ** zoom * Math.cos(latitude * Math.PI / 180);

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
