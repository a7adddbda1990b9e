// The one map of the page. Phones show it behind map screens, wide screens always at the right; it is loaded when it is
// first wanted and lives on while screens come and go. Places are [latitude, longitude], as everywhere but in GeoJSON.
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

/** The map, or none where this browser can draw none: its place says why. */
export const mapOrNone = (app) =>
  mapView(app).catch((error) => {
    if (!(error instanceof NoMap)) throw error;
  });

export const toMap = ([latitude, longitude]) => [longitude, latitude];
export const fromMap = ({ lng, lat }) => [lat, lng];

/** A browser that gave no context once gives none later: the library is not tried again. */
let drawsNone = false;

/** What a map needs that is the same for every page: asked for once. */
let parts;
/**
 * Begins with what takes longest, before the page knows what is kept: the libraries, and which streets there are.
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
    // Where nothing is kept on the device the map opens all the same.
    keptRange(app).catch(() => undefined),
    // It knows where one is: there the map opens.
    app.begun,
  ]);
  const protocol = new pmtiles.Protocol();
  protocol.add(world);
  maplibregl.addProtocol('pmtiles', protocol.tile);
  // Its workers load it when the first such name is to be drawn; a failure leaves the letters apart.
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
    // The library leaves what it had begun beside what screens have put there.
    for (const part of container.querySelectorAll(':scope > [class^="maplibregl-"]')) part.remove();
    container.classList.remove('maplibregl-map');
    drawsNone = !drawsMaps();
    if (drawsNone) throw cannotDraw();
    // What the library says is for programmers.
    console.error(error);
    throw new NoMap(t`The map could not be started: the graphics of this device did not answer.`);
  }
}

const cannotDraw = () => new NoMap(t`This browser cannot draw the map: WebGL is switched off, or the device has none.`);

/** The streets of the server; the beginning of their archive is asked for before the map wants a tile of it. */
async function openStreets() {
  const [streets, { PMTiles }] = await Promise.all([knownStreets(), archiveLibrary()]);
  return { streets, archive: streets.tiles && opened(new PMTiles(streets.tiles)) };
}

const openWorld = ({ PMTiles }) => opened(new PMTiles(worldAddress()));

/** They read the library too, meanwhile. */
function startWorkers(library) {
  library.prewarm();
  return library;
}

/** What fails here fails again, and is told, when a tile is wanted. */
function opened(archive) {
  archive.getHeader().catch(() => {});
  return archive;
}

/**
 * The map's library asks for either, the newer first. Asked only after the library got none: a context that is thrown away takes
 * as long as the map's own.
 */
function drawsMaps() {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
  // Browsers allow a few at a time.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return Boolean(context);
}

/**
 * The library asks of each of a program's two shaders whether it compiled, and each time waits for the graphics process, before it
 * asks the same of the program. A program of a shader that did not compile does not link either, so the last answer is enough.
 */
function waitForProgramsOnly(canvas) {
  // The library's own: asked for by the same name, a canvas gives the context that it has.
  const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
  const ask = context.getShaderParameter;
  context.getShaderParameter = (shader, what) => what === context.COMPILE_STATUS || ask.call(context, shader, what);
}

/** So long what lies on the ground waits for it to be drawn: on a slow network it comes before. */
const patience_ms = 2_000;

const publicOrigin = new URL(publicMap.url).origin;

export class MapView extends EventTarget {
  /** MapLibre's map, for what is not here. */
  map;
  /** MapLibre itself: `new view.library.Marker(…)`. */
  library;
  /** What `knownStreets` says, what is kept of streets on this device, and the server's archive, where it has one. */
  streets;
  kept;
  archive;
  /** What the person has chosen to lie below the zones and had to be opened: its `problem`, and `change`. */
  chosen;
  /** Knows if the map is seen: `isShown`, with the event `change`. */
  rest;
  /** The ground has been drawn for the first time, or takes its time: what lies on it comes now. */
  drawn;
  /** What is always drawn on a map is on this one; nothing before that has begun. */
  laid;
  #app;
  #overlays = new Map();
  #data = new Map();
  #darkness = matchMedia('(prefers-color-scheme: dark)');
  #isDark;
  #base;
  /** Where the map is before it is made. */
  #opensAt = { center: [0, 0], zoom: 0 };
  /** Layers of names that the first picture does without. */
  #names = [];

