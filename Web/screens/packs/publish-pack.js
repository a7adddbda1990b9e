// Publishes a collection as a signed pack: the switch, then the link, the QR code and the file.
import { linkOf } from '../../scripts/packs/followed-packs.js';
import { download } from '../../scripts/files/download.js';
import { fileName } from '../../scripts/files/sharing.js';
import { fill, h } from '../../scripts/page/dom.js';
import { qr } from '../../scripts/page/qr.js';
import { t } from '../../scripts/words/translate.js';
import { toggle } from '../../parts/controls.js';
import { row, section, switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';

/** Part of the sheet of a collection. */
export function publishPack(server, collection) {
  const path = `/collections/${collection.id}/pack`;
  const place = h('div', { class: 'card', 'aria-busy': 'true' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const draw = (pack) => {
    const control = toggle({
      label: t`Without an account`,
      value: Boolean(pack),
      key: 'collection-pack',
      onchange: async (wanted) => {
        control.disabled = true;
        problem.textContent = '';
        try {
          draw(wanted ? await server.ask('PUT', path) : await server.ask('DELETE', path));
        } catch (error) {
          problem.textContent = error.message;
          draw(pack);
        }
      },
    });
    fill(
      place,
      switchRow({
        title: t`Without an account`,
        detail: t`Anyone with the link can follow a signed copy`,
        control,
      }),
      pack &&
        row({
          key: 'pack-link',
          title: t`Link, QR code and file`,
          low: true,
          chevron: true,
          onclick: () => packLinkSheet(server, collection, pack),
        }),
    );
    place.setAttribute('aria-busy', 'false');
  };
  const look = () =>
    server.ask('GET', path).then(
      ({ pack }) => draw(pack),
      (error) => {
        problem.textContent = error.message;
      },
    );
  look();
  return section({ title: t`Signed pack` }, place, problem);
}

async function packLinkSheet(server, collection, { path, public_key: key, key_id: keyID, left_out_count: left }) {
  const address = new URL(path, server.home).href;
  const link = linkOf(address, key, server.home);
  const picture = await qr(link, t`QR code of the link`).catch(() => undefined);
  const problem = h('p', { class: 'problem', role: 'alert' });
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => snackbar(t`The link is copied`),
      () => snackbar(t`The browser did not let the link be copied.`),
    );
  const save = async () => {
    try {
      const answer = await fetch(address, { cache: 'no-cache' });
      if (!answer.ok) throw new Error(t`The server answered with status ${String(answer.status)}.`);
      download(await answer.arrayBuffer(), `${fileName(collection.name)}.zonepack`, 'application/octet-stream');
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const sheet = modalSheet(
    { label: t`The link` },
    h('h2', { class: 'title-2' }, collection.name),
    picture,
    h('p', { class: 'subhead link-address' }, link),
    left > 0 && h('p', { class: 'note warn' }, t`Zones that cannot be read, and are not in it: ${String(left)}.`),
    problem,
    h(
      'div',
      { class: 'sheet-actions' },
      navigator.share &&
        h(
          'button',
          { type: 'button', class: 'button primary', onclick: () => navigator.share({ url: link }).catch(() => {}) },
          t`Send it`,
        ),
      h('button', { type: 'button', class: 'button', onclick: copy }, t`Copy the link`),
      h('button', { type: 'button', class: 'button', id: 'pack-save', onclick: save }, t`Save the file`),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Done`),
    ),
    h(
      'p',
      { class: 'footnote' },
      t`Anyone who has it can follow these zones without an account, and sees each change within a day. Your key is ${keyID}.`,
    ),
  );
  sheet.classList.add('pair-sheet');
}
