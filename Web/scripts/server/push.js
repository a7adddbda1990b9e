// Web Push: alarms of phones that report to the server reach this browser even if the page is closed. The subscription is a
// channel of the account.
import { fromBase64URL } from './base64url.js';
import { serverOf } from './server.js';
import { t } from '../words/translate.js';

export const isSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** @returns {Promise<'unsupported'|'denied'|'on'|'off'>} */
export async function state(app) {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const kept = await app.storage.kept('push', null);
  return kept && kept.account === serverOf(app).account?.id ? 'on' : 'off';
}

/** Turns push messages on. Must be called during a tap or key press. */
export async function turnOn(app) {
  const server = serverOf(app);
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error(t`Notifications are not allowed for this page. They are allowed in the settings of the browser.`);
  }
  const registration = await ready();
  const { public_key: key } = await server.ask('GET', '/push-key');
  const applicationServerKey = fromBase64URL(key);
  let subscription = await registration.pushManager.getSubscription();
  // A subscription of another server, or of a server that was set up again, is invalid.
  if (subscription && !sameBytes(subscription.options?.applicationServerKey, applicationServerKey)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const channel = await server.ask('POST', '/channels', {
    kind: 'web_push',
    name: browserName(),
    configuration: subscription.toJSON(),
  });
  const former = await app.storage.kept('push', null);
  await app.storage.keep('push', { channel: channel.id, account: server.account.id });
  if (former && former.account === server.account.id && former.channel !== channel.id)
    await removeChannel(server, former.channel);
}

/** Turns push messages off, on the server first: it sends as long as it has the channel, and this browser counts as on. */
export async function turnOff(app) {
  const kept = await app.storage.kept('push', null);
  if (kept) await removeChannel(serverOf(app), kept.channel);
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await app.storage.remove('kept', 'push');
}

/** Makes the server send a test message now. @returns {Promise<{outcome: string, detail: string}>} */
export async function test(app) {
  const { channel } = await app.storage.kept('push');
  return serverOf(app).ask('POST', `/channels/${channel}/test`);
}

async function removeChannel(server, id) {
  try {
    await server.ask('DELETE', `/channels/${id}`);
  } catch (error) {
    if (error.status !== 404) throw error;
  }
}

/** The service worker's registration; it is being installed from the page's first visit on. */
function ready() {
  return Promise.race([
    navigator.serviceWorker.ready,
    new Promise((_, failed) => {
      setTimeout(
        () =>
          failed(
            new Error(t`The part of this page that receives messages is not there yet. Reload the page and try again.`),
          ),
        10_000,
      );
    }),
  ]);
}

const sameBytes = (a, b) =>
  a && a.byteLength === b.byteLength && new Uint8Array(a).every((byte, index) => byte === b[index]);

/** A browser's name that distinguishes a person's browsers in a list. */
export function browserName(agent = navigator.userAgent) {
  const [, name = t`Browser`] =
    [
      [/Edg\//, 'Edge'],
      [/Firefox\//, 'Firefox'],
      [/Chrom(e|ium)\//, 'Chrome'],
      [/Safari\//, 'Safari'],
    ].find(([sign]) => sign.test(agent)) ?? [];
  const [, place] =
    [
      [/iPhone/, 'iPhone'],
      [/iPad/, 'iPad'],
      [/Android/, 'Android'],
      [/Mac/, 'Mac'],
      [/Windows/, 'Windows'],
      [/Linux/, 'Linux'],
    ].find(([sign]) => sign.test(agent)) ?? [];
  return place ? t`${name} on ${place}` : name;
}
