// Links by which a number of people join a group by themselves, as its manager sees them.
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { number } from '../../scripts/words/locale.js';
import { plural, t } from '../../scripts/words/translate.js';
import { day, span } from '../../scripts/words/words.js';
import { sheetDraft } from '../../parts/drafts.js';
import { card, field, row } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { linkSheet } from './link-sheet.js';

const day_s = 86_400;
const most = 1000;
const forDays = [1, 7, 30, 90];

const quiet = (picture) => h('span', { class: 'tile quiet' }, icon(picture));
const title = ({ people, note }) =>
  note || plural(people, { one: t`Link for ${number(people)} person`, other: t`Link for ${number(people)} people` });
const detail = ({ joined, ends_at: end, makes_accounts: makes, note, uses }) => {
  if (note && uses.length) return t`${uses.at(-1).login} · joined on ${day(Date.parse(uses.at(-1).joined_at))}`;
  if (note && joined === 0) return t`Not joined yet · until ${day(Date.parse(end))}`;
  const state = t`${number(joined)} joined · until ${day(Date.parse(end))}`;
  return makes ? t`${state} · makes accounts` : state;
};

/**
 * The rows of a group's links, and one to make another.
 * @param {{server, group, links: object[], draft: string, load: () => void, doing: (method: string, path: string, words: string)
 *   => Promise<boolean>}} what
 */
export const linkRows = (what) => [
  what.links.filter(({ note }) => !note).map((link) => linkRow(link, what)),
  invited(what),
  row({
    key: 'link',
    title: t`Invite by link`,
    detail: t`Many people at once`,
    leading: quiet('share'),
    onclick: () => newSheet(what),
  }),
];

const linkRow = (link, what, before = () => {}) =>
  row({
    key: `link-${link.id}`,
    title: title(link),
    detail: detail(link),
    leading: quiet('share'),
    onclick: () => {
      before();
      endSheet(link, what);
    },
  });

/** One row for all links that were made for one person each, of which there may be hundreds. */
function invited(what) {
  const links = what.links.filter(({ note }) => note).sort((a, b) => a.note.localeCompare(b.note));
  if (!links.length) return [];
  const joined = links.filter((link) => link.joined > 0).length;
  const state = t`${number(joined)} of ${number(links.length)} joined`;
  return row({
    key: 'invited',
    title: t`Invited people`,
    detail: state,
    leading: quiet('user'),
    chevron: true,
    onclick: () => {
      const sheet = modalSheet(
        { label: t`Invited people` },
        h('h2', { class: 'title-2' }, t`Invited people`),
        h('p', { class: 'subhead' }, state),
        card(links.map((link) => linkRow(link, what, () => sheet.close()))),
        h(
          'div',
          { class: 'sheet-actions' },
          h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Close`),
        ),
      );
    },
  });
}

function newSheet(what) {
  const { server, group, draft, load } = what;
  const input = h('input', {
    class: 'input number',
    type: 'number',
    inputmode: 'numeric',
    name: 'link-people',
    min: 1,
    max: most,
    step: 1,
    oninput: () => people.say(),
  });
  const people = field({ label: t`Number of people`, input });
  const ends = h(
    'select',
    { class: 'input', name: 'link-days' },
    forDays.map((days) => h('option', { value: days }, span(days * day_s))),
  );
  ends.value = '7';
  const save = async () => {
    const given = input.valueAsNumber;
    if (!(Number.isInteger(given) && given >= 1 && given <= most)) {
      people.say(t`Type a whole number from 1 to ${number(most)}.`);
      return;
    }
    try {
      const made = await server.ask('POST', `/groups/${group.id}/links`, {
        people: given,
        ends_at: new Date(Date.now() + Number(ends.value) * day_s * 1000).toISOString(),
      });
      sheet.close('saved');
      load();
      await linkSheet({
        address: new URL(`#/join/${made.link}`, server.home).href,
        title: t`The link to ${group.name}`,
        note: t`Anyone who has it and an account here can join, while it lasts and has places left. It is shown only now.`,
      });
    } catch (error) {
      people.say(error.message);
    }
  };
  const sheet = modalSheet(
    { label: t`Invite by link` },
    h('h2', { class: 'title-2' }, t`Invite by link`),
    h('div', { class: 'fields' }, people, field({ label: t`For`, input: ends })),
    h(
      'div',
      { class: 'sheet-actions' },
      h('button', { type: 'button', class: 'button primary', id: 'link-save', onclick: save }, t`Make a link to join`),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close('discarded') }, t`Cancel`),
    ),
  );
  sheetDraft(sheet, draft, () => newSheet(what));
  return sheet;
}

function endSheet(link, { group, doing }) {
  const sheet = modalSheet(
    { label: title(link) },
    h('h2', { class: 'title-2' }, title(link)),
    h('p', { class: 'subhead' }, detail(link)),
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button alarm',
          onclick: async () => {
            const path = `/groups/${group.id}/links/${link.id}`;
            if (await doing('DELETE', path, t`Nobody joins by it any more`)) sheet.close();
          },
        },
        t`End the link`,
      ),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Close`),
    ),
  );
}
