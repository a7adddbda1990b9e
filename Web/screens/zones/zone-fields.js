// Number fields of the zone editor with a unit: exact in a field, approximate by a slider or in steps.
import { slider } from '../../parts/controls.js';
import { picker } from '../../parts/picker.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { number as formatted } from '../../scripts/words/locale.js';
import { t } from '../../scripts/words/translate.js';
import { fieldUnit, isImperial } from '../../scripts/words/units.js';
import * as words from '../../scripts/words/words.js';

let fields = 0;

/**
 * A number field. A blank field is undefined; a text that is no number, or out of range, is refused with a message.
 * @param {{label: string, unit?: string, value?: number, blank?: string, limits: [number, number], step?: string, refusal?:
 *   (value: number) => string|undefined, onchange: (value: number|undefined) => void}} what `refusal` returns the reason why a
 *   number within the limits is refused
 */
export function exact(what) {
  const { label, unit: keptIn, value, blank = '', step = 'any', refusal, onchange } = what;
  const [least, most] = what.limits;
  const { unit, shown, kept } = fieldUnit(keptIn);
  const id = `amount-${++fields}`;
  const problem = h('span', { class: 'problem', id: `${id}-problem`, role: 'alert', hidden: true });
  const input = h('input', {
    class: 'input number',
    id,
    type: 'number',
    inputmode: 'decimal',
    step,
    placeholder: blank,
    'aria-describedby': problem.id,
    onchange: take,
  });
  const limit = (of) => formatted(shown(of));
  const say = (text) => {
    problem.textContent = text ?? '';
    problem.hidden = !text;
    if (text) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  function take() {
    const given = input.value.trim();
    if (!given && !input.validity.badInput) {
      say();
      last = undefined;
      return onchange(undefined);
    }
    const number = kept(Number(given));
    if (input.validity.badInput || !(number >= least && number <= most)) {
      return say(
        unit
          ? t`${given || t`That`} is not possible: ${limit(least)} to ${limit(most)} ${unit}.`
          : t`${given || t`That`} is not possible: ${limit(least)} to ${limit(most)}.`,
      );
    }
    const refused = refusal?.(number);
    if (refused) return say(refused);
    say();
    last = number;
    return onchange(number);
  }
  /** Sets the value. Keeps a refused text until the person corrects it or the value changes. */
  const set = (next) => {
    if (input.hasAttribute('aria-invalid') && next === last) {
      // The refusal may have depended on another field, so the text is checked again.
      take();
      return;
    }
    last = next;
    input.value = typeof next === 'number' ? shown(next) : (next ?? '');
    say();
  };
  let last;
  set(value);
  return {
    input,
    problem,
    id,
    set,
    label: h('label', { for: id, class: 'headline' }, label),
    unit: unit && h('span', { class: 'unit' }, unit),
  };
}

/** A number field on its own line. */
export function numberLine(what) {
  const field = exact(what);
  const element = h(
    'div',
    { class: 'form-line' },
    h('div', { class: 'grow' }, field.label, what.hint && h('p', { class: 'footnote' }, what.hint), field.problem),
    h('span', { class: 'exact' }, field.input, field.unit),
  );
  element.set = field.set;
  return element;
}

/**
 * A number selected from common ones, on its own line.
 * @param {{choices: number[], none?: string, say?: (value: number) => string}} what as for `numberLine`; `none` is the name of
 *   the choice without a number
 */
export function choiceLine({ choices, none, say, ...what }) {
  const field = exact(what);
  const pick = picker({ ...field, choices, blank: none, say, onchoose: what.onchange });
  const element = h(
    'div',
    { class: 'form-line' },
    h('div', { class: 'grow' }, field.label, what.hint && h('p', { class: 'footnote' }, what.hint), field.problem),
    pick,
  );
  element.set = (value) => {
    field.set(value);
    pick.set(value);
  };
  pick.set(what.value);
  return element;
}

/**
 * A distance with a field above and a logarithmic slider below; 0 is at the slider's left end.
 * @param {{label: string, value?: number, standard?: number, zero?: string, limits: [number, number], hint?: string, oninput:
 *   (value: number) => void, onchange: (value: number|undefined) => void}} what `zero` is the text for 0; without it, 0 is not
 *   possible
 */
export function distance({ label, value, standard, zero, limits, hint, oninput, onchange }) {
  const unit = fieldUnit('m');
  // The slider moves in round numbers of the displayed unit.
  const [least, most] = isImperial() ? [15, 65_000].map(unit.kept) : [5, 20_000];
  const shown = (of) => Math.max(least, of ?? standard ?? least);
  const from = (of) => (zero && of <= least ? 0 : of);
  const field = exact({
    label,
    unit: 'm',
    value,
    blank: standard === undefined ? '' : String(unit.shown(standard)),
    limits,
    onchange: (of) => {
      slide.value = unit.shown(shown(of));
      onchange(of);
    },
  });
  const slide = slider({
    label: t`${label}, roughly`,
    value: unit.shown(shown(value)),
    least: unit.shown(least),
    most: unit.shown(most),
    logarithmic: true,
    say: (of) => (from(unit.kept(of)) === 0 ? zero : words.inFull(unit.kept(of))),
    oninput: (of) => {
      field.set(from(unit.kept(of)));
      oninput(from(unit.kept(of)));
    },
    onchange: (of) => onchange(from(unit.kept(of))),
  });
  // Far enough apart for large text on a small phone.
  const ticks = isImperial() ? [50, 500, 5000] : [10, 100, 1000, 10_000];
  const place = (of) => (Math.log(of / least) / Math.log(most / least)) * 100;
  const element = h(
    'div',
    { class: 'form-distance' },
    h(
      'div',
      { class: 'form-line' },
      h('div', { class: 'grow' }, field.label, hint && h('p', { class: 'footnote' }, hint)),
      h('span', { class: 'exact' }, field.input, field.unit),
    ),
    field.problem,
    slide,
    h(
      'div',
      { class: 'ticks', 'aria-hidden': 'true' },
      ticks.map((tick) =>
        h('span', { style: { left: `${place(unit.kept(tick))}%` } }, tick < 1000 ? String(tick) : `${tick / 1000}k`),
      ),
    ),
  );
  element.set = (of) => {
    field.set(of);
    slide.value = unit.shown(shown(of));
  };
  return element;
}

/**
 * A number that is changed in steps or typed.
 * @param {{label: string, hint?: string, unit: string, value: number, limits: [number, number],
 *   onchange: (value: number) => void}} what
 */
export function steps({ label, hint, unit, value, limits, onchange }) {
  let now = value;
  const field = exact({
    label,
    unit,
    value,
    blank: '0',
    limits,
    onchange: (of) => {
      now = of ?? 0;
      field.set(now);
      onchange(now);
    },
  });
  field.input.classList.add('in-stepper');
  const { shown, kept } = fieldUnit(unit);
  // Steps of round numbers that grow with the value, at least 1.
  const by = (sign) => {
    const seen = shown(now);
    const size = Math.abs(seen) + (Math.sign(seen) === -sign ? -0.01 : 0);
    const step = size < 10 ? 1 : size < 50 ? 5 : size < 200 ? 10 : size < 1000 ? 50 : 100;
    now = Math.min(limits[1], Math.max(limits[0], kept(Math.round((seen + sign * step) / step) * step)));
    field.set(now);
    onchange(now);
  };
  const element = h(
    'div',
    { class: 'form-line' },
    h('div', { class: 'grow' }, field.label, hint && h('p', { class: 'footnote' }, hint), field.problem),
    h(
      'div',
      { class: 'stepper with-field', role: 'group', 'aria-label': label },
      h('button', { type: 'button', 'aria-label': t`${label}: less`, onclick: () => by(-1) }, icon('minus')),
      h('span', { class: 'exact' }, field.input, field.unit),
      h('button', { type: 'button', 'aria-label': t`${label}: more`, onclick: () => by(1) }, icon('plus')),
    ),
  );
  element.set = (of) => {
    now = of;
    field.set(of);
  };
  return element;
}

/**
 * The problem with the address of a page or a picture; undefined if there is none. Other schemes than http(s), such as
 * `javascript:`, could run code in the page.
 */
export function problemWithAddress(text) {
  if (!text) return undefined;
  const said = t`“${text.slice(0, 40)}” is not a web address: it begins with https:// or http://.`;
  let url;
  try {
    url = new URL(text);
  } catch {
    return said;
  }
  return url.protocol === 'https:' || url.protocol === 'http:' ? undefined : said;
}
