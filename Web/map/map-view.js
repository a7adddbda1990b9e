// The one map of the page. Phones show it behind map screens, wide screens always at the right. It is loaded when it is first
// needed and stays when screens change. Coordinates are [latitude, longitude], except in GeoJSON.
import { baseStyle, worldAddress } from './base-style.js';
import { groundOf, publicMap } from './ground.js';
import { keptStreets, streetTiles } from './streets/kept-streets.js';
import { firstRange_m, fitted, keptRange, surroundings } from './map-range.js';
import { restWhileHidden } from './map-rest.js';
import { boxOfZones } from './position-layer.js';
import { knownStreets } from './streets/streets.js';
import { earlyPlace, lookEarly, placeOf } from '../scripts/device/own-position.js';
import { h } from '../scripts/page/dom.js';
import { pixel_m } from '../scripts/page/metres.js';
import { t } from '../scripts/words/translate.js';
import { ChosenGround } from './archives/chosen-ground.js';
import { layersFor, nameOf } from './archives/schemas.js';
import { ScaleBar } from './scale-bar.js';
import { archiveLibrary, mapLibrary, NoMap } from './vendor-files.js';

export { NoMap };

let shared;
/** @returns {Promise<MapView>} the same one for every screen */
export function mapView(app) {
  shared ??= load(app).catch((error) => {
    shared = undefined;
    throw error;
  });
  return shared;
}

/** The map, or undefined if this browser cannot draw one; the map's place then shows the reason. */
export const mapOrNone = (app) =>
  mapView(app).catch((error) => {
    if (!(error instanceof NoMap)) throw error;
  });

export const toMap = ([latitude, longitude]) => [longitude, latitude];
export const fromMap = ({ lng, lat }) => [lat, lng];

/** A browser that failed to give a context once will fail again, so the library is not tried again. */
let drawsNone = false;

/** The parts of a map that do not depend on stored data, requested once. */
let parts;
/**
 * Starts the slowest requests before the stored data is known: the libraries and the list of streets.
 * @param {{asksWhere?: boolean}} [how] `asksWhere`: for a screen that opens at the own position
 */
export function prepare({ asksWhere = false } = {}) {
  if (asksWhere) lookEarly();
  parts ??= Promise.all([
    archiveLibrary().then(openWorld),
    openStreets(),
    keptStreets(),
    mapLibrary().then(startWorkers),
    archiveLibrary(),
  ]);
  parts.catch(() => {
    parts = undefined;
  });
  return parts;
}

async function load(app) {
  if (drawsNone) throw cannotDraw();
  const [[world, { streets, archive }, kept, maplibregl, pmtiles], range_m] = await Promise.all([
    prepare(),
    // Without storage the map opens all the same.
    keptRange(app).catch(() => undefined),
    // The engine knows the own position, where the map opens.
    app.begun,
  ]);
  const protocol = new pmtiles.Protocol();
  protocol.add(world);
  maplibregl.addProtocol('pmtiles', protocol.tile);
  // The library's workers load this file when they draw the first right-to-left name. If that fails, letters are drawn
  // unjoined.
  maplibregl
    .setRTLTextPlugin(new URL('map/streets/right-to-left.js', document.baseURI).href, true)
    .catch((error) => console.warn(error));
  maplibregl.addProtocol('streets', streetTiles(kept, archive, streets.version));
  const chosen = new ChosenGround();
  maplibregl.addProtocol('archive', chosen.tile);
  const container = document.getElementById('map');
  try {
    return new MapView(maplibregl, app, container, { streets, kept, archive, chosen, range_m });
  } catch (error) {
    // The library does not remove the elements that it had added.
    for (const part of container.querySelectorAll(':scope > [class^="maplibregl-"]')) part.remove();
    container.classList.remove('maplibregl-map');
    drawsNone = !drawsMaps();
    if (drawsNone) throw cannotDraw();
    // The library's message is for programmers.
    console.error(error);
    throw new NoMap(t`The map could not be started: the graphics of this device did not answer.`);
  }
}

