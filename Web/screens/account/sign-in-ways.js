// Ways to sign in without a password. For the operator's OpenID Connect provider: a button that leads there, the code that an
// account asks for in addition, and the link between an account and a login there.
import { row } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { sentence } from '../../scripts/words/sentence.js';
import { t } from '../../scripts/words/translate.js';
import { passkeyEntry } from './passkeys.js';
import { choices, proofForm } from './proof.js';
import { codeField } from './second-factor.js';

/** The ways that the server offers; an older server without this route offers none. */
const waysOf = (server) => server.ask('GET', '/login').catch(() => ({ oidc: null }));

/** Below the sign-in form: a button for passkeys and one for the provider, if available. */
export function otherWays(server) {
  const place = h('div', { class: 'card padded', hidden: true });
  waysOf(server).then(({ oidc, passkeys }) => {
    const ways = [passkeyEntry(server, passkeys), oidc && providerEntry(server, oidc.name)].filter(Boolean);
    place.hidden = ways.length === 0;
    fill(place, ways);
  });
  return place;
}

function providerEntry(server, name) {
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const button = h(
    'button',
    {
      type: 'button',
      class: 'button wide',
      'data-key': 'oidc',
      onclick: async () => {
        problem.hidden = true;
        button.disabled = true;
        try {
          const { url } = await server.ask('POST', '/login/oidc');
          location.assign(url);
        } catch (error) {
          problem.textContent = sentence(error.message);
          problem.hidden = false;
          button.disabled = false;
        }
      },
    },
    t`Sign in with ${name}`,
  );
  return [button, problem];
}

/** The form for a code, after the provider has confirmed the person. @param {() => void} giveUp */
export function codeEntry(server, giveUp) {
  const { input, element } = codeField();
  return h(
    'form',
    {
      class: 'card padded entrance',
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        element.say();
        try {
          await server.enterBy('/login/oidc/code', { code: input.value.trim() });
          history.replaceState(null, '', '#/account');
          snackbar(t`Signed in as ${server.account.login}`);
        } catch (error) {
          element.say(sentence(error.message));
          input.select();
        }
      },
    },
    h('p', { class: 'body' }, t`You have been signed in there. Your account asks for a code as well.`),
    element,
    choices(t`Sign in`, giveUp),
  );
}

/** The row on the account's screen; empty without a provider and a linked login. */
export function logins(server) {
  const place = h('div');
  const draw = async () => {
    try {
      const [{ oidc }, { items }] = await Promise.all([waysOf(server), server.ask('GET', '/account/login-identities')]);
      fill(
        place,
        items.map((login) =>
          row({
            title: t`Linked to ${login.name}`,
            detail: oidc?.name ?? login.issuer,
            key: `login-${login.id}`,
            leading: h('span', { class: 'tile quiet' }, icon('user')),
            onclick: () => unlinking(server, login, draw),
          }),
        ),
        oidc &&
          items.length === 0 &&
          row({
            title: t`Sign in with ${oidc.name}`,
            detail: t`Link this account to your login there`,
            key: 'link-login',
            leading: h('span', { class: 'tile quiet' }, icon('user')),
            onclick: () => linking(server, oidc.name),
          }),
      );
    } catch (error) {
      if (!error.offline && error.status !== 404) fill(place, h('p', { class: 'footnote padded' }, error.message));
    }
  };
  return Object.assign(place, { ready: draw() });
}

function linking(server, name) {
  const title = t`Sign in with ${name}`;
  const sheet = modalSheet(
    { label: title },
    h('h2', { class: 'title-2' }, title),
    h(
      'p',
      { class: 'subhead' },
      t`You are sent to ${name} to sign in. From then on that login opens this account; a code is still asked for, where
        codes are on.`,
    ),
    proofForm(
      async (password) => {
        const { url } = await server.ask('POST', '/account/login-identities', { password });
        location.assign(url);
      },
      { buttons: choices(t`Continue`, () => sheet.close()) },
    ),
  );
}

function unlinking(server, login, done) {
  const problem = h('p', { class: 'problem', role: 'alert' });
  const title = t`Linked to ${login.name}`;
  const sheet = modalSheet(
    { label: title },
    h('h2', { class: 'title-2' }, title),
    h('p', { class: 'body' }, t`This login no longer opens the account. Browsers that are signed in stay signed in.`),
    problem,
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button danger',
          id: 'unlink-login',
          onclick: async () => {
            try {
              await server.ask('DELETE', `/account/login-identities/${login.id}`);
              sheet.close();
              done();
            } catch (error) {
              problem.textContent = sentence(error.message);
            }
          },
        },
        t`End the link`,
      ),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`),
    ),
  );
}
