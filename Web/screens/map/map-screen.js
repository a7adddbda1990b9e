// Via Map (S42-S54): all zones on the map. A tap selects, a long press creates a zone.
import { menu, row, section, tile } from '../../parts/layout.js';
import { onLongPress } from '../../map/long-press.js';
import { furniture, tool, tools, zoomTools } from '../../map/map-furniture.js';
import { firstRange_m, fitted, keepRange, keptRange, rangeOf, surroundings } from '../../map/map-range.js';
import { fromMap, mapView, NoMap, toMap } from '../../map/map-view.js';
import { findPlace } from '../../parts/place-search.js';
import { keptArchives } from '../../map/archives/kept-archives.js';
import { chooseArchive } from '../../map/archives/take-archive.js';
import { askForPublicMap } from '../../map/streets/no-streets.js';
import { pointAt } from '../../map/streets/name-of-place.js';
import { watchTiles } from '../../map/tile-watch.js';
import { boxOfZones } from '../../map/position-layer.js';
import { draw as zoneLayers } from '../../map/zone-layers.js';
import { earlyPlace, ownPosition, placeOf } from '../../scripts/device/own-position.js';
import { go } from '../../scripts/page/address.js';
import { categoryLook } from '../../scripts/page/categories.js';
import { fill, h, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { t } from '../../scripts/words/translate.js';
import * as words from '../../scripts/words/words.js';
import * as zoneWords from '../../scripts/words/zone-words.js';
import { zoneSheet } from '../zones/zone-sheet.js';
import { zonesSwitch } from '../zones/zones-switch.js';
import { askToKeep, canKeep } from './keep-region.js';
import { nextZone } from './next-zone.js';

await styles('map', 'zones');

const nearby = 8;
/** The number of nearby zones on phones, where they are not visible. */
const nearbyOnPhones = 4;
/** The most zones checked for a tap, nearest first. */
const mostTapped = 50;
/** The range around a place that was found, in metres: shows streets. */
const found_m = 300;
/** The time after which a note says that the map is loading, in ms. */
const patience_ms = 400;
/** True once the map was moved to its first view; from then on it stays where a person leaves it. */
let wasShown = false;
/** The zoom of the first view. A different zoom was chosen by a person, and its range is stored. */
let openedZoom;

export function show(app, outlet, { query }) {
  // After an alarm (S40) the flashing zone is selected, with its actions.
  const screen = new MapScreen(app, outlet, query.get('zone') ?? query.get('flash'), placeIn(query.get('at')));
  screen.begin().catch((error) => screen.fail(error));
  return () => screen.leave();
}

/** Parses `at=46.05,14.5`; undefined if it is no place. */
function placeIn(text) {
  const place = /^-?[\d.]+,-?[\d.]+$/.test(text ?? '') ? text.split(',').map(Number) : [];
  return place.length === 2 && Math.abs(place[0]) <= 90 && Math.abs(place[1]) <= 180 ? place : undefined;
}

class MapScreen {
  #app;
  #at;
  #asked;
  #undo = [];
  #left = false;
  #view;
  #layers;
  #selected;
  #callout;
  /** `''`: off; `position`: the map follows the device; `heading`: and turns with its course. */
  #follows = '';
  #course;
  #wide = matchMedia('(min-width: 768px)');
  #pane = h('div', { class: 'pane map-pane' });
  #foot = h('div', { class: 'map-foot' });
  #follow = tool({ label: t`My position`, picture: 'position', pressed: false, run: () => this.#followOn() });
  #layersTool = tool({ label: t`Layers`, picture: 'layers', run: () => this.#chooseBase() });

  constructor(app, outlet, asked, at) {
    this.#app = app;
    this.#at = at;
    this.#asked = asked;
    this.#drawPane();
    outlet.append(this.#pane);
  }

  async begin() {
    // These buttons are shown before the map, which loads slowly on some networks.
    const floor = furniture(
      h(
        'div',
        { class: 'map-top' },
        zonesSwitch('/map'),
        h(
          'a',
          { class: 'round primary', href: '#/zones/new?from=map', 'aria-label': t`Add a zone`, title: t`Add a zone` },
          icon('plus'),
        ),
      ),
      this.#foot,
    );
    this.#undo.push(() => floor.remove());
    const slow = setTimeout(() => this.#say(t`Loading the map …`), patience_ms);
    this.#undo.push(() => clearTimeout(slow));
    // Requested while the map loads, as it opens there.
    const opens = !wasShown && !this.#asked && !this.#at && Promise.all([keptRange(this.#app), ownPosition(this.#app)]);
    let view;
    try {
      view = await mapView(this.#app);
    } finally {
      clearTimeout(slow);
    }
    if (this.#left) return;
    this.#foot.replaceChildren();
    this.#view = view;
    this.#layers = zoneLayers(this.#app, view);
    const find = tool({ label: t`Find a place`, picture: 'search', run: () => this.#find() });
    floor.append(tools(this.#layersTool, find, this.#follow, ...zoomTools(view)));
    this.#undo.push(
      onLongPress(view, (place) => this.#newZone(place)),
      watchTiles(view, (text) => this.#tellOfTiles(text)),
    );
    this.#listen(this.#layers, 'pick', ({ detail }) => this.#select(detail.id));
    this.#listen(this.#layers, 'tap', ({ detail }) => this.#tapped(detail.place));
    this.#listen(this.#app, 'change', () => this.#changed());
    this.#on('moveend', () => {
      this.#drawPane();
      this.#keepRange();
      this.#forgetUnseen();
    });
    this.#listen(this.#wide, 'change', () => this.#drawPane());
    this.#on('dragstart', () => this.#setFollows(''));
    this.#listen(this.#app, 'fixes', ({ detail }) => {
      this.#course = detail.at(-1)?.course ?? this.#course;
      this.#keepUp();
    });
    const canvas = view.map.getCanvas();
    this.#listen(canvas, 'keydown', (event) => this.#key(event));
    nextZone.place = undefined;
    if (this.#asked && this.#app.zoneOf(this.#asked)) this.#select(this.#asked, { shows: true });
    else if (this.#at) view.around(this.#at, found_m);
    else if (!wasShown) await this.#openAtOwnPosition(opens || undefined);
    this.#opened();
    // If the first view needed no movement, no event has drawn the list.
    if (!this.#left) this.#drawPane();
  }

  /** May be called at any time, also while the map loads or without a map. */
  leave() {
    this.#left = true;
    for (const undo of this.#undo) undo();
    this.#marker?.remove();
    // A tapped place is only for a zone that is created from here.
    if (!location.hash.startsWith('#/zones/new')) nextZone.place = undefined;
    if (!this.#view) return;
    this.#select(undefined);
    this.#view.level();
  }

  fail(error) {
    if (error instanceof NoMap) console.warn(error.message);
    else console.error(error);
    this.#foot.replaceChildren();
    if (!this.#left)
      fill(
        this.#pane,
        this.#wide.matches && zonesSwitch('/map'),
        h(
          'div',
          { class: 'card empty solid' },
          icon('warning', { size: 40 }),
          h('p', { class: 'headline' }, t`No map`),
          h('p', { class: 'subhead' }, error.message),
          h(
            'p',
            { class: 'subhead' },
            t`Alarms work without the map. New zones can be made by your position, or by coordinates.`,
          ),
          h('a', { class: 'button primary', href: '#/zones/new' }, t`New zone`),
        ),
      );
  }

  #listen(target, name, run) {
    target.addEventListener(name, run);
    this.#undo.push(() => target.removeEventListener(name, run));
  }
  #on(name, run) {
    this.#view.map.on(name, run);
    this.#undo.push(() => this.#view.map.off(name, run));
  }

  // MARK: Where the map is

  async #openAtOwnPosition(opens = Promise.all([keptRange(this.#app), ownPosition(this.#app)])) {
    const known = (placeOf(this.#app) ?? earlyPlace()) ? undefined : this.#whatThereIs();
    if (known) this.#view.fit(known, fitted);
    let isMoved = false;
    this.#on('movestart', ({ originalEvent }) => {
      isMoved ||= Boolean(originalEvent);
    });
    const [range, place] = await opens;
    if (this.#left) return;
    // A person who moves the map before the position is known has chosen a view.
    if (isMoved) {
      wasShown = true;
      openedZoom = 0;
      return;
    }
    const box = place && range === undefined && surroundings(this.#app, place);
    if (box) this.#view.fit(box, fitted);
    else if (place) this.#view.around(place, range ?? firstRange_m);
    else if (!known && !placeOf(this.#app))
      this.#say(t`No position yet. The map shows the world; move it to where you are.`);
  }

  /** The first view without a position: all zones, or the server's streets. */
  #whatThereIs() {
    const zones = boxOfZones(this.#app);
    const [region] = this.#view.streets.regions;
    if (zones || !region) return zones;
    const [west, south, east, north] = region.bounds;
    return [
      [south, west],
      [north, east],
    ];
  }

  /** Each tap goes on one step: to the own position and following it, turning with the course, off. */
  async #followOn() {
    if (this.#follows === 'heading') return this.#setFollows('');
    const place = await ownPosition(this.#app);
    if (this.#left) return;
    if (!place) return this.#say(t`Your position is not known: it is not allowed, or there is no reception.`);
    this.#setFollows(this.#follows ? 'heading' : 'position');
    this.#stayWith(place, Math.max(this.#view.map.getZoom(), 13));
  }

  /** Without a course the map keeps its bearing, as when the device stands still. */
  #stayWith(place, zoom) {
    this.#view.center(place, zoom, this.#follows === 'heading' ? (this.#course ?? this.#view.map.getBearing()) : 0);
  }

  #keepUp() {
    const place = this.#follows && placeOf(this.#app);
    if (place) this.#stayWith(place);
  }

  /** Finds a place. It is the place of the next zone until the map is moved away. */
  async #find() {
    const found = await findPlace({ app: this.#app, near: fromMap(this.#view.map.getCenter().wrap()) });
    if (this.#left || !found) return;
    this.#setFollows('');
    this.#view.map.once('moveend', () => {
      if (!this.#left) this.#choose(found.place, found.name);
    });
    this.#view.around(found.place, found_m);
  }

  async #chooseBase() {
    const { map_base: base, map_file: file, tile_url: url } = this.#app.settings;
    const { streets } = this.#view;
    const archives = await (await keptArchives()).all();
    if (this.#left) return;
    const chosen = ['none', 'world', 'public'].includes(base) ? base : base === 'file' ? file : url ? 'tiles' : 'world';
    const choose = (value) => this.#app.changeSettings({ map_base: value });
    const item = (value, label, run = () => choose(value)) => ({
      label,
      picture: value === chosen ? 'check' : 'map',
      run,
    });
    menu({
      label: t`Base map`,
      at: this.#layersTool,
      items: [
        ...(url ? [item('tiles', t`Your map address`)] : []),
        item('world', streets.tiles ? t`Streets of this server` : t`The world, kept on this device`),
        ...archives.map(({ id, name }) =>
          item(id, name, () => this.#app.changeSettings({ map_base: 'file', map_file: id })),
        ),
        ...(streets.public_maps
          ? [item('public', 'OpenStreetMap', () => (base === 'public' ? choose('public') : askForPublicMap(this.#app)))]
          : []),
        item('none', t`Nothing`),
        { label: t`A map file of this device …`, picture: 'import', run: () => chooseArchive(this.#app) },
        ...(canKeep(this.#view)
          ? [{ label: t`Keep this region`, picture: 'import', run: () => askToKeep(this.#view) }]
          : []),
      ],
    });
  }

  /** Notes the zoom, once, when the map has reached its first view. */
  #opened() {
    if (wasShown || this.#left) return;
    wasShown = true;
    const { map } = this.#view;
    const note = () => {
      openedZoom = map.getZoom();
    };
    if (map.isMoving()) map.once('moveend', note);
    else note();
  }

  #keepRange() {
    const { map } = this.#view;
    if (openedZoom === undefined || Math.abs(map.getZoom() - openedZoom) < 0.01) return;
    keepRange(this.#app, map).catch((error) => console.error(error));
  }

  #setFollows(follows) {
    this.#follows = follows;
    this.#follow.setAttribute('aria-pressed', String(follows !== ''));
    const label = {
      '': t`My position`,
      position: t`My position: turn with my way`,
      heading: t`My position: stop following`,
    }[follows];
    this.#follow.setAttribute('aria-label', label);
    this.#follow.title = label;
    this.#follow.replaceChildren(icon(follows === 'heading' ? 'arrow' : 'position'));
    if (follows !== 'heading') this.#view.level();
  }

  #key(event) {
    if (event.key !== 'Enter') return;
    const { lat, lng } = this.#view.map.getCenter();
    if (event.shiftKey) this.#newZone([lat, lng]);
    else this.#choose([lat, lng]);
  }

  // MARK: The next zone

  #marker;
  /**
   * Selects the center of the next zone (S51).
   * @param {string} [found] the name by which the place was found. Without one, the editor proposes the name of a stop.
   */
  #choose(place, found) {
    const name = found ?? pointAt(this.#view, place)?.name;
    this.#select(undefined);
    Object.assign(nextZone, { place, name: found });
    this.#marker ??= new this.#view.library.Marker({
      element: h('div', { class: 'next-centre', 'aria-hidden': 'true' }),
    });
    this.#marker.setLngLat(toMap(place)).addTo(this.#view.map);
    fill(
      this.#foot,
      h(
        'div',
        { class: 'foot-card', role: 'status' },
        h(
          'div',
          { class: 'grow' },
          h('p', { class: 'headline' }, name ?? t`The next zone goes here`),
          name
            ? h('p', { class: 'footnote' }, t`The next zone goes here`)
            : h('p', { class: 'footnote number' }, zoneWords.place(place)),
        ),
        h(
          'button',
          { type: 'button', class: 'round bare', 'aria-label': t`Forget this place`, onclick: () => this.#forget() },
          icon('close'),
        ),
        h('a', { class: 'button primary', href: '#/zones/new?from=map' }, icon('plus', { size: 20 }), t`New zone`),
      ),
    );
  }

  #forget() {
    Object.assign(nextZone, { place: undefined, name: undefined });
    this.#marker?.remove();
    this.#foot.replaceChildren();
  }

  /** A place that is out of view is not meant for the next zone any more. */
  #forgetUnseen() {
    if (nextZone.place && !this.#view.sees(nextZone.place)) this.#forget();
  }

  /** A tap on a zone's area selects the zone, like a tap on its pin; a tap elsewhere selects a place. */
  #tapped(place) {
    const zone = this.#zoneAt(place);
    if (zone) this.#select(zone);
    else this.#choose(place);
  }

  /**
   * The zone that contains a place, of several the one with the nearest edge. Zones whose edge is far out of view do not count.
   */
  #zoneAt(place) {
    const { rows } = this.#app.ask('locate', { place, count: mostTapped });
    const within = rows.filter(({ distance_m: inside }) => inside <= 0 && -inside <= 2 * rangeOf(this.#view.map));
    return within.reduce((best, row) => (best && best.distance_m >= row.distance_m ? best : row), undefined)?.id;
  }

  #newZone(place) {
    Object.assign(nextZone, { place, name: undefined });
    go('/zones/new?from=map&held=1');
  }

  /** Reports tiles that do not load, but does not replace a place that was just tapped. */
  #tellOfTiles(text) {
    if (nextZone.place) return;
    fill(
      this.#foot,
      h(
        'div',
        { class: 'foot-card', role: 'status' },
        icon('warning'),
        h('p', { class: 'grow subhead' }, text),
        h('a', { class: 'button', href: '#/settings/map' }, t`Settings`),
      ),
    );
  }

  #say(text) {
    fill(this.#foot, h('p', { class: 'foot-card subhead', role: 'status' }, text));
  }

  // MARK: One zone

  #select(id, { shows = false, focuses = false } = {}) {
    if (id && nextZone.place) this.#forget();
    this.#callout?.remove();
    this.#callout = undefined;
    this.#selected = id;
    this.#layers.selected = id;
    this.#drawPane();
    if (!id) return;
    const drawing = this.#app.ask('draw', { zone: this.#app.zoneOf(id), tolerance_m: 10, coarse: true });
    if (drawing.problem)
      return this.#say(`${zoneWords.name(this.#app.zoneOf(id))}: ${zoneWords.why(drawing.problem)}.`);
    const element = h('button', {
      type: 'button',
      class: 'callout',
      'aria-haspopup': 'dialog',
      onclick: (event) => {
        event.stopPropagation();
        this.#actions(id);
      },
    });
    this.#callout = new this.#view.library.Marker({ element, anchor: 'bottom', offset: [0, -24] })
      .setLngLat(toMap(drawing.center))
      .addTo(this.#view.map);
    this.#fillCallout();
    if (shows)
      this.#view.fit(
        [
          [drawing.south, drawing.west],
          [drawing.north, drawing.east],
        ],
        { margin: 80, most: 16 },
      );
    if (!shows || focuses) element.focus({ preventScroll: true });
  }

  #fillCallout() {
    const form = this.#app.zoneOf(this.#selected);
    const [row] = this.#app.ask('rows', { ids: [this.#selected] }).rows;
    if (!form || !row) return;
    const name = zoneWords.name(form);
    const lent = this.#app.shared.get(this.#selected);
    const element = this.#callout.getElement();
    element.setAttribute('aria-label', t`${name}: actions`);
    update(
      element,
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline' }, name),
        h(
          'span',
          { class: 'footnote number' },
          row.active === false
            ? t`off`
            : row.state === 'asleep'
              ? t`asleep until ${words.clock(row.until_ms)}`
              : zoneWords.line(row, form),
        ),
        lent && h('span', { class: 'footnote' }, zoneWords.sharedBy(lent)),
      ),
      icon('forward', { size: 20 }),
    );
  }

  #actions(id) {
    zoneSheet({ app: this.#app, id, from: 'map', oncentre: () => this.#select(id, { shows: true }) });
  }

  #changed() {
    if (this.#selected && !this.#app.zoneOf(this.#selected)) this.#select(undefined);
    if (this.#callout) this.#fillCallout();
    this.#keepUp();
    // On phones no distances are visible, so the list changes only with the number of zones.
    if (this.#wide.matches || this.#app.watched.length !== this.#drawnZones) this.#drawPane();
  }
  #drawnZones;

  /** Lists the zones nearest to the center of the map: beside it on wide screens, and on phones for keys and screen readers. */
  #drawPane() {
    this.#drawnZones = this.#app.watched.length;
    const middle = this.#view?.map.getCenter().wrap();
    const rows = middle
      ? this.#app.ask('locate', {
          place: [middle.lat, middle.lng],
          count: this.#wide.matches ? nearby : nearbyOnPhones,
        }).rows
      : [];
    update(
      this.#pane,
      h(
        'header',
        { class: 'top-bar' },
        h(
          'div',
          { class: 'grow' },
          h('h1', { class: 'large-title' }, this.#wide.matches ? t`Zones` : t`Map`),
          h('p', { class: 'subhead' }, words.count(this.#app.watched.length, 'zone')),
        ),
      ),
      this.#wide.matches && zonesSwitch('/map'),
      rows.length > 0 &&
        section(
          { title: t`Nearest to the middle` },
          h(
            'div',
            { class: 'card' },
            rows.map((zone) => this.#row(zone)),
          ),
        ),
      this.#app.watched.length === 0 &&
        h('p', { class: 'subhead' }, t`Tap the map where the first zone should be, then New zone.`),
    );
  }

  #row(zone) {
    const { picture, colour } = categoryLook(zone.category);
    const lent = this.#app.shared.get(zone.id);
    const element = row({
      title: zoneWords.name(zone),
      detail: [zone.active ? zoneWords.trigger(zone) : t`off`, lent && zoneWords.sharedBy(lent)]
        .filter(Boolean)
        .join(' · '),
      leading: tile(picture, colour, { off: !zone.active }),
      trailing: zone.distance_m <= 0 ? t`here` : words.length(zone.distance_m),
      key: `near-${zone.id}`,
      onclick: () => this.#select(zone.id, { shows: true, focuses: !this.#wide.matches }),
    });
    if (zone.id === this.#selected) element.classList.add('selected');
    return element;
  }
}
