// Adds a channel for notifications. Each kind has its own fields.
import { h } from '../../scripts/page/dom.js';
import { sheetDraft } from '../../parts/drafts.js';
import { field } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { t } from '../../scripts/words/translate.js';

const letters = 'abcdefghijkmnopqrstuvwxyz23456789';
/** A random text that cannot be guessed. */
const secret = (length) =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => letters[byte % letters.length]).join('');

const address = { type: 'url', placeholder: 'https://…', autocomplete: 'off', maxlength: 2000 };

/** Kinds that a person can add here. Browsers register by themselves, apps with their own token. */
export const addable = [
  {
    kind: 'mail',
    title: t`Add a mail address`,
    // The channel is named by its address.
    name: ({ address }) => address,
    fields: [
      {
        key: 'address',
        label: t`Mail address`,
        hint: t`With buttons that stop the alarm, let it sleep or close it.`,
        input: { type: 'email', autocomplete: 'email', maxlength: 254 },
      },
    ],
  },
  {
    kind: 'ntfy',
    title: t`Add ntfy`,
    name: () => 'ntfy',
    fields: [
      {
        key: 'topic',
        label: t`Topic`,
        hint: t`Subscribe to it in the ntfy app. Anyone who knows it can read your alarms.`,
        input: { maxlength: 64, autocomplete: 'off' },
        proposed: () => `proximity-${secret(16)}`,
      },
      {
        key: 'server',
        label: t`Server`,
        hint: t`Empty: the public one, ntfy.sh.`,
        input: { type: 'url', placeholder: 'https://ntfy.sh', autocomplete: 'off', maxlength: 2000 },
        optional: true,
      },
      {
        key: 'token',
        label: t`Access token`,
        hint: t`Only for a server that asks for one.`,
        input: { type: 'password', autocomplete: 'off', maxlength: 200 },
        optional: true,
      },
    ],
  },
  {
    kind: 'gotify',
    title: t`Add Gotify`,
    name: () => 'Gotify',
    fields: [
      {
        key: 'server',
        label: t`Server`,
        input: address,
      },
      {
        key: 'token',
        label: t`Application token`,
        hint: t`Create an application in Gotify to get one.`,
        input: { type: 'password', autocomplete: 'off', maxlength: 256 },
      },
    ],
  },
  {
    kind: 'telegram',
    title: t`Add Telegram`,
    name: () => 'Telegram',
    note: t`Send your bot a message first: a bot cannot start a chat.`,
    fields: [
      {
        key: 'token',
        label: t`Bot token`,
        hint: t`@BotFather gives it to you in Telegram.`,
        input: { type: 'password', autocomplete: 'off', maxlength: 256 },
      },
      {
        key: 'chat',
        label: t`Chat`,
        hint: t`Its number, or @name of a channel.`,
        input: { autocomplete: 'off', maxlength: 64 },
      },
    ],
  },
  {
    kind: 'pushover',
    title: t`Add Pushover`,
    name: () => 'Pushover',
    note: t`Pushover rings through silent mode, and again every minute for an hour until somebody answers.`,
    fields: [
      {
        key: 'token',
        label: t`Application token`,
        hint: t`Create an application at Pushover to get one.`,
        input: { type: 'password', autocomplete: 'off', maxlength: 64 },
      },
      {
        key: 'user',
        label: t`User key`,
        hint: t`The key of a person or a group.`,
        input: { type: 'password', autocomplete: 'off', maxlength: 64 },
      },
    ],
  },
  {
    kind: 'matrix',
    title: t`Add Matrix`,
    name: () => 'Matrix',
    fields: [
      {
        key: 'server',
        label: t`Homeserver`,
        input: address,
      },
      {
        key: 'token',
        label: t`Access token`,
        hint: t`The token of a user who is in the room.`,
        input: { type: 'password', autocomplete: 'off', maxlength: 1024 },
      },
      {
        key: 'room',
        label: t`Room`,
        hint: t`Its internal id, in the advanced settings of the room.`,
        input: { placeholder: '!abc:example.org', autocomplete: 'off', maxlength: 255 },
      },
    ],
  },
  {
    kind: 'apprise',
    title: t`Add Apprise`,
    name: () => 'Apprise',
    fields: [
      {
        key: 'server',
        label: t`Server`,
        input: address,
      },
      {
        key: 'key',
        label: t`Key`,
        hint: t`Your services are stored there under this key.`,
        input: { type: 'password', autocomplete: 'off', maxlength: 128 },
      },
      {
        key: 'tag',
        label: t`Tag`,
        hint: t`Empty: all services of the key.`,
        input: { autocomplete: 'off', maxlength: 256 },
        optional: true,
      },
    ],
  },
  ...[
    { kind: 'sms', title: t`Add text messages`, short: t`Text messages` },
    { kind: 'voice', title: t`Add phone calls`, short: t`Phone calls` },
  ].map(({ kind, title, short }) => ({
    kind: 'gateway',
    title,
    name: ({ to }) => `${short}, ${to}`,
    note: t`By a gateway that takes a request for each message. It is asked once for each alarm, as it may cost money.`,
    fixed: { kind },
    fields: [
      {
        key: 'to',
        label: t`Phone number`,
        hint: t`With its country, as +49 170 1234567.`,
        input: { type: 'tel', autocomplete: 'tel', maxlength: 40 },
      },
      {
        key: 'url',
        label: t`Address`,
        hint: t`The address of the gateway.`,
        input: address,
      },
      {
        key: 'authorization',
        label: t`Authorization`,
        hint: t`The gateway recognises you by it, as “Bearer …”. Empty for none.`,
        input: { type: 'password', autocomplete: 'off', maxlength: 1024 },
        optional: true,
      },
    ],
  })),
  {
    kind: 'home_assistant',
    title: t`Add Home Assistant`,
    name: () => 'Home Assistant',
    fields: [
      {
        key: 'instance',
        label: t`Address of Home Assistant`,
        input: address,
      },
      {
        key: 'access_token',
        label: t`Long-lived access token`,
        hint: t`Your profile there, Security. Your phones’ places go there too.`,
        input: { type: 'password', autocomplete: 'off', maxlength: 4096 },
      },
    ],
  },
  {
    kind: 'owntracks',
    title: t`Add OwnTracks`,
    name: () => 'OwnTracks',
    note: t`The phones of this account that report with OwnTracks show the alarm, the next time that they report.`,
    fields: [
      {
        key: 'tid',
        label: t`Two letters for the sender`,
        hint: t`They stand beside the message in the app.`,
        input: { maxlength: 2, autocomplete: 'off' },
        proposed: () => 'PA',
      },
    ],
  },
  {
    kind: 'webhook',
    title: t`Add a webhook`,
    name: ({ url }) => (URL.canParse(url) ? new URL(url).host : 'Webhook'),
    fields: [
      {
        key: 'url',
        label: t`Address`,
        hint: t`Each alarm is sent there as JSON.`,
        input: address,
      },
      {
        key: 'secret',
        label: t`Secret`,
        hint: t`Signs each alarm. Copy it now: it is not shown again.`,
        input: { autocomplete: 'off', maxlength: 256 },
        proposed: () => secret(32),
      },
    ],
  },
];

