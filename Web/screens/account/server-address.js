// In an app: the server that the account is on. A browser has its page from it.
import { serverAddress } from '../../scripts/server/app-server.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { sentence } from '../../scripts/words/sentence.js';
import { t } from '../../scripts/words/translate.js';
import { field, row } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';

/** Asks for the address. @param {() => void} done when a server answers there */
export function addressEntry(server, done) {
  const input = h('input', {
    class: 'input',
    name: 'server',
    type: 'url',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    maxlength: 300,
    placeholder: 'https://…',
  });
  const address = field({ label: t`Address of the server`, input });
  const button = h('button', { class: 'button primary wide', type: 'submit' }, t`Continue`);
  return [
    h(
      'form',
      {
        class: 'card padded entrance',
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault();
          const found = serverAddress(input.value);
          address.say(found ? '' : t`This is not a server’s address: it begins with https://.`);
          if (!found) return;
          button.disabled = true;
          try {
            await server.moveTo(found);
            done();
          } catch (error) {
            address.say(
              // An error without a problem type is not from a server of ours.
              error.offline || !error.kind
                ? t`No server answers this app at ${new URL(found).host}. The address is wrong, the server is too old, or there is no
                    network.`
                : sentence(error.message),
            );
          } finally {
            button.disabled = false;
          }
        },
      },
      address,
      button,
    ),
    h('p', { class: 'footnote' }, t`Without an account everything stays on this device, and works.`),
  ];
}

/** The server's row above the form that signs in. @param {() => void} done when there is no address any more */
export const addressRow = (server, done) =>
  h(
    'div',
    { class: 'card' },
    row({
      key: 'server',
      title: new URL(server.home).host,
      detail: t`Server`,
      leading: h('span', { class: 'tile quiet' }, icon('cloud')),
      trailing: h(
        'button',
        {
          type: 'button',
          class: 'button small',
          onclick: async () => {
            await server.moveTo(undefined);
            done();
          },
        },
        t`Change`,
      ),
    }),
  );

/** Where the server cannot be told of a sign-out. @param {() => void} leave ends the session here alone */
export function leavingUntold(leave) {
  const sheet = modalSheet(
    { label: t`Sign out` },
    h('h2', { class: 'title-2' }, t`The server cannot be reached`),
    h(
      'p',
      { class: 'body' },
      t`It still counts this app as signed in, for 30 days. Another device of yours can end that, under “Security”.`,
    ),
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button danger',
          id: 'leave-untold',
          onclick: () => {
            sheet.close();
            leave();
          },
        },
        t`Sign out here only`,
      ),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Stay signed in`),
    ),
  );
}
