// Actions on reminders. The engine decides; its reminders are kept in storage.
import { newID } from '../app.js';
import { offsets } from '../device/local-time.js';
import { snackbar } from '../../parts/snackbar.js';
import { t } from '../words/translate.js';
import { clock } from '../words/words.js';

export const newReminder = (app) => ({
  id: newID(),
  title: '',
  items: [],
  places: [],
  repeats: false,
  state: 'active',
  radius_m: app.settings.reminder_radius_m ?? 150,
});

export const snoozeChoices = [
  { choice: '30m', label: t`30 minutes` },
  { choice: '1h', label: t`1 hour` },
  { choice: '3h', label: t`3 hours` },
  { choice: 'tomorrow', label: t`Tomorrow, ${clock(new Date().setHours(9, 0, 0, 0))}` },
  { choice: '1w', label: t`1 week` },
];

export const reminderOf = (app, id) => app.report.reminders.find((reminder) => reminder.id === id);

/** @throws {Refused} if the form is invalid */
export function saveReminder(app, form) {
  app.ask('remind', { command: reminderOf(app, form.id) ? 'edit' : 'add', id: form.id, reminder: form });
}

/** Sends a command on a reminder. @param command `complete`, `restart`, or `toggle` with an `index` */
export const remind = (app, command, id, more = {}) => app.ask('remind', { command, id, ...more });

export function removeReminder(app, id) {
  const removed = reminderOf(app, id);
  remind(app, 'remove', id);
  snackbar(t`“${removed.title}” deleted`, { undo: () => saveReminder(app, removed) });
}

export function completeReminder(app, id) {
  const before = reminderOf(app, id);
  remind(app, 'complete', id);
  snackbar(t`“${before.title}” is done`, { undo: () => saveReminder(app, before) });
}

/** The time at which a snooze choice would bring the reminder back. */
export const snoozeUntil = (app, choice) =>
  app.ask('snooze_until', { choice, offsets: offsets(app.now, app.now + 3 * 86_400_000) }).until_ms;

export function snoozeReminder(app, id, choice) {
  const until = snoozeUntil(app, choice);
  remind(app, 'snooze', id, { until_ms: until });
  return until;
}

/**
 * Keeps every later change of the engine's reminders, and which are nearby, so that a page that is loaded anew does not repeat
 * its announcements.
 */
export function keepReminders(app) {
  const kept = new Map(app.report.reminders.map((reminder) => [reminder.id, JSON.stringify(reminder)]));
  let near = JSON.stringify(app.report.nearby);
  app.addEventListener('change', () => {
    const { reminders, nearby } = app.report;
    const changed = reminders.filter((reminder) => kept.get(reminder.id) !== JSON.stringify(reminder));
    const ids = new Set(reminders.map(({ id }) => id));
    const gone = [...kept.keys()].filter((id) => !ids.has(id));
    for (const reminder of changed) kept.set(reminder.id, JSON.stringify(reminder));
    for (const id of gone) kept.delete(id);
    const told = (error) => app.dispatchEvent(new CustomEvent('problem', { detail: error }));
    if (changed.length) app.storage.put('reminders', ...changed).catch(told);
    if (gone.length) app.storage.remove('reminders', ...gone).catch(told);
    const now = JSON.stringify(nearby);
    if (now !== near) {
      near = now;
      app.storage.keep('nearby', nearby).catch(told);
    }
  });
}
