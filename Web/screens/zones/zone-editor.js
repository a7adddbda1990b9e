// The zone editor (S62-S78): the map beside the form, or behind it on phones. Changes are a draft until Save.
import '../../parts/sheet.js';
import { mayReplaceSaved } from '../../parts/changed-elsewhere.js';
import { Draft, isDrafted } from '../../parts/drafts.js';
import { menu } from '../../parts/layout.js';
import { findPlace } from '../../parts/place-search.js';
import { snackbar } from '../../parts/snackbar.js';
import { CircleEdge } from '../../map/circle-edge.js';
import { onLongPress } from '../../map/long-press.js';
import { furniture, tool, tools, zoomTools } from '../../map/map-furniture.js';
import { mapView, NoMap } from '../../map/map-view.js';
import { draw as zoneLayers } from '../../map/zone-layers.js';
import { ZonePoints } from '../../map/zone-points.js';
import { ZonePreview } from '../../map/zone-preview.js';
import { newID } from '../../scripts/app.js';
import { isOld, ownPosition, placeOf } from '../../scripts/device/own-position.js';
import { go, nextScreen } from '../../scripts/page/address.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { apart_m, pixel_m } from '../../scripts/page/metres.js';
import { painted } from '../../scripts/page/painted.js';
import { back, hasBefore, isFirstScreen } from '../../scripts/page/steps.js';
import { styles } from '../../scripts/page/styles.js';
import { t } from '../../scripts/words/translate.js';
import * as words from '../../scripts/words/words.js';
import * as zoneWords from '../../scripts/words/zone-words.js';
import { nextZone } from '../map/next-zone.js';
import { expectedRow } from './expected-row.js';
import { coordinates, pointSheet } from './point-sheet.js';
import { ZoneDraft } from './zone-draft.js';
import { findings, hint } from './zone-findings.js';
import { zoneForm } from './zone-form.js';
import { ZoneOffers } from './zone-offers.js';
import { sayDeleted } from './zone-sheet.js';

await styles('map', 'zones', 'editor');

/** The widths of the controls at the sides of the map, in pixels. */
const clear = { top: 92, left: 30, right: 84, bottom: 92 };
/** The least height of a map with room for a hint beside the point in its middle. */
const leastForHint_px = 400;
/** The inaccuracy of a finger, in pixels. */
const finger_px = 30;
/** The range of the map for a person who creates their first zone on it, in metres: shows streets. */
const street_m = 300;
/** A tapped place nearer than this to the own position is the same place, in metres. */
const same_m = 10;
/** The time between two touches that zoom the map instead of setting a point, in ms. */
const twice_ms = 300;

const noPosition = (app) =>
  app.positioning === 'denied'
    ? t`Your position is not known: this page may not ask for it.`
    : t`Your position is not known: it is not allowed, or there is no reception.`;

export function show(app, outlet, { parameters, query }) {
  const isNew = parameters.id === 'new';
  if (!isNew && !app.zones.has(parameters.id) && !isDrafted(`zone/${parameters.id}`)) {
    go('/zones');
    return undefined;
  }
  const editor = new ZoneEditor(app, outlet, {
    id: isNew ? undefined : parameters.id,
    from: query.get('from'),
    resumes: query.has('resume'),
    at: query.get('at'),
  });
  editor.begin().catch((error) => editor.fail(error));
  return () => editor.leave();
}

