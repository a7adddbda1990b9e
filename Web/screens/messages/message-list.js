// The messages of one zone as a conversation (S87-S97), with recipients and texts. Part of the zone editor, and a screen of its
// own.
import { offerDraft } from '../../parts/drafts.js';
import { menu } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { emptyMessage, isSame, keepMessage, proposalOf } from '../../scripts/messages/messages.js';
import { go } from '../../scripts/page/address.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { t } from '../../scripts/words/translate.js';
import { draftKey, editMessage } from './message-editor.js';
import { addresseeOf, messageRow } from './message-row.js';
import { chooseOther } from './other-messages.js';

await styles('messages');

/**
 * The list as an element.
 * @param {{app, zone: object, onchange: (messages: object[]) => void}} what `zone` is the form with the messages;
 *   `onchange` receives all messages after each change
 */
export function messageList({ app, zone, onchange }) {
  let messages = [...(zone.messages ?? [])];
  const body = h('div', { class: 'message-rows' });

  function change(next, said) {
    const before = messages;
    messages = next;
    onchange(messages);
    draw();
    if (said) snackbar(said, { undo: () => change(before) });
  }

  /** The key of the draft, and the function to continue it. */
  const drafted = (again, message) => ({
    key: draftKey(zone.id, message),
    resume: () => (body.isConnected ? again() : go(`/messages?zone=${zone.id}`)),
  });

  /** Adds a new message at the end, or after the message whose menu was used (S91). */
  async function add(after = messages.length - 1) {
    const start = { ...emptyMessage, your_moniker: messages.at(-1)?.your_moniker ?? '' };
    const message = await editMessage({
      app,
      zone,
      message: start,
      title: t`New message`,
      ...drafted(() => add(after)),
    });
    if (!message) return;
    await keepMessage(app, message);
    change(messages.toSpliced(after + 1, 0, message));
  }

  async function edit(index) {
    const before = messages[index];
    const message = await editMessage({
      app,
      zone,
      message: before,
      title: t`Message`,
      trashable: true,
      ...drafted(() => edit(index), before),
    });
    if (message === 'trash') return remove(index);
    if (!message) return;
    await keepMessage(app, message);
    change(messages.toSpliced(index, 1, message));
  }

  const remove = (index) => change(messages.toSpliced(index, 1), t`Message deleted`);

  /** Shows the message once more, with a trash can instead of Save (S92). */
  async function trash(index) {
    const answer = await editMessage({
      app,
      zone,
      message: messages[index],
      title: t`Delete message`,
      deleting: true,
    });
    if (answer === 'trash') remove(index);
  }

  const actions = (index, at) =>
    menu({
      label: t`Message to ${addresseeOf(messages[index])}`,
      at,
      items: [
        { label: t`Edit`, picture: 'pencil', run: () => edit(index) },
        { label: t`Add one below`, picture: 'plus', run: () => add(index) },
        { label: t`Delete…`, picture: 'trash', danger: true, run: () => trash(index) },
      ],
    });

  const others = () =>
    chooseOther({
      app,
      zone,
      current: () => messages,
      onadd: (message) => change([...messages, message], t`Added to ${zone.name || t`this zone`}`),
      onreplace: (old, next) =>
        change(
          messages.some((each) => isSame(each, old))
            ? messages.map((each) => (isSame(each, old) ? next : each))
            : [...messages, next],
        ),
    });

  function draw() {
    fill(body, messages.length ? conversation() : nothing());
  }

  const nothing = () =>
    h(
      'div',
      { class: 'empty small' },
      icon('message', { size: 36 }),
      h('p', { class: 'subhead' }, t`When this zone rings, a message can be proposed to somebody. You press send.`),
    );

  function conversation() {
    const saying = (some) => proposalOf(app, zone, some);
    return [
      h(
        'ul',
        { class: 'conversation' },
        messages.map((message, index) =>
          messageRow({
            message,
            said: saying([message]).text,
            key: `message-${index}`,
            onopen: () => edit(index),
            ondelete: () => remove(index),
            onmenu: (at) => actions(index, at),
          }),
        ),
      ),
      asSent(saying(messages)),
    ];
  }

  /** The proposed text: all messages of a zone as one, to all recipients (S98). */
  function asSent({ text, addressees }) {
    const names = addressees.map(({ name, number }) => name || number);
    return h(
      'section',
      { class: 'mock-sms', 'aria-label': t`As it will be proposed` },
      h('p', { class: 'caption-line' }, t`When this zone rings, one message is proposed`),
      h(
        'p',
        { class: 'sms-to' },
        h('span', { class: 'label' }, t`To:`),
        (names.length ? names : [t`Someone you choose`]).map((name) => h('span', { class: 'tag primary' }, name)),
      ),
      h('p', { class: `bubble${text ? '' : ' nothing'}` }, text || t`There is nothing to say yet.`),
      h('p', { class: 'footnote' }, t`Nothing is sent until you press send.`),
    );
  }

  draw();
  offerDraft(`message/${zone.id}/`, ({ key }) => {
    const index = messages.findIndex((message) => draftKey(zone.id, message) === key);
    if (index < 0) add();
    else edit(index);
  });
  return h(
    'div',
    { class: 'message-list' },
    body,
    h(
      'div',
      { class: 'composer' },
      h(
        'button',
        { type: 'button', class: 'compose', 'data-key': 'add', onclick: () => add() },
        h('span', { class: 'grow' }, t`Write a message`),
        h('span', { class: 'sign plus' }, icon('plus', { size: 20 })),
      ),
      h('button', { type: 'button', class: 'button plain', onclick: others }, t`Use one of another zone`),
    ),
  );
}
