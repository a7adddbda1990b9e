// All reminders: active, snoozed and done (S200, S201, S206, S214, S215).
import { offerDraft } from '../../parts/drafts.js';
import { menu, section, topBar } from '../../parts/layout.js';
import { go } from '../../scripts/page/address.js';
import { h, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { completeReminder, remind, removeReminder } from '../../scripts/reminders/reminders.js';
import * as words from '../../scripts/words/words.js';
import { chooseSnooze, until } from './snooze-sheet.js';
import { t } from '../../scripts/words/translate.js';
import { compareNames } from '../../scripts/words/locale.js';

await styles('reminders');

export function show(app, outlet) {
  const body = h('div', {});
  // A button that is pressed while a position arrives stays the same element.
  const draw = () => update(body, content(app));
  outlet.append(
    h(
      'div',
      { class: 'pane reminders' },
      topBar({
        title: t`Reminders`,
        back: '#/',
        trailing: [h('a', { class: 'round', href: '#/reminders/new', 'aria-label': t`New reminder` }, icon('plus'))],
      }),
      body,
    ),
  );
  app.addEventListener('change', draw);
  draw();
  offerDraft('reminder/', ({ key }) => go(`/reminders/${key.slice('reminder/'.length)}`));
  return () => app.removeEventListener('change', draw);
}

function content(app) {
  const { reminders, nearby, snoozed } = app.report;
  if (reminders.length === 0) {
    return h(
      'div',
      { class: 'card empty' },
      icon('check', { size: 40 }),
      h('p', { class: 'headline' }, t`Nothing to remember`),
      h('p', { class: 'subhead' }, t`A reminder is a list for places: what to buy, and at which branches.`),
      h('a', { class: 'button primary', href: '#/reminders/new' }, icon('plus'), t`New reminder`),
    );
  }
  const byTitle = (a, b) => compareNames(a.title, b.title);
  const active = reminders.filter(({ state }) => state === 'active').sort(byTitle);
  const done = reminders.filter(({ state }) => state === 'completed').sort(byTitle);
  const asleep = snoozed
    .map(({ id, until_ms: end }) => ({ ...reminders.find((reminder) => reminder.id === id), end }))
    .filter(({ title }) => title !== undefined);
  const list = (title, some, make) =>
    some.length > 0 &&
    section(
      { title, count: some.length },
      h(
        'ul',
        { class: 'card' },
        some.map((reminder) => h('li', {}, make(reminder))),
      ),
    );
  return [
    nearby.length > 0 &&
      h(
        'a',
        { class: 'card nearby-link', href: '#/reminders/nearby' },
        icon('position'),
        h(
          'span',
          { class: 'grow' },
          h(
            'span',
            { class: 'headline' },
            t`${words.count(new Set(nearby.map(({ id }) => id)).size, 'reminder')} nearby`,
          ),
          h('span', { class: 'subhead' }, `${nearby[0].name || t`A place`}, ${words.length(nearby[0].distance_m)}`),
        ),
        icon('forward', { size: 18 }),
      ),
    list(t`Waiting`, active, (reminder) => line(app, reminder, { picture: 'cart', detail: about(reminder) })),
    list(t`Snoozed`, asleep, (reminder) =>
      line(app, reminder, {
        picture: 'moon',
        detail: h('span', { class: 'tag sleep' }, icon('moon', { size: 14 }), t`until ${until(app, reminder.end)}`),
        first: h(
          'button',
          {
            type: 'button',
            class: 'round bare',
            'data-key': `play-${reminder.id}`,
            'aria-label': t`Restart ${reminder.title}`,
            onclick: () => remind(app, 'restart', reminder.id),
          },
          icon('play'),
        ),
      }),
    ),
    list(t.meaning('reminders')`Done`, done, (reminder) =>
      line(app, reminder, {
        picture: 'check',
        off: true,
        detail: reminder.repeats ? t`Again after you have left` : about(reminder),
        first: h(
          'button',
          {
            type: 'button',
            class: 'round bare',
            'data-key': `play-${reminder.id}`,
            'aria-label': t`Restart ${reminder.title}`,
            onclick: () => remind(app, 'restart', reminder.id),
          },
          icon('undo'),
        ),
      }),
    ),
    h(
      'p',
      { class: 'footnote padded' },
      t`Reminders ring in this page while it is open, and in the app for its own phone. For phones that report to your server, they go to your channels.`,
    ),
  ];
}

/** "2 of 5 items · 3 places". */
export function about({ items, places }) {
  const left = items.filter(({ done }) => !done).length;
  return [
    items.length > 0 &&
      (left < items.length ? t`${left} of ${words.count(items.length, 'item')}` : words.count(items.length, 'item')),
    places.length
      ? places.length === 1
        ? places[0].name || words.count(1, 'place')
        : words.count(places.length, 'place')
      : t`no place yet`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function line(app, reminder, { picture, detail, first, off = false }) {
  const { id } = reminder;
  const title = reminder.title || t`Untitled`;
  const more = h(
    'button',
    {
      type: 'button',
      class: 'round bare',
      'data-key': `more-${id}`,
      'aria-label': t`What to do with ${title}`,
      onclick: ({ currentTarget: at }) =>
        menu({
          label: title,
          at,
          items: [
            { label: t`Edit`, picture: 'pencil', run: () => go(`/reminders/${id}`) },
            reminder.state !== 'completed' && {
              label: t`Complete`,
              picture: 'check',
              run: () => completeReminder(app, id),
            },
            reminder.state === 'active' && {
              label: t`Snooze`,
              picture: 'moon',
              run: () => chooseSnooze(app, id, at),
            },
            reminder.state !== 'active' && {
              label: t`Restart`,
              picture: 'play',
              run: () => remind(app, 'restart', id),
            },
            { label: t`Delete`, picture: 'trash', danger: true, run: () => removeReminder(app, id) },
          ].filter(Boolean),
        }),
    },
    icon('more'),
  );
  return h(
    'div',
    { class: `row reminder${off ? ' off' : ''}` },
    h(
      'a',
      { class: 'reminder-link', href: `#/reminders/${id}`, 'data-key': id },
      h(
        'span',
        {
          class: `tile${off ? ' off' : ''}`,
          style: { '--category': reminder.state === 'snoozed' ? 'var(--sleep)' : 'var(--category-shop)' },
        },
        icon(picture),
      ),
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline name' }, title),
        h('span', { class: 'subhead' }, detail),
      ),
    ),
    first,
    more,
  );
}
