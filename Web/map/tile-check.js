// Whether map tiles can be had from an address, asked for by the tile of the whole world.
import { t } from '../scripts/words/translate.js';

const longest_ms = 10_000;

/** @returns {Promise<string|undefined>} why there are no tiles, and what to do about it; nothing when there are */
export async function tileProblem(address) {
  const url = address
    .replace('{z}', '0')
    .replace('{x}', '0')
    .replace('{y}', '0')
    .replace('{s}', 'a')
    .replace('{r}', '');
  const { origin, host } = new URL(url);
  let isBlocked = false;
  // The browser says so in an event, and to the caller only that nothing came.
  const note = ({ blockedURI }) => {
    if (blockedURI.startsWith(origin)) isBlocked = true;
  };
  document.addEventListener('securitypolicyviolation', note);
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(longest_ms), referrerPolicy: 'no-referrer' });
    if (!response.ok)
      return t`${host} answers ${response.status} for the tile of the whole world; an address of tiles answers 200.`;
    const type = response.headers.get('content-type') ?? '';
    return type.startsWith('image/')
      ? undefined
      : t`${host} answers with ${type || t`something`}, which is no picture.`;
  } catch {
    // The event comes as a task of its own.
    await new Promise((done) => {
      setTimeout(done);
    });
    if (isBlocked)
      return t`The server of this page does not allow it to load from ${origin}. Whoever runs the server has to start it with --page-origins ${origin}.`;
    return navigator.onLine
      ? t`${host} does not answer, or does not allow other pages to use its tiles.`
      : t`There is no network.`;
  } finally {
    document.removeEventListener('securitypolicyviolation', note);
  }
}
