// Setting an alarm about two phones: which of the own, who is met, near or apart, how far.
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';
import { length } from '../../scripts/words/words.js';
import { field } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';

const distances_m = [50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000];

/** @param {{server, received: object[], names: Map<string, string>, done: () => void}} what as of the section */
export function companionSheet({ server, received, names, done }) {
  const shown = received.filter((each) => each.is_accepted && each.precision === 'place');
  const select = (name, options, value) => {
    const element = h(
      'select',
      { class: 'input', name: `companion-${name}` },
      options.map(([key, words]) => h('option', { value: key }, words)),
    );
    if (value !== undefined) element.value = value;
    return element;
  };
  const people = shown.map((each) => [`share ${each.id}`, t`${each.device_name} of ${each.owner_name || each.login}`]);
  const own = names.size > 1 ? [...names].map(([id, name]) => [`device ${id}`, name]) : [];
  const phone = select('phone', [...names]);
  const target = select('target', [...people, ...own]);
  const when = select('when', [
    ['within', t`they come within`],
    ['apart', t`they are farther apart than`],
  ]);
  const distance = select(
    'distance',
    distances_m.map((metres) => [String(metres), length(metres)]),
    '500',
  );
  const problem = h('p', { class: 'problem', role: 'alert' });
  const save = async () => {
    const [kind, id] = target.value.split(' ');
    problem.textContent = '';
    try {
      await server.ask('POST', '/companions', {
        device_id: phone.value,
        [kind === 'share' ? 'target_share_id' : 'target_device_id']: id,
        when: when.value,
        distance_m: Number(distance.value),
      });
      sheet.close();
      snackbar(t`You are told from now on`);
      done();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const title = t`Tell me when two phones meet or part`;
  const isPossible = names.size > 0 && target.options.length > 0;
  const sheet = modalSheet(
    { label: title },
    h('h2', { class: 'title-2' }, title),
    isPossible
      ? h(
          'div',
          { class: 'fields' },
          field({ label: t`Phone`, input: phone, hint: t`It rings as this phone’s alarm.` }),
          field({ label: t`Other phone`, input: target, hint: t`Whose it is sees this, and can refuse it.` }),
          field({ label: t`When`, input: when }),
          field({ label: t`Distance`, input: distance }),
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
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, isPossible ? t`Cancel` : t`Close`),
    ),
  );
  return sheet;
}
