// Follows a signed pack: by its address, by a scanned link, or by a file. Shows its content and its publisher's key before any
// of its zones is watched.
import { keyText, packsOf, readAddress } from '../../scripts/packs/followed-packs.js';
import { largest_bytes, PackProblem } from '../../scripts/packs/pack-file.js';
import { fill, h } from '../../scripts/page/dom.js';
import { step } from '../../scripts/page/steps.js';
import { t } from '../../scripts/words/translate.js';
import { clock, count, day } from '../../scripts/words/words.js';
import { field, row } from '../../parts/layout.js';
import { keyRows } from './key-rows.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';

const bytesOf = async (file) => {
  if (file.size > largest_bytes) throw new PackProblem('broken', t`The file is too large for a pack of zones.`);
  return new Uint8Array(await file.arrayBuffer());
};

/** Takes a file that was opened, dropped or shared. @throws {PackProblem} */
export async function takePack(app, file) {
  const found = await packsOf(app).look(await bytesOf(file));
  step('#/collections');
  followSheet(app, { found });
}

/** @param {{link?: string, found?: object}} [given] a link that was opened, or a pack that was read already */
export function followSheet(app, { link, found } = {}) {
  const packs = packsOf(app);
  const address = h('input', {
    class: 'input',
    name: 'pack-address',
    type: 'url',
    inputmode: 'url',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    placeholder: 'https://',
    '.value': link ?? '',
    oninput: () => naming.say(),
  });
  const naming = field({
    label: t`Address or link`,
    input: address,
    hint: t`As its publisher gives it. The camera of a phone opens the link from a QR code.`,
  });
  const file = h('input', {
    type: 'file',
    accept: '.zonepack,application/octet-stream',
    hidden: true,
    name: 'pack-file',
    onchange: () => {
      const [chosen] = file.files;
      file.value = '';
      if (chosen) look(async () => packs.look(await bytesOf(chosen)));
    },
  });
  const place = h('div', {});

  const look = async (get) => {
    naming.say();
    try {
      show(await get());
    } catch (error) {
      if (!(error instanceof PackProblem)) throw error;
      naming.say(error.message);
    }
  };
  const ask = () => look(async () => packs.fetch(readAddress(address.value)));

  const entry = () =>
    fill(
      place,
      h(
        'form',
        {
          novalidate: true,
          onsubmit: (event) => {
            event.preventDefault();
            ask();
          },
        },
        h('div', { class: 'fields' }, naming),
        file,
        h(
          'div',
          { class: 'sheet-actions' },
          h('button', { type: 'submit', class: 'button primary', id: 'pack-look' }, t`Look at it`),
          h('button', { type: 'button', class: 'button', onclick: () => file.click() }, t`Choose a file`),
          h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`),
        ),
      ),
    );

  function show(pack) {
    const { head, zones, isFollowed, isAnew } = pack;
    const isLate = head.renew_ms < app.now;
    const follow = async () => {
      sheet.close();
      await packs.follow(pack);
      snackbar(t`${head.name} watches: ${count(zones.length, 'zone')}`);
    };
    fill(
      place,
      h('h3', { class: 'title-3' }, head.name),
      head.about && h('p', { class: 'body' }, head.about),
      h(
        'div',
        { class: 'card inset-card' },
        row({ title: t`Published by`, trailing: head.publisher || t`unknown`, low: true }),
        row({ title: t`Zones`, trailing: String(zones.length), low: true }),
        row({ title: t`As of`, trailing: `${day(head.made_ms)}, ${clock(head.made_ms)}`, low: true }),
        ...keyRows(head),
      ),
      isAnew &&
        h(
          'p',
          { class: 'note warn' },
          t`Another key than the one you follow. Compare it with the publisher by another way before you take it.`,
        ),
      isLate && h('p', { class: 'note warn' }, t`Out of date: its zones may be others by now.`),
      h(
        'p',
        { class: 'footnote' },
        t`Nobody has changed it since it was signed by this key. Only the same key can change these zones from now on, or one that it names.`,
      ),
      h(
        'div',
        { class: 'sheet-actions' },
        h(
          'button',
          { type: 'button', class: 'button primary', id: 'pack-follow', 'data-sign': keyText(head), onclick: follow },
          isAnew ? t`Follow this key` : isFollowed ? t`Renew` : t`Follow`,
        ),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`),
      ),
    );
  }

  const sheet = modalSheet({ label: t`Follow a pack` }, h('h2', { class: 'title-2' }, t`Follow a pack`), place);
  if (found) show(found);
  else {
    entry();
    if (link) ask();
  }
  return sheet;
}
