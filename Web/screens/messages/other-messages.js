// The messages of other zones, to select for this zone (S95) or to change (S96).
import { modalSheet } from '../../parts/sheet.js';
import { changeMessage, isSame, oldMessages, proposalOf } from '../../scripts/messages/messages.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { draftKey, editMessage } from './message-editor.js';
import { addresseeOf, avatar } from './message-row.js';

/**
 * Opens the sheet.
 * @param {{app, zone: object, current: () => object[], onadd: (message: object) => void, onreplace: (old: object, next: object)
 *   => void}} what `current` returns the messages of this zone; `onreplace` is called after a message was changed in all other
 *   zones
 */
export async function chooseOther({ app, zone, current, onadd, onreplace }) {
  const rows = h('div', { class: 'message-rows' });
  const sheet = modalSheet(
    { label: t`Messages of other zones` },
    h(
      'header',
      { class: 'sheet-head' },
      h('h2', { class: 'title-2' }, t`Messages of other zones`),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Done`),
    ),
    h('p', { class: 'subhead lead' }, t`Tap a message to use it in this zone too.`),
    rows,
  );
  sheet.classList.add('other-messages');

  async function edit(entry) {
    const elsewhere = entry.zones.filter(({ id }) => id !== zone.id).map(({ name }) => name);
    const next = await editMessage({
      app,
      zone,
      message: entry.message,
      key: draftKey('any', entry.message),
      resume: () => edit(entry),
      title: t`Edit message`,
      note: elsewhere.length ? t`It changes in ${elsewhere.join(', ')} too.` : undefined,
    });
    if (!next) return;
    await changeMessage(app, entry.message, next);
    onreplace(entry.message, next);
    await draw();
  }

  function line(entry, index) {
    const { message, zones } = entry;
    const name = addresseeOf(message);
    const isHere = current().some((each) => isSame(each, message));
    const from = zones.length ? zones.map((each) => each.name).join(', ') : t`In no zone`;
    return h(
      'li',
      { class: 'message-row' },
      h(
        'div',
        { class: 'slide' },
        h(
          'button',
          {
            type: 'button',
            class: 'open',
            'data-key': `old-${index}`,
            disabled: isHere,
            onclick: async () => {
              onadd(message);
              await draw();
            },
          },
          avatar(message),
          h(
            'span',
            { class: 'grow' },
            h('span', { class: 'headline name' }, name),
            h('span', { class: 'bubble theirs' }, proposalOf(app, zone, [message]).text || t`It has no text yet.`),
            h('span', { class: 'footnote' }, isHere ? t`In this zone already` : from),
          ),
          h('span', { class: 'sign' }, icon(isHere ? 'check' : 'plus', { size: 22 })),
        ),
        h(
          'button',
          {
            type: 'button',
            class: 'round bare',
            'data-key': `edit-old-${index}`,
            'aria-label': t`Edit the message to ${name}`,
            onclick: () => edit(entry),
          },
          icon('pencil'),
        ),
      ),
    );
  }

  async function draw() {
    const all = await oldMessages(app);
    fill(
      rows,
      all.length
        ? h('ul', { class: 'conversation' }, all.map(line))
        : h('p', { class: 'empty small subhead' }, t`There are no messages of other zones yet.`),
    );
  }
  await draw();
}
