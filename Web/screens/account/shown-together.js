// Shows all parts of a screen that wait for the server at the same time: a row that comes later would move others while a
// person taps.
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';

/**
 * Shows parts when all are ready; until then, a note that the server is being asked.
 * @param {(HTMLElement & {ready?: Promise<unknown>})[]} parts `ready` settles when the part is drawn; parts that do not ask the
 *   server have none
 * @returns {HTMLElement}
 */
export function shownTogether(parts) {
  const asking = h('p', { class: 'footnote padded', role: 'status' }, t`Asking the server…`);
  const all = h('div', { hidden: true }, parts);
  Promise.allSettled(parts.map(({ ready }) => ready)).then(() => {
    asking.remove();
    all.hidden = false;
  });
  return h('div', {}, asking, all);
}
