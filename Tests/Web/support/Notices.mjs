// Notifications of a page, looked at only after one was shown: Chromium loses one that is about to be shown when somebody asks
// for all of them at that moment.

/** Run first in a document: counts what it showed. */
export const countNotices = `if (globalThis.ServiceWorkerRegistration) {
  globalThis.noticesShown = 0;
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = async function (...what) { await show.apply(this, what); globalThis.noticesShown++; };
}`;

/** What is shown now. */
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

/** What is shown when the page has shown so many since it was loaded. */
export async function noticed(page, count = 1) {
  await page.until((wanted) => globalThis.noticesShown >= wanted, count);
  return notices(page);
}

/** Waits until nothing is shown any more; what was shown has been seen before. */
export const noNotices = (page) =>
  page.until(async () => (await (await navigator.serviceWorker.ready).getNotifications()).length === 0);

/** Runs an expression in the page's service worker, and waits for what it promises. */
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

/** A person taps the one notification there is, or a button of it; what follows is done then. */
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

/** The addresses of windows that the service worker has opened since this was asked first. A tap by script opens none. */
export const openings = (page) =>
  inWorker(
    page,
    `(() => {
  if (!globalThis.opened) { globalThis.opened = []; Clients.prototype.openWindow = async (url) => { opened.push(String(url)); return null; }; }
  return opened;
})()`,
  );

/** What Chromium calls the registration of the page's service worker. */
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

/** Delivers a push message; what is shown when the service worker has shown its notification. */
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
