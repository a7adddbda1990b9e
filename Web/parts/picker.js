// A number chosen from the usual ones in the browser's own list, with a field for any other.
import { h } from '../scripts/page/dom.js';
import { t } from '../scripts/words/translate.js';

const other = 'other';

/** A time span, exactly: 90 s are not 2 min. */
export function exactSpan(seconds) {
  if (seconds && seconds % 3600 === 0) return t`${seconds / 3600} h`;
  if (seconds && seconds % 60 === 0) return t`${seconds / 60} min`;
  return t`${seconds} s`;
}

/**
 * The list in front of a field, which is seen while another number is typed.
 * @param {{input: HTMLInputElement, unit?: Node, label: HTMLLabelElement, choices: number[], blank?: string, say?: (value: number) => string,
 *   onchoose: (value: number|undefined) => void}} what `blank` names the choice of no number; `label` always names what is seen
 * @returns {HTMLElement & {set: (value: number|undefined) => void}} to be told of each value that is kept
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
  // Nothing else was typed: the list again.
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
