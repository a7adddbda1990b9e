// A zone that is being edited: its form, the engine's drawing and findings, undo and redo.
import { t } from '../../scripts/words/translate.js';

export class ZoneDraft extends EventTarget {
  #app;
  #form;
  #first;
  #past = [];
  #future = [];
  /** The engine's lines and findings for the present form; `refused_zone`, `field` and `why` if the form is no valid zone. */
  drawing = {};
  /** The tolerance for the engine's lines, about half a pixel of the map. */
  tolerance_m = 1;
  id;
  isNew;
  /** `area` if an area was selected before there were three points for one. */
  wish;

  /** @param {{app, form: object, isNew: boolean}} what */
  constructor({ app, form, isNew }) {
    super();
    this.#app = app;
    this.#form = this.#first = form;
    this.id = form.id;
    this.isNew = isNew;
    this.#draw(false);
  }

  get form() {
    return this.#form;
  }
  /** All points, ring after ring if the zone has several. */
  get places() {
    return this.#rings.flat();
  }
  get #rings() {
    return this.#form.outline === 'area' ? this.#form.parts.flat() : [this.#form.places ?? []];
  }
  /** The number of points that a selected area still lacks. */
  get missing() {
    return this.wish === 'area' && this.#form.outline === 'locations' ? Math.max(0, 3 - this.places.length) : 0;
  }
  /** True for a new circle: a tap moves it, and the map proposes its name. */
  get isLoose() {
    return this.isNew && this.places.length === 1 && !this.missing && this.#form.outline === 'locations';
  }
  get isDirty() {
    return this.#form !== this.#first;
  }
  /** The part that is stored as a draft and can be resumed. */
  get unsaved() {
    return { form: this.#form, wish: this.wish };
  }
  resume({ form, wish }) {
    this.wish = wish;
    this.replace(form);
  }
  get canUndo() {
    return this.#past.length > 0;
  }
  get canRedo() {
    return this.#future.length > 0;
  }

  /** Makes a change that can be undone as one step. */
  change(values) {
    this.replace({ ...this.#form, ...values });
  }

  replace(form) {
    this.#past.push(this.#before ?? this.#form);
    this.#before = undefined;
    this.#future = [];
    this.#take(form, 'change');
  }

  /** Fills in a proposed value, without a step to undo. Has no effect during a preview. */
  propose(values) {
    if (!this.#before) this.#take({ ...this.#form, ...values }, 'change');
  }

  #before;
  /** Shows an unfinished step, such as the drag of a point. `replace`, `change` or `abandon` ends it. */
  preview(values) {
    this.#before ??= this.#form;
    this.#take({ ...this.#form, ...values }, 'preview');
  }

  abandon() {
    if (!this.#before) return;
    const before = this.#before;
    this.#before = undefined;
    this.#take(before, 'change');
  }

  undo() {
    if (this.canUndo) {
      this.#future.push(this.#form);
      this.#take(this.#past.pop(), 'change');
    }
  }
  redo() {
    if (this.canRedo) {
      this.#past.push(this.#form);
      this.#take(this.#future.pop(), 'change');
    }
  }

  /** Moves points; their number stays the same. */
  setPlaces(places, { isPreview = false } = {}) {
    const values = this.#placed(places);
    if (isPreview) this.preview(values);
    else this.change(values);
  }

  /** The members of the form that hold the points. A ring without a moved point stays the same object. */
  #placed(places) {
    if (this.#form.outline !== 'area') return { places };
    let from = 0;
    return {
      parts: this.#form.parts.map((part) =>
        part.map((ring) => {
          const moved = places.slice(from, (from += ring.length));
          return moved.every((place, index) => place === ring[index]) ? ring : moved;
        }),
      ),
    };
  }

  /** The ring of a point: its part, its number in that part, and the index of its first point. */
  #ringOf(index) {
    let from = 0;
    for (const [part, rings] of this.#form.parts.entries()) {
      for (const [number, ring] of rings.entries()) {
        if (index < from + ring.length) return { part, number, ring, from };
        from += ring.length;
      }
    }
    throw new RangeError(t`there is no point ${index + 1}`);
  }

  /** The index of the point at the other end of the edge that begins at this point. */
  next(index) {
    const { from, ring } = this.#form.outline === 'area' ? this.#ringOf(index) : { from: 0, ring: this.places };
    return from + ((index - from + 1) % ring.length);
  }

  /** The index of the point whose edge ends at this point; undefined for the first point of a path. */
  previous(index) {
    const { from, ring } = this.#form.outline === 'area' ? this.#ringOf(index) : { from: 0, ring: this.places };
    if (ring.length < 2 || (index === 0 && this.#form.outline === 'path')) return undefined;
    return from + ((index - from - 1 + ring.length) % ring.length);
  }

  /** The form with a point added after another. */
  with(place, { after }) {
    if (this.#form.outline !== 'area') return { places: this.places.toSpliced(after + 1, 0, place) };
    const { part, number, ring, from } = this.#ringOf(after);
    return {
      parts: this.#form.parts.with(
        part,
        this.#form.parts[part].with(number, ring.toSpliced(after - from + 1, 0, place)),
      ),
    };
  }

  /**
   * Removes a point. A ring of three points is removed as a whole, and an outer ring with its part; the last part stays.
   * @returns {boolean} true if the point was removed
   */
  remove(index) {
    if (this.#form.outline !== 'area') {
      this.change({ places: this.places.toSpliced(index, 1) });
      return true;
    }
    const { parts } = this.#form;
    const { part, number, ring, from } = this.#ringOf(index);
    if (ring.length > 3)
      this.change({ parts: parts.with(part, parts[part].with(number, ring.toSpliced(index - from, 1))) });
    else if (number > 0) this.change({ parts: parts.with(part, parts[part].toSpliced(number, 1)) });
    else if (parts.length > 1) this.change({ parts: parts.toSpliced(part, 1) });
    else return false;
    return true;
  }

  /** Inserts a point in the nearest edge, which the engine finds. @returns {number} its index */
  insert(place) {
    const { index } = this.#app.ask('insertion', { zone: this.#form, place });
    this.change(this.with(place, { after: index - 1 }));
    return index;
  }

  /** Moves a point by metres to the north and to the east. */
  move(index, north_m, east_m) {
    const { place } = this.#app.ask('shift', { place: this.places[index], north_m, east_m });
    this.setPlaces(this.places.with(index, place));
  }

  /** Changes the kind of outline, even before there is a point. */
  reshape(to) {
    this.wish = undefined;
    if (this.places.length) {
      this.#reshape(to);
      return;
    }
    this.wish = to;
    this.change({ outline: to === 'path' ? 'path' : 'locations' });
  }
  #reshape(to) {
    this.replace(this.#app.ask('reshape', { zone: this.#form, to }).zone);
  }

  #take(form, name) {
    this.#form = form;
    this.#draw(name === 'preview');
    this.dispatchEvent(new Event(name));
  }

  /** Draws again, as after a change of the map's zoom. */
  redraw() {
    this.#draw(false);
    this.dispatchEvent(new Event('preview'));
  }

  #draw(coarse) {
    try {
      this.drawing = this.#app.ask('draw', { zone: this.#form, tolerance_m: this.tolerance_m, coarse });
      if (this.#form.outline === 'area') this.drawing.middles = this.#middles();
    } catch (error) {
      if (!error.field) throw error;
      this.drawing = { ...this.drawing, refused_zone: true, field: error.field, why: error.why };
    }
  }

  /** The middles of all edges: the engine computes them for each ring as a zone of its own. */
  #middles() {
    if (this.places.length > mostMiddles) return [];
    return this.#rings.flatMap((ring) => {
      if (!middles.has(ring)) {
        const zone = { id: this.id, outline: 'locations', places: ring, edges: this.#form.edges };
        middles.set(ring, this.#app.ask('draw', { zone, coarse: true }).middles ?? []);
      }
      return middles.get(ring);
    });
  }
}

const mostMiddles = 150;
/** The middles by ring, which is possible because no ring is changed in place. */
const middles = new WeakMap();
