// Makes an account by a link to join a group, where the operator of the server has allowed it. The account is a member at once.
import { h } from '../../scripts/page/dom.js';
import { sentence } from '../../scripts/words/sentence.js';
import { plural, t } from '../../scripts/words/translate.js';
import { field } from '../../parts/layout.js';

const least = 8;

/** The two ways to join: with a new account, or with one that the person has. */
export const joinWays = ({ address, make }) =>
  h(
    'div',
    { class: 'sheet-actions' },
    h('button', { type: 'button', class: 'button primary', id: 'join-make', onclick: make }, t`Make an account`),
    h('a', { class: 'button', href: `#/account?then=${encodeURIComponent(address)}` }, t`I have an account`),
  );

/**
 * The form for the new account.
 * @param {{app, proposed: string|null, save: (login: string, password: string) => Promise<void>, back: () => void}} what
 *   `proposed` is the login that the link proposes; `save` throws a `ServerProblem` if there is no account
 */
export function accountForm({ app, proposed, save, back }) {
  const input = (name, more) => h('input', { class: 'input', name, required: true, ...more });
  const login = input('login', {
    autocomplete: 'username',
    autocapitalize: 'off',
    spellcheck: 'false',
    maxlength: 100,
  });
  login.value = proposed ?? '';
  const password = input('password', { type: 'password', autocomplete: 'new-password', maxlength: 200 });
  const [name, secret] = [
    field({ label: t`Name`, input: login, hint: t`You sign in with it. The manager of the group sees it.` }),
    field({ label: t`Password`, input: password, hint: t`At least ${least} characters.` }),
  ];
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const button = h('button', { class: 'button primary wide', type: 'submit' }, t`Create account and join`);
  const zones = app.zones.size;
  const refuse = (place, words) => {
    place.say(words);
    place.querySelector('input').select();
  };
  const form = h(
    'form',
    {
      class: 'entrance',
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const chosen = login.value.trim();
        problem.hidden = true;
        name.say();
        secret.say();
        if (!chosen) return refuse(name, t`Choose a name.`);
        if (chosen.includes(':')) return refuse(name, t`A name contains no colon.`);
        if (password.value.length < least)
          return refuse(secret, t`The password has ${password.value.length} characters; ${least} or more are needed.`);
        button.disabled = true;
        try {
          await save(chosen, password.value);
        } catch (error) {
          if (error.status === 409) refuse(name, t`The name ${chosen} is taken. Choose another one.`);
          else {
            problem.textContent = sentence(error.message);
            problem.hidden = false;
          }
        } finally {
          button.disabled = false;
        }
      },
    },
    name,
    secret,
    problem,
    button,
    h('button', { type: 'button', class: 'button wide', onclick: back }, t`Back`),
  );
  const note =
    zones > 0 &&
    plural(zones, {
      one: t`The ${zones} zone on this device will be in your account too.`,
      other: t`The ${zones} zones on this device will be in your account too.`,
    });
  return {
    form,
    note: note && h('p', { class: 'footnote' }, note),
    begin: () => (proposed ? password : login).focus(),
  };
}
