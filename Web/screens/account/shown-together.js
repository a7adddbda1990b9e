// Parts of a screen that wait for the server, shown together: a row that came in later would push another one below a finger.
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';

/**
 * @param {(HTMLElement & {ready?: Promise<unknown>})[]} parts `ready`, of those that ask the server, settles when they are drawn
 * @returns {HTMLElement} says that the server is asked until the last of them is there
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