const cannotDraw = () => new NoMap(t`This browser cannot draw the map: WebGL is switched off, or the device has none.`);

/** The server's streets. The header of their archive is requested before the map needs a tile of it. */
async function openStreets() {
  const [streets, { PMTiles }] = await Promise.all([knownStreets(), archiveLibrary()]);
  return { streets, archive: streets.tiles && opened(new PMTiles(streets.tiles)) };
}

const openWorld = ({ PMTiles }) => opened(new PMTiles(worldAddress()));

/** The workers read the library during the other requests. */
function startWorkers(library) {
  library.prewarm();
  return library;
}

/** Ignores an error here: the request for a tile will fail again, and that error is reported. */
function opened(archive) {
  archive.getHeader().catch(() => {});
  return archive;
}

/**
 * True if the browser gives a WebGL context, of version 2 or 1 as the library uses. Called only after the library got none,
 * because creating a context to discard takes as long as the map's own.
 */
function drawsMaps() {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
  // Browsers allow only a few contexts at a time.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return Boolean(context);
}

/**
 * Skips the library's questions if each of a program's two shaders compiled: each waits for the graphics process. A program
 * does not link if a shader did not compile, so the library's question about the program is enough.
 */
function waitForProgramsOnly(canvas) {
  // The library's own context: a canvas returns the same context for the same name.
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
  const ask = context.getShaderParameter;
  context.getShaderParameter = (shader, what) => what === context.COMPILE_STATUS || ask.call(context, shader, what);
}

/** The longest time that layers wait for the base map; on a slow network they are drawn first. In ms. */
const patience_ms = 2_000;

const publicOrigin = new URL(publicMap.url).origin;

export class MapView extends EventTarget {
  /** MapLibre's map, for functions that this class lacks. */
  map;
  /** MapLibre itself: `new view.library.Marker(…)`. */
  library;
  /** The result of `knownStreets`, the streets stored on this device, and the server's archive if it has one. */
  streets;
  kept;
  archive;
  /** The person's own base map if it has to be opened: its `problem`, and the event `change`. */
  chosen;
  /** `isShown` is true while the map is visible; fires `change`. */
  rest;
  /** Resolves when the base map has been drawn for the first time, or after `patience_ms`: then further layers are added. */
  drawn;
  /** Resolves when the layers that every map has are on this one; undefined before they are requested. */
  laid;
  #app;
  #overlays = new Map();
  #data = new Map();
  #darkness = matchMedia('(prefers-color-scheme: dark)');
  #isDark;
  #base;
  /** The initial view, until there is a map. */
  #opensAt = { center: [0, 0], zoom: 0 };
  /** Layers of names, omitted from the first picture. */
  #names = [];

