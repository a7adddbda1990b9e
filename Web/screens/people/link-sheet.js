// Shows a link. It is shown only once, because the server does not store it.
import { h } from '../../scripts/page/dom.js';
import { qr } from '../../scripts/page/qr.js';
import { t } from '../../scripts/words/translate.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';

/** @param {{address: string, title: string, note: string}} what `note` says what the link permits */
export async function linkSheet({ address, title, note }) {
  const picture = await qr(address, t`QR code of the link`).catch(() => undefined);
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => snackbar(t`The link is copied`),
      () => snackbar(t`The browser did not let the link be copied.`),
    );
  const sheet = modalSheet(
    { label: t`The link` },
    h('h2', { class: 'title-2' }, title),
    picture,
    h('p', { class: 'subhead link-address' }, address),
    h(
      'div',
      { class: 'sheet-actions' },
      navigator.share &&
        h(
          'button',
          {
            type: 'button',
            class: 'button primary',
            onclick: () => navigator.share({ url: address }).catch(() => {}),
          },
          t`Send it`,
        ),
      h('button', { type: 'button', class: 'button', onclick: copy }, t`Copy the link`),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Done`),
    ),
    h('p', { class: 'footnote' }, note),
  );
  sheet.classList.add('pair-sheet');
}
