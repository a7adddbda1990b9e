// Asks for one name, of a person or a group.
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';
import { sheetDraft } from '../../parts/drafts.js';
import { field } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';

/**
 * Opens the sheet.
 * @param {{draft: string, title: string, note?: string, label: string, hint?: string, value?: string, missing: string, action:
 *   string, most?: number, save: (name: string) => Promise<void>}} what `draft` is the key of the draft; `save` throws if the
 *   server refuses
 */
export function nameSheet(what) {
  const { draft, title, note, label, hint, value = '', missing, action, most = 100, save } = what;
  const input = h('input', {
    class: 'input',
    name: 'asked-name',
    maxlength: most,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    '.value': value,
    oninput: () => asked.say(),
  });
  const asked = field({ label, input, hint });
  const done = async () => {
    const name = input.value.trim();
    if (!name) {
      asked.say(missing);
      return;
    }
    try {
      await save(name);
      sheet.close('saved');
    } catch (error) {
      asked.say(error.message);
    }
  };
  const sheet = modalSheet(
    { label: title },
    h('h2', { class: 'title-2' }, title),
    note && h('p', { class: 'subhead' }, note),
    h('div', { class: 'fields' }, asked),
    h(
      'div',
      { class: 'sheet-actions' },
      h('button', { type: 'button', class: 'button primary', id: 'name-save', onclick: done }, action),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close('discarded') }, t`Cancel`),
    ),
  );
  sheetDraft(sheet, draft, () => nameSheet(what));
  return sheet;
}

/** Asks for a person by their sign-in name. */
export const personSheet = (what) =>
  nameSheet({
    label: t`To whom`,
    hint: t`Their sign-in name.`,
    missing: t`Type their sign-in name.`,
    ...what,
  });