  constructor(library, app, container, { streets, kept, archive, chosen, range_m }) {
    super();
    Object.assign(this, { streets, kept, archive, chosen });
    this.library = library;
    this.#app = app;
    this.#isDark = this.isDark;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    // Opens at the final view, so that no tiles are loaded for a view that is left at once.
    const place = placeOf(app) ?? earlyPlace();
    const zones = place ? range_m === undefined && surroundings(app, place) : boxOfZones(app);
    const zoom = place && zoomAround(place, range_m ?? firstRange_m, container);
    if (place) this.#opensAt = { center: place, zoom };
    this.map = new library.Map({
      container,
      // OpenStreetMap requires the address of the page that shows its map; no other server receives it.
      transformRequest: (url) =>
        url.startsWith(publicOrigin) ? { url, referrerPolicy: 'strict-origin-when-cross-origin' } : undefined,
      style: this.#withoutNames(this.#style()),
      center: place ? toMap(place) : [0, 25],
      zoom: zoom ?? 1.2,
      ...(zones && { bounds: zones.map(toMap), fitBoundsOptions: { padding: fitted.margin, maxZoom: fitted.most } }),
      attributionControl: false,
      fadeDuration: still ? 0 : 300,
      pitchWithRotate: false,
      dragRotate: false,
      maxPitch: 0,
      keyboard: true,
      clickTolerance: 6,
    });
    waitForProgramsOnly(this.map.getCanvas());
    this.rest = restWhileHidden(this.map);
    this.map.touchZoomRotate.disableRotation();
    this.map.addControl(new library.AttributionControl({ compact: true }), 'bottom-left');
    // Credits can take several lines; the elements at the foot of the map are placed above them.
    const credit = container.querySelector('.maplibregl-ctrl-bottom-left');
    new ResizeObserver(() => container.style.setProperty('--credit', `${credit.offsetHeight}px`)).observe(credit);
    const scale = new ScaleBar();
    this.map.addControl(scale, 'top-left');
    this.map.getCanvas().setAttribute('aria-label', t`Map, moved with the arrow keys`);
    this.map.on('moveend', () => {
      this.#aim = undefined;
    });
    this.map.on('error', ({ sourceId, error }) => {
      if (sourceId === 'tiles') this.tilesFail = true;
      // Streets that are not stored, while offline.
      else if (sourceId === 'streets' || sourceId?.startsWith('style-')) console.warn(error.message);
      else console.error(error);
    });
    this.drawn = new Promise((done) => {
      this.map.once('load', done);
      setTimeout(done, patience_ms);
    });
    this.drawn.then(() => {
      for (const id of this.#names) if (this.map.getLayer(id)) this.map.setLayoutProperty(id, 'visibility', 'visible');
    });
    this.map.on('style.load', () => {
      for (const name of this.#overlays.keys()) this.#add(name);
    });
    const restyle = () => {
      if (this.isDark === this.#isDark && this.#baseNow === this.#base) return;
      this.#isDark = this.isDark;
      this.tilesFail = false;
      this.map.setStyle(this.#style(), { diff: false });
      this.dispatchEvent(new CustomEvent('look'));
    };
    this.#darkness.addEventListener('change', restyle);
    app.addEventListener('settings', () => {
      chosen.look(app.settings);
      scale.draw();
      restyle();
    });
    chosen.addEventListener('change', restyle);
    chosen.look(app.settings);
    this.map.on('moveend', restyle);
    // A map that opened at the box of all zones knows its view, and so its base map, only now.
    restyle();
    const size = () => `${container.clientWidth} ${container.clientHeight}`;
    let drawnAt = size();
    new ResizeObserver(() => {
      // The observer also reports the first size, which the map already has.
      if (size() === drawnAt) return;
      drawnAt = size();
      this.map.resize();
    }).observe(container);
  }

  get isDark() {
    const { theme } = document.documentElement.dataset;
    return theme ? theme === 'dark' : this.#darkness.matches;
  }

  #style() {
    const ground = this.#ground;
    this.#base = this.#baseNow;
    // Without a duration a new style is drawn once; otherwise every layer's colours would be animated.
    return {
      ...baseStyle({ isDark: this.isDark, ...ground, streets: this.streets }),
      transition: { duration: 0, delay: 0 },
    };
  }

  /**
   * Hides names until the base map has been drawn: a tile with names is complete only after each of their letters was drawn and
   * placed.
   */
  #withoutNames(style) {
    for (const { id, type, layout } of style.layers)
      if (type === 'symbol' && layout?.visibility !== 'none') this.#names.push(id);
    const layers = style.layers.map((layer) =>
      this.#names.includes(layer.id) ? { ...layer, layout: { ...layer.layout, visibility: 'none' } } : layer,
    );
    return { ...style, layers };
  }

  /** True if a tile of the person's own choice failed to load. */
  tilesFail = false;
  /** The address of the raster tiles in use; undefined if there are none. */
  get tileURL() {
    return this.#ground.tiles?.url;
  }

  /** The center of the map, latitude first, and its zoom. */
  get look() {
    if (!this.map) return this.#opensAt;
    return { center: fromMap(this.map.getCenter()), zoom: this.map.getZoom() };
  }

  get #ground() {
    const { settings } = this.#app;
    return groundOf(settings, this.streets, this.look, this.chosen.of(settings));
  }

  get #baseNow() {
    const { base, key, tiles } = this.#ground;
    return `${base} ${tiles?.url ?? key ?? ''}`;
  }

