// The numbered points of a zone that is being edited (S68-S73): dragged, inserted, moved with keys.
import { swallowClick } from './long-press.js';
import { Loupe } from './loupe.js';
import { toMap } from './map-view.js';
import { PointTag } from './point-tag.js';
import { noFlick } from '../parts/no-flick.js';
import { h } from '../scripts/page/dom.js';
import * as zoneWords from '../scripts/words/zone-words.js';
import { t } from '../scripts/words/translate.js';

const slop_px = 4;
const hold_ms = 500;
/** The shortest edge, in pixels, with a handle in its middle: shorter ones have no room for a finger between their points. */
const roomy_px = 76;
/** The most points shown. A zone with more shows those in view, if these are not too many. */
const most = 150;

/** Fires `pick` with the index of the point whose actions are requested, and `say` with words for screen readers. */
export class ZonePoints extends EventTarget {
  #view;
  #draft;
  #markers = new Map();
  #middles = new Map();
  #loupe;
  #drag;
  /** True if the pointer made a drag, so that the click that follows is ignored. */
  #isSpent = false;
  #selected;
  #isShown = true;
  /** The tag above the tapped point, with a button for its actions. */
  #tag = new PointTag(() => this.#pick(this.#tagged));
  #tagged;

  constructor(view, draft) {
    super();
    this.#view = view;
    this.#draft = draft;
    this.#loupe = new Loupe(view.map);
    view.map.on('moveend', this.draw);
    this.draw();
  }

