// Sets an alarm about two phones: the own phone, the other person, near or apart, and the distance.
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';
import { length } from '../../scripts/words/words.js';
import { sheetDraft } from '../../parts/drafts.js';
import { field } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';

const distances_m = [50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000];

const select = (name, options, value) => {
  const element = h(
    'select',
    { class: 'input', name: `companion-${name}` },
    options.map(([key, words]) => h('option', { value: key }, words)),
  );
  if (value !== undefined) element.value = value;
  return element;
};

/** The fields of an alarm that is set or changed, and a function that reads them. @param {object} [given] */
function asked(given) {
  const distances = new Set(distances_m);
  if (given) distances.add(given.distance_m);
  const when = select(
    'when',
    [
      ['within', t`they come within`],
      ['apart', t`they are farther apart than`],
    ],
    given?.when,
  );
  const distance = select(
    'distance',
    [...distances].sort((a, b) => a - b).map((metres) => [String(metres), length(metres)]),
    String(given?.distance_m ?? 500),
  );
  return {
    fields: [field({ label: t`When`, input: when }), field({ label: t`Distance`, input: distance })],
    value: () => ({ when: when.value, distance_m: Number(distance.value) }),
  };
}

/** Changes an existing alarm: its name, near or apart, and the distance. Another phone needs another alarm. */
export function companionEditSheet({ server, given, done }) {
  const name = h('input', {
    class: 'input',
    name: 'companion-name',
    maxlength: '200',
    autocomplete: 'off',
    '.value': given.name,
  });
  const { fields, value } = asked(given);
  const problem = h('p', { class: 'problem', role: 'alert' });
  const save = async () => {
    problem.textContent = '';
    try {
      await server.ask('PUT', `/companions/${given.id}`, { ...value(), name: name.value.trim() || given.name });
      sheet.close('saved');
      snackbar(t`Changed`);
      done();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const sheet = modalSheet(
    { label: given.name },
    h('h2', { class: 'title-2' }, given.name),
    h('div', { class: 'fields' }, field({ label: t`Name`, input: name }), fields),
    h(
      'p',
      { class: 'footnote' },
      t`With another distance it starts again. If the condition is met already, it rings at once.`,
    ),
    problem,
    h(
      'div',
      { class: 'sheet-actions' },
      h('button', { type: 'button', class: 'button primary', id: 'companion-change', onclick: save }, t`Save`),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close('discarded') }, t`Cancel`),
    ),
  );
  sheetDraft(sheet, `people/${server.account.id}/${given.id}`, () => companionEditSheet({ server, given, done }));
  return sheet;
}

/** @param {{server, received: object[], names: Map<string, string>, done: () => void}} what as for the section */
export function companionSheet({ server, received, names, done }) {
  const shown = received.filter((each) => each.is_accepted && each.precision === 'place');
  const people = shown.map((each) => [`share ${each.id}`, t`${each.device_name} of ${each.owner_name || each.login}`]);
  const own = names.size > 1 ? [...names].map(([id, name]) => [`device ${id}`, name]) : [];
  const phone = select('phone', [...names]);
  const target = select('target', [...people, ...own]);
  const { fields, value } = asked();
  const problem = h('p', { class: 'problem', role: 'alert' });
  const save = async () => {
    const [kind, id] = target.value.split(' ');
    problem.textContent = '';
    try {
      await server.ask('POST', '/companions', {
        device_id: phone.value,
        [kind === 'share' ? 'target_share_id' : 'target_device_id']: id,
        ...value(),
      });
      sheet.close('saved');
      snackbar(t`You will be told from now on`);
      done();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const title = t`Notify me when two phones meet or part`;
  const isPossible = names.size > 0 && target.options.length > 0;
  const sheet = modalSheet(
    { label: title },
    h('h2', { class: 'title-2' }, title),
    isPossible
      ? h(
          'div',
          { class: 'fields' },
          field({ label: t`Phone`, input: phone, hint: t`It rings as this phone’s alarm.` }),
          field({ label: t`Other phone`, input: target, hint: t`Its owner sees this and can refuse it.` }),
          fields,
        )
      : h(
          'p',
          { class: 'subhead' },
          t`It needs a phone of yours that reports, and another: your own, or one that somebody shows you, with its place.`,
        ),
    problem,
    h(
      'div',
      { class: 'sheet-actions' },
      isPossible &&
        h('button', { type: 'button', class: 'button primary', id: 'companion-save', onclick: save }, t`Tell me`),
      h(
        'button',
        { type: 'button', class: 'button', onclick: () => sheet.close('discarded') },
        isPossible ? t`Cancel` : t`Close`,
      ),
    ),
  );
  sheetDraft(sheet, `people/${server.account.id}/new-companion`, () =>
    companionSheet({ server, received, names, done }),
  );
  return sheet;
}