  /** The features drawn from one of our layers of streets (docs/map.md), whatever the schema of the tiles. */
  streetFeatures(layer) {
    if (!this.map.getSource('streets')) return [];
    const { base, description } = this.#ground;
    const features = layersFor(base === 'archive' ? description.schema : 'own', layer).flatMap((sourceLayer) =>
      this.map.querySourceFeatures('streets', { sourceLayer }),
    );
    for (const { properties } of features) properties.name ??= nameOf(properties);
    return features;
  }

  /**
   * Puts sources and layers over the base map and keeps them there when the style changes.
   * @param {string} name of the overlay; replaces an overlay with the same name
   * @param {(look: {isDark: boolean, token: (name: string) => string}) => {sources?: object, layers?: object[], images?:
   *   object}} make called again for every new style; `token('--alarm')` is a colour of the page
   */
  overlay(name, make) {
    this.remove(name);
    this.#overlays.set(name, { make, sources: [], layers: [] });
    if (this.map.isStyleLoaded() || this.map.style?._loaded) this.#add(name);
  }

  #add(name) {
    const overlay = this.#overlays.get(name);
    const { sources = {}, layers = [], images = {} } = overlay.make({ isDark: this.isDark, token: colours() });
    for (const [id, image] of Object.entries(images))
      if (!this.map.hasImage(id)) this.map.addImage(id, image.data ?? image, image.options ?? { pixelRatio: 2 });
    for (const [id, source] of Object.entries(sources)) {
      if (!this.map.getSource(id))
        this.map.addSource(id, this.#data.has(id) ? { ...source, data: this.#data.get(id) } : source);
    }
    for (const layer of layers) if (!this.map.getLayer(layer.id)) this.map.addLayer(layer, layer.before);
    overlay.sources = Object.keys(sources);
    overlay.layers = layers.map((layer) => layer.id);
  }

  remove(name) {
    const overlay = this.#overlays.get(name);
    if (!overlay) return;
    for (const id of overlay.layers) if (this.map.getLayer(id)) this.map.removeLayer(id);
    for (const id of overlay.sources) {
      this.#data.delete(id);
      if (this.map.getSource(id)) this.map.removeSource(id);
    }
    this.#overlays.delete(name);
  }

  /** Sets the data of an overlay's GeoJSON source, now and after each change of style. */
  setData(source, data) {
    this.#data.set(source, data);
    this.map.getSource(source)?.setData(data);
  }

  /**
   * Sets the covered margins of the map, in pixels. Places that are shown, or are being moved into view, stay clear of them.
   */
  pad({ top = 0, right = 0, bottom = 0, left = 0 }) {
    // A new padding ends the current movement. It is started again with the same target.
    const aim = this.#aim;
    this.map.setPadding({ top, right, bottom, left });
    this.map.getContainer().style.setProperty('--covered', `${bottom}px`);
    if (aim) this.#move(aim);
  }

