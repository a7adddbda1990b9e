// Alerts a person, who may be asleep, that the page can no longer watch: sound, vibration and notification, each minute until
// somebody touches the page or it watches again.
import * as sounds from '../sounds/sounds.js';
import { watchWords } from '../words/watch-words.js';
import * as notifications from './notifications.js';

/** The distance, in m, that a car covers in two minutes: a nearer zone may be reached before the alert. */
const near_m = 4_000;
const patience_ms = { near: 120_000, far: 300_000 };
const pause_ms = 60_000;
const sounding_ms = 10_000;
const pace_ms = 5_000;
const tag = 'watch-lost';
/** Reasons that are failures. All other reasons are the person's settings, or a page out of view. */
const losses = new Set([
  'not_authorized',
  'not_recalled',
  'clock_set_back',
  'no_position',
  'position_unavailable',
  'awaiting_position',
  'position_too_old',
  'position_too_coarse',
]);

export function soundLoss(app) {
  let since;
  let soundedAt;
  let isSeen = false;
  let playing;

  const hush = () => {
    playing?.stop();
    playing = undefined;
  };
  const over = () => {
    if (soundedAt !== undefined) {
      hush();
      notifications.withdraw(tag).catch((error) => console.error(error));
    }
    since = soundedAt = undefined;
    isSeen = false;
  };
  const sound = async ({ title, detail }) => {
    notifications
      .notify({ tag, title, body: detail, address: '#/', requireInteraction: true, renotify: true })
      .catch((error) => console.error(error));
    navigator.vibrate?.([800, 300, 800]);
    // One sound at a time: an alarm takes precedence.
    if (app.ringing.playing) return undefined;
    const mine = await sounds.play('', { loop: true });
    // The loss ended or was seen while the sound was prepared.
    if (soundedAt === undefined || isSeen) return mine.stop();
    playing = mine;
    return setTimeout(() => mine.stop(), sounding_ms);
  };
  const look = () => {
    const { obstacle } = watchWords(app);
    if (!app.report.armed || app.ringing.isElsewhere || !losses.has(obstacle?.why)) return over();
    const { now, report } = app;
    const began = now - (report.state.age_s ?? 0) * 1000;
    // If the clock was set back, the time since the loss begins again.
    since = Math.min(since ?? began, now);
    const isNear = report.nearest.some(({ distance_m: away }) => away <= near_m);
    if (isSeen || now - since < patience_ms[isNear ? 'near' : 'far']) return undefined;
    if (soundedAt !== undefined && Math.abs(now - soundedAt) < pause_ms) return undefined;
    soundedAt = now;
    return sound(obstacle).catch((error) => console.error(error));
  };
  const see = () => {
    if (soundedAt === undefined) return;
    isSeen = true;
    hush();
  };
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, see, { capture: true, passive: true });
  app.addEventListener('change', look);
  setInterval(() => app.report.armed && look(), pace_ms);
  look();
}
