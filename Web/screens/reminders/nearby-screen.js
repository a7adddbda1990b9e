// Reminders nearby, nearest first, with directions, items, complete and snooze (S209-S213).
import { topBar } from '../../parts/layout.js';
import { h, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { directionsLink } from '../../scripts/reminders/directions.js';
import { completeReminder, remind, reminderOf } from '../../scripts/reminders/reminders.js';
import * as words from '../../scripts/words/words.js';
import { chooseSnooze } from './snooze-sheet.js';
import { t } from '../../scripts/words/translate.js';

await styles('reminders');

export function show(app, outlet) {
  const body = h('div', { class: 'nearby' });
  // A button that is pressed while a position arrives stays the same element.
  const draw = () => update(body, content(app));
  outlet.append(
    h(
      'div',
      { class: 'pane reminders' },
      topBar({ title: t`Nearby`, detail: t`Reminders whose place is near`, back: '#/reminders' }),
      body,
    ),
  );
  app.addEventListener('change', draw);
  draw();
  return () => app.removeEventListener('change', draw);
}

function content(app) {
  const { nearby, position } = app.report;
  if (nearby.length === 0) {
    return h(
      'div',
      { class: 'card empty' },
      icon('position', { size: 40 }),
      h('p', { class: 'headline' }, t`Nothing nearby`),
      h(
        'p',
        { class: 'subhead' },
        position
          ? t`No reminder has a place within its radius of where you are.`
          : t`It is not known yet where you are.`,
      ),
      h('a', { class: 'button', href: '#/reminders' }, t`All reminders`),
    );
  }
  // A reminder is sorted by its nearest place; its other places are in the same card.
  const ids = [...new Set(nearby.map(({ id }) => id))];
  return ids.map((id) =>
    card(
      app,
      reminderOf(app, id),
      nearby.filter((place) => place.id === id),
    ),
  );
}

function card(app, reminder, places) {
  const { id } = reminder;
  const title = reminder.title || t`Untitled`;
  const snooze = h(
    'button',
    {
      type: 'button',
      class: 'button',
      'data-key': `snooze-${id}`,
      onclick: ({ currentTarget }) => chooseSnooze(app, id, currentTarget),
    },
    icon('moon'),
    t`Snooze`,
  );
  return h(
    'section',
    { class: 'card visit', 'aria-label': title },
    h('h2', { class: 'title-3' }, h('a', { href: `#/reminders/${id}` }, title)),
    h(
      'ul',
      { class: 'places' },
      places.map((place) =>
        h(
          'li',
          {},
          h(
            'span',
            { class: 'grow' },
            h('span', { class: 'headline name' }, place.name || t`The place`),
            h('span', { class: 'subhead number' }, words.length(place.distance_m)),
          ),
          h(
            'a',
            {
              class: 'button',
              href: directionsLink(place),
              target: '_blank',
              rel: 'noreferrer',
              'aria-label': t`Directions to ${place.name || t`the place`}`,
            },
            icon('position'),
            t`Directions`,
          ),
        ),
      ),
    ),
    reminder.items.length > 0 &&
      h(
        'ul',
        { class: 'items' },
        reminder.items.map((item, index) =>
          h(
            'li',
            {},
            itemTick(item, {
              key: `${id}-${index}`,
              onchange: () => remind(app, 'toggle', id, { index }),
            }),
          ),
        ),
      ),
    h(
      'div',
      { class: 'visit-ways' },
      snooze,
      h(
        'button',
        {
          type: 'button',
          class: 'button primary',
          'data-key': `complete-${id}`,
          onclick: () => completeReminder(app, id),
        },
        icon('check'),
        t`Complete`,
      ),
    ),
  );
}

/** An item to buy, with a box to tick. */
export const itemTick = ({ text, done }, { key, onchange }) =>
  h(
    'button',
    {
      type: 'button',
      class: 'tick',
      role: 'checkbox',
      'aria-checked': String(done),
      'data-key': key,
      onclick: onchange,
    },
    h('span', { class: 'box' }, done && icon('check', { size: 18 })),
    h('span', { class: 'grow' }, text),
  );