  /** The target of the current movement; undefined while the map rests or a person moves it. */
  #aim;
  /** The movement to start when the finger on the map is lifted: lifting it would end a movement. */
  #later;
  #move(aim) {
    if (this.swallowsTap) {
      this.#later = aim;
      return;
    }
    aim();
    // Without animation the map is there already.
    this.#aim = this.map.isMoving() ? aim : undefined;
  }

  /** True from a long press until the finger is lifted, which is not a tap. */
  swallowsTap = false;
  /** Starts the delayed movement after a long press has ended. */
  released() {
    const later = this.#later;
    this.#later = undefined;
    if (later) this.#move(later);
  }

  /** Fits a box into the view; without animation for people who prefer reduced motion. */
  fit([southWest, northEast], { margin = 40, most = 17 } = {}) {
    const box = [toMap(southWest), toMap(northEast)];
    const how = { padding: margin, maxZoom: most };
    this.#move(() => {
      if (!this.#isAt(this.map.cameraForBounds(box, how))) this.map.fitBounds(box, { ...how, animate: !still() });
    });
  }

  /**
   * Brings a box into view. The zoom stays if the box fits and is large enough to be seen; otherwise it changes as little as
   * possible.
   */
  reveal([southWest, northEast], { margin = 40, most = 18 } = {}) {
    const middle = [(southWest[0] + northEast[0]) / 2, (southWest[1] + northEast[1]) / 2];
    const from = this.map.getZoom();
    this.#move(() => {
      const fitted =
        this.map.cameraForBounds([toMap(southWest), toMap(northEast)], { padding: margin, maxZoom: most })?.zoom ??
        most;
      this.#ease({ center: toMap(middle), zoom: Math.min(fitted, Math.max(from, fitted - roomyZoom)) });
    });
  }

  /** @param {number} [bearing] the direction that is up, in degrees from north */
  center(place, zoom = this.map.getZoom(), bearing = this.map.getBearing()) {
    this.#move(() => this.#ease({ center: toMap(place), zoom, bearing }));
  }
  /** True if the map rests at this camera already; moving it would only redraw everything. */
  #isAt(camera) {
    if (!camera || this.map.isMoving() || Math.abs(camera.zoom - this.map.getZoom()) > 1e-3) return false;
    const [to, from] = [this.map.project(camera.center), this.map.project(this.map.getCenter())];
    return Math.hypot(to.x - from.x, to.y - from.y) < 0.5;
  }
  #ease(camera) {
    this.map.easeTo({ ...camera, animate: !still() });
  }
  /** Turns north up again. */
  level() {
    if (this.map.getBearing()) this.map.easeTo({ bearing: 0, animate: !still() });
  }

  /** Shows everything within `metres` of a place, with the place in the middle of the uncovered part. */
  around(place, metres) {
    this.#move(() => {
      const camera = {
        center: toMap(place),
        zoom: zoomAround(place, metres, this.map.getContainer(), this.map.getPadding()),
      };
      if (!this.#isAt(camera)) this.#ease(camera);
    });
  }

  /** True if a place is visible: on the map, and not below something that covers it. */
  sees(place) {
    const { clientWidth: width, clientHeight: height } = this.map.getContainer();
    const { top, right, bottom, left } = this.map.getPadding();
    const { lng } = this.map.getCenter();
    // Moves the place by whole turns of the world, to the turn in view.
    const { x, y } = this.map.project([place[1] + 360 * Math.round((lng - place[1]) / 360), place[0]]);
    return x >= left && x <= width - right && y >= top && y <= height - bottom;
  }

  /** Resolves when all requested data is loaded and drawn, or when the map is not visible. */
  async idle() {
    await this.laid;
    return new Promise((done) => {
      if (!this.rest.isShown || (this.map.loaded() && !this.map.isMoving())) return done();
      this.map.once('idle', done);
      this.rest.addEventListener('change', done, { once: true });
    });
  }
}

/** The zoom at which everything within `metres` of a place is in view. */
function zoomAround([latitude], metres, { clientWidth: width, clientHeight: height }, covered = {}) {
  const { top = 0, right = 0, bottom = 0, left = 0 } = covered;
  const half_px = Math.max(40, Math.min(width - left - right, height - top - bottom) / 2);
  return Math.min(20, Math.log2((pixel_m(latitude, 0) * half_px) / metres));
}

/**
 * Returns a function that converts colours of the page to a form that canvas and map can read, `rgb(…)`. Caches each colour.
 */
function colours() {
  const known = new Map();
  return (token) => {
    if (!known.has(token)) {
      const probe = h('i', { hidden: true, style: { color: `var(${token})` } });
      document.body.append(probe);
      known.set(token, getComputedStyle(probe).color);
      probe.remove();
    }
    return known.get(token);
  };
}

/** A box is large enough to be seen up to this many zooms farther out than where it fills the view: a third of its width. */
const roomyZoom = 1.5;

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