  constructor(library, app, container, { streets, kept, archive, chosen, range_m }) {
    super();
    Object.assign(this, { streets, kept, archive, chosen });
    this.library = library;
    this.#app = app;
    this.#isDark = this.isDark;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    // Nothing is loaded and drawn only to be left at once.
    const place = placeOf(app) ?? earlyPlace();
    const zones = place ? range_m === undefined && surroundings(app, place) : boxOfZones(app);
    const zoom = place && zoomAround(place, range_m ?? firstRange_m, container);
    if (place) this.#opensAt = { center: place, zoom };
    this.map = new library.Map({
      container,
      // OpenStreetMap wants to know which page its map is shown on; nobody else is told.
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
    // Who made the map can be said in several lines: what stands at its foot stands above them.
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
      // Streets that are not kept, without network.
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
    // Where it opened at all zones, what lies below them is known only now.
    restyle();
    const size = () => `${container.clientWidth} ${container.clientHeight}`;
    let drawnAt = size();
    new ResizeObserver(() => {
      // It is told of the first size, too, which the map has.
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
    // What changes is drawn once: any change of a layer would begin transitions of all its colours.
    return {
      ...baseStyle({ isDark: this.isDark, ...ground, streets: this.streets }),
      transition: { duration: 0, delay: 0 },
    };
  }

  /**
   * Names wait until what they lie on has been drawn: a tile with names is not there before each of their letters is, which
   * are drawn one by one, and placed.
   */
  #withoutNames(style) {
    for (const { id, type, layout } of style.layers)
      if (type === 'symbol' && layout?.visibility !== 'none') this.#names.push(id);
    const layers = style.layers.map((layer) =>
      this.#names.includes(layer.id) ? { ...layer, layout: { ...layer.layout, visibility: 'none' } } : layer,
    );
    return { ...style, layers };
  }

  /** A tile of the person's own choice did not come. */
  tilesFail = false;
  /** Where they come from; nothing where there are none. */
  get tileURL() {
    return this.#ground.tiles?.url;
  }

  /** Where the map is, latitude first. */
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

  /** What is drawn of one of our layers of streets (docs/map.md), in whatever schema its tiles are. */
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

  /** Gives a GeoJSON source of an overlay its data, now and whenever the look changes. */
  setData(source, data) {
    this.#data.set(source, data);
    this.map.getSource(source)?.setData(data);
  }

  /** What of the map is covered, in pixels: what is shown, or is on its way into view, keeps clear of it. */
  pad({ top = 0, right = 0, bottom = 0, left = 0 }) {
    // A new padding ends the movement that is under way: it goes on to the same aim, clear of what is covered now.
    const aim = this.#aim;
    this.map.setPadding({ top, right, bottom, left });
    this.map.getContainer().style.setProperty('--covered', `${bottom}px`);
    if (aim) this.#move(aim);
  }

  /** What the map is moving to; none while it rests, or is moved by hand. */
  #aim;
  /** Where to go once the finger that held the map is lifted: its lifting would end the movement. */
  #later;
  #move(aim) {
    if (this.swallowsTap) {
      this.#later = aim;
      return;
    }
    aim();
    // Who wants no motion is there already.
    this.#aim = this.map.isMoving() ? aim : undefined;
  }

  /** A finger was held on the map, and its lifting is no tap. */
  swallowsTap = false;
  /** The finger that held the map has been lifted. */
  released() {
    const later = this.#later;
    this.#later = undefined;
    if (later) this.#move(later);
  }

  /** Shows a box of places. Jumps for who wants no motion. */
  fit([southWest, northEast], { margin = 40, most = 17 } = {}) {
    const box = [toMap(southWest), toMap(northEast)];
    const how = { padding: margin, maxZoom: most };
    this.#move(() => {
      if (!this.#isAt(this.map.cameraForBounds(box, how))) this.map.fitBounds(box, { ...how, animate: !still() });
    });
  }

  /**
   * Brings a box of places into view from where the map is: the zoom stays where the box fits and is large enough to be
   * seen, else it changes as little as is needed.
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

  /** @param {number} [bearing] what is up, in degrees from north */
  center(place, zoom = this.map.getZoom(), bearing = this.map.getBearing()) {
    this.#move(() => this.#ease({ center: toMap(place), zoom, bearing }));
  }
  /** True if it rests there already: to move it would only draw all of it anew. */
  #isAt(camera) {
    if (!camera || this.map.isMoving() || Math.abs(camera.zoom - this.map.getZoom()) > 1e-3) return false;
    const [to, from] = [this.map.project(camera.center), this.map.project(this.map.getCenter())];
    return Math.hypot(to.x - from.x, to.y - from.y) < 0.5;
  }
  #ease(camera) {
    this.map.easeTo({ ...camera, animate: !still() });
  }
  /** North is up again. */
  level() {
    if (this.map.getBearing()) this.map.easeTo({ bearing: 0, animate: !still() });
  }

  /** Shows what lies within `metres` around a place, with the place in the middle of what is not covered. */
  around(place, metres) {
    this.#move(() => {
      const camera = {
        center: toMap(place),
        zoom: zoomAround(place, metres, this.map.getContainer(), this.map.getPadding()),
      };
      if (!this.#isAt(camera)) this.#ease(camera);
    });
  }

  /** True if a place is seen: on the map, and not below what covers it. */
  sees(place) {
    const { clientWidth: width, clientHeight: height } = this.map.getContainer();
    const { top, right, bottom, left } = this.map.getPadding();
    const { lng } = this.map.getCenter();
    // On the turn of the world that is in view.
    const { x, y } = this.map.project([place[1] + 360 * Math.round((lng - place[1]) / 360), place[0]]);
    return x >= left && x <= width - right && y >= top && y <= height - bottom;
  }

  /** Settled: all that is asked for is loaded and drawn; or not seen, and not drawn until it is. */
  async idle() {
    await this.laid;
    return new Promise((done) => {
      if (!this.rest.isShown || (this.map.loaded() && !this.map.isMoving())) return done();
      this.map.once('idle', done);
      this.rest.addEventListener('change', done, { once: true });
    });
  }
}

/** The zoom at which so many metres around a place are in view. */
function zoomAround([latitude], metres, { clientWidth: width, clientHeight: height }, covered = {}) {
  const { top = 0, right = 0, bottom = 0, left = 0 } = covered;
  const half_px = Math.max(40, Math.min(width - left - right, height - top - bottom) / 2);
  return Math.min(20, Math.log2((pixel_m(latitude, 0) * half_px) / metres));
}

/** Tells colours of the page, as they are now, in a form that canvas and map read: `rgb(…)`. Each is asked for once. */
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

/** A box is large enough to be seen at so many zooms out from where it fills the view: a third of it. */
const roomyZoom = 1.5;

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
