// A reminder that is near makes itself heard once, shows a notification, and takes it back when it is over (S207-S209).
import * as notifications from '../alarm/notifications.js';
import { phone } from '../device/phone-app.js';
import { go } from '../page/address.js';
import { play } from '../sounds/sounds.js';
import { snackbar } from '../../parts/snackbar.js';
import { t } from '../words/translate.js';
import * as words from '../words/words.js';

/** Friendly: nobody is in danger. */
const sound = 'Marimba';
const nearby = '#/reminders/nearby';
const tag = (id) => `reminder-${id}`;

export function announceReminders(app) {
  app.addEventListener('reminder', async ({ detail: effect }) => {
    if (effect.effect === 'withdraw') return withdraw(effect.id);
    if (effect.effect !== 'notify') return;
    const reminder = app.report.reminders.find(({ id }) => id === effect.id);
    if (!reminder) return;
    const title = reminder.title || t`A reminder`;
    const open = reminder.items.filter(({ done }) => !done).map(({ text }) => text);
    const body = [`${effect.name || t`The place`}, ${words.length(effect.distance_m)}`, open.join(', ')]
      .filter(Boolean)
      .join('\n');
    // In an app it is the app's watch that makes itself heard, while the alarms are on; an alarm that sounds is not to be
    // cut short.
    const isHeard = phone && app.report.armed;
    if (!isHeard) navigator.vibrate?.([200, 100, 200]);
    if (!isHeard && !app.ringing.playing) play(sound).catch((error) => console.error(error));
    if (document.visibilityState === 'visible' && location.hash !== nearby) {
      snackbar(`${title}: ${effect.name || t`you are near`}`, {
        action: { label: t`Show`, run: () => go('/reminders/nearby') },
        seconds: 20,
      });
    }
    await notifications.notify({ tag: tag(effect.id), title, body, address: nearby });
    // Over, while it was on its way.
    if (!app.report.nearby.some(({ id }) => id === effect.id)) await withdraw(effect.id);
  });
}

const withdraw = (id) => notifications.withdraw(tag(id));
