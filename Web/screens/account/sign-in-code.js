// The QR code that opens this page on a phone and signs it in: good once, for ten minutes.
import { fill, h } from '../../scripts/page/dom.js';
import { qr } from '../../scripts/page/qr.js';
import { sentence } from '../../scripts/words/sentence.js';
import { t } from '../../scripts/words/translate.js';
import { clock } from '../../scripts/words/words.js';
import { snackbar } from '../../parts/snackbar.js';
import { isLocal } from './pairing-screen.js';
import { proofForm } from './proof.js';

/**
 * A card that makes a code at once. If the session is older than ten minutes, it asks for the password first. A code that has
 * ended is taken away.
 * @returns {HTMLElement & {ready: Promise<void>}} `ready` settles when the code is drawn
 */
export function signInCode(server) {
  const place = h('div', { class: 'card padded sign-in-code' });
  const again = (text) =>
    fill(
      place,
      h('p', { class: 'subhead' }, text),
      h('button', { type: 'button', class: 'button primary', id: 'new-code', onclick: draw }, t`Show a new code`),
    );
  const show = async ({ link, valid_s: seconds }) => {
    const picture = await qr(link, t`QR code that opens this page on your phone`);
    const ends = Date.now() + seconds * 1000;
    fill(
      place,
      h('p', { class: 'body' }, t`Scan this with the phone’s camera, and tap “Sign in” there.`),
      isLocal(new URL(link).hostname) &&
        h(
          'p',
          { class: 'problem' },
          t`This page is open at ${location.host}, which only this computer reaches. Open it by the address that the
              phone can reach, then pair.`,
        ),
      picture,
      h('p', { class: 'footnote' }, t`It works once, until ${clock(ends)}. Show it to nobody else.`),
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          onclick: () =>
            navigator.clipboard.writeText(link).then(
              () => snackbar(t`The link is copied`),
              () => snackbar(t`The browser did not let the link be copied.`),
            ),
        },
        t`Copy the link`,
      ),
    );
    setTimeout(() => {
      if (picture.isConnected) again(t`The code has ended.`);
    }, seconds * 1000);
  };
  const draw = async () => {
    try {
      await show(await server.ask('POST', '/account/sign-in-codes', {}));
    } catch (error) {
      if (error.status === 403) prove();
      else again(sentence(error.message));
    }
  };
  const prove = () =>
    fill(
      place,
      proofForm(async (password) => show(await server.ask('POST', '/account/sign-in-codes', { password })), {
        before: h('p', { class: 'body' }, t`The code signs a phone in to your account. Give your password to see it.`),
        buttons: h('button', { type: 'submit', class: 'button primary' }, t`Show the code`),
      }),
    );
  return Object.assign(place, { ready: draw() });
}
