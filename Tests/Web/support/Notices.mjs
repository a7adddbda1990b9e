// Notifications of a page, read only after one was shown: Chromium loses a notification that is about to be shown while all are
// being listed.

/** Run first in a document: counts the notifications that it has shown. */
export const countNotices = `if (globalThis.ServiceWorkerRegistration) {
  globalThis.noticesShown = 0;
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = async function (...what) { await show.apply(this, what); globalThis.noticesShown++; };
}`;

/** The notifications that are shown now. */
export const notices = (page) =>
  page.run(async () =>
    (await (await navigator.serviceWorker.ready).getNotifications()).map(
      ({ title, body, tag, silent, data, actions }) => ({
        title,
        body,
        tag,
        silent,
        data,
        actions: actions.map(({ action }) => action),
      }),
    ),
  );

/** The notifications that are shown once the page has shown this many since it was loaded. */
export async function noticed(page, count = 1) {
  await page.until((wanted) => globalThis.noticesShown >= wanted, count);
  return notices(page);
}

/** Waits until no notification is shown. A notification must have been seen before. */
export const noNotices = (page) =>
  page.until(async () => (await (await navigator.serviceWorker.ready).getNotifications()).length === 0);

/** Runs an expression in the page's service worker, and waits for its promise. */
async function inWorker(page, expression) {
  const { browser, id } = page.context;
  const { targetInfos } = await browser.send('Target.getTargets');
  const { targetId } = targetInfos.find(
    ({ type, browserContextId }) => type === 'service_worker' && browserContextId === id,
  );
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const { result, exceptionDetails } = await browser.send(
    'Runtime.evaluate',
    { expression, awaitPromise: true, returnByValue: true },
    sessionId,
  );
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

/** A tap on the only notification, or on one of its buttons; waits for its effect. */
export const tapNotice = (page, action = '') =>
  inWorker(
    page,
    `(async () => {
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent('notificationclick', { notification, action: ${JSON.stringify(action)} });
  let done;
  event.waitUntil = (work) => { done = work; };
  self.dispatchEvent(event);
  await done;
})()`,
  );

/** The addresses of windows that the service worker has opened since the first call. A simulated tap opens none. */
export const openings = (page) =>
  inWorker(
    page,
    `(() => {
  if (!globalThis.opened) { globalThis.opened = []; Clients.prototype.openWindow = async (url) => { opened.push(String(url)); return null; }; }
  return opened;
})()`,
  );

/** Chromium's id of the registration of the page's service worker. */
export async function registrationOf(page, origin) {
  const registered = new Promise((done) => {
    const stop = page.context.browser.listen(page.session, (method, { registrations }) => {
      const found =
        method === 'ServiceWorker.workerRegistrationUpdated' &&
        registrations.find(({ scopeURL, isDeleted }) => scopeURL.startsWith(origin) && !isDeleted);
      if (found) {
        stop();
        done(found.registrationId);
      }
    });
  });
  await page.send('ServiceWorker.disable');
  await page.send('ServiceWorker.enable');
  return registered;
}

/** Delivers a push message; returns the notifications once the service worker has shown one. */
export async function pushed(page, origin, data) {
  const registrationId = await registrationOf(page, origin);
  await inWorker(
    page,
    `globalThis.shown = new Promise((done) => {
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = async function (...what) { ServiceWorkerRegistration.prototype.showNotification = show; await show.apply(this, what); done(true); };
  }); undefined`,
  );
  await page.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await inWorker(page, 'globalThis.shown');
  return notices(page);
}
