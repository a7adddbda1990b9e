// Messages at the foot of the page that disappear by themselves, each with one action.
import { showAbove } from './above.js';
import { h } from '../scripts/page/dom.js';
import { t } from '../scripts/words/translate.js';

/** The most messages at a time. Beyond it, the oldest without an action is removed, or else the oldest. */
const most = 4;
const bars = [];
/** The container of the messages, the newest lowest; created with the first. */
let stack;

/**
 * Shows a message. Each has its own time and action: two that offer Undo can both be used, in any order.
 * @param {string} text
 * @param {{undo?: () => void, action?: {label: string, run: () => void}, seconds?: number}} [options] `undo` is an action
 *   labelled Undo
 * @returns {() => void} removes the message
 */
export function snackbar(text, { undo, action = undo && { label: t`Undo`, run: undo }, seconds = 8 } = {}) {
  let timer;
  const away = () => {
    clearTimeout(timer);
    element.remove();
    const place = bars.indexOf(bar);
    if (place >= 0) bars.splice(place, 1);
  };
  const act = async () => {
    away();
    try {
      await action.run();
    } catch (error) {
      console.error(error);
      snackbar(t`Not done: ${error.message}`);
    }
  };
  const element = h(
    'div',
    { class: 'snackbar' },
    h('span', { class: 'grow' }, text),
    action && h('button', { class: 'button', onclick: act }, action.label),
    !action && h('button', { class: 'button', 'aria-label': t`Dismiss`, onclick: away }, t`OK`),
  );
  const bar = { element, away, text, isOffer: Boolean(action) };
  // An equal message replaces the earlier one.
  if (!action) for (const other of bars.filter((each) => !each.isOffer && each.text === text)) other.away();
  bars.push(bar);
  if (bars.length > most) (bars.find(({ isOffer }) => !isOffer) ?? bars[0]).away();
  stack ??= h('div', { class: 'snackbars' });
  stack.append(element);
  showAbove(stack, document.getElementById('notes'));
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(away, seconds * 1000);
  };
  const hold = () => clearTimeout(timer);
  // A message stays while the pointer or the focus is on it (WCAG 2.2, 2.2.1).
  element.addEventListener('pointerenter', hold);
  element.addEventListener('focusin', hold);
  element.addEventListener('pointerleave', wait);
  element.addEventListener('focusout', wait);
  wait();
  return away;
}
