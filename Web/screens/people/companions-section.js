// Alarms about two phones that meet or part. Own ones can be ended here, and those that others have set about the account's
// phones can be refused.
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { length } from '../../scripts/words/words.js';
import { card, row, section } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { companionEditSheet, companionSheet } from './companion-sheet.js';

const states = {
  paused: t`paused while the phone’s alarms are off`,
  not_shared: t`ended: the place is not shown any more`,
  refused: t`ended: refused`,
  device_gone: t`ended: the phone is gone`,
};

/**
 * The section.
 * @param {{server, companions: object[], about: object[], received: object[], names: Map<string, string>, load: () => void}}
 *   what `received` are shares of others with the account, `names` are those of its own phones
 */
export function companionsSection({ server, companions, about, received, names, load }) {
  return section(
    { title: t`Phones that meet or part`, count: companions.length + about.length || undefined },
    card(
      about.map((each) => aboutRow(server, each, names, load)),
      companions.map((each) => ownRow(server, each, names, load)),
      row({
        key: 'new-companion',
        title: t`Notify me when two phones meet or part`,
        detail: t`Yours, and one that is shown to you`,
        leading: h('span', { class: 'tile quiet' }, icon('plus')),
        onclick: () => companionSheet({ server, received, names, done: load }),
      }),
    ),
  );
}

function ownRow(server, each, names, load) {
  const distance = length(each.distance_m);
  const isSet = each.state === 'watching' || each.state === 'paused';
  return endable({
    key: each.id,
    title: each.when === 'within' ? t`${each.name} within ${distance}` : t`${each.name} farther than ${distance}`,
    detail: [names.get(each.device_id), states[each.state]].filter(Boolean).join(' · '),
    sign: isSet ? 'bell' : 'bell-off',
    why: isSet && (() => server.ask('GET', `/companions/${each.id}/explain`).then(({ sentence }) => sentence)),
    change: isSet && (() => companionEditSheet({ server, given: each, done: load })),
    note: t`Both phones have to report. If one is silent for long, you are told.`,
    action: t`End it`,
    done: t`You will no longer be told`,
    server,
    load,
  });
}

function aboutRow(server, each, names, load) {
  const [who, device] = [each.watcher_name || each.watcher_login, names.get(each.device_id) ?? t`A phone`];
  const distance = length(each.distance_m);
  return endable({
    key: each.id,
    title:
      each.when === 'within'
        ? t`${who} is told when ${device} comes within ${distance}`
        : t`${who} is told when ${device} is farther than ${distance}`,
    sign: 'user',
    note: t`You show them where the phone is. If you refuse, they are told so.`,
    action: t`Refuse`,
    done: t`Refused`,
    server,
    load,
  });
}

/** A row that opens a sheet with the details, where the alarm can be ended. */
function endable({ key, title, detail, sign, note, why, change, action, done, server, load }) {
  return row({
    key,
    title,
    detail,
    leading: h('span', { class: 'tile quiet' }, icon(sign)),
    chevron: true,
    onclick: () => {
      const problem = h('p', { class: 'problem', role: 'alert' });
      const end = async () => {
        try {
          await server.ask('DELETE', `/companions/${key}`);
          sheet.close();
          snackbar(done);
          load();
        } catch (error) {
          problem.textContent = error.message;
        }
      };
      const reason = h('p', { class: 'footnote', id: 'companion-why', role: 'status' });
      if (why) {
        const say = (words) => reason.replaceChildren(words);
        why().then(say, (error) => say(error.offline ? t`Not known without network.` : error.message));
      }
      const sheet = modalSheet(
        { label: title },
        h('h2', { class: 'title-2' }, title),
        h('p', { class: 'subhead' }, note),
        why && reason,
        problem,
        h(
          'div',
          { class: 'sheet-actions' },
          change &&
            h(
              'button',
              {
                type: 'button',
                class: 'button',
                id: 'companion-edit',
                onclick: () => {
                  sheet.close();
                  change();
                },
              },
              t`Change`,
            ),
          h('button', { type: 'button', class: 'button alarm', onclick: end }, action),
          h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Close`),
        ),
      );
    },
  });
}
