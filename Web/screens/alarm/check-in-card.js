// The card of the check-in on the first screen, with the time left.
import { row } from '../../parts/layout.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { backBy, checkInOf, sayBack, timeLeft } from '../../scripts/server/check-in.js';
import { t } from '../../scripts/words/translate.js';

/** Reads the check-in, now and whenever the server tells of a change. Called at each change of the account. */
export function begin(app, server, stream) {
  const checkIn = checkInOf(app, server, stream);
  app.checkInCard = () => card(app, checkIn);
  return checkIn.look();
}

/** @returns {HTMLElement|null} null without a check-in */
function card(app, checkIn) {
  if (!checkIn.isOn) return null;
  const { value } = checkIn;
  return h(
    'section',
    { 'aria-label': t`Check-in`, id: 'check-in-card' },
    h(
      'div',
      { class: 'card' },
      row({
        title: t`Back by ${backBy(Date.parse(value.back_by), app.now)}`,
        detail: [timeLeft(value, app.now), value.note].filter(Boolean).join(' · '),
        leading: h('span', { class: 'tile' }, icon(checkIn.isMissed ? 'warning' : 'clock')),
        key: 'check-in',
        onclick: () => import('./check-in-sheet.js').then(({ openCheckIn }) => openCheckIn(app, checkIn)),
        chevron: true,
      }),
      h(
        'div',
        { class: 'row-answers' },
        h(
          'button',
          { type: 'button', class: 'button ink', id: 'check-in-back', onclick: () => sayBack(checkIn) },
          t`I am back`,
        ),
      ),
    ),
  );
}
