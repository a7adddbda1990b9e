// The page's side of the service worker: installs it, offers newer versions, and handles taps on notifications.
import { go } from './address.js';
import { snackbar } from '../../parts/snackbar.js';
import { phone } from '../device/phone-app.js';
import { workerCache } from '../storage/worker-caches.js';
import { t } from '../words/translate.js';

export async function work(app) {
  if (!('serviceWorker' in navigator)) return;
  if (phone) {
    await retire();
    return;
  }
  const asked = new URLSearchParams(location.hash.split('?')[1]);
  if (asked.has('alarm')) opened(app, { action: asked.get('do'), alarm: asked.get('alarm'), address: '#/' });
  navigator.serviceWorker.addEventListener('message', ({ data }) => hear(app, data));
  // Delivers messages that arrived before this page listened, such as answers to notifications.
  navigator.serviceWorker.startMessages();
  keepWords().catch((error) => console.error(error));
  const registration = await navigator.serviceWorker.register('service-worker.js', { updateViaCache: 'none' });
  const offer = (worker) => {
    if (!worker || !navigator.serviceWorker.controller) return;
    snackbar(t`A newer version is here`, {
      seconds: 600,
      action: { label: t`Use it`, run: () => worker.postMessage({ type: 'take-over' }) },
    });
  };
  const found = (worker) => {
    if (worker?.state === 'installed') offer(worker);
    else worker?.addEventListener('statechange', () => found(worker), { once: true });
  };
  // A worker may have been found before this page listens.
  for (const worker of [registration.waiting, registration.installing]) found(worker);
  registration.addEventListener('updatefound', () => found(registration.installing));
  // Reloads after a change of version, not after the first installation. In every tab, as the files of the old version are gone.
  let hadOne = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hadOne) location.reload();
    hadOne = true;
  });
  const look = () => {
    if (document.visibilityState === 'visible') registration.update().catch(() => {});
  };
  document.addEventListener('visibilitychange', look);
  setInterval(look, 6 * 3_600_000);
}

/**
 * Removes the service worker and its files. An app contains all files itself, and after its update a page kept by a service worker
 * would talk to an engine of another version.
 */
async function retire() {
  const registrations = await navigator.serviceWorker.getRegistrations();
  if (!registrations.length) return;
  const isKept = Boolean(navigator.serviceWorker.controller);
  await Promise.all(registrations.map((registration) => registration.unregister()));
  for (const name of await caches.keys()) if (name.startsWith('page-')) await caches.delete(name);
  if (isKept) location.reload();
}

/** Stores the words of the notification that the service worker shows when no page is open, in the page's language. */
async function keepWords() {
  const cache = await workerCache('words');
  const body = t`Something happened. Open the page to see what.`;
  await cache?.put('words/push', new Response(body));
}

/** The page's commands for the actions of notifications: Stop, Sleep and Close. */
const answers = { acknowledge: 'inside', sleep: 'sleep', close: 'close' };

/** Handles a tap on a notification: it leads to the main view, or to the map with the zone flashing (S40, S41). */
function opened(app, { action, alarm, address }) {
  // Alarms of the account's phones are left out: they are answered by their links.
  const found = [...app.report.alarms, ...app.ringing.phones.filter(({ isPerson }) => isPerson)].find(
    (each) => each.alarm === alarm,
  );
  if (found?.zone.state === 'ringing' && Object.hasOwn(answers, action ?? '')) {
    app.ringing.answer(answers[action], alarm).catch((error) => console.error(error));
    if (action === 'sleep' && app.settings.bypass_to_map) go(`/map?flash=${found.zone.id}`);
    return;
  }
  if (found?.zone.id && app.settings.bypass_to_map) go(`/map?flash=${found.zone.id}`);
  else if (typeof address === 'string' && address.startsWith('#/')) go(address.slice(1));
}

function hear(app, data) {
  if (data?.type === 'notification') {
    opened(app, data);
  }
  if (data?.type === 'shared') go('/receive');
  if (data?.type === 'pushed') app.dispatchEvent(new CustomEvent('pushed', { detail: data.push }));
}