class ZoneEditor {
  #app;
  #from;
  /** The way to find the place of a new zone: `here` (own position), `map` (by a tap), or `found` (by name). */
  #at;
  #draft;
  /** The draft of the unsaved form. */
  #unsaved;
  /** The form that was saved when editing began; undefined for a new zone. */
  #before;
  #form;
  #limits;
  #defaults;
  #sheet;
  #view;
  #layers;
  #points;
  #edge;
  #preview;
  /** Only for a new zone. */
  #offers;
  /** A tap that may be the first of two: `{timer, place}`. */
  #tapped;
  #downAt = -Infinity;
  #isSecond = false;
  #undo = [];
  #left = false;
  #isDone = false;
  #isEditing = true;
  #hasRoom = true;
  #tolerance;
  #pill = h('output', { class: 'chip edit-pill', 'aria-live': 'off' });
  #finding = h('div', { class: 'finding', role: 'alert', hidden: true });
  #hint = h('p', { class: 'map-hint' });
  #said = h('p', { class: 'visually-hidden', role: 'status' });
  /** On phones the map has room for it only while the form is lowered (S65). */
  #soundTool = tool({ label: t`Change sound`, picture: 'sound', run: () => this.#form.chooseSound() });
  #undoTool = tool({ label: t`Undo`, picture: 'undo', run: () => this.#draft.undo() });
  #redoTool = tool({ label: t`Redo`, picture: 'redo', run: () => this.#draft.redo() });
  #modeTool = tool({
    label: t`Edit map`,
    picture: 'pencil',
    pressed: true,
    run: () => this.#setEditing(!this.#isEditing),
  });

  constructor(app, outlet, { id, from, resumes, at }) {
    this.#app = app;
    this.#from = from;
    this.#at = id ? undefined : at;
    const { place, name } = id ? {} : nextZone;
    // A person who has just chosen a place for a new zone does not continue an old draft.
    this.#unsaved = new Draft(`zone/${id ?? 'new'}`, {
      isFresh: Boolean(place || this.#at) && !resumes && !isFirstScreen(),
    });
    const { found } = this.#unsaved;
    const { zone, limits, defaults } = app.ask('fresh', { id: found?.form.id ?? newID(), place });
    // Named here, because the engine does not know the language.
    zone.name = t`Zone ${app.zones.size + 1}`;
    this.#draft = new ZoneDraft({ app, form: id ? (app.zones.get(id) ?? found.form) : zone, isNew: !id });
    if (found) this.#draft.resume(found);
    this.#before = found ? found.before : app.zones.get(id);
    this.#unsaved.sayContinued();
    if (place) Object.assign(nextZone, { place: undefined, name: undefined });
    this.#limits = limits;
    this.#defaults = defaults;
    const expected = expectedRow(app, this.#draft);
    this.#undo.push(() => expected.end());
    this.#form = zoneForm({ app, draft: this.#draft, limits, defaults, expected, onmenu: (at) => this.#menu(at) });
    this.#sheet = h(
      'bottom-sheet',
      { rest: 'half', half: 0.43, label: t`Zone`, class: 'editor-sheet' },
      h(
        'div',
        { class: 'wide-bar' },
        h(
          'button',
          { type: 'button', class: 'round bare', 'aria-label': t`Close without saving`, onclick: () => this.#close() },
          icon('back'),
        ),
        h('h1', { class: 'headline' }, this.#draft.isNew ? t`New zone` : t`Zone`),
      ),
      this.#form,
    );
    outlet.append(this.#sheet, this.#said);
    this.#listen(this.#draft, 'change', () => {
      this.#unsaved.keep(this.#draft.isDirty ? { ...this.#draft.unsaved, before: this.#before } : undefined);
      this.#changed();
    });
    if (this.#draft.isNew) this.#offers = new ZoneOffers(this.#draft, zone.name);
    if (place && name) this.#offers?.named(name, place);
    this.#listen(this.#draft, 'preview', () => this.#moved());
    this.#listen(this.#form, 'point', ({ detail }) => this.#pointActions(detail.index));
    this.#listen(this.#form, 'add', ({ detail }) => this.#addWithout(detail.how));
    this.#listen(window, 'keydown', (event) => this.#key(event));
    this.#changed();
  }

  async begin() {
    // Close and Save are available before the map is, and without one.
    const floor = furniture(
      h(
        'div',
        { class: 'map-top edit-top' },
        h(
          'button',
          {
            type: 'button',
            class: 'round close-editor',
            'aria-label': t`Close without saving`,
            onclick: () => this.#close(),
          },
          icon('close'),
        ),
        this.#pill,
        h('button', { type: 'button', class: 'button primary save', onclick: () => this.#save() }, t`Save`),
      ),
      this.#finding,
      this.#hint,
      this.#offers?.element,
    );
    this.#undo.push(() => floor.remove());
    const view = await mapView(this.#app);
    if (this.#left) return;
    this.#view = view;
    this.#layers = zoneLayers(this.#app, view);
    this.#layers.hidden = this.#draft.id;
    floor.append(
      tools(
        this.#undoTool,
        this.#redoTool,
        this.#modeTool,
        tool({ label: t`Find a place`, picture: 'search', run: () => this.#find() }),
        tool({ label: t`My position`, picture: 'position', run: () => this.#toOwnPosition() }),
        ...zoomTools(view),
        this.#soundTool,
      ),
    );
    this.#preview = new ZonePreview(view, this.#draft);
    this.#points = new ZonePoints(view, this.#draft);
    this.#edge = new CircleEdge({
      app: this.#app,
      view,
      draft: this.#draft,
      limits: this.#limits.size_m,
      standard: this.#defaults.size_m,
    });
    if (this.#offers) {
      this.#listen(this.#offers, 'change', () => this.#moved());
      this.#listen(this.#offers, 'take', () => this.#reveal());
      this.#offers.begin(view);
      this.#undo.push(() => this.#offers.remove());
    }
    const tapped = (event) => this.#tap(event);
    view.map.on('click', tapped);
    // Two quick taps zoom. The click of the first may come after the second touch has begun.
    this.#listen(view.map.getCanvas(), 'pointerdown', ({ timeStamp }) => {
      this.#isSecond = timeStamp - this.#downAt < twice_ms;
      this.#downAt = timeStamp;
      if (this.#isSecond) this.#forgetTap();
    });
    this.#undo.push(
      () => this.#preview.remove(),
      () => this.#points.remove(),
      () => this.#edge.remove(),
      () => view.map.off('click', tapped),
      () => this.#forgetTap(),
      onLongPress(view, (place) => this.#held(place)),
      () => {
        this.#layers.hidden = '';
      },
      () => view.pad({}),
    );
    this.#listen(this.#points, 'pick', ({ detail }) => this.#pointActions(detail.index));
    this.#listen(this.#points, 'say', ({ detail }) => {
      this.#said.textContent = detail.text;
    });
    this.#listen(this.#sheet, 'rest', ({ detail }) => this.#pad(detail.height));
    const measured = () => this.#measure();
    view.map.on('moveend', measured);
    this.#undo.push(() => view.map.off('moveend', measured));
    this.#pad(this.#sheet.restHeight);
    this.#changed();
    await this.#open();
  }

  leave() {
    this.#left = true;
    for (const undo of this.#undo) undo();
    if (this.#isDone) {
      this.#unsaved.end();
      return;
    }
    // An unsaved form is kept, so that leaving by mistake loses nothing.
    const { isNew, id } = this.#draft;
    const query = new URLSearchParams({
      resume: 1,
      ...(this.#from && { from: this.#from }),
      ...(this.#at && { at: this.#at }),
    });
    this.#unsaved.leave(() => go(`/zones/${isNew ? 'new' : id}?${query}`));
  }

  /** Without a map the form can create the zone, with points at the own position or at coordinates. */
  fail(error) {
    if (error instanceof NoMap) console.warn(error.message);
    else console.error(error);
    if (this.#left) return;
    this.#hint.remove();
    this.#form.hasMap = false;
    this.#form.showPoints();
    this.#form.before(
      h(
        'div',
        { class: 'note warn card', role: 'alert' },
        icon('warning'),
        h('p', { class: 'grow' }, t`${error.message} Add points by your position or by coordinates, under “Points”.`),
      ),
    );
    this.#sheet.rest = 'full';
    if (!this.#draft.places.length) this.#begins().catch((problem) => console.error(problem));
  }

  /**
   * Puts a new zone at the place requested before the editor was opened. @returns {Promise<boolean>} false if there was none
   */
  async #begins() {
    if (this.#at !== 'here') return false;
    const place = await ownPosition(this.#app);
    if (this.#left || this.#draft.places.length) return true;
    if (place) this.#add(place);
    else if (this.#view) snackbar(t`${noPosition(this.#app)} Tap the map instead.`);
    else snackbar(noPosition(this.#app));
    return true;
  }

  #listen(target, name, run) {
    target.addEventListener(name, run);
    this.#undo.push(() => target.removeEventListener(name, run));
  }

  // MARK: Where the map is

  /** Shows the zone with its alert line; for a new zone, the range of the setting, by default 50 km (S78). */
  async #open() {
    const { isNew, places } = this.#draft;
    if (this.#box && !isNew) {
      this.#view.fit(this.#box, { margin: clear, most: 18 });
      return;
    }
    // A place that was selected on the map stays in view, at a zoom that shows the zone.
    if (places.length) {
      this.#reveal();
      return;
    }
    if (await this.#begins()) return;
    const place = await ownPosition(this.#app);
    if (this.#left || this.#draft.places.length) return;
    const middle = place ?? placeOf(this.#app);
    if (middle) this.#view.around(middle, this.#at ? street_m : (this.#app.settings.zone_map_range_km ?? 50) * 1000);
  }

  /** The south-west and north-east corners of all lines of the zone; undefined without lines. */
  get #box() {
    const { drawing } = this.#draft;
    return drawing.south === undefined
      ? undefined
      : [
          [drawing.south, drawing.west],
          [drawing.north, drawing.east],
        ];
  }

  /** Zooms in until the zone is visible: on a map of a country a finger covers kilometres, but the circle has 50 m. */
  #reveal() {
    if (this.#box) this.#view?.reveal(this.#box, { margin: clear, most: 18 });
  }

  #pad(height) {
    const isWide = matchMedia('(min-width: 768px)').matches;
    this.#soundTool.hidden = !isWide && this.#sheet.rest !== 'peek';
    const covered = isWide || this.#sheet.rest === 'full' ? 0 : height;
    this.#view?.pad({ bottom: covered });
    this.#hasRoom = document.getElementById('map').clientHeight - covered >= leastForHint_px;
    if (this.#view) this.#moved();
    // Above the line with the map's credits.
    for (const foot of [this.#hint, this.#offers?.element].filter(Boolean))
      foot.style.bottom = `calc(${covered + 16}px + var(--credit, 36px) + var(--streets-line, 0px))`;
  }

  #measure() {
    const { map } = this.#view;
    const tolerance_m = Math.max(0.01, pixel_m(map.getCenter().lat, map.getZoom()) * 0.3);
    if (this.#tolerance && Math.abs(Math.log2(tolerance_m / this.#tolerance)) < 0.5) return;
    this.#tolerance = this.#draft.tolerance_m = tolerance_m;
    this.#draft.redraw();
  }

  async #toOwnPosition() {
    const place = await ownPosition(this.#app);
    if (this.#left) return;
    if (place) this.#view.center(place, Math.max(14, this.#view.map.getZoom()));
    else snackbar(noPosition(this.#app));
  }

  /** The center of the visible part of the map. */
  #middle() {
    const { lat, lng } = this.#view.map.getCenter().wrap();
    return [lat, lng];
  }

  // MARK: What changed

  #changed() {
    this.#form.set();
    this.#undoTool.disabled = !this.#draft.canUndo;
    this.#redoTool.disabled = !this.#draft.canRedo;
    this.#moved();
  }

  #moved() {
    this.#preview?.draw();
    this.#points?.draw();
    this.#edge?.draw();
    const { drawing, places, missing } = this.#draft;
    const counted = places.length ? words.count(places.length, 'point') : t`No points`;
    this.#pill.replaceChildren(
      h('b', {}, counted),
      drawing.area_m2 && !drawing.problem && !missing
        ? h('span', { class: 'number' }, '\u00a0· ', words.area(drawing.area_m2))
        : '',
    );
    const [text, isError] = findings(this.#draft);
    this.#finding.hidden = !text;
    if (text && this.#finding.textContent !== text) this.#finding.replaceChildren(icon('warning', { size: 20 }), text);
    this.#finding.classList.toggle('error', Boolean(isError));
    this.#hint.hidden =
      !this.#isEditing || (places.length && !this.#hasRoom) || places.length > 150 || Boolean(this.#offers?.isShown);
    this.#hint.textContent = hint(this.#draft);
  }

  #setEditing(isEditing) {
    this.#isEditing = isEditing;
    this.#points.isShown = isEditing;
    this.#edge.isShown = isEditing;
    this.#layers.hidden = isEditing ? this.#draft.id : '';
    this.#modeTool.setAttribute('aria-pressed', String(isEditing));
    this.#modeTool.setAttribute('aria-label', isEditing ? t`View map` : t`Edit map`);
    this.#modeTool.title = isEditing ? t`View map` : t`Edit map`;
    this.#modeTool.replaceChildren(icon(isEditing ? 'eye' : 'pencil'));
    this.#moved();
  }

  // MARK: Points

  #held(place) {
    if (!this.#isEditing) return;
    const isFirst = this.#draft.places.length === 0;
    const own = isOld(this.#app) ? undefined : placeOf(this.#app);
    const isOnOwn = isFirst && own && this.#gap_px(place, own) < finger_px && apart_m(place, own) > same_m;
    this.#add(place);
    // On a coarse map, the tap may have been meant for the dot of the own position.
    if (isOnOwn) this.#offerOwn(own);
  }

  /** A tap sets the first point, or further points of an unfinished area, or moves a new circle. It changes nothing else. */
  #tap({ lngLat, originalEvent }) {
    if (this.#isSecond) return;
    if (!this.#isEditing || this.#view.swallowsTap || originalEvent.target !== this.#view.map.getCanvas()) return;
    const { lat, lng } = lngLat.wrap();
    this.#tapped = { timer: setTimeout(() => this.#takeTap(), twice_ms), place: [lat, lng] };
  }

  /** @returns {[number, number]|undefined} the place of the tap */
  #forgetTap() {
    const { timer, place } = this.#tapped ?? {};
    clearTimeout(timer);
    this.#tapped = undefined;
    return place;
  }

  #takeTap() {
    const place = this.#forgetTap();
    if (!place) return;
    const { places, isLoose, wish } = this.#draft;
    // Taps add points to an area until it is complete.
    if (!places.length || wish === 'area') this.#held(place);
    else if (isLoose) this.#moveTo(place);
  }

  #moveTo(place) {
    this.#draft.setPlaces([place]);
    this.#said.textContent = t`The zone is at ${zoneWords.place(place)} now`;
    this.#reveal();
  }

  /** Puts a new zone at a place found by name. For an existing zone, only the map moves there. */
  async #find() {
    const found = await findPlace({ app: this.#app, near: this.#view && this.#middle() });
    if (this.#left || !found) return;
    if (this.#draft.places.length && !this.#draft.isLoose) {
      this.#view?.around(found.place, street_m);
      return;
    }
    if (this.#draft.places.length) this.#draft.setPlaces([found.place]);
    else this.#add(found.place);
    this.#offers?.named(found.name, found.place);
    this.#reveal();
  }

  #add(place) {
    const isFirst = this.#draft.places.length === 0;
    const index = this.#draft.insert(place);
    if (this.#points) this.#points.selected = index;
    this.#said.textContent = t`Point ${index + 1} added at ${zoneWords.place(place)}`;
    // The first point of an area has no extent yet.
    if (isFirst && this.#view && this.#draft.wish !== 'area') this.#reveal();
  }

  #gap_px(a, b) {
    const [from, to] = [a, b].map(([latitude, longitude]) => this.#view.map.project([longitude, latitude]));
    return Math.hypot(from.x - to.x, from.y - to.y);
  }

  #offerOwn(own) {
    const [held] = this.#draft.places;
    snackbar(t`The zone is ${words.length(apart_m(held, own))} from your position`, {
      action: {
        label: t`Move it there`,
        run: () => {
          if (this.#left || this.#draft.places[0] !== held) return;
          this.#draft.setPlaces([own, ...this.#draft.places.slice(1)]);
          this.#reveal();
        },
      },
      seconds: 15,
    });
  }

  /** Adds a point without a tap on the map. */
  async #addWithout(how) {
    if (how === 'coordinates') {
      coordinates(undefined, (place) => this.#add(place));
      return;
    }
    const place = how === 'own' ? await ownPosition(this.#app) : this.#view && this.#middle();
    if (this.#left) return;
    if (!place) {
      snackbar(how === 'own' ? noPosition(this.#app) : t`The map is not there yet.`);
      return;
    }
    this.#add(place);
    this.#points?.focus(this.#points.selected);
  }

  #pointActions(index) {
    if (this.#points) pointSheet({ draft: this.#draft, points: this.#points, index, middle: () => this.#middle() });
    else
      coordinates(this.#draft.places[index], (place) => this.#draft.setPlaces(this.#draft.places.with(index, place)));
  }

  #key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.target.closest?.('input, textarea')) return;
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) {
      event.preventDefault();
      this.#draft.undo();
    }
    if (key === 'y' || (key === 'z' && event.shiftKey)) {
      event.preventDefault();
      this.#draft.redo();
    }
    if (key === 's') {
      event.preventDefault();
      this.#save();
    }
  }

  // MARK: Leaving

  #menu(at) {
    const { id, isNew, form } = this.#draft;
    menu({
      label: zoneWords.name(form),
      at,
      items: [
        { label: t`Send`, picture: 'share', run: () => go(`/share?zone=${id}`) },
        { label: t`Delete`, picture: 'trash', danger: true, run: () => this.#delete() },
      ].slice(isNew ? 1 : 0),
    });
  }

  async #delete() {
    const { id, isNew } = this.#draft;
    this.#isDone = true;
    const there = nextScreen();
    const removed = isNew ? undefined : this.#app.removeZones(id);
    this.#back();
    try {
      if (!removed) return;
      const gone = await removed;
      await there;
      sayDeleted(this.#app, gone);
    } catch (error) {
      snackbar(t`Not deleted: ${error.message}`);
    }
  }

  async #save() {
    document.activeElement?.blur();
    this.#takeTap();
    // A tap just before Save takes effect first.
    await painted();
    if (this.#left || this.#isDone) return;
    if (this.#form.stopsAtRefused()) {
      this.#sheet.rest = 'full';
      return;
    }
    const { drawing, form } = this.#draft;
    if (drawing.refused_zone || this.#draft.missing) {
      const [text] = findings(this.#draft);
      this.#finding.hidden = false;
      this.#finding.classList.add('error');
      this.#finding.replaceChildren(
        icon('warning', { size: 20 }),
        text ||
          (this.#form.hasMap
            ? t`A zone needs a place: tap the map where it should be.`
            : t`A zone needs a place: add one under “Points”.`),
      );
      return;
    }
    // Storage has a zone that another tab saved before this tab is told of it.
    const now = (await this.#app.storage.get('zones', form.id)) ?? this.#app.zones.get(form.id);
    const question = { name: zoneWords.name(form), before: this.#before, now, draft: this.#unsaved };
    if (!(await mayReplaceSaved(question)) || this.#left) return;
    this.#isDone = true;
    try {
      await this.#app.putZones(form);
      this.#back();
    } catch (error) {
      this.#isDone = false;
      snackbar(t`Not saved: ${error.message}`);
    }
  }

  #close() {
    this.#back();
  }

  /** Returns to the view that opened the editor (S76). */
  #back() {
    const { id } = this.#draft;
    const known = this.#app.zones.has(id) ? `?zone=${id}` : '';
    if (this.#from === 'map') {
      go(`/map${known}`);
      return;
    }
    // The next step after a first zone is to turn alarms on.
    if (this.#at) {
      go('/');
      return;
    }
    if (this.#from === 'list' || !hasBefore()) {
      go(`/zones${known}`);
      return;
    }
    back();
    // If the browser has no entry to go back to, nothing happens.
    setTimeout(() => {
      if (!this.#left) go(`/zones${known}`);
    }, 500);
  }
}
