// Groups of people that the account manages. `#/groups`; a single one is `#/groups/<id>`.
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { serverOf } from '../../scripts/server/server.js';
import { ending, isWarned, reportLines } from '../../scripts/words/group-words.js';
import { styles } from '../../scripts/page/styles.js';
import { plural, t } from '../../scripts/words/translate.js';
import { clock, count, day, listed } from '../../scripts/words/words.js';
import { toggle } from '../../parts/controls.js';
import { offerSheet } from '../../parts/drafts.js';
import { card, row, section, switchRow, topBar } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { linkRows } from './group-links.js';
import { nameSheet, personSheet } from './name-sheet.js';

await styles('settings', 'story');

const every_ms = 30_000;

export function show(app, outlet, { parameters }) {
  const server = serverOf(app);
  const place = h('div', {});
  outlet.append(h('div', { class: 'pane' }, place));
  let gone = false;
  let timer;
  const draw = (title, detail, ...content) =>
    fill(place, topBar({ title, detail, back: parameters.id ? '#/groups' : '#/people' }), content);
  const load = async () => {
    clearTimeout(timer);
    if (gone) return;
    const title = t`Groups that you manage`;
    if (server.state !== 'in') {
      draw(
        title,
        '',
        h('p', { class: 'note' }, server.state === 'offline' ? t`Not known without network.` : t`Sign in first.`),
      );
      return;
    }
    try {
      const { items: groups } = await server.ask('GET', '/groups');
      if (!parameters.id) {
        if (!gone) {
          draw(title, t`You give them zones, and see whether each would be warned`, all({ server, groups, load }));
          offerSheet(draftOf(server, 'new-group'));
        }
      } else {
        const group = groups.find(({ id }) => id === parameters.id);
        if (!group) {
          location.replace('#/groups');
          return;
        }
        const [members, links, collections] = await Promise.all([
          server.ask('GET', `/groups/${group.id}/members`),
          server.ask('GET', `/groups/${group.id}/links`),
          server.list('/collections'),
        ]);
        if (!gone) {
          draw(group.name, '', one({ server, group, members: members.items, links: links.items, collections, load }));
          offerSheet(draftOf(server, `${group.id}/`));
        }
      }
    } catch (error) {
      if (!gone)
        draw(title, '', h('p', { class: 'note warn' }, error.offline ? t`Not known without network.` : error.message));
    }
    // Reports of phones change the list, but cause no event of this account.
    if (!gone) timer = setTimeout(load, every_ms);
  };
  (server.state === 'in' ? Promise.resolve() : server.look()).then(load);
  server.addEventListener('change', load);
  return () => {
    gone = true;
    clearTimeout(timer);
    server.removeEventListener('change', load);
  };
}

/** The key of a draft on this screen. Drafts are separate for each account. */
const draftOf = (server, what) => `group/${server.account.id}/${what}`;

const quiet = (picture) => h('span', { class: 'tile quiet' }, icon(picture));

function all({ server, groups, load }) {
  return card(
    groups.map(({ id, name, member_count: members, collections }) =>
      row({
        key: id,
        title: name,
        detail: [
          plural(members, { one: t`${members} member`, other: t`${members} members` }),
          listed(collections.map((each) => each.name)),
        ]
          .filter(Boolean)
          .join(' · '),
        leading: quiet('user'),
        href: `#/groups/${id}`,
      }),
    ),
    row({
      key: 'new-group',
      title: t`New group`,
      detail: t`Share zones with several people at once`,
      leading: quiet('plus'),
      onclick: () =>
        nameSheet({
          draft: draftOf(server, 'new-group'),
          title: t`New group`,
          label: t`Name`,
          missing: t`It needs a name, by which people find it.`,
          most: 200,
          action: t`Save`,
          save: async (name) => {
            await server.ask('POST', '/groups', { name });
            load();
          },
        }),
    }),
  );
}

