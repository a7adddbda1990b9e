// The bottom sheet of map screens: it rests at three heights and is moved by its grabber with a finger, a mouse or arrow keys.
// On wide screens it fills the pane.
import { noFlick } from './no-flick.js';
import { h } from '../scripts/page/dom.js';
import { closesOnBack } from '../scripts/page/steps.js';
import { t } from '../scripts/words/translate.js';

const rests = ['peek', 'half', 'full'];
const peek = 132;

/**
 * `<bottom-sheet rest="half" half="0.5" label="Zone">…</bottom-sheet>`; `half` is the share of the screen's height at that
 * rest. Fires `rest` when a height is chosen, with the covered height in pixels, which a map uses as padding.
 */
export class BottomSheet extends HTMLElement {
  static observedAttributes = ['rest'];
  #start;
  #grabber = h('button', {
    type: 'button',
    class: 'grabber',
    'aria-label': t`Height of the sheet`,
    onkeydown: (event) => this.#key(event),
    onpointerdown: (event) => this.#take(event),
    onpointermove: (event) => this.#drag(event),
    onpointerup: (event) => this.#drop(event),
    onpointercancel: (event) => this.#drop(event),
    onclick: (event) => {
      if (event.detail === 0) this.#step(1, true);
    },
  });

  constructor() {
    super();
    noFlick(this.#grabber, () => Boolean(this.#start?.moved));
  }

  connectedCallback() {
    if (this.#grabber.parentElement !== this) this.prepend(this.#grabber);
    if (this.hasAttribute('label')) {
      this.setAttribute('role', 'region');
      this.setAttribute('aria-label', this.getAttribute('label'));
    }
    if (!this.rest) this.rest = 'half';
    this.#settle();
    // The room changes when the navigation bar is hidden, the phone is turned or a keyboard opens; the sheet is a share of it.
    let whole = this.#whole;
    this.#room = new ResizeObserver(() => {
      if (whole === this.#whole || this.#start) return;
      whole = this.#whole;
      this.#settle();
    });
    if (this.parentElement) this.#room.observe(this.parentElement);
  }
  disconnectedCallback() {
    this.#room?.disconnect();
  }
  attributeChangedCallback() {
    if (this.isConnected) this.#settle();
  }

  get rest() {
    return this.getAttribute('rest');
  }
  set rest(name) {
    this.setAttribute('rest', name);
  }

  /** The height of the sheet at its present rest, in pixels. The sheet may still be moving there. */
  get restHeight() {
    return this.#heightOf(this.rest);
  }

  #room;
  get #whole() {
    return this.parentElement?.clientHeight || innerHeight;
  }

  #heightOf(rest) {
    const whole = this.#whole;
    const half = Number(this.getAttribute('half') ?? 0.54);
    return { peek: Math.min(peek, whole), half: whole * half, full: whole - 24 }[rest] ?? whole * half;
  }

  #settle() {
    const height = this.#heightOf(this.rest);
    this.style.setProperty('--sheet-height', `${height}px`);
    this.dispatchEvent(new CustomEvent('rest', { bubbles: true, detail: { rest: this.rest, height } }));
  }

  #take(event) {
    this.#start = { y: event.clientY, height: this.offsetHeight, moved: false };
    this.#grabber.setPointerCapture(event.pointerId);
    this.classList.add('dragged');
  }
  #drag(event) {
    if (!this.#start) return;
    const by = this.#start.y - event.clientY;
    if (Math.abs(by) > 4) this.#start.moved = true;
    this.style.setProperty(
      '--sheet-height',
      `${Math.max(72, Math.min(this.#heightOf('full'), this.#start.height + by))}px`,
    );
  }
  #drop(event) {
    if (!this.#start) return;
    const { moved } = this.#start;
    const height = this.#start.height + this.#start.y - event.clientY;
    this.#start = undefined;
    this.classList.remove('dragged');
    if (!moved) return this.#step(1, true);
    const nearest = rests.reduce((best, rest) =>
      Math.abs(this.#heightOf(rest) - height) < Math.abs(this.#heightOf(best) - height) ? rest : best,
    );
    if (nearest === this.rest) this.#settle();
    else this.rest = nearest;
  }
  #step(by, around = false) {
    const next = rests.indexOf(this.rest) + by;
    this.rest = rests[around ? (next + rests.length) % rests.length : Math.max(0, Math.min(rests.length - 1, next))];
  }
  #key(event) {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by) {
      event.preventDefault();
      this.#step(by);
    }
  }
}
customElements.define('bottom-sheet', BottomSheet);

/**
 * A modal sheet. Escape, Back and a tap beside it close it.
 * @param {{label: string, onclose?: (reason: string) => void, stays?: () => boolean}} how while `stays` is true, a tap beside the
 *   sheet does not close it
 * @returns {HTMLDialogElement} its `close` removes it
 */
export function modalSheet({ label, onclose, stays }, ...content) {
  const dialog = h(
    'dialog',
    {
      class: 'sheet',
      'aria-label': label,
      onclick: (event) => {
        if (event.target === dialog && !stays?.()) dialog.close();
      },
      onclose: () => {
        dialog.remove();
        onclose?.(dialog.returnValue);
      },
    },
    content,
  );
  document.body.append(dialog);
  dialog.showModal();
  closesOnBack(dialog);
  return dialog;
}
