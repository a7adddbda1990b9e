// IndexedDB's requests and transactions as promises.
import { t } from '../words/translate.js';

export const answered = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

export const ended = (transaction) =>
  new Promise((done, failed) => {
    transaction.oncomplete = () => done();
    transaction.onabort = () => failed(transaction.error ?? new Error(t`the browser stopped writing`));
  });

/** How long, in ms, a page waits for a database before it begins without it: WebKit sometimes never answers. */
export const patience_ms = 5_000;

/**
 * Waits for a database to open.
 * @throws an error with `why` `late` if it does not in time; it may still open later
 */
export function inTime(opening, within_ms = patience_ms) {
  let timer;
  const bound = new Promise((_, failed) => {
    timer = setTimeout(
      () => failed(Object.assign(new Error(t`the browser has not opened the storage yet`), { why: 'late' })),
      within_ms,
    );
  });
  return Promise.race([opening, bound]).finally(() => clearTimeout(timer));
}
