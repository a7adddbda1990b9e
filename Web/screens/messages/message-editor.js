// One message, drawn as a text message with four fields (S100-S104).
import { sheetDraft } from '../../parts/drafts.js';
import { field } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { emptyMessage, proposalOf } from '../../scripts/messages/messages.js';
import { problemWithNumber } from '../../scripts/messages/sms.js';
import { replace } from '../../scripts/page/address.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { t } from '../../scripts/words/translate.js';

await styles('messages');

const fields = () => [
  {
    name: 'your_moniker',
    label: t`Your name`,
    hint: t`The name they know you by.`,
    most: 100,
    autocomplete: 'nickname',
  },
  {
    name: 'to_moniker',
    label: t`Your name for them`,
    hint: t`The name you know them by.`,
    most: 100,
    autocomplete: 'off',
  },
  {
    name: 'contact_number',
    label: t`Phone number`,
    hint: t`With + and the country code it works abroad too. Without a number, you choose who gets it.`,
    most: 100,
    type: 'tel',
    autocomplete: 'off',
  },
  {
    name: 'supplement',
    label: t`Text to add`,
    hint: t`One line, added at the end.`,
    most: 160,
    autocomplete: 'off',
  },
];

/** The key of the draft for a message of a zone, or of `any`; without a message, for a new one. */
export const draftKey = (zone, message) =>
  `message/${zone}/${message ? encodeURIComponent(JSON.stringify(message)) : 'new'}`;

/**
 * Lets a person write or change a message; stores nothing itself.
 * @param {{app, key: string, resume: () => void, zone?: object, message?: object, title?: string, note?: string, deleting?:
 *   boolean, trashable?: boolean}} what `key` is that of the draft, and `resume` opens the editor for it again; `zone` is the
 *   form whose name is in the preview; `deleting` shows a trash can instead of Save (S92), `trashable` one beside it
 * @returns {Promise<object|'trash'|undefined>} the message, `trash` to delete it, or undefined if cancelled
 */
export function editMessage({
  app,
  key,
  resume,
  zone = { name: t`the zone` },
  message = emptyMessage,
  title = t`Message`,
  note,
  deleting = false,
  trashable = false,
}) {
  return new Promise((done) => {
    let answer;
    const draft = { ...emptyMessage, ...message };
    const said = h('p', { class: 'bubble', 'aria-live': 'polite' });
    const to = h('p', { class: 'sms-to' });
    const rows = fields().map((each) => {
      const { name } = each;
      const input = h('input', {
        class: 'input',
        type: each.type ?? 'text',
        value: draft[name],
        maxlength: each.most,
        autocomplete: each.autocomplete,
        name,
        readonly: deleting,
        enterkeyhint: 'next',
        oninput: () => {
          draft[name] = input.value;
          preview();
          if (name === 'contact_number') row.say(undefined);
        },
        onchange: () => {
          if (name === 'contact_number') row.say(problemWithNumber(input.value));
        },
      });
      const row = field({ label: each.label, input, hint: each.hint });
      row.key = name;
      return row;
    });
    const number = rows.find((row) => row.key === 'contact_number');
    const preview = () => {
      const { text, addressees } = proposalOf(app, zone, [draft]);
      said.textContent = text || t`Say who you are, or what they should know.`;
      said.classList.toggle('nothing', !text);
      to.replaceChildren(
        h('span', { class: 'label' }, t`To:`),
        h(
          'span',
          { class: 'tag primary' },
          addressees[0]?.name || draft.to_moniker || addressees[0]?.number || t`Someone you choose`,
        ),
      );
    };
    const save = () => {
      const wrong = problemWithNumber(draft.contact_number);
      number.say(wrong);
      if (wrong) {
        number.querySelector('input').focus();
        return;
      }
      answer = Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, value.trim()]));
      dialog.close('saved');
    };
    const bar = h(
      'header',
      { class: 'sheet-bar' },
      h(
        'button',
        { type: 'button', class: 'round bare', 'aria-label': t`Close without saving`, onclick: () => dialog.close() },
        icon('close'),
      ),
      h('h2', { class: 'title-3' }, title),
      trashable &&
        h(
          'button',
          {
            type: 'button',
            class: 'round bare danger',
            'aria-label': t`Delete this message`,
            onclick: () => {
              answer = 'trash';
              dialog.close('deleted');
            },
          },
          icon('trash'),
        ),
      deleting
        ? h(
            'button',
            {
              type: 'button',
              class: 'button alarm',
              'aria-label': t`Delete this message`,
              onclick: () => {
                answer = 'trash';
                dialog.close('deleted');
              },
            },
            icon('trash'),
          )
        : h('button', { type: 'submit', class: 'button primary' }, t`Save`),
    );
    const form = h(
      'form',
      {
        class: 'message-form',
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          if (!deleting) save();
        },
      },
      bar,
      note && h('p', { class: 'footnote' }, note),
      h(
        'div',
        { class: 'mock-sms', role: 'group', 'aria-label': t`How it will look` },
        to,
        h('span', { class: 'caption-line' }, t`Text message`),
        said,
        h('p', { class: 'footnote' }, t`Nothing is sent until you press send.`),
      ),
      h('div', { class: 'fields' }, rows),
      contactButton(rows, draft, preview),
    );
    preview();
    const dialog = modalSheet({ label: title, onclose: () => done(answer) }, form);
    dialog.classList.add('message-sheet');
    if (!deleting) sheetDraft(dialog, key, resume);
  });
}

/** A button for the device's address book, in browsers that support it. */
function contactButton(rows, draft, preview) {
  if (!navigator.contacts?.select) return null;
  return h(
    'button',
    {
      type: 'button',
      class: 'button',
      onclick: async () => {
        const [person] = await navigator.contacts.select(['name', 'tel']).catch(() => []);
        if (!person) return;
        for (const [key, value] of [
          ['to_moniker', person.name?.[0]],
          ['contact_number', person.tel?.[0]],
        ]) {
          if (!value) continue;
          draft[key] = value;
          rows.find((row) => row.key === key).querySelector('input').value = value;
        }
        preview();
      },
    },
    icon('user'),
    t`Choose from contacts`,
  );
}

/** `#/messages/new` is the list of all messages with the editor over it. */
export const show = (app, outlet, { parameters }) => replace(parameters.id === 'new' ? '/messages?new' : '/messages');
