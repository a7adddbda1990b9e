// The messages of one zone: a list with two selectors (S87-S97). It is part of the zone editor, and a screen of its own.
import { segments } from '../../parts/controls.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import {
  changeMessage,
  emptyMessage,
  isSame,
  keepMessage,
  lines,
  oldMessages,
  proposalOf,
} from '../../scripts/messages/messages.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { editMessage } from './message-editor.js';

await styles('messages');

const modes = [
  { value: 'edit', label: 'Edit' },
  { value: 'del', label: 'Del' },
  { value: 'add', label: 'Add' },
];
const olds = [
  { value: 'ignore', label: 'Ignore Old' },
  { value: 'select', label: 'Select Old' },
  { value: 'edit', label: 'Edit Old' },
];

/**
 * The list as an element.
 * @param {{app, zone: object, onchange: (messages: object[]) => void}} what `zone` is a form, whose messages are shown;
 *   `onchange` is given all messages whenever a person changed one
 */
export function messageList({ app, zone, onchange }) {
  let messages = [...(zone.messages ?? [])];
  let mode = 'edit';
  let old = 'ignore';
  /** The row whose minus was pressed. */
  let opened;
  const body = h('div', { class: 'message-rows' });
  const change = (next, said) => {
    const before = messages;
    messages = next;
    opened = undefined;
    onchange(messages);
    draw();
    if (said) snackbar(said, { undo: () => change(before) });
  };

  async function write(index, start, title) {
    const message = await editMessage({ app, zone, message: start, title });
    if (!message) return;
    await keepMessage(app, message);
    change(
      index === undefined
        ? [...messages, message]
        : messages.toSpliced(index, title === 'New message' ? 0 : 1, message),
    );
  }
  const add = (after) =>
    write(
      after === undefined ? undefined : after + 1,
      { ...emptyMessage, your_moniker: messages.at(-1)?.your_moniker ?? '' },
      'New message',
    );

  async function trash(index) {
    const answer = await editMessage({ app, zone, message: messages[index], title: 'Delete message', deleting: true });
    if (answer === 'trash') change(messages.toSpliced(index, 1), 'Message deleted');
  }

  async function editOld(entry) {
    const elsewhere = entry.zones.filter(({ id }) => id !== zone.id).map(({ name }) => name);
    const note = elsewhere.length ? `It changes in ${elsewhere.join(', ')} too.` : undefined;
    const next = await editMessage({ app, zone, message: entry.message, title: 'Edit old message', note });
    if (!next) return;
    await changeMessage(app, entry.message, next);
    const own = messages.some((each) => isSame(each, entry.message));
    change(own ? messages.map((each) => (isSame(each, entry.message) ? next : each)) : [...messages, next]);
  }

  async function draw() {
    if (old === 'ignore') return fill(body, own());
    const all = await oldMessages(app);
    if (old !== 'ignore') fill(body, oldRows(all));
  }

  const own = () =>
    messages.length === 0
      ? h(
          'div',
          { class: 'empty small' },
          icon('message', { size: 36 }),
          h('p', { class: 'subhead' }, 'When this zone rings, a message can be proposed to somebody. You press send.'),
          h(
            'button',
            { type: 'button', class: 'button', 'data-key': 'first', onclick: () => add() },
            icon('plus'),
            'Add a message',
          ),
        )
      : h(
          'ul',
          { class: 'card inner' },
          messages.map((message, index) => h('li', {}, ownRow(message, index))),
        );

  function ownRow(message, index) {
    const { title, detail } = lines(message);
    const text = h(
      'span',
      { class: 'grow' },
      h('span', { class: 'headline' }, title),
      h('span', { class: 'subhead' }, detail),
    );
    if (mode === 'del') {
      return h(
        'div',
        { class: 'row' },
        h(
          'button',
          {
            type: 'button',
            class: 'sign minus',
            'data-key': `minus-${index}`,
            'aria-label': `Delete the message to ${title}?`,
            'aria-expanded': String(opened === index),
            onclick: () => {
              opened = opened === index ? undefined : index;
              draw();
            },
          },
          icon('minus', { size: 20 }),
        ),
        text,
        opened === index &&
          h('button', { type: 'button', class: 'button alarm', onclick: () => trash(index) }, 'Delete'),
      );
    }
    const act = mode === 'add' ? () => add(index) : () => write(index, message, 'Message');
    return h(
      'button',
      {
        type: 'button',
        class: 'row',
        'data-key': `message-${index}`,
        'aria-label': mode === 'add' ? `Add a message after the one to ${title}` : null,
        onclick: act,
      },
      mode === 'add'
        ? h('span', { class: 'sign plus' }, icon('plus', { size: 20 }))
        : h('span', { class: 'tile quiet' }, icon('message')),
      text,
      mode === 'edit' && h('span', { class: 'chevron' }, icon('forward', { size: 18 })),
    );
  }

  function oldRows(all) {
    if (all.length === 0)
      return h(
        'div',
        { class: 'empty small' },
        h('p', { class: 'subhead' }, 'There are no messages of other zones yet.'),
      );
    return h(
      'ul',
      { class: 'card inner' },
      all.map((entry, index) => {
        const { title, detail } = lines(entry.message);
        const here = messages.some((each) => isSame(each, entry.message));
        const from = entry.zones.length ? entry.zones.map(({ name }) => name).join(', ') : 'kept, in no zone';
        const select = () => change([...messages, entry.message], `Added to ${zone.name || 'this zone'}`);
        return h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'row',
              'data-key': `old-${index}`,
              disabled: old === 'select' && here,
              onclick: old === 'select' ? select : () => editOld(entry),
            },
            h(
              'span',
              { class: old === 'select' && !here ? 'sign plus' : 'tile quiet' },
              icon(old === 'edit' ? 'pencil' : here ? 'check' : 'plus', { size: 20 }),
            ),
            h(
              'span',
              { class: 'grow' },
              h('span', { class: 'headline' }, title),
              h('span', { class: 'subhead' }, detail),
              h('span', { class: 'footnote' }, here ? 'In this zone already' : from),
            ),
          ),
        );
      }),
    );
  }

  const right = segments({
    label: 'What a tap on a message does',
    options: modes,
    value: mode,
    onchange: (next) => {
      mode = next;
      opened = undefined;
      if (old !== 'ignore') {
        old = 'ignore';
        left.value = 'ignore';
      }
      draw();
      if (mode === 'add' && messages.length === 0) add();
    },
  });
  const left = segments({
    label: 'Messages of other zones',
    options: olds,
    value: old,
    onchange: (next) => {
      old = next;
      opened = undefined;
      draw();
    },
  });
  draw();
  return h('div', { class: 'message-list' }, h('div', { class: 'selectors' }, left, right), body, preview());

  function preview() {
    return h(
      'button',
      {
        type: 'button',
        class: 'button plain',
        onclick: () => {
          const { text, addressees } = proposalOf(app, zone, messages);
          modalSheet(
            { label: 'What will be proposed' },
            h('h2', { class: 'title-3' }, 'When this zone rings'),
            text ? h('p', { class: 'bubble' }, text) : h('p', { class: 'subhead' }, 'There is nothing to say yet.'),
            h(
              'p',
              { class: 'subhead' },
              addressees.length
                ? `To ${addressees.map(({ name, number }) => name || number).join(', ')}, in one message.`
                : 'To whoever you choose when you send it.',
            ),
          );
        },
      },
      icon('eye'),
      'What will be proposed',
    );
  }
}
