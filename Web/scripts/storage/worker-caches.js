// The caches through which the page and its service worker pass words, files and packs to each other.
import { phone } from '../device/phone-app.js';

/**
 * Opens one of them. Undefined where nothing can be at the other end: in the phone apps, which have no service worker and of which
 * that for iOS refuses every cache, and where the browser offers none, as over plain HTTP.
 * @param {'words'|'shared'|'packs'} name
 * @returns {Promise<Cache>|undefined}
 */
export const workerCache = (name) => (phone ? undefined : globalThis.caches?.open(name));
