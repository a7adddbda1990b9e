// What the sheets have in common that change how one signs in: the password that they ask for, and their buttons.
import { field } from '../../parts/layout.js';
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';

/** The password's field of a sheet that changes how one signs in. */
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
