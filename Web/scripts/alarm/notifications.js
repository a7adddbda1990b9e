// System notifications, on the lock screen too if the system allows it: one per alarm, removed when the alarm is answered or
// over. Taps on them arrive as messages of the service worker.
import { t } from '../words/translate.js';

export const isPossible = () => 'Notification' in globalThis;
export const permission = () => globalThis.Notification?.permission ?? 'unavailable';
export async function ask() {
  refused.at = -Infinity;
  const answer = permission() === 'default' ? await Notification.requestPermission() : permission();
  refused.at = -Infinity;
  return answer;
}

/** How long, in ms, the permission read last is reused: reading it asks another process of the browser, which takes 1 ms. */
const lasting = 5_000;
let refused = { at: -Infinity, is: false };
/** True if the person refused notifications, as of a few seconds ago; cheap enough to call at every position. */
export function isRefused() {
  const now = performance.now();
  if (now - refused.at > lasting) refused = { at: now, is: permission() === 'denied' };
  return refused.is;
}

/** The tag of an alarm's notification. The server's push messages use the same, so a later notification replaces an earlier one. */
export const tagOf = (alarm) => `alarm-${alarm}`;

let turn = Promise.resolve();
/**
 * Runs tasks one after the other: Chromium loses a notification that is about to be shown while all of them are listed (it stays
 * visible, but taps on it have no effect). A task that takes too long does not delay the next.
 */
function inTurn(work) {
  const mine = turn.then(work);
  turn = Promise.race([
    mine,
    new Promise((late) => {
      setTimeout(late, patience);
    }),
  ]).catch(() => {});
  return mine;
}
const patience = 5_000;

/** Notifications that were shown without a service worker, by tag. */
const loose = new Map();

/** @param {{alarm: string, zone?: string, title: string, body: string, silent: boolean, isPerson?: boolean}} what */
export const show = (what) => inTurn(() => showNow(what));

async function showNow({ alarm, zone, title, body, silent, isPerson }) {
  if (permission() !== 'granted') return;
  const worker = await registration();
  const options = {
    body,
    silent,
    tag: tagOf(alarm),
    renotify: !silent,
    requireInteraction: true,
    icon: 'icons/icon-192.png',
    badge: 'icons/badge.png',
    timestamp: Date.now(),
    data: { alarm, zone_id: zone, address: '#/' },
  };
  if (!worker) {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      focus();
      shown.close();
    };
    loose.set(options.tag, shown);
    return;
  }
  await worker.showNotification(title, {
    ...options,
    vibrate: silent ? undefined : [300, 150, 300],
    // The server's words for the actions, as in its push messages. A browser without room leaves out the last ones.
    actions: [
      { action: 'acknowledge', title: t.meaning('an alarm')`Stop` },
      ...(isPerson
        ? []
        : [
            { action: 'sleep', title: t`Sleep` },
            { action: 'close', title: t`Close` },
          ]),
    ],
  });
}

/**
 * Shows a notification other than an alarm's; a tap on it leads to `address`.
 * @param {{tag: string, title: string, body: string, address: string}} what
 */
export const notify = ({ tag, title, body, address, ...more }) =>
  inTurn(async () => {
    if (permission() !== 'granted') return;
    const options = { body, tag, icon: 'icons/icon-192.png', data: { address }, ...more };
    // A worker that is being installed is ready soon; without a registration, `ready` would never settle.
    if (await navigator.serviceWorker?.getRegistration()) {
      await (await navigator.serviceWorker.ready).showNotification(title, options);
      return;
    }
    const shown = new Notification(title, options);
    shown.onclick = () => {
      focus();
      location.hash = address;
    };
    loose.set(tag, shown);
  });

export const withdraw = (tag) =>
  inTurn(async () => {
    loose.get(tag)?.close();
    loose.delete(tag);
    const worker = await navigator.serviceWorker?.getRegistration();
    for (const shown of (await worker?.getNotifications({ tag })) ?? []) shown.close();
  });

/** Removes the notifications of alarms that are not in `alarms`. */
export const keepOnly = (alarms) => inTurn(() => keepOnlyNow(alarms));

async function keepOnlyNow(alarms) {
  const kept = new Set(alarms.map(tagOf));
  for (const [tag, shown] of loose)
    if (tag.startsWith('alarm-') && !kept.has(tag)) {
      shown.close();
      loose.delete(tag);
    }
  const worker = await registration();
  for (const shown of (await worker?.getNotifications()) ?? [])
    if (shown.tag.startsWith('alarm-') && !kept.has(shown.tag)) shown.close();
}

/** The registration if it can show notifications: on the first visit its worker is still being installed. */
async function registration() {
  const found = await navigator.serviceWorker?.getRegistration();
  return found?.active ? found : undefined;
}
