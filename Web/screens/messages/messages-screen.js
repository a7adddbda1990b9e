// All messages there are, for any zone; with `?zone=`, those of one zone.
import { row, section, topBar } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { changeMessage, forgetMessage, keepMessage, lines, oldMessages } from '../../scripts/messages/messages.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import * as words from '../../scripts/words/words.js';
import { editMessage } from './message-editor.js';
import { messageList } from './message-list.js';

await styles('messages');

export function show(app, outlet, { query }) {
  const zone = app.zones.get(query.get('zone'));
  if (zone) return showZone(app, outlet, zone);
  const rows = h('div', {});
  let sought = '';
  const draw = async () => {
    const all = await oldMessages(app);
    const shown = all.filter(({ message }) =>
      Object.values(message).some((part) => part.toLowerCase().includes(sought)),
    );
    fill(
      rows,
      all.length === 0
        ? h(
            'div',
            { class: 'card empty' },
            icon('message', { size: 40 }),
            h('p', { class: 'headline' }, 'No messages yet'),
            h(
              'p',
              { class: 'subhead' },
              'Write one here, or in a zone. When the zone rings it is proposed, and you press send.',
            ),
          )
        : shown.length === 0
          ? h('p', { class: 'subhead' }, `No message has “${sought}” in it.`)
          : h(
              'ul',
              { class: 'card' },
              shown.map((entry, index) => h('li', {}, oldRow(entry, index))),
            ),
    );
  };
  const oldRow = (entry, index) => {
    const { title, detail } = lines(entry.message);
    const use = entry.zones.length
      ? `${words.count(entry.zones.length, 'zone')}: ${entry.zones.map(({ name }) => name).join(', ')}`
      : 'in no zone';
    return h(
      'button',
      { type: 'button', class: 'row', 'data-key': `message-${index}`, onclick: () => edit(entry) },
      h('span', { class: 'tile quiet' }, icon('message')),
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline' }, title),
        h('span', { class: 'subhead' }, detail),
        h('span', { class: 'footnote' }, use),
      ),
      h('span', { class: 'chevron' }, icon('forward', { size: 18 })),
    );
  };
  const edit = async (entry) => {
    const names = entry.zones.map(({ name }) => name);
    const next = await editMessage({
      app,
      message: entry.message,
      zone: app.zones.get(entry.zones[0]?.id),
      note: names.length > 1 ? `It changes in ${names.join(', ')}.` : undefined,
      trashable: true,
    });
    if (next === 'trash') {
      const back = await forgetMessage(app, entry.message);
      snackbar('Message deleted', {
        undo: async () => {
          await back();
          draw();
        },
      });
    } else if (next) await changeMessage(app, entry.message, next);
    draw();
  };
  const add = async () => {
    const message = await editMessage({ app, title: 'New message' });
    if (message) await keepMessage(app, message);
    draw();
  };
  outlet.append(
    h(
      'div',
      { class: 'pane messages' },
      topBar({
        title: 'Messages',
        back: '#/more',
        trailing: [
          h('button', { type: 'button', class: 'round', 'aria-label': 'New message', onclick: add }, icon('plus')),
        ],
      }),
      h(
        'label',
        { class: 'search' },
        icon('search'),
        h('span', { class: 'visually-hidden' }, 'Search messages'),
        h('input', {
          type: 'search',
          class: 'input',
          placeholder: 'Search messages',
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
    // Reloaded, or come back to, it is the list.
    history.replaceState(null, '', '#/messages');
    add();
  }
}

function showZone(app, outlet, zone) {
  outlet.append(
    h(
      'div',
      { class: 'pane messages' },
      topBar({ title: 'Messages', detail: zone.name || 'A zone', back: `#/zones/${zone.id}` }),
      messageList({ app, zone, onchange: (messages) => app.putZones({ ...app.zones.get(zone.id), messages }) }),
      section(
        { title: 'All messages' },
        h('div', { class: 'card' }, row({ title: 'Messages of all zones', href: '#/messages' })),
      ),
    ),
  );
}
