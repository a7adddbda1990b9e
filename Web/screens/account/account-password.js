// Password changes: with the present password, by a link that was mailed, or by a request for such a link. Also sets the mail
// address for these links.
import { phone } from '../../scripts/device/phone-app.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { card, field, row, section } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { sentence } from '../../scripts/words/sentence.js';
import { t } from '../../scripts/words/translate.js';
import { secondFactor } from './second-factor.js';
import { logins } from './sign-in-ways.js';

const least = 8;
const secret = (name, autocomplete) =>
  h('input', { class: 'input', type: 'password', name, autocomplete, maxlength: 200 });
const tooShort = ({ value }) =>
  value.length < least && t`The password has ${value.length} characters; ${least} or more are needed.`;
const revoking = () => {
  const box = h('input', { class: 'check', type: 'checkbox', name: 'revoke-tokens' });
  return [
    box,
    h(
      'label',
      { class: 'ticked' },
      box,
      t`Revoke the tokens of programs too. Phones that report with one then stop reporting.`,
    ),
  ];
};

/** The section with an account's password and mail address. */
export function security(server) {
  const mail = h('div');
  const tile = (name) => h('span', { class: 'tile quiet' }, icon(name));
  const draw = () => {
    const { mail: address, is_mail_confirmed: confirmed } = server.account ?? {};
    fill(
      mail,
      row({
        title: t`Mail for a new password`,
        key: 'own-mail',
        leading: tile('mail'),
        onclick: () => ownMail(server, draw),
        detail: !address
          ? t`None: only the operator of the server can replace a forgotten password`
          : confirmed
            ? address
            : t`${address} · not confirmed yet: open the link in the mail`,
      }),
    );
  };
  draw();
  // A provider leads back to the server's own page, which an app does not show.
  const later = phone ? [secondFactor(server)] : [secondFactor(server), logins(server)];
  const element = section(
    { title: t`Password` },
    card(
      row({
        title: t`Change the password`,
        key: 'change-password',
        leading: tile('lock'),
        onclick: () => changing(server),
      }),
      mail,
      later,
    ),
  );
  // The person may have opened the link in the mail since.
  element.ready = Promise.all([server.look().then(draw), ...later.map(({ ready }) => ready)]);
  return element;
}

function changing(server) {
  const [current, next] = [secret('current', 'current-password'), secret('new', 'new-password')];
  const [now, then] = [
    field({ label: t`Current password`, input: current }),
    field({ label: t`New password`, input: next, hint: t`At least ${least} characters.` }),
  ];
  const [box, revoke] = revoking();
  const sheet = modalSheet(
    { label: t`Change the password` },
    h('h2', { class: 'title-2' }, t`Change the password`),
    h(
      'form',
      {
        class: 'entrance',
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault();
          now.say();
          then.say(tooShort(next) || undefined);
          if (tooShort(next)) return;
          try {
            await server.ask('PUT', '/account/password', {
              current: current.value,
              new: next.value,
              revoke_tokens: box.checked,
            });
            sheet.close();
            snackbar(t`The password is changed. All other devices are signed out.`);
          } catch (error) {
            now.say(sentence(error.message));
          }
        },
      },
      now,
      then,
      revoke,
      actions(t`Change it`, () => sheet.close()),
    ),
  );
}

function ownMail(server, done) {
  const to = h('input', {
    class: 'input',
    type: 'email',
    name: 'own-mail',
    autocomplete: 'email',
    maxlength: 254,
    '.value': server.account?.mail ?? '',
  });
  const password = secret('password', 'current-password');
  const [address, proof] = [
    field({ label: t`Mail address`, input: to, hint: t`A link goes there that confirms it. Empty for none.` }),
    field({ label: t`Your password`, input: password }),
  ];
  const sheet = modalSheet(
    { label: t`Mail for a new password` },
    h('h2', { class: 'title-2' }, t`Mail for a new password`),
    h(
      'form',
      {
        class: 'entrance',
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault();
          address.say();
          proof.say();
          try {
            await server.ask('PUT', '/account/mail', { address: to.value.trim() || null, password: password.value });
            await server.look();
            sheet.close();
            done();
          } catch (error) {
            (error.kind === 'forbidden' ? proof : address).say(sentence(error.message.replace(/^\/[\w/]+: /, '')));
          }
        },
      },
      address,
      proof,
      actions(t`Save`, () => sheet.close()),
    ),
  );
}

const actions = (label, cancel) =>
  h(
    'div',
    { class: 'sheet-actions' },
    h('button', { class: 'button primary', type: 'submit' }, label),
    h('button', { type: 'button', class: 'button', onclick: cancel }, t`Cancel`),
  );

/** The part below the sign-in form for a forgotten password. @param {HTMLInputElement} login may hold the name already */
export function forgotten(server, login) {
  const told = h('p', { class: 'footnote', role: 'status' });
  return h(
    'div',
    { class: 'card padded' },
    h(
      'button',
      {
        type: 'button',
        class: 'button',
        'data-key': 'forgotten',
        onclick: async () => {
          if (!login.value.trim()) {
            told.textContent = t`Type the name of your account above first.`;
            login.focus();
            return;
          }
          told.textContent = t`Asking the server…`;
          try {
            await server.ask('POST', '/password-resets', { login: login.value.trim() });
            told.textContent = t`If this account has a confirmed mail address, a link is on its way there. It is good
              for an hour.`;
          } catch (error) {
            told.textContent = sentence(error.message);
          }
        },
      },
      t`Password forgotten?`,
    ),
    told,
  );
}

/** The target of a mailed link. @param {() => void} done called after the password was changed or the person has cancelled */
export function renewal(server, token, done) {
  const password = secret('new', 'new-password');
  const next = field({ label: t`New password`, input: password, hint: t`At least ${least} characters.` });
  const [box, revoke] = revoking();
  return h(
    'div',
    { class: 'card padded' },
    h('p', { class: 'body' }, t`This link sets a new password, once. Every device is signed out.`),
    h(
      'form',
      {
        class: 'entrance',
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault();
          next.say(tooShort(password) || undefined);
          if (tooShort(password)) return;
          try {
            await server.ask('POST', '/password-resets/use', {
              token,
              password: password.value,
              revoke_tokens: box.checked,
            });
            snackbar(t`The password is set. Sign in with it.`);
            await server.look();
            done();
          } catch (error) {
            next.say(sentence(error.message));
          }
        },
      },
      next,
      revoke,
      actions(t`Set the password`, done),
    ),
  );
}
