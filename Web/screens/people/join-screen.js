// A link to join a group. `#/join/<link>`.
import { fill, h } from '../../scripts/page/dom.js';
import { serverOf } from '../../scripts/server/server.js';
import { styles } from '../../scripts/page/styles.js';
import { t } from '../../scripts/words/translate.js';
import { topBar } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { joinButtons } from './follow-choice.js';
import { whatTheySee, whatYouMayFollow } from './memberships-section.js';

await styles('settings', 'story');

export function show(app, outlet, { parameters }) {
  const server = serverOf(app);
  const place = h('div', {}, h('p', { class: 'note', role: 'status' }, t`Asking the server…`));
  outlet.append(h('div', { class: 'pane' }, topBar({ title: t`Join a group`, back: '#/people' }), place));
  const path = `/group-links/${encodeURIComponent(parameters.link)}`;
  const join = async (group, follow) => {
    try {
      await server.ask('POST', `${path}/join`);
      await follow(server, group, () => {
        location.hash = '#/people';
      });
    } catch (error) {
      snackbar(error.message);
    }
  };
  const load = async () => {
    if (server.state !== 'in') {
      const words =
        server.state === 'offline' ? t`Not known without network.` : t`Sign in, and open the link once more.`;
      fill(place, h('p', { class: 'note' }, words), h('a', { class: 'button wide', href: '#/account' }, t`Account`));
      return;
    }
    try {
      const group = await server.ask('GET', path);
      const { group_name: name, manager_name: person, manager_login: login } = group;
      fill(
        place,
        h(
          'div',
          { class: 'card padded' },
          h('h2', { class: 'title-3' }, t`${person || login} invites you to ${name}`),
          h('p', { class: 'body' }, whatYouMayFollow(group)),
          h('p', { class: 'body' }, whatTheySee()),
          h(
            'div',
            { class: 'sheet-actions' },
            joinButtons(group, (follow) => join(group, follow)),
          ),
        ),
      );
    } catch (error) {
      const why = {
        404: t`This link does not work, or has ended. Ask for a new one.`,
        410: t`As many people have joined by this link as it was made for. Ask for a new one.`,
      };
      fill(place, h('p', { class: 'note warn' }, (!error.offline && why[error.status]) || error.message));
    }
  };
  (server.state === 'in' ? Promise.resolve() : server.look()).then(load);
  server.addEventListener('change', load);
  return () => server.removeEventListener('change', load);
}
