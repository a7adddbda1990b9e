// The devices on which an account is signed in. Any other one can be signed out here.
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { browserName } from '../../scripts/server/push.js';
import { t } from '../../scripts/words/translate.js';
import { day } from '../../scripts/words/words.js';
import { row, section } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';

export function sessions(server) {
  const list = h('div', { class: 'card' }, h('p', { class: 'footnote padded' }, t`Asking the server…`));
  const load = async () => {
    try {
      const { items } = await server.ask('GET', '/account/sessions');
      fill(
        list,
        items.map((session) =>
          row({
            title: browserName(session.user_agent),
            detail: session.is_current ? t`Here, now` : t`Last seen ${day(Date.parse(session.last_seen_at))}`,
            key: session.id,
            leading: h(
              'span',
              { class: 'tile quiet' },
              icon(/Mobile|iPhone|Android/.test(session.user_agent) ? 'phone' : 'computer'),
            ),
            trailing: session.is_current
              ? undefined
              : h(
                  'button',
                  {
                    type: 'button',
                    class: 'button small',
                    'aria-label': t`Sign ${browserName(session.user_agent)} out`,
                    onclick: () => end(session),
                  },
                  t`End`,
                ),
          }),
        ),
      );
    } catch (error) {
      fill(list, h('p', { class: 'footnote padded' }, error.offline ? t`Not known without network.` : error.message));
    }
  };
  const end = async (session) => {
    try {
      await server.ask('DELETE', `/account/sessions/${session.id}`);
      snackbar(t`Signed out there`);
    } catch (error) {
      snackbar(error.message);
    }
    load();
  };
  return Object.assign(section({ title: t`Signed in` }, list), { ready: load() });
}
