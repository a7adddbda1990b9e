// Asks somebody else's server for something of the map, and says in words why it does not come.
import { t } from '../scripts/words/translate.js';

const longest_ms = 10_000;

/** Why an address cannot be had, in words for people. */
export class NotReached extends Error {}

/**
 * @param {string} url
 * @param {{headers?: Record<string, string>, any?: boolean}} [how] `any`: an answer that refuses is an answer too
 * @returns {Promise<Response>}
 * @throws {NotReached}
 */
export async function reach(url, { headers, any = false } = {}) {
  const { origin, host } = new URL(url);
  let isBlocked = false;
  // The browser says so in an event, and to the caller only that nothing came.
  const note = ({ blockedURI }) => {
    if (blockedURI.startsWith(origin)) isBlocked = true;
  };
  document.addEventListener('securitypolicyviolation', note);
  try {
    const response = await fetch(url, {
      headers,
      signal: AbortSignal.timeout(longest_ms),
      referrerPolicy: 'no-referrer',
    });
    if (!response.ok && !any) throw new NotReached(t`${host} answers ${response.status} for ${url}.`);
    return response;
  } catch (error) {
    if (error instanceof NotReached) throw error;
    // The event comes as a task of its own.
    await new Promise((done) => {
      setTimeout(done);
    });
    throw new NotReached(
      isBlocked
        ? t`The server of this page does not allow it to load from ${origin}. The operator of the server has to start it with --page-origins ${origin}.`
        : navigator.onLine
          ? t`${host} does not answer, or does not allow other pages to use its map.`
          : t`There is no network.`,
      { cause: error },
    );
  } finally {
    document.removeEventListener('securitypolicyviolation', note);
  }
}
