// Passkeys: the device confirms the person, instead of a password and a code. They are added, named and removed on the
// account's screen, and used on the sign-in screen.
import { field, row, section } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { fromBase64URL, toBase64URL } from '../../scripts/server/base64url.js';
import { browserName } from '../../scripts/server/push.js';
import { sentence } from '../../scripts/words/sentence.js';
import { t } from '../../scripts/words/translate.js';
import { day } from '../../scripts/words/words.js';
import { choices, proofField } from './proof.js';

const address = '/account/passkeys';

/** True if this browser has passkeys at this address. The server reports the addresses at which browsers refuse them. */
const isPossible = () => window.isSecureContext && 'PublicKeyCredential' in window && 'credentials' in navigator;

const text = (buffer) => toBase64URL(new Uint8Array(buffer));

function words(error) {
  // Browsers use one error name for all causes that pages must not tell apart.
  if (error.name === 'NotAllowedError') return t`Not done: it was cancelled, or took too long.`;
  if (error.name === 'InvalidStateError') return t`This device has a passkey of the account already.`;
  return sentence(error.message);
}

/** A button for the sign-in form; undefined without passkeys. @param {boolean} hasPasskeys as the server reports */
export function passkeyEntry(server, hasPasskeys) {
  if (!hasPasskeys || !isPossible()) return undefined;
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const button = h(
    'button',
    {
      type: 'button',
      class: 'button wide',
      'data-key': 'passkey',
      onclick: async () => {
        problem.hidden = true;
        button.disabled = true;
        try {
          await signIn(server);
          snackbar(t`Signed in as ${server.account.login}`);
        } catch (error) {
          problem.textContent = words(error);
          problem.hidden = false;
        } finally {
          button.disabled = false;
        }
      },
    },
    t`Sign in with a passkey`,
  );
  return [button, problem];
}

async function signIn(server) {
  const asked = await server.ask('POST', '/login/passkey/begin');
  const found = await navigator.credentials.get({
    publicKey: {
      challenge: fromBase64URL(asked.challenge),
      rpId: asked.host,
      timeout: asked.timeout_ms,
      userVerification: 'required',
    },
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = found.response;
  await server.enterBy('/login/passkey', {
    credential: text(found.rawId),
    client_data: text(clientDataJSON),
    authenticator_data: text(authenticatorData),
    signature: text(signature),
    user: userHandle?.byteLength ? text(userHandle) : null,
  });
}

async function make(server, name, password) {
  const asked = await server.ask('POST', `${address}/begin`, { password });
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: fromBase64URL(asked.challenge),
      timeout: asked.timeout_ms,
      rp: asked.relying_party,
      user: {
        id: fromBase64URL(asked.user.id),
        name: asked.user.name,
        displayName: asked.user.display_name || asked.user.name,
      },
      pubKeyCredParams: asked.algorithms.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: asked.exclude.map((id) => ({ type: 'public-key', id: fromBase64URL(id) })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    },
  });
  await server.ask('POST', address, {
    name,
    client_data: text(made.response.clientDataJSON),
    attestation: text(made.response.attestationObject),
  });
}

/** The section of the account's screen; empty if neither this browser nor the account has passkeys. */
export function passkeys(server) {
  const place = h('div');
  const draw = async () => {
    let items;
    try {
      ({ items } = await server.ask('GET', address));
    } catch {
      return;
    }
    const { passkeys: isOffered } = await server.ask('GET', '/login').catch(() => ({}));
    const mayAdd = isOffered && isPossible();
    if (items.length === 0 && !mayAdd) return fill(place);
    fill(
      place,
      section(
        { title: t`Passkeys` },
        h(
          'div',
          { class: 'card' },
          items.map((passkey) =>
            row({
              title: passkey.name,
              detail: passkey.last_used_at
                ? t`Last used ${day(Date.parse(passkey.last_used_at))}`
                : t`Added ${day(Date.parse(passkey.created_at))}, not used yet`,
              key: `passkey-${passkey.id}`,
              leading: h('span', { class: 'tile quiet' }, icon('shield')),
              onclick: () => changing(server, passkey, draw),
            }),
          ),
          mayAdd &&
            row({
              title: t`Add a passkey`,
              detail: t`Sign in with this device’s lock, without password and code`,
              key: 'add-passkey',
              leading: h('span', { class: 'tile quiet' }, icon('plus')),
              onclick: () => adding(server, draw),
            }),
        ),
      ),
    );
  };
  return Object.assign(place, { ready: draw() });
}

const nameField = (value) => {
  const input = h('input', { class: 'input', name: 'passkey', maxlength: 100, required: true, '.value': value });
  return { input, element: field({ label: t`Name`, input }) };
};

function adding(server, done) {
  const name = nameField(browserName());
  const { input, proof } = proofField();
  const sheet = modalSheet(
    { label: t`Add a passkey` },
    h('h2', { class: 'title-2' }, t`Add a passkey`),
    h(
      'p',
      { class: 'subhead' },
      t`This device, or a security key, keeps a key that signs you in here. It asks for your finger, face or PIN each
        time; nothing of these leaves it.`,
    ),
    h(
      'form',
      {
        class: 'entrance',
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault();
          name.element.say();
          proof.say();
          if (!name.input.value.trim()) return name.element.say(t`A name is needed.`);
          try {
            await make(server, name.input.value.trim(), input.value);
            sheet.close();
            snackbar(t`The passkey is added`);
            done();
          } catch (error) {
            proof.say(words(error));
          }
        },
      },
      name.element,
      proof,
      choices(t`Continue`, () => sheet.close()),
    ),
  );
}

function changing(server, passkey, done) {
  const name = nameField(passkey.name);
  const change = async (method, body) => {
    name.element.say();
    try {
      await server.ask(method, `${address}/${passkey.id}`, body);
      sheet.close();
      done();
    } catch (error) {
      name.element.say(sentence(error.message));
    }
  };
  const sheet = modalSheet(
    { label: passkey.name },
    h('h2', { class: 'title-2' }, passkey.name),
    h('p', { class: 'subhead' }, t`For ${passkey.host}, since ${day(Date.parse(passkey.created_at))}`),
    h(
      'form',
      {
        class: 'entrance',
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          if (!name.input.value.trim()) return name.element.say(t`A name is needed.`);
          change('PUT', { name: name.input.value.trim() });
        },
      },
      name.element,
      choices(t`Save`, () => sheet.close()),
      h(
        'button',
        { type: 'button', class: 'button wide danger', id: 'remove-passkey', onclick: () => change('DELETE') },
        t`Remove the passkey`,
      ),
    ),
  );
}
