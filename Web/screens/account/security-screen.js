// The security of an account, rarely changed: password, codes, passkeys, sessions, log, sealed messages. `#/security`.
import { phone } from '../../scripts/device/phone-app.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { serverOf } from '../../scripts/server/server.js';
import { t } from '../../scripts/words/translate.js';
import { card, row, section, topBar } from '../../parts/layout.js';
import { security } from './account-password.js';
import { sessions } from './account-sessions.js';
import { shownTogether } from './shown-together.js';
import { passkeys } from './passkeys.js';

export const show = (app, outlet) =>
  signedInScreen(app, outlet, { title: t`Security`, detail: t`Signing in, devices, sealed messages` }, (server) => [
    security(server),
    // A passkey is for the server's own page, not for another origin.
    !phone && passkeys(server),
    sessions(server),
    section(
      { title: t`Log and messages` },
      card(
        row({
          title: t`Account log`,
          detail: t`Who signed in, and what was changed`,
          href: '#/log',
          leading: h('span', { class: 'tile quiet' }, icon('list')),
        }),
        row({
          title: t`Sealed alarm messages`,
          detail: t`Alarms for people you choose, which only their browsers can read`,
          href: '#/sealed',
          leading: h('span', { class: 'tile quiet' }, icon('message')),
        }),
      ),
    ),
  ]);

/**
 * A screen below the account's, with content only for a person who is signed in.
 * @param {(server: object) => Node[]} content called once for each account that signs in
 */
export function signedInScreen(app, outlet, { title, detail }, content) {
  styles('story');
  const server = serverOf(app);
  const place = h('div', {});
  outlet.append(h('div', { class: 'pane account' }, topBar({ title, detail, back: '#/account' }), place));
  let shown;
  const draw = () => {
    const wanted = server.signedIn ? server.account.id : server.state;
    if (wanted === shown) return;
    shown = wanted;
    fill(
      place,
      server.signedIn
        ? shownTogether(content(server))
        : h('p', { class: 'note' }, server.state === 'offline' ? t`Not known without network.` : t`Sign in first.`),
    );
  };
  server.addEventListener('change', draw);
  (server.signedIn ? Promise.resolve() : server.look()).then(draw);
  return () => server.removeEventListener('change', draw);
}
