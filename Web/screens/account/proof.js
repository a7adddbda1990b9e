// Common parts of the sheets that change how a person signs in: the field for the present password, and the buttons.
import { field } from '../../parts/layout.js';
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';

/** The field for the present password. */
export function proofField() {
  const input = h('input', {
    class: 'input',
    type: 'password',
    name: 'proof',
    autocomplete: 'current-password',
    maxlength: 200,
  });
  return { input, proof: field({ label: t`Your password`, input, hint: t`Empty where the account has none.` }) };
}

/** The buttons of a sheet with a form. */
export const choices = (label, cancel) =>
  h(
    'div',
    { class: 'sheet-actions' },
    h('button', { class: 'button primary', type: 'submit' }, label),
    h('button', { type: 'button', class: 'button', onclick: cancel }, t`Cancel`),
  );
