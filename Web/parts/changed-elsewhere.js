// Asks before a save overwrites a change that was saved in another tab or on another device since the editor was opened.
import { replace } from '../scripts/page/address.js';
import { h } from '../scripts/page/dom.js';
import { t } from '../scripts/words/translate.js';
import { modalSheet } from './sheet.js';

const inOrder = (_, value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
const text = (form) => JSON.stringify(form ?? null, inOrder);

/**
 * Asks, if there was such a change.
 * @param {{name: string, before?: object, now?: object, draft: import('./drafts.js').Draft}} what `before` is the form that was
 *   edited, `now` the saved one; each is undefined if there is none
 * @returns {Promise<boolean>} true if the form may be saved; true without asking if nothing was changed elsewhere
 */
export function mayReplaceSaved({ name, before, now, draft }) {
  if (text(before) === text(now)) return Promise.resolve(true);
  return new Promise((answer) => {
    const sheet = modalSheet(
      {
        label: t`Changed elsewhere`,
        onclose: (said) => {
          answer(said === 'replace');
          if (said !== 'discard') return;
          draft.end();
          replace(location.hash.slice(1));
        },
      },
      h('h2', { class: 'title-2' }, t`Changed elsewhere`),
      h(
        'p',
        { class: 'body' },
        now
          ? t`“${name}” was saved in another tab or on another device since you began. Save yours in its place?`
          : t`“${name}” was deleted in another tab or on another device since you began. Save yours all the same?`,
      ),
      h(
        'div',
        { class: 'sheet-actions' },
        h('button', { type: 'button', class: 'button primary', onclick: () => sheet.close('replace') }, t`Save mine`),
        h(
          'button',
          { type: 'button', class: 'button', onclick: () => sheet.close('discard') },
          now ? t`Discard mine, show the other` : t`Discard mine`,
        ),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Go on editing`),
      ),
    );
  });
}
