// From the computer to the phone: the code that opens this page there, the phone's screen after it was scanned, and the ways to
// be told in the pocket. `#/open`, `#/open?code=…`, `#/open?ways`.
import { replace } from '../../scripts/page/address.js';
import { fill, h } from '../../scripts/page/dom.js';
import { styles } from '../../scripts/page/styles.js';
import { serverOf } from '../../scripts/server/server.js';
import { sentence } from '../../scripts/words/sentence.js';
import { plural, t } from '../../scripts/words/translate.js';
import { topBar } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { pocketWays } from './pocket-ways.js';
import { signedInScreen } from './security-screen.js';
import { signInCode } from './sign-in-code.js';

export function show(app, outlet, { query }) {
  const code = query.get('code');
  if (code) return arrival(app, outlet, code);
  return query.has('ways')
    ? signedInScreen(app, outlet, { title: t`Alarms in your pocket`, detail: t`Three ways for this phone` }, pocketWays)
    : signedInScreen(
        app,
        outlet,
        { title: t`Open on your phone`, detail: t`The same account on a second device` },
        (server) => [
          signInCode(server),
          h('p', {}, h('a', { class: 'link', href: '#/open?ways' }, t`Set this device up instead`)),
        ],
      );
}

const ways = '/open?ways';

/**
 * The screen of a scanned code. It is used only after a tap: whoever follows a stranger's link must not find the zones of this
 * device in the stranger's account.
 */
function arrival(app, outlet, code) {
  styles('story');
  const server = serverOf(app);
  const card = h('div', { class: 'card padded entrance' });
  outlet.append(h('div', { class: 'pane account' }, topBar({ title: t`Sign in on this device` }), card));
  const problem = h('p', { class: 'problem', role: 'alert' });
  /** True from the tap that uses the code on: who is signed in afterwards is not news. */
  let isEntering = false;
  const button = h(
    'button',
    {
      type: 'button',
      class: 'button primary wide',
      id: 'use-code',
      onclick: async () => {
        problem.textContent = '';
        button.disabled = true;
        isEntering = true;
        try {
          await server.enterBy('/login/device-code', { code });
          snackbar(t`Signed in as ${server.account.login}`);
          replace(ways);
        } catch (error) {
          problem.textContent = sentence(error.message);
          button.disabled = false;
          isEntering = false;
        }
      },
    },
    t`Sign in`,
  );
  const draw = () => {
    if (server.signedIn)
      fill(
        card,
        h('p', { class: 'body' }, t`This device is signed in as ${server.account.login} already.`),
        h('p', { class: 'subhead' }, t`The code was not used. To use it for another account, sign out first.`),
        h('button', { type: 'button', class: 'button primary wide', onclick: () => replace(ways) }, t`Continue`),
      );
    else
      fill(
        card,
        h('p', { class: 'body' }, t`Sign in only with a code that you have just seen on your own screen.`),
        app.zones.size > 0 &&
          h(
            'p',
            { class: 'subhead' },
            plural(app.zones.size, {
              one: t`The ${app.zones.size} zone on this device will be in your account too.`,
              other: t`The ${app.zones.size} zones on this device will be in your account too.`,
            }),
          ),
        problem,
        button,
      );
  };
  const changed = () => isEntering || draw();
  server.addEventListener('change', changed);
  draw();
  return () => server.removeEventListener('change', changed);
}
