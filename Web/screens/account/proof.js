// Common parts of the sheets that change how a person signs in: the field and the form for the present password, the buttons.
import { field } from '../../parts/layout.js';
import { h } from '../../scripts/page/dom.js';
import { sentence } from '../../scripts/words/sentence.js';
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

/**
 * A form that asks for the present password.
 * @param {(password: string) => Promise<void>} send its error is shown at the field
 * @param {{before?: HTMLElement, buttons: HTMLElement}} parts above and below the field
 */
export function proofForm(send, { before, buttons }) {
  const { input, proof } = proofField();
  return h(
    'form',
    {
      class: 'entrance',
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        proof.say();
        try {
          await send(input.value);
        } catch (error) {
          proof.say(sentence(error.message));
          input.select();
        }
      },
    },
    before,
    proof,
    buttons,
  );
}

/** The buttons of a sheet with a form. */
export const choices = (label, cancel) =>
  h(
    'div',
    { class: 'sheet-actions' },
    h('button', { class: 'button primary', type: 'submit' }, label),
    h('button', { type: 'button', class: 'button', onclick: cancel }, t`Cancel`),
  );
