// A link to join a group. `#/join/<link>`.
import { phone } from '../../scripts/device/phone-app.js';
import { fill, h } from '../../scripts/page/dom.js';
import { serverOf } from '../../scripts/server/server.js';
import { styles } from '../../scripts/page/styles.js';
import { t } from '../../scripts/words/translate.js';
import { topBar } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { chooseToFollow, joinButtons } from './follow-choice.js';
import { accountForm, joinWays } from './join-account.js';
import { whatTheySee, whatYouMayFollow } from './memberships-section.js';

await styles('settings', 'story');

export function show(app, outlet, { parameters }) {
  const server = serverOf(app);
  const place = h('div', {}, h('p', { class: 'note', role: 'status' }, t`Asking the server…`));
  outlet.append(h('div', { class: 'pane' }, topBar({ title: t`Join a group`, back: '#/people' }), place));
  const path = `/group-links/${encodeURIComponent(parameters.link)}`;
  const done = () => {
    location.hash = '#/people';
  };
  const join = async (group, follow) => {
    try {
      await server.ask('POST', `${path}/join`);
      await follow(server, group, done);
    } catch (error) {
      snackbar(error.message);
    }
  };
  const card = (group, ...more) =>
    fill(
      place,
      h(
        'div',
        { class: 'card padded' },
        h(
          'h2',
          { class: 'title-3' },
          t`${group.manager_name || group.manager_login} invites you to ${group.group_name}`,
        ),
        h('p', { class: 'body' }, whatYouMayFollow(group)),
        h('p', { class: 'body' }, whatTheySee()),
        more,
      ),
    );
  const refuse = (error) => {
    const why = {
      404: t`This link does not work, or has ended. Ask for a new one.`,
      410: t`As many people have joined by this link as it was made for. Ask for a new one.`,
    };
    fill(place, h('p', { class: 'note warn' }, (!error.offline && why[error.status]) || error.message));
  };
  const signInFirst = () => {
    const words = server.state === 'offline' ? t`Not known without network.` : t`Sign in, and open the link once more.`;
    fill(place, h('p', { class: 'note' }, words), h('a', { class: 'button wide', href: '#/account' }, t`Account`));
  };
  /** True from when the ways to join with a new account are shown: a change of the server then draws nothing anew. */
  let isNew = false;
  const ways = (group) => {
    isNew = true;
    card(group, joinWays({ address: `/join/${parameters.link}`, make: () => form(group) }));
  };
  const form = (group) => {
    const save = async (login, password) => {
      try {
        await server.enterBy(`${path}/account`, { login, password });
      } catch (error) {
        if (error.status !== 404 && error.status !== 410) throw error;
        refuse(error);
        return;
      }
      await chooseToFollow(server, group, done).catch((error) => {
        snackbar(error.message);
        done();
      });
    };
    const made = accountForm({ app, proposed: group.login, save, back: () => ways(group) });
    card(group, made.form, made.note);
    made.begin();
  };
  /** Asks whether the link makes accounts. One that does not is for people who have one. */
  const offer = async () => {
    try {
      const group = await server.ask('GET', `${path}/account`);
      if (!isNew && !server.signedIn) ways(group);
    } catch (error) {
      if (error.status === 410) refuse(error);
      else signInFirst();
    }
  };
  const load = async () => {
    if (isNew) return;
    // In an app, an account is made on the server's own page, in a browser.
    if (server.state === 'out' && !phone) return offer();
    if (server.state !== 'in') return signInFirst();
    try {
      const group = await server.ask('GET', path);
      card(
        group,
        h(
          'div',
          { class: 'sheet-actions' },
          joinButtons(group, (follow) => join(group, follow)),
        ),
      );
    } catch (error) {
      refuse(error);
    }
  };
  (server.state === 'in' ? Promise.resolve() : server.look()).then(load);
  server.addEventListener('change', load);
  return () => server.removeEventListener('change', load);
}
