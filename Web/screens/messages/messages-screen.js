// All messages of all zones, as an inbox; with `?zone=`, those of one zone.
import { offerDraft } from '../../parts/drafts.js';
import { menu, row, section, topBar } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { changeMessage, forgetMessage, keepMessage, oldMessages, proposalOf } from '../../scripts/messages/messages.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { t } from '../../scripts/words/translate.js';
import { draftKey, editMessage } from './message-editor.js';
import { messageList } from './message-list.js';
import { addresseeOf, messageRow } from './message-row.js';

await styles('messages');

export function show(app, outlet, { query }) {
  const zone = app.zones.get(query.get('zone'));
  if (zone) return showZone(app, outlet, zone);
  const rows = h('div', { class: 'message-rows' });
  let sought = '';

  const draw = async () => {
    const all = await oldMessages(app);
    const shown = all.filter(({ message }) =>
      Object.values(message).some((part) => part.toLowerCase().includes(sought)),
    );
    fill(
      rows,
      all.length === 0
        ? nothing()
        : shown.length === 0
          ? h('p', { class: 'subhead' }, t`No message has “${sought}” in it.`)
          : h('ul', { class: 'conversation' }, shown.map(line)),
    );
  };

  const nothing = () =>
    h(
      'div',
      { class: 'card empty' },
      icon('message', { size: 40 }),
      h('p', { class: 'headline' }, t`No messages yet`),
      h(
        'p',
        { class: 'subhead' },
        t`Write one here, or in a zone. When the zone rings it is proposed, and you press send.`,
      ),
      h('button', { type: 'button', class: 'button primary', onclick: () => add() }, t`Write a message`),
    );

  const nameOfAny = () => ({ name: t`the zone` });
  const line = (entry, index) => {
    const names = entry.zones.map(({ name }) => name).join(', ');
    return messageRow({
      message: entry.message,
      said: proposalOf(app, app.zones.get(entry.zones[0]?.id) ?? nameOfAny(), [entry.message]).text,
      detail: names ? t`Used in ${names}` : t`In no zone`,
      key: `message-${index}`,
      onopen: () => edit(entry),
      ondelete: () => remove(entry),
      onmenu: (at) =>
        menu({
          label: t`Message to ${addresseeOf(entry.message)}`,
          at,
          items: [
            { label: t`Edit`, picture: 'pencil', run: () => edit(entry) },
            { label: t`Delete`, picture: 'trash', danger: true, run: () => remove(entry) },
          ],
        }),
    });
  };

  async function remove(entry) {
    const back = await forgetMessage(app, entry.message);
    snackbar(t`Message deleted`, {
      undo: async () => {
        await back();
        draw();
      },
    });
    draw();
  }

  async function edit(entry) {
    const names = entry.zones.map(({ name }) => name);
    const next = await editMessage({
      app,
      key: draftKey('any', entry.message),
      resume: () => edit(entry),
      message: entry.message,
      zone: app.zones.get(entry.zones[0]?.id),
      note: names.length > 1 ? t`It changes in ${names.join(', ')}.` : undefined,
      trashable: true,
    });
    if (next === 'trash') return remove(entry);
    if (next) await changeMessage(app, entry.message, next);
    draw();
  }

  async function add() {
    const message = await editMessage({ app, key: draftKey('any'), resume: add, title: t`New message` });
    if (message) await keepMessage(app, message);
    draw();
  }

  outlet.append(
    h(
      'div',
      { class: 'pane messages' },
      topBar({
        title: t`Messages`,
        back: '#/more',
        trailing: [
          h(
            'button',
            { type: 'button', class: 'round', 'aria-label': t`New message`, onclick: () => add() },
            icon('plus'),
          ),
        ],
      }),
      h(
        'label',
        { class: 'search' },
        icon('search'),
        h('span', { class: 'visually-hidden' }, t`Search messages`),
        h('input', {
          type: 'search',
          class: 'input',
          placeholder: t`Search messages`,
          oninput: (event) => {
            sought = event.target.value.trim().toLowerCase();
            draw();
          },
        }),
      ),
      rows,
    ),
  );
  draw();
  if (query.has('new')) {
    // A reload, or Back, shows the list.
    history.replaceState(null, '', '#/messages');
    add();
  } else
    offerDraft('message/any/', async ({ key }) => {
      const entry = (await oldMessages(app)).find(({ message }) => draftKey('any', message) === key);
      if (entry) edit(entry);
      else add();
    });
}

function showZone(app, outlet, zone) {
  outlet.append(
    h(
      'div',
      { class: 'pane messages' },
      topBar({ title: t`Messages`, detail: zone.name || t`A zone`, back: `#/zones/${zone.id}` }),
      messageList({ app, zone, onchange: (messages) => app.putZones({ ...app.zones.get(zone.id), messages }) }),
      section(
        { title: t`All messages` },
        h('div', { class: 'card' }, row({ title: t`Messages of all zones`, href: '#/messages' })),
      ),
    ),
  );
}
