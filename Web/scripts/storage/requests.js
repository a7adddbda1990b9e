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
