// One line at the foot of the page that goes away by itself, with one thing to do about it.
import { showAbove } from './above.js';
import { h } from '../scripts/dom.js';

let timer;

/**
 * @param {string} text
 * @param {{undo?: () => void, action?: {label: string, run: () => void}, seconds?: number}} [options] `undo` is an action
 *   labelled Undo
 * @returns {() => void} takes it away
 */
export function snackbar(text, { undo, action = undo && { label: 'Undo', run: undo }, seconds = 8 } = {}) {
  const notes = document.getElementById('notes');
  clearTimeout(timer);
  const away = () => { clearTimeout(timer); bar.remove(); };
  const bar = h('div', { class: 'snackbar' }, h('span', { class: 'grow' }, text),
    action && h('button', { class: 'button', onclick: () => { away(); action.run(); } }, action.label),
    !action && h('button', { class: 'button', 'aria-label': 'Dismiss', onclick: away }, 'OK'));
  showAbove(bar, notes);
  const wait = () => { timer = setTimeout(away, seconds * 1000); };
  // Whoever is at it keeps it (WCAG 2.2, 2.2.1).
  bar.addEventListener('pointerenter', () => clearTimeout(timer));
  bar.addEventListener('focusin', () => clearTimeout(timer));
  bar.addEventListener('pointerleave', wait);
  bar.addEventListener('focusout', wait);
  wait();
  return away;
}
