// Signed packs that this device follows, which need no account. Part of the screen of shared zones.
import { packsOf } from '../../scripts/packs/followed-packs.js';
import { PackProblem } from '../../scripts/packs/pack-file.js';
import { h, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { clock, count, day } from '../../scripts/words/words.js';
import { row, section } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { followSheet } from './follow-sheet.js';
import { keyRows } from './key-rows.js';

export const when = (milliseconds) => `${day(milliseconds)}, ${clock(milliseconds)}`;

/** @returns {{element: HTMLElement, leave: () => void}} updated until `leave` is called */
export function packsSection(app) {
  const packs = packsOf(app);
  const list = h('div', { class: 'card' });
  const draw = () =>
    update(
      list,
      packs.packs.map((pack) => packRow(app, packs, pack)),
      row({
        key: 'follow-pack',
        title: t`Follow a pack`,
        detail: t`By its address, a link or a file; without an account`,
        leading: h('span', { class: 'tile quiet' }, icon('plus')),
        onclick: () => followSheet(app),
      }),
    );
  draw();
  packs.addEventListener('change', draw);
  return {
    element: section({ title: t`Signed packs` }, list),
    leave: () => packs.removeEventListener('change', draw),
  };
}

function packRow(app, packs, pack) {
  const { head, forms } = pack;
  const wrong = packs.words(pack);
  return row({
    key: `pack-${head.collection}`,
    title: head.name,
    detail: [
      head.publisher && t`by ${head.publisher}`,
      count(forms.length, 'zone'),
      wrong || t`as of ${when(head.made_ms)}`,
    ]
      .filter(Boolean)
      .join(' · '),
    leading: h('span', { class: 'tile quiet' }, icon(wrong ? 'warning' : 'shield')),
    chevron: true,
    onclick: () => packSheet(app, packs, head.collection),
  });
}

function packSheet(app, packs, collection) {
  const find = () => packs.packs.find(({ head }) => head.collection === collection);
  const about = h('div', {});
  const draw = () => {
    const pack = find();
    if (!pack) return;
    const { head, address } = pack;
    const wrong = packs.words(pack);
    update(
      about,
      head.about && h('p', { class: 'body' }, head.about),
      wrong && h('p', { class: 'note warn', role: 'status' }, wrong),
      h(
        'div',
        { class: 'card inset-card' },
        row({ title: t`Published by`, trailing: head.publisher || t`unknown`, low: true }),
        row({ title: t`Zones`, trailing: String(pack.forms.length), low: true }),
        row({ title: t`As of`, trailing: when(head.made_ms), low: true }),
        ...keyRows(head),
      ),
      pack.problem?.kind === 'other-key' &&
        address &&
        h(
          'button',
          { type: 'button', class: 'button', id: 'pack-anew', onclick: anew },
          t`Look at the pack of the other key`,
        ),
      !address &&
        h('p', { class: 'footnote padded' }, t`It came as a file: a later one has to be opened here as well.`),
    );
  };
  const anew = async () => {
    try {
      const found = await packs.fetchAnew(collection);
      sheet.close();
      followSheet(app, { found });
    } catch (error) {
      if (!(error instanceof PackProblem)) throw error;
      snackbar(error.message);
    }
  };
  draw();
  packs.addEventListener('change', draw);
  const { head, address } = find();
  const renew = async () => {
    await packs.renew(collection);
    if (!find()?.problem) snackbar(t`${head.name} is up to date`);
  };
  const end = async () => {
    sheet.close();
    await packs.unfollow(collection);
    snackbar(t`${head.name} no longer watches`);
  };
  const sheet = modalSheet(
    { label: head.name, onclose: () => packs.removeEventListener('change', draw) },
    h('h2', { class: 'title-2' }, head.name),
    about,
    h(
      'div',
      { class: 'sheet-actions' },
      address &&
        h('button', { type: 'button', class: 'button primary', id: 'pack-renew', onclick: renew }, t`Renew now`),
      h('button', { type: 'button', class: 'button alarm', id: 'pack-end', onclick: end }, t`Stop following`),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Done`),
    ),
  );
  return sheet;
}