/**
 * The key of a draft for one of `addable`; without an argument, the prefix of all these keys. Drafts are separate for each
 * account.
 */
export const channelDraft = (server, { kind = '', fixed } = {}) =>
  `channel/${server.account.id}/${[kind, fixed?.kind].filter(Boolean).join('-')}`;

/**
 * Opens the sheet to add a channel.
 * @param {object} what one of `addable`
 * @param {{server, step: number, done: () => void}} how `step` at which it is notified
 */
export function addChannel(what, how) {
  const { kind, title, name, note, fields, fixed } = what;
  const { server, step, done } = how;
  const inputs = fields.map(({ key, input, proposed }, index) =>
    h('input', {
      class: 'input',
      name: `channel-${key}`,
      '.value': proposed?.() ?? '',
      oninput: () => lines[index].say(),
      ...input,
    }),
  );
  const lines = fields.map(({ label, hint }, index) => field({ label, hint, input: inputs[index] }));
  const add = async () => {
    const typed = fields
      .map(({ key, optional }, index) => [key, inputs[index].value.trim(), optional])
      .filter(([, value, optional]) => value || !optional)
      .map(([key, value]) => [key, value]);
    const configuration = { ...fixed, ...Object.fromEntries(typed) };
    try {
      await server.ask('POST', '/channels', { kind, name: name(configuration), configuration, escalation_step: step });
      sheet.close('saved');
      done();
    } catch (error) {
      // The server's message names the member that is wrong.
      const wrong = fields.findIndex(({ key }) => error.message.includes(`/${key}`));
      lines[Math.max(0, wrong)].say(error.message.replace(/^\/[\w/]+: /, ''));
    }
  };
  const sheet = modalSheet(
    { label: title },
    h('h2', { class: 'title-2' }, title),
    note && h('p', { class: 'body' }, note),
    h(
      'form',
      {
        class: 'entrance',
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          add();
        },
      },
      lines,
      h(
        'div',
        { class: 'sheet-actions' },
        h('button', { class: 'button primary', type: 'submit' }, t`Add`),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close('discarded') }, t`Cancel`),
      ),
    ),
  );
  sheetDraft(sheet, channelDraft(server, what), () => addChannel(what, how));
}
