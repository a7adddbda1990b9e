// A list of common numbers, with a field for any other number.
import { h } from '../scripts/page/dom.js';
import { t } from '../scripts/words/translate.js';

const other = 'other';

/** A duration without rounding: 90 s are not 2 min. */
export function exactSpan(seconds) {
  if (seconds && seconds % 3600 === 0) return t`${seconds / 3600} h`;
  if (seconds && seconds % 60 === 0) return t`${seconds / 60} min`;
  return t`${seconds} s`;
}

/**
 * A list in place of a field; the field is shown while another number is typed.
 * @param {{input: HTMLInputElement, unit?: Node, label: HTMLLabelElement, choices: number[], blank?: string, say?: (value:
 *   number) => string, onchoose: (value: number|undefined) => void}} what `blank` is the name of the choice without a number;
 *   `label` always belongs to the visible control
 * @returns {HTMLElement & {set: (value: number|undefined) => void}} `set` must be called for each accepted value
 */
export function picker({ input, unit, label, choices, blank, say = exactSpan, onchoose }) {
  const select = h('select', { class: 'input choice', id: `${input.id}-choice`, onchange: choose });
  const typed = h('span', { class: 'exact' }, input, unit);
  const element = h('span', { class: 'picker' }, select, typed);
  let now;
  const type = (types) => {
    const hadFocus = element.contains(document.activeElement);
    select.hidden = types;
    typed.hidden = !types;
    label.htmlFor = types ? input.id : select.id;
    if (types || hadFocus) (types ? input : select).focus();
  };
  function choose() {
    if (select.value !== other) return onchoose(select.value === '' ? undefined : Number(select.value));
    select.value = String(now ?? '');
    return type(true);
  }
  // No other number was accepted, so the list is shown again.
  input.addEventListener('blur', () => {
    if (!typed.hidden && !input.hasAttribute('aria-invalid')) element.set(now);
  });
  element.set = (value) => {
    if (!typed.hidden && input.hasAttribute('aria-invalid')) return;
    now = value;
    const numbers = [...new Set([...choices, ...(value === undefined ? [] : [value])])].toSorted((a, b) => a - b);
    select.replaceChildren(
      ...(blank === undefined ? [] : [h('option', { value: '' }, blank)]),
      ...numbers.map((of) => h('option', { value: String(of) }, say(of))),
      h('option', { value: other }, t`Other …`),
    );
    select.value = String(value ?? '');
    if (!typed.hidden) type(false);
  };
  typed.hidden = true;
  label.htmlFor = select.id;
  return element;
}
