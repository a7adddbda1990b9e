// Requests a map resource from another server, and explains failures in words for people.
import { t } from '../scripts/words/translate.js';

const longest_ms = 10_000;

/** The reason why an address cannot be reached, in words for people. */
export class NotReached extends Error {}

/**
 * Requests an address, for at most 10 s.
 * @param {string} url
 * @param {{headers?: Record<string, string>, any?: boolean}} [how] `any`: accepts responses with an error status too
 * @returns {Promise<Response>}
 * @throws {NotReached}
 */
export async function reach(url, { headers, any = false } = {}) {
  const { origin, host } = new URL(url);
  let isBlocked = false;
  // The browser reports a blocked request in an event; the caller only learns that the request failed.
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
    // The browser fires this event in a task of its own.
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
