// The reason why a zone rang or stayed silent: the rule that decided, and its input.
import { h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { t } from '../scripts/words/translate.js';
import { evidence, outcome, verdict } from '../scripts/words/why-words.js';
import { clockWithSeconds } from '../scripts/words/words.js';
import { modalSheet } from './sheet.js';

/** @param {object} [record] of the engine; without one the zone was never evaluated */
export function whyContent(record) {
  if (!record)
    return h(
      'p',
      { class: 'body' },
      t`The zone was not checked in this time: there was no position, or the zone did not exist yet.`,
    );
  return [
    h(
      'p',
      { class: 'why-verdict' },
      h(
        'span',
        { class: `tag ${record.rings ? 'alarm' : ''}` },
        icon(record.rings ? 'bell' : 'bell-off', { size: 16 }),
        outcome(record),
      ),
      h('span', { class: 'number subhead' }, clockWithSeconds(record.decided_ms)),
    ),
    h('p', { class: 'body' }, verdict(record.verdict)),
    h(
      'dl',
      { class: 'facts' },
      evidence(record).map(([name, value]) => [h('dt', {}, name), h('dd', { class: 'number' }, value)]),
    ),
  ];
}

/** @param {{name: string, record?: object, note?: string, actions?: Node[]}} what */
export function whySheet({ name, record, note, actions = [] }) {
  const sheet = modalSheet(
    { label: t`Why: ${name}` },
    h('h2', { class: 'title-2' }, name || t`A zone`),
    whyContent(record),
    note && h('p', { class: 'footnote' }, note),
    h(
      'div',
      { class: 'sheet-actions' },
      actions,
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Done`),
    ),
  );
  sheet.classList.add('why-sheet');
  return sheet;
}
