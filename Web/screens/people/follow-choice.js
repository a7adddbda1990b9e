// Joining a group: follows all of its collections, or opens a choice of them, as the pressed button says. Joining alone follows
// nothing.
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';
import { toggle } from '../../parts/controls.js';
import { listed } from '../../scripts/words/words.js';
import { switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';

/**
 * The buttons of an invitation.
 * @param {{collections: object[]}} group
 * @param {(follow: typeof chooseToFollow) => void} join receives the step to take after joining
 */
export function joinButtons({ collections }, join) {
  const button = (label, looks, follow) =>
    h('button', { type: 'button', class: `button ${looks}`, onclick: () => join(follow) }, label);
  if (!collections.length) return button(t`Join`, 'primary', chooseToFollow);
  return [button(t`Join and follow`, 'primary', followAll), button(t`Join and choose`, '', chooseToFollow)];
}

/** @throws {ServerProblem} */
async function followAll(server, { group_name: name, collections }, done) {
  await Promise.all(collections.map(({ id }) => server.ask('PUT', `/collections/${id}/follow`)));
  snackbar(t`You are in ${name}. Watching over your phones now: ${listed(collections.map((each) => each.name))}`);
  done();
}

/**
 * Opens the choice of collections.
 * @param {{group_name: string, collections: {id: string, name: string}[]}} group
 * @param {() => void} done called when the sheet is closed
 * @throws {ServerProblem}
 */
export async function chooseToFollow(server, { group_name: name, collections }, done) {
  if (!collections.length) {
    snackbar(t`You are in ${name}. It has no zones yet that you could follow.`);
    done();
    return;
  }
  const followed = new Set((await server.list('/collections')).filter(({ is_followed: is }) => is).map(({ id }) => id));
  const problem = h('p', { class: 'problem', role: 'alert' });
  const follow = ({ id, name: zones }) => {
    const control = toggle({
      label: t`Follow ${zones}`,
      value: followed.has(id),
      key: `follow-${id}`,
      onchange: async (wanted) => {
        problem.textContent = '';
        try {
          await server.ask(wanted ? 'PUT' : 'DELETE', `/collections/${id}/follow`);
        } catch (error) {
          control.value = !wanted;
          problem.textContent = error.message;
        }
      },
    });
    return switchRow({ title: zones, control });
  };
  const sheet = modalSheet(
    { label: t`What watches over your phones?`, onclose: done },
    h('h2', { class: 'title-2' }, t`What watches over your phones?`),
    h('p', { class: 'subhead' }, t`You are in ${name}. Alarms of its zones ring for you only while you follow them.`),
    h('div', { class: 'card' }, collections.map(follow)),
    problem,
    h(
      'div',
      { class: 'sheet-actions' },
      h('button', { type: 'button', class: 'button primary', onclick: () => sheet.close() }, t`Done`),
    ),
  );
}
