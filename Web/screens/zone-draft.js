// A zone while it is edited: its form, what the engine makes of it, and the way back.

export class ZoneDraft extends EventTarget {
  #app;
  #form;
  #first;
  #past = [];
  #future = [];
  /** The engine's lines and findings for the form as it is; `refused` with field and why, where it is no zone. */
  drawing = {};
  /** Half a pixel on the map, about. */
  tolerance_m = 1;
  id;
  isNew;

  /** @param {{app, form: object, isNew: boolean}} what */
  constructor({ app, form, isNew }) {
    super();
    this.#app = app;
    this.#form = this.#first = form;
    this.id = form.id;
    this.isNew = isNew;
    this.#draw(false);
  }

  get form() { return this.#form; }
  get places() { return this.#form.outline === 'area' ? [] : this.#form.places ?? []; }
  get isDirty() { return this.#form !== this.#first; }
  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }

  /** One step that can be undone. */
  change(values) { this.replace({ ...this.#form, ...values }); }

  replace(form) {
    this.#past.push(this.#before ?? this.#form);
    this.#before = undefined;
    this.#future = [];
    this.#take(form, 'change');
  }

  #before;
  /** A step that is under way, as while a point is dragged: `replace`, `change` or `abandon` ends it. */
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

  undo() { if (this.canUndo) { this.#future.push(this.#form); this.#take(this.#past.pop(), 'change'); } }
  redo() { if (this.canRedo) { this.#past.push(this.#form); this.#take(this.#future.pop(), 'change'); } }

  setPlaces(places, { isPreview = false } = {}) { if (isPreview) this.preview({ places }); else this.change({ places }); }

  /** At the edge nearest to it; the engine says which. @returns {number} the index it got */
  insert(place) {
    const { index } = this.#app.ask('insertion', { zone: this.#form, place });
    this.setPlaces(this.places.toSpliced(index, 0, place));
    return index;
  }

  /** So many metres to the north and to the east. */
  move(index, north_m, east_m) {
    const { place } = this.#app.ask('shift', { place: this.places[index], north_m, east_m });
    this.setPlaces(this.places.with(index, place));
  }

  reshape(to) { this.replace(this.#app.ask('reshape', { zone: this.#form, to }).zone); }

  #take(form, name) {
    this.#form = form;
    this.#draw(name === 'preview');
    this.dispatchEvent(new Event(name));
  }

  /** Draws anew, as after the map was zoomed. */
  redraw() { this.#draw(false); this.dispatchEvent(new Event('preview')); }

  #draw(coarse) {
    try {
      this.drawing = this.#app.ask('draw', { zone: this.#form, tolerance_m: this.tolerance_m, coarse });
    } catch (error) {
      if (!error.field) throw error;
      this.drawing = { ...this.drawing, refused_zone: true, field: error.field, why: error.why };
    }
  }
}
