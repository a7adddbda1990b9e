// The parts of which screens are made: top bar, section, row, field, menu.
import { h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { closesOnBack } from '../scripts/page/steps.js';
import { number as written } from '../scripts/words/locale.js';
import { t } from '../scripts/words/translate.js';

/**
 * The large title of a screen, with a back button if the screen is below another.
 * @param {{title: string, detail?: string, back?: string, trailing?: Node[]}} what `back` is an address, `#/more`
 */
export function topBar({ title, detail, back, trailing = [] }) {
  return h(
    'header',
    { class: 'top-bar' },
    back && h('a', { class: 'round bare back', href: back, 'aria-label': t`Back` }, icon('back')),
    h(
      'div',
      { class: 'grow' },
      h('h1', { class: 'large-title' }, title),
      detail && h('p', { class: 'subhead' }, detail),
    ),
    h('div', { class: 'trailing' }, trailing),
  );
}

export const section = ({ title, count, trailing }, ...content) =>
  h(
    'section',
    { 'aria-label': title },
    h(
      'div',
      { class: 'section-title' },
      h(
        'h2',
        { class: 'title-3' },
        title,
        count !== undefined && h('span', { class: 'count number' }, ` ${written(count)}`),
      ),
      trailing,
    ),
    content,
  );

export const card = (...content) => h('div', { class: 'card' }, content);

/**
 * A row of a card: a link if it has `href`, a button if it has `onclick`, otherwise plain.
 * @param {{title: string, detail?: string|Node, leading?: Node, trailing?: Node|string, href?: string, onclick?: () => void,
 *   key?: string, low?: boolean, chevron?: boolean}} what
 */
export function row({ title, detail, leading, trailing, href, onclick, key, low = !leading, chevron = Boolean(href) }) {
  return h(
    href ? 'a' : onclick ? 'button' : 'div',
    { class: `row${low ? ' low' : ''}`, href, onclick, 'data-key': key, type: !href && onclick ? 'button' : null },
    leading,
    h(
      'span',
      { class: 'grow' },
      h('span', { class: 'headline' }, title),
      detail && h('span', { class: 'subhead' }, detail),
    ),
    trailing && h('span', { class: 'trailing subhead' }, trailing),
    chevron && h('span', { class: 'chevron' }, icon('forward', { size: 18 })),
  );
}

/** A row with a switch; a tap anywhere on the row operates the switch. */
export function switchRow({ title, detail, leading, control }) {
  return h(
    'label',
    {
      class: `row${leading ? '' : ' low'}`,
      onclick: (event) => {
        if (!control.contains(event.target)) {
          event.preventDefault();
          control.click();
        }
      },
    },
    leading,
    h(
      'span',
      { class: 'grow' },
      h('span', { class: 'headline' }, title),
      detail && h('span', { class: 'subhead' }, detail),
    ),
    control,
  );
}

let fields = 0;
/**
 * A labelled input with its unit and, if the input was refused, the reason.
 * @param {{label: string, input: HTMLElement, unit?: string, hint?: string}} what
 */
export function field({ label, input, unit, hint }) {
  input.id ||= `field-${++fields}`;
  const problem = h('span', { class: 'problem', id: `${input.id}-problem`, role: 'alert', hidden: true });
  const element = h(
    'div',
    { class: 'field' },
    h('label', { for: input.id }, label),
    h('span', { class: 'with-unit' }, input, unit && h('span', { class: 'unit' }, unit)),
    hint && h('span', { class: 'footnote', id: `${input.id}-hint` }, hint),
    problem,
  );
  input.setAttribute('aria-describedby', [hint && `${input.id}-hint`, `${input.id}-problem`].filter(Boolean).join(' '));
  /** Shows the reason why the input is refused; without a text, removes it. */
  element.say = (text) => {
    problem.textContent = text ?? '';
    problem.hidden = !text;
    if (text) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  return element;
}

/** A field for the name or the address of a place. */
export const placeInput = () =>
  h('input', {
    type: 'search',
    class: 'input',
    id: 'find-place',
    placeholder: t`Town, station, shop …`,
    enterkeyhint: 'search',
    autocomplete: 'off',
    maxlength: 200,
    'aria-label': t`Town, station, shop`,
  });

/**
 * Focuses the first visible field whose input is refused. A save would lose that input without notice.
 * @returns {boolean} true if there is one
 */
export function stopsAtRefused(root) {
  const refused = [...root.querySelectorAll('[aria-invalid="true"]')].find((input) => input.checkVisibility());
  refused?.focus();
  refused?.scrollIntoView({ block: 'center' });
  return Boolean(refused);
}

export const tile = (picture, colour, { off = false } = {}) =>
  h('span', { class: `tile${off ? ' off' : ''}`, style: { '--category': colour } }, icon(picture));

/**
 * A sheet with the actions for one object. Escape, Back and a tap beside it close it.
 * @param {{label: string, at: HTMLElement, items: {label: string, picture?: string, danger?: boolean, chosen?: boolean, run: ()
 *   => void}[]}} what `at` receives the focus afterwards. `chosen` is set if the items are alternatives: the chosen one has a
 *   tick
 */
export function menu({ label, at, items }) {
  const close = () => {
    dialog.close();
  };
  const dialog = h(
    'dialog',
    {
      class: 'sheet menu-sheet',
      'aria-label': label,
      onclick: (event) => {
        if (event.target === dialog) close();
      },
      onclose: () => {
        dialog.remove();
        at?.focus?.();
      },
    },
    h('p', { class: 'headline menu-title' }, label),
    items.map((item) =>
      h(
        'button',
        {
          type: 'button',
          class: `row low${item.danger ? ' danger' : ''}`,
          'aria-pressed': item.chosen === undefined ? null : String(item.chosen),
          onclick: () => {
            close();
            item.run();
          },
        },
        item.picture && icon(item.picture),
        h('span', { class: 'grow headline' }, item.label),
        item.chosen && icon('check'),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  closesOnBack(dialog);
  return dialog;
}
