// Groups that the account is in or is invited to, with the data that their managers see.
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { ending, reportLines } from '../../scripts/words/group-words.js';
import { t } from '../../scripts/words/translate.js';
import { listed } from '../../scripts/words/words.js';
import { toggle } from '../../parts/controls.js';
import { card, row, section, switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { joinButtons } from './follow-choice.js';

const manager = ({ manager_name: name, manager_login: login }) =>
  name && name !== login ? `${name} (${login})` : login;

/** The data that a member lets the manager see. */
export const whatTheySee = () =>
  t`They see whether your phones report and have their alarms on. They also see what you follow, and when a message
    did not reach you. They never see where you are. Leaving ends it at once.`;

/** @param {{server, memberships: object[], zones: Node, load: () => void}} what `zones` is the row for shared zones */
export function membershipsSection({ server, memberships, zones, load }) {
  return section(
    { title: t`Groups and shared zones` },
    card(
      memberships
        .filter(({ state }) => state !== 'invited')
        .map((each) =>
          each.state === 'joined'
            ? joined(server, each, load)
            : row({ key: each.id, title: each.group_name, detail: `${manager(each)} · ${ending(each)}` }),
        ),
      row({
        title: t`Groups that you manage`,
        detail: t`Their members, and whether an alarm reaches them`,
        leading: h('span', { class: 'tile quiet' }, icon('user')),
        href: '#/groups',
      }),
      zones,
    ),
  );
}

export function invitation(server, membership, load) {
  const answer = async (path, method, then) => {
    try {
      await server.ask(method, `/memberships/${membership.id}${path}`);
      load();
      await then();
    } catch (error) {
      snackbar(error.message);
    }
  };
  return h(
    'div',
    { class: 'row stacked' },
    h('p', { class: 'headline' }, t`${manager(membership)} invites you to ${membership.group_name}`),
    h('p', { class: 'subhead' }, whatYouMayFollow(membership)),
    h('p', { class: 'subhead' }, whatTheySee()),
    h(
      'div',
      { class: 'sheet-actions' },
      joinButtons(membership, (follow) => answer('/accept', 'PUT', () => follow(server, membership, load))),
      h(
        'button',
        { type: 'button', class: 'button', onclick: () => answer('', 'DELETE', () => snackbar(t`Declined`)) },
        t`Decline`,
      ),
    ),
  );
}

export const whatYouMayFollow = ({ collections }) =>
  collections.length
    ? t`You may follow ${listed(collections.map(({ name }) => name))}.`
    : t`It has no zones yet that you could follow.`;

function joined(server, membership, load) {
  const { id, group_name: name, collections, follows } = membership;
  return row({
    key: id,
    title: name,
    detail: [
      manager(membership),
      follows.length === 0 && collections.length > 0 && t`You follow none of its zones`,
      membership.manager_may_answer && t`may answer your alarms`,
    ]
      .filter(Boolean)
      .join(' · '),
    leading: h('span', { class: 'tile quiet' }, icon('user')),
    chevron: true,
    onclick: () => membershipSheet(server, membership, load),
  });
}

function membershipSheet(server, membership, load) {
  const { id, group_name: name, collections } = membership;
  const problem = h('p', { class: 'problem', role: 'alert' });
  const answering = toggle({
    label: t`They may answer your alarms`,
    value: membership.manager_may_answer,
    key: 'manager-answers',
    onchange: async (wanted) => {
      try {
        await server.ask(wanted ? 'PUT' : 'DELETE', `/memberships/${id}/manager-answers`);
        load();
      } catch (error) {
        answering.value = !wanted;
        problem.textContent = error.message;
      }
    },
  });
  const leave = async () => {
    try {
      await server.ask('DELETE', `/memberships/${id}`);
      sheet.close();
      snackbar(t`You have left ${name}. Its zones no longer watch over your phones.`);
      load();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const sheet = modalSheet(
    { label: name },
    h('h2', { class: 'title-2' }, name),
    section(
      { title: t`Shown to ${manager(membership)}` },
      h(
        'div',
        { class: 'card' },
        reportLines(membership, collections).map((line) => row({ title: line, low: true })),
      ),
    ),
    section(
      { title: t`Settings` },
      h(
        'div',
        { class: 'card' },
        row({
          title: t`Shared zones`,
          detail: whatYouMayFollow(membership),
          href: '#/collections',
        }),
        switchRow({
          title: t`They may answer your alarms`,
          detail: t`Close them or put them to sleep; they see which zone rings`,
          control: answering,
        }),
      ),
    ),
    problem,
    h(
      'div',
      { class: 'sheet-actions' },
      h('button', { type: 'button', class: 'button alarm', onclick: leave }, t`Leave the group`),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Close`),
    ),
    h('p', { class: 'footnote' }, t`If you leave, zones that came only from the group no longer warn you.`),
  );
}