function one({ server, group, members, links, collections, load }) {
  const own = collections.filter(({ is_own: isOwn }) => isOwn);
  const path = `/groups/${group.id}`;
  const doing = async (method, to, words) => {
    try {
      await server.ask(method, to);
      if (words) snackbar(words);
      load();
      return true;
    } catch (error) {
      snackbar(error.message);
      return false;
    }
  };
  return [
    section(
      { title: t`Members`, count: group.member_count || undefined },
      card(
        members.map((member) => memberRow(member, group, doing)),
        row({
          key: 'invite',
          title: t`Invite somebody`,
          detail: t`They see what you ask to see and decide`,
          leading: quiet('plus'),
          onclick: () =>
            personSheet({
              draft: draftOf(server, `${group.id}/invite`),
              title: t`Invite somebody`,
              action: t`Invite`,
              save: async (login) => {
                await server.ask('POST', `${path}/members`, { login });
                snackbar(t`If there is an account ${login}, it is asked whether it wants to`);
                load();
              },
            }),
        }),
        linkRows({ server, group, links, draft: draftOf(server, `${group.id}/link`), load, doing }),
      ),
    ),
    section(
      { title: t`What its members may follow` },
      h(
        'div',
        { class: 'card' },
        own.map((each) => given(each, group, doing)),
        row({ title: t`Shared zones`, detail: t`Publish zones`, leading: quiet('area'), href: '#/collections' }),
      ),
    ),
    section(
      { title: t`Settings` },
      card(
        row({
          key: 'rename',
          title: t`Rename`,
          leading: quiet('pencil'),
          onclick: () =>
            nameSheet({
              draft: draftOf(server, `${group.id}/rename`),
              title: t`Rename`,
              label: t`Name`,
              value: group.name,
              missing: t`It needs a name, by which people find it.`,
              most: 200,
              action: t`Save`,
              save: async (name) => {
                await server.ask('PUT', path, { name });
                load();
              },
            }),
        }),
        row({
          key: 'end-group',
          title: t`End the group`,
          detail: t`Its zones no longer watch over its members`,
          leading: quiet('trash'),
          onclick: () => {
            const sheet = modalSheet(
              { label: t`End the group` },
              h('h2', { class: 'title-2' }, t`End ${group.name}?`),
              h(
                'p',
                { class: 'subhead' },
                t`All leave it at once, and are no longer warned by zones that only the group gave.`,
              ),
              h(
                'div',
                { class: 'sheet-actions' },
                h(
                  'button',
                  {
                    type: 'button',
                    class: 'button alarm',
                    onclick: async () => {
                      if (await doing('DELETE', path)) sheet.close();
                    },
                  },
                  t`End the group`,
                ),
                h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`),
              ),
            );
          },
        }),
      ),
    ),
  ];
}

function memberRow(member, group, doing) {
  const { id, login, name, state } = member;
  const title = name && name !== login ? `${name} (${login})` : login;
  const warned = state !== 'joined' || isWarned(member);
  const lines =
    state === 'invited'
      ? [t`not accepted yet`]
      : state === 'ended'
        ? [ending(member)]
        : reportLines(member, group.collections);
  return row({
    key: id,
    title,
    detail:
      state === 'joined' ? [warned ? t`Would be warned` : t`Would not be warned`, ...lines].join(' · ') : lines[0],
    leading: h('span', { class: `tile ${warned ? 'quiet' : 'warn'}` }, icon(warned ? 'user' : 'warning')),
    chevron: state !== 'ended',
    onclick: state === 'ended' ? undefined : () => memberSheet({ member, title, lines, group, doing }),
  });
}

function memberSheet({ member, title, lines, group, doing }) {
  const since = `${day(Date.parse(member.since))}, ${clock(Date.parse(member.since))}`;
  const sheet = modalSheet(
    { label: title },
    h('h2', { class: 'title-2' }, title),
    h(
      'p',
      { class: 'subhead' },
      member.state === 'invited' ? t`Invited on ${since}` : t`In ${group.name} since ${since}`,
    ),
    h(
      'div',
      { class: 'card' },
      lines.map((line) => row({ title: line, low: true })),
    ),
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button alarm',
          onclick: async () => {
            if (await doing('DELETE', `/memberships/${member.id}`, t`Ended, for both of you`)) sheet.close();
          },
        },
        member.state === 'invited' ? t`Take the invitation back` : t`Remove from the group`,
      ),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Close`),
    ),
  );
}

function given({ id, name, zone_count: zones }, group, doing) {
  const isGiven = group.collections.some((each) => each.id === id);
  const control = toggle({
    label: name,
    value: isGiven,
    key: `give-${id}`,
    onchange: async (wanted) => {
      if (!(await doing(wanted ? 'PUT' : 'DELETE', `/groups/${group.id}/collections/${id}`))) control.value = isGiven;
    },
  });
  return switchRow({ title: name, detail: count(zones, 'zone'), control });
}
