// What the system shows beside the page, also on the lock screen as far as it lets a page: one notification an alarm,
// taken away when the alarm is answered or over. Its taps come back as messages of the service worker.
import { t } from '../words/translate.js';

export const isPossible = () => 'Notification' in globalThis;
export const permission = () => globalThis.Notification?.permission ?? 'unavailable';
export async function ask() {
  refused.at = -Infinity;
  const answer = permission() === 'default' ? await Notification.requestPermission() : permission();
  refused.at = -Infinity;
  return answer;
}

/** So long what was read last holds, in ms: another process of the browser is asked for it, which takes a millisecond. */
const lasting = 5_000;
let refused = { at: -Infinity, is: false };
/** Whether the person refused them, as of a few seconds ago; for what is drawn at every position. */
export function isRefused() {
  const now = performance.now();
  if (now - refused.at > lasting) refused = { at: now, is: permission() === 'denied' };
  return refused.is;
}

/** The same tag that the server's push messages have for the alarm: the later takes the place of the earlier. */
export const tagOf = (alarm) => `alarm-${alarm}`;

let turn = Promise.resolve();
/**
 * One after the other: Chromium loses a notification that is about to be shown when somebody asks for all of them at that
 * moment; it stays to be seen, but its taps lead nowhere. One that takes too long does not hold up the next.
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

/** Those that were shown without a service worker, by tag. */
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
    // The server's words for them, as in its push messages. A browser leaves out the last ones where it has no room.
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

/** Shows what is no alarm; a tap leads to `address`. @param {{tag: string, title: string, body: string, address: string}} what */
export const notify = ({ tag, title, body, address, ...more }) =>
  inTurn(async () => {
    if (permission() !== 'granted') return;
    const options = { body, tag, icon: 'icons/icon-192.png', data: { address }, ...more };
    // One that is being installed will be ready soon; without any, there is none to wait for.
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

/** Takes away those of alarms that are not among the ones that still ring. */
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

/** One that can show something: on the first visit it is still being installed. */
async function registration() {
  const found = await navigator.serviceWorker?.getRegistration();
  return found?.active ? found : undefined;
}
