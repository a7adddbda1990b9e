// A code from an authenticator app besides the password: turned on with a first code, recovery codes for paper, turned off.
import { field, row } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { qr } from '../../scripts/page/qr.js';
import { sentence } from '../../scripts/words/sentence.js';
import { plural, t } from '../../scripts/words/translate.js';
import { choices, proofForm } from './proof.js';

const address = '/account/second-factor';
const codeInput = () =>
  h('input', {
    class: 'input number',
    name: 'code',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    maxlength: 20,
  });
/** The field of the sign-in form, shown when the server asks for a code. */
export function codeField() {
  const input = codeInput();
  return {
    input,
    element: field({ label: t`Code`, input, hint: t`From your authenticator app, or one of those on paper.` }),
  };
}

/** The row on the account's screen. */
export function secondFactor(server) {
  const place = h('div');
  const draw = async () => {
    let detail = t`Not known without network.`;
    let state;
    try {
      state = await server.ask('GET', address);
      detail = state.is_on
        ? plural(state.recovery_codes, {
            one: t`On · ${state.recovery_codes} code left on paper`,
            other: t`On · ${state.recovery_codes} codes left on paper`,
          })
        : t`Off: the password alone is enough`;
    } catch (error) {
      if (!error.offline) detail = error.message;
    }
    fill(
      place,
      row({
        title: t`Two-step sign-in`,
        detail,
        key: 'second-factor',
        leading: h('span', { class: 'tile quiet' }, icon('shield')),
        onclick: () => state && asking(server, state.is_on, draw),
      }),
    );
  };
  return Object.assign(place, { ready: draw() });
}

function asking(server, isOn, done) {
  const title = isOn ? t`Switch off two-step sign-in` : t`Two-step sign-in`;
  const sheet = modalSheet(
    { label: title },
    h('h2', { class: 'title-2' }, title),
    h(
      'p',
      { class: 'subhead' },
      isOn
        ? t`You will sign in with the password alone. The codes on paper stop working.`
        : t`An authenticator app shows a new code every 30 seconds. The password alone is then not enough to sign in.`,
    ),
    proofForm(
      async (password) => {
        const begun = await server.ask(isOn ? 'DELETE' : 'POST', address, { password });
        sheet.close();
        if (isOn) snackbar(t`Codes are no longer asked for`);
        else await confirming(server, begun, done);
        done();
      },
      { buttons: choices(isOn ? t`Switch off` : t`Continue to the app`, () => sheet.close()) },
    ),
  );
}

async function confirming(server, { link, secret }, done) {
  const picture = await qr(link, t`QR code for an authenticator app`).catch(() => undefined);
  const input = codeInput();
  const code = field({ label: t`What the app shows`, input });
  const sheet = modalSheet(
    { label: t`Scan it with the app` },
    h('h2', { class: 'title-2' }, t`Scan it with the app`),
    picture,
    h('p', { class: 'footnote link-address' }, secret),
    h(
      'form',
      {
        class: 'entrance',
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault();
          code.say();
          try {
            const { recovery_codes: codes } = await server.ask('PUT', address, { code: input.value.trim() });
            sheet.close();
            onPaper(codes);
            done();
          } catch (error) {
            code.say(sentence(error.message.replace(/^\/[\w/]+: /, '')));
          }
        },
      },
      code,
      h(
        'div',
        { class: 'sheet-actions' },
        h('button', { class: 'button primary', type: 'submit' }, t`Switch on`),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`),
      ),
    ),
  );
  sheet.classList.add('pair-sheet');
}

function onPaper(codes) {
  const sheet = modalSheet(
    { label: t`For paper` },
    h('h2', { class: 'title-2' }, t`For paper`),
    h('p', { class: 'subhead' }, t`If the app is lost, one of these signs you in, each once. They are shown only now.`),
    h(
      'ul',
      { class: 'recovery-codes' },
      codes.map((each) => h('li', {}, each)),
    ),
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        { type: 'button', class: 'button primary', onclick: () => sheet.close() },
        t`I have written them down`,
      ),
    ),
  );
}
