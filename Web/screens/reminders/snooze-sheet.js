// The choices for the duration of a snooze (S213).
import { menu } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { reminderOf, remind, snoozeChoices, snoozeReminder, snoozeUntil } from '../../scripts/reminders/reminders.js';
import * as words from '../../scripts/words/words.js';
import { t } from '../../scripts/words/translate.js';

const when = (app, until) =>
  until - app.now < 86_400_000 && new Date(until).getDate() === new Date(app.now).getDate()
    ? words.clock(until)
    : `${words.day(until)}, ${words.clock(until)}`;
export { when as until };

export function chooseSnooze(app, id, at) {
  const { title } = reminderOf(app, id);
  menu({
    label: t`Remind me of “${title}” again in`,
    at,
    items: snoozeChoices.map(({ choice, label }) => ({
      label: choice === 'tomorrow' ? label : `${label} · ${when(app, snoozeUntil(app, choice))}`,
      picture: 'moon',
      run: () => {
        const until = snoozeReminder(app, id, choice);
        snackbar(t`“${title}” sleeps until ${when(app, until)}`, { undo: () => remind(app, 'restart', id) });
      },
    })),
  });
}
