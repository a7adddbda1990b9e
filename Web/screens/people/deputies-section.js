// Deputies, who may answer the alarms of others, and ringing alarms that the account may answer.
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { whatBecame } from '../../scripts/words/answer-words.js';
import { ago } from '../../scripts/words/phone-words.js';
import { t } from '../../scripts/words/translate.js';
import { alarmTitle } from '../../scripts/words/words.js';
import { card, row, section } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { personSheet } from './name-sheet.js';

const doing = (server, method, path, words, load) => async () => {
  try {
    await server.ask(method, path);
    snackbar(words);
    load();
  } catch (error) {
    snackbar(error.message);
  }
};

const button = (words, onclick, look = '') => h('button', { type: 'button', class: `button ${look}`, onclick }, words);

const answers = [
  ['sleep', t`Sleep`, t`Put to sleep for them`, 'primary'],
  ['close', t`Close`, t`Closed for them`],
];

/** True if the owner ended the alarm; nobody else can make it ring again. */
const isStopped = ({ state }) => state.startsWith('acknowledged');

/** Alarms of others that the account may answer. */
export function othersAlarms({ server, alarms, load }) {
  if (alarms.length === 0) return undefined;
  return section(
    { title: t`Alarms of others`, count: alarms.length },
    card(
      alarms.map((alarm) =>
        h(
          'div',
          { class: 'row stacked', 'data-key': alarm.id },
          h('p', { class: 'headline' }, `${alarmTitle(alarm)} · ${alarm.owner_name || alarm.owner_login}`),
          h(
            'p',
            { class: 'subhead' },
            [alarm.device_name, t`began ${ago(alarm.began_at)}`, whatBecame(alarm)].filter(Boolean).join(' · '),
          ),
          !isStopped(alarm) &&
            h(
              'div',
              { class: 'sheet-actions' },
              answers.map(([word, label, done, look]) =>
                button(label, doing(server, 'POST', `/others-alarms/${alarm.id}/${word}`, done, load), look),
              ),
            ),
        ),
      ),
    ),
  );
}

export function deputiesSection({ server, deputies, owners, load }) {
  const held = owners.filter(({ is_accepted: accepted }) => accepted);
  return section(
    { title: t`Answering alarms for each other` },
    card(
      held.map((owner) => heldRow(server, owner, load)),
      deputies.map((deputy) => deputyRow(server, deputy, load)),
      row({
        key: 'new-deputy',
        title: t`Let somebody answer your alarms`,
        detail: t`Close them or put them to sleep, as you can`,
        leading: h('span', { class: 'tile quiet' }, icon('plus')),
        onclick: () =>
          personSheet({
            draft: `people/${server.account.id}/new-deputy`,
            title: t`Let somebody answer your alarms`,
            note: t`They see which zone rings, and can silence it for you. Each answer is kept with their name. Either of you
              ends it at once.`,
            action: t`Let them`,
            save: async (login) => {
              await server.ask('POST', '/deputies', { login });
              // The answer must not reveal which accounts exist.
              snackbar(t`If there is an account ${login}, it is asked whether it wants to`);
              load();
            },
          }),
      }),
    ),
  );
}

const whose = ({ name, login }) => name || login;

/** An offer to answer somebody's alarms. */
export function deputyOffer(server, offer, load) {
  const path = `/deputies/${offer.deputy_id}`;
  return h(
    'div',
    { class: 'row stacked', 'data-key': offer.deputy_id },
    h('p', { class: 'headline' }, t`${whose(offer)} would let you answer their alarms`),
    h(
      'div',
      { class: 'sheet-actions' },
      button(t`Agree`, doing(server, 'PUT', `${path}/accept`, t`You may answer their alarms`, load), 'primary'),
      button(t`Decline`, doing(server, 'DELETE', path, t`Declined`, load)),
    ),
  );
}

/** A row that opens a sheet with the details, where the arrangement can be ended. */
function endable({ key, title, detail, note, path, server, load }) {
  return row({
    key,
    title,
    detail,
    leading: h('span', { class: 'tile quiet' }, icon('bell-off')),
    chevron: true,
    onclick: () => {
      const end = doing(server, 'DELETE', path, t`Ended, for both of you`, load);
      const sheet = modalSheet(
        { label: title },
        h('h2', { class: 'title-2' }, title),
        h('p', { class: 'subhead' }, note),
        h(
          'div',
          { class: 'sheet-actions' },
          button(t`End it`, () => end().then(() => sheet.close()), 'alarm'),
          button(t`Close`, () => sheet.close()),
        ),
      );
    },
  });
}

function heldRow(server, owner, load) {
  const { deputy_id: deputy, membership_id: membership, group_name: group } = owner;
  return endable({
    server,
    load,
    key: deputy ?? membership,
    title: t`You answer for ${whose(owner)}`,
    detail: group && t`As the manager of ${group}`,
    note: t`Their alarms are listed here while they ring.`,
    path: deputy ? `/deputies/${deputy}` : `/memberships/${membership}/manager-answers`,
  });
}

const deputyRow = (server, { id, login, is_accepted: accepted }, load) =>
  endable({
    server,
    load,
    key: id,
    title: t`${login} answers for you`,
    detail: !accepted && t`not accepted yet`,
    note: t`They can close your alarms and put them to sleep.`,
    path: `/deputies/${id}`,
  });
