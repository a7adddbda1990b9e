// Sounds a reminder once when it is near, shows a notification, and withdraws that when the reminder is over (S207-S209).
import * as notifications from '../alarm/notifications.js';
import { phone } from '../device/phone-app.js';
import { go } from '../page/address.js';
import { play } from '../sounds/sounds.js';
import { snackbar } from '../../parts/snackbar.js';
import { t } from '../words/translate.js';
import * as words from '../words/words.js';

/** A friendly sound, as nobody is in danger. */
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
    // In an app, the app's watch sounds it while the alarms are on. The sound of an alarm must not be cut short.
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
    // The reminder ended while its notification was being shown.
    if (!app.report.nearby.some(({ id }) => id === effect.id)) await withdraw(effect.id);
  });
}

const withdraw = (id) => notifications.withdraw(tag(id));
