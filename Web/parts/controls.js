// Controls for a value: segments, switch, stepper, slider. Each function makes an element. Its `.value` reads and sets the
// value; `onchange` is called with a new value only when a person changed it. Segments and switches show the change before they
// call it.
import { h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { painted } from '../scripts/page/painted.js';
import { t } from '../scripts/words/translate.js';

/** The event that the browser's own fields fire when a person changes them. */
const edited = () => new Event('input', { bubbles: true });

/**
 * A choice of one option.
 * @param {{label: string, options: {value, label: string, picture?: string}[], value, onchoose?: (value) => void, onchange?:
 *   (value) => void}} what `onchoose` is called at once, for fast work on which the next tap may depend
 */
export function segments({ label, options, value, onchoose, onchange }) {
  const buttons = options.map((option) =>
    h(
      'button',
      {
        type: 'button',
        role: 'radio',
        'data-value': option.value,
        onclick: () => choose(option.value),
      },
      option.picture && icon(option.picture, { size: 20 }),
      h('span', {}, option.label),
    ),
  );
  const element = h('div', { class: 'segments', role: 'radiogroup', 'aria-label': label, onkeydown: move }, buttons);
  let chosen;
  const set = (next) => {
    chosen = next;
    buttons.forEach((button, index) => {
      const is = options[index].value === next;
      button.setAttribute('aria-checked', String(is));
      button.tabIndex = is || (index === 0 && !options.some((option) => option.value === next)) ? 0 : -1;
    });
  };
  function choose(next) {
    if (next === chosen) return;
    set(next);
    element.dispatchEvent(edited());
    onchoose?.(next);
    painted().then(() => onchange?.(next));
  }
  function move(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (options.findIndex((option) => option.value === chosen) + step + options.length) % options.length;
    choose(options[next].value);
    buttons[next].focus();
  }
  set(value);
  Object.defineProperty(element, 'value', { get: () => chosen, set });
  return element;
}

/**
 * @param {{label: string, value: boolean, onchange: (value: boolean) => void, key?: string}} what `label` for screen readers
 */
export function toggle({ label, value, onchange, key }) {
  const element = h('button', {
    type: 'button',
    class: 'switch',
    role: 'switch',
    'aria-label': label,
    'data-key': key,
    onclick,
  });
  const set = (next) => element.setAttribute('aria-checked', String(Boolean(next)));
  function onclick(event) {
    event.stopPropagation();
    const next = !element.value;
    set(next);
    element.dispatchEvent(edited());
    painted().then(() => onchange?.(next));
  }
  Object.defineProperty(element, 'value', { get: () => element.getAttribute('aria-checked') === 'true', set });
  set(value);
  return element;
}

/**
 * @param {{label: string, value: number, step: number, least?: number, most?: number, say?: (value: number) => string,
 *   onchange: (value: number) => void}} what
 */
export function stepper({ label, value, step, least = -Infinity, most = Infinity, say = String, onchange }) {
  let now;
  const shown = h('output', { class: 'headline number', 'aria-live': 'polite' });
  const less = h(
    'button',
    { type: 'button', 'aria-label': t`${label}: less`, onclick: () => change(-1) },
    icon('minus'),
  );
  const more = h('button', { type: 'button', 'aria-label': t`${label}: more`, onclick: () => change(1) }, icon('plus'));
  const set = (next) => {
    now = Math.min(most, Math.max(least, next));
    shown.value = say(now);
    less.disabled = now <= least;
    more.disabled = now >= most;
  };
  function change(sign) {
    const before = now;
    set(now + sign * step);
    if (now !== before) onchange?.(now);
  }
  const element = h('div', { class: 'stepper', role: 'group', 'aria-label': label }, less, shown, more);
  set(value);
  Object.defineProperty(element, 'value', { get: () => now, set });
  return element;
}

/**
 * A slider. `logarithmic` suits values that span decades. Values are rounded to two significant digits.
 * @param {{label: string, value: number, least: number, most: number, logarithmic?: boolean, say?: (value: number) => string,
 *   oninput?: (value: number) => void, onchange?: (value: number) => void}} what
 */
export function slider({ label, value, least, most, logarithmic = false, say = String, oninput, onchange }) {
  const steps = 1000;
  const place = (of) => (logarithmic ? Math.log(of / least) / Math.log(most / least) : (of - least) / (most - least));
  const at = (share) => {
    const exact = logarithmic ? least * (most / least) ** share : least + share * (most - least);
    return Math.min(most, Math.max(least, Number(exact.toPrecision(2))));
  };
  const input = h('input', {
    type: 'range',
    class: 'slider',
    min: 0,
    max: steps,
    step: 1,
    'aria-label': label,
    oninput: () => {
      now = at(input.value / steps);
      tell();
      oninput?.(now);
    },
    onchange: () => onchange?.(now),
  });
  let now;
  const tell = () => {
    input.setAttribute('aria-valuetext', say(now));
    input.style.setProperty('--share', `${(input.value / steps) * 100}%`);
  };
  const set = (next) => {
    now = next;
    input.value = Math.round(place(Math.min(most, Math.max(least, next))) * steps);
    tell();
  };
  set(value);
  // The value of the element is in the caller's unit; that of the input is in steps.
  const element = h('span', { class: 'slider-box' }, input);
  Object.defineProperty(element, 'value', { get: () => now, set });
  return element;
}