  remove() {
    this.#view.map.off('moveend', this.draw);
    this.#loupe.hide();
    for (const marker of [...this.#markers.values(), ...this.#middles.values()]) marker.remove();
    this.#tag.remove();
  }

  /** Points are shown in edit mode only (S66-S68). */
  set isShown(isShown) {
    this.#isShown = isShown;
    this.draw();
  }
  get selected() {
    return this.#selected;
  }
  set selected(index) {
    this.#selected = index;
    this.draw();
  }

  /** The number of points that are not shown. */
  get left() {
    return Math.max(0, this.#draft.places.length - this.#markers.size);
  }

  draw = () => {
    const { places, drawing } = this.#draft;
    const shown = this.#isShown ? this.#inView(places) : [];
    if (this.#selected >= places.length) this.#selected = undefined;
    this.#sync(
      this.#markers,
      shown,
      (index) => this.#point(index),
      (marker, index) => {
        const element = marker.getElement();
        marker.setLngLat(toMap(places[index]));
        element.setAttribute(
          'aria-label',
          t`Point ${index + 1} of ${places.length}, ${zoneWords.place(places[index])}`,
        );
        element.classList.toggle('selected', index === this.#selected);
      },
    );
    if (this.#tagged !== this.#selected || !shown.includes(this.#tagged)) this.#tagged = undefined;
    if (this.#tagged === undefined) this.#tag.remove();
    else this.#tag.show(this.#view, places[this.#tagged], zoneWords.name(this.#draft.form), this.#tagged + 1);
    const middles = drawing.middles?.length <= most ? drawing.middles : [];
    const roomy = middles
      .map((_, index) => index)
      .filter((index) => {
        const [a, b] = [places[index], places[this.#draft.next(index)]].map(
          (place) => place && this.#view.map.project(toMap(place)),
        );
        // The handle under the finger stays, invisible, until the drag ends.
        return (
          this.#isShown && a && b && (this.#drag?.isMiddle === index || Math.hypot(a.x - b.x, a.y - b.y) >= roomy_px)
        );
      });
    this.#sync(
      this.#middles,
      roomy,
      (index) => this.#middle(index),
      (marker, index) => {
        marker.setLngLat(toMap(middles[index]));
        marker
          .getElement()
          .setAttribute('aria-label', t`Insert a point between ${index + 1} and ${this.#draft.next(index) + 1}`);
      },
    );
  };

  #inView(places) {
    const all = places.map((_, index) => index);
    if (all.length <= most) return all;
    const bounds = this.#view.map.getBounds();
    const seen = all.filter((index) => bounds.contains(toMap(places[index])));
    return seen.length <= most ? seen : [];
  }

  #sync(markers, wanted, make, set) {
    for (const [index, marker] of markers)
      if (!wanted.includes(index)) {
        marker.remove();
        markers.delete(index);
      }
    for (const index of wanted) {
      if (!markers.has(index)) markers.set(index, make(index));
      const marker = markers.get(index);
      set(marker, index);
      if (!marker.getElement().isConnected) marker.addTo(this.#view.map);
    }
  }

  // MARK: A point

  #point(index) {
    const element = h(
      'button',
      {
        type: 'button',
        role: 'button',
        class: 'zone-point',
        'data-point': index + 1,
        onkeydown: (event) => this.#key(event, index),
      },
      h('span', {}, String(index + 1)),
    );
    element.addEventListener('click', (event) => {
      event.stopPropagation();
      // A click by key opens the actions directly, without the tag.
      if (event.detail === 0 || this.#tagged === index) this.#pick(index);
      else if (!this.#isSpent) this.#tell(index);
    });
    this.#catch(element, () => ({ index }));
    return new this.#view.library.Marker({ element });
  }

  #middle(index) {
    const insert = () => this.insert(index);
    const element = h(
      'button',
      { type: 'button', role: 'button', class: 'zone-middle', 'data-middle': index + 1 },
      h('span', {}),
    );
    element.addEventListener('click', (event) => {
      event.stopPropagation();
      if (event.detail === 0 || !this.#isSpent) insert();
    });
    this.#catch(element, () => ({ index: index + 1, isMiddle: index, start: this.#draft.drawing.middles[index] }));
    return new this.#view.library.Marker({ element });
  }

  /** Inserts a point in the middle of the edge that begins at a point. */
  insert(index) {
    this.#draft.change(this.#draft.with(this.#draft.drawing.middles[index], { after: index }));
    this.#selected = index + 1;
    this.draw();
    this.focus(index + 1);
    this.#say(t`Point ${index + 2} inserted`);
  }

  focus(index) {
    this.#markers.get(index)?.getElement().focus({ preventScroll: true });
  }

  /** Shows the number of a tapped point (S71). */
  #tell(index) {
    this.#selected = this.#tagged = index;
    this.draw();
    this.#say(t`Point ${index + 1}, ${zoneWords.place(this.#draft.places[index])}`);
  }

  #pick(index) {
    this.#selected = index;
    this.#tagged = undefined;
    this.draw();
    this.dispatchEvent(new CustomEvent('pick', { detail: { index } }));
  }

  #say(text) {
    this.dispatchEvent(new CustomEvent('say', { detail: { text } }));
  }

  // MARK: Dragging

  /** A drag of a point must not pan the map. */
  #catch(element, begin) {
    for (const name of ['mousedown', 'touchstart', 'dblclick'])
      element.addEventListener(name, (event) => event.stopPropagation(), { passive: true });
    noFlick(element, () => Boolean(this.#drag?.moved));
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || this.#drag) return;
      this.#isSpent = false;
      element.setPointerCapture(event.pointerId);
      this.#drag = {
        ...begin(),
        x: event.clientX,
        y: event.clientY,
        pointer: event.pointerId,
        isTouch: event.pointerType === 'touch',
        moved: false,
      };
      // A long press opens the actions of the point.
      if (this.#drag.isMiddle === undefined)
        this.#drag.held = setTimeout(() => {
          const { index } = this.#drag;
          swallowClick(this.#view);
          this.#end();
          this.#pick(index);
        }, hold_ms);
    });
    element.addEventListener('pointermove', (event) => this.#move(event, element));
    element.addEventListener('pointerup', (event) => this.#drop(event, element));
    element.addEventListener('pointercancel', () => {
      this.#draft.abandon();
      this.#end(element);
    });
    element.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  #move(event, element) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.moved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < slop_px) return;
      this.#lift(drag, element);
    }
    const canvas = this.#view.map.getCanvas().getBoundingClientRect();
    drag.at = { x: event.clientX - canvas.left + drag.dx, y: event.clientY - canvas.top + drag.dy };
    // At most one redraw per frame.
    drag.frame ??= requestAnimationFrame(() => {
      drag.frame = undefined;
      this.#follow(drag);
    });
  }

  /** Begins a drag: lifts the point, or inserts a new one in the middle of an edge. */
  #lift(drag, element) {
    clearTimeout(drag.held);
    drag.moved = true;
    this.#selected = drag.index;
    this.#tagged = undefined;
    // A point in the middle of an edge exists from now on and is moved.
    if (drag.start) this.#draft.preview(this.#draft.with(drag.start, { after: drag.isMiddle }));
    drag.places = this.#draft.places;
    element.classList.add('lifted');
    const canvas = this.#view.map.getCanvas().getBoundingClientRect();
    const at = this.#view.map.project(toMap(drag.places[drag.index]));
    drag.dx = at.x - (drag.x - canvas.left);
    drag.dy = at.y - (drag.y - canvas.top);
    navigator.vibrate?.(10);
  }

  #follow(drag) {
    if (this.#drag !== drag) return;
    const { lng, lat } = this.#view.map.unproject([drag.at.x, drag.at.y]).wrap();
    drag.places = drag.places.with(drag.index, [lat, lng]);
    this.#draft.setPlaces(drag.places, { isPreview: true });
    if (drag.isTouch) this.#loupe.show(drag.at);
  }

  #drop(event, element) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (drag.frame) {
      cancelAnimationFrame(drag.frame);
      this.#follow(drag);
    }
    this.#end(element);
    // Without a drag it is a click; its event follows.
    if (!drag.moved) return;
    this.#isSpent = true;
    this.#draft.setPlaces(drag.places);
    this.#say(t`Point ${drag.index + 1} moved to ${zoneWords.place(drag.places[drag.index])}`);
  }

  #end(element) {
    clearTimeout(this.#drag?.held);
    this.#drag = undefined;
    element?.classList.remove('lifted');
    this.#loupe.hide();
    this.draw();
  }

  // MARK: Keys

  #key(event, index) {
    // Undo, redo and save are keys of the editor.
    if (event.ctrlKey || event.metaKey) return;
    event.stopPropagation();
    const step = event.shiftKey ? 10 : 1;
    const way = { ArrowUp: [step, 0], ArrowDown: [-step, 0], ArrowRight: [0, step], ArrowLeft: [0, -step] }[event.key];
    if (way) {
      event.preventDefault();
      this.#selected = index;
      this.#draft.move(index, ...way);
      this.#say(t`Point ${index + 1}, ${zoneWords.place(this.#draft.places[index])}`);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      this.deletePoint(index);
    }
  }

  deletePoint(index) {
    this.#selected = undefined;
    if (!this.#draft.remove(index)) return this.#say(t`An area needs at least three points`);
    const { length } = this.#draft.places;
    this.#say(t`Point ${index + 1} deleted, ${length} left`);
    this.focus(Math.min(index, length - 1));
  }
}
