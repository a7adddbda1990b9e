// The key that signs all packs of an account, and its replacement. Part of the screen for organisations.
import { fill, h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';
import { day } from '../../scripts/words/words.js';
import { row, section } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';

export function packKey(server) {
  const list = h('div', { class: 'card', 'aria-busy': 'true' });
  const draw = ({ pack_key: key }) => {
    fill(
      list,
      key
        ? [
            row({ title: t`Key`, detail: key.key_id, low: true }),
            key.changes
              .toReversed()
              .map(({ key_id: old, changed_at: at }) =>
                row({ title: t`Until ${day(Date.parse(at))}`, detail: old, low: true }),
              ),
            row({
              key: 'pack-key-change',
              title: t`Change the key`,
              low: true,
              chevron: true,
              onclick: () => changing(server, key.key_id, (changed) => draw({ pack_key: changed })),
            }),
          ]
        : h('p', { class: 'footnote padded' }, t`There is no key yet. It is made with the first signed pack.`),
    );
    list.setAttribute('aria-busy', 'false');
  };
  const ready = server.ask('GET', '/account/pack-key').then(draw, (error) => {
    fill(list, h('p', { class: 'footnote padded' }, error.offline ? t`Not known without network.` : error.message));
  });
  return Object.assign(section({ title: t`Key of your signed packs` }, list), { ready });
}

function changing(server, keyID, done) {
  const problem = h('p', { class: 'problem', role: 'alert' });
  const change = async () => {
    problem.textContent = '';
    button.disabled = true;
    try {
      const key = await server.ask('POST', '/account/pack-key/change', { key_id: keyID });
      sheet.close();
      snackbar(t`The key is changed`);
      done(key);
    } catch (error) {
      button.disabled = false;
      problem.textContent = error.message;
    }
  };
  const button = h(
    'button',
    { type: 'button', class: 'button primary', id: 'pack-key-change', onclick: change },
    t`Change the key`,
  );
  const sheet = modalSheet(
    { label: t`Change the key` },
    h('h2', { class: 'title-2' }, t`Change the key`),
    h(
      'p',
      { class: 'body' },
      t`The new key signs all your packs. Followers notice nothing, and links that you gave out stay valid.`,
    ),
    problem,
    h(
      'div',
      { class: 'sheet-actions' },
      button,
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`),
    ),
  );
}
