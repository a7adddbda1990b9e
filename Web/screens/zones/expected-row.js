// The row of a zone's form that shows by when phones are expected there.
import { row } from '../../parts/layout.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { ExpectedArrivals } from '../../scripts/server/expected-arrivals.js';
import { t } from '../../scripts/words/translate.js';
import * as zoneWords from '../../scripts/words/zone-words.js';
import { conditions, title } from './expected-words.js';

/** The longest list that the row shows in full. */
const most = 3;

function summary(held) {
  const { items, problem } = held;
  if (!items) return problem ?? '…';
  if (!items.length) return t`None`;
  const said = items.slice(0, most).map((each) => `${title(held, each)}, ${conditions(each)}`);
  return [...said, items.length > most && '…'].filter(Boolean).join('; ');
}

/** @returns {HTMLElement & {end: () => void}} hidden while nobody is signed in whose places the server may keep */
export function expectedRow(app, draft) {
  const held = new ExpectedArrivals(app, draft.isNew ? undefined : draft.id);
  const detail = h('span', {});
  const line = row({
    title: t`Expected arrivals`,
    detail,
    leading: icon('people'),
    key: 'expected',
    low: true,
    chevron: true,
    onclick: async () => {
      const { expectedSheet } = await import('./expected-sheet.js');
      expectedSheet(held, zoneWords.name(draft.form));
    },
  });
  line.disabled = draft.isNew;
  const element = h('div', { class: 'form-rows' }, line);
  const show = () => {
    element.hidden = !held.isOffered;
    detail.textContent = draft.isNew ? t`Save the zone first` : summary(held);
  };
  held.addEventListener('change', show);
  show();
  return Object.assign(element, { end: () => held.end() });
}
