// The picture of a zone's notice (S188). The page's security policy allows three sources: the page's own server, the text of
// the zone itself (`data:`), and origins that the server's operator has configured. For any other picture the reason is shown,
// with a link.
import { h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { t } from '../scripts/words/translate.js';

/** The reasons why pictures were not shown, by address. */
const failures = new Map();
/**
 * Addresses refused by the policy. The browser reports them in an event of the document; the image only learns that it failed.
 */
const refused = new Set();
document.addEventListener('securitypolicyviolation', ({ blockedURI }) => refused.add(blockedURI));

/** True if an address can be that of a picture. No other address is put into the page. */
const isPicture = (address) => /^(https?:\/\/|data:image\/)/i.test(address ?? '');

/**
 * The picture, or the reason why it is not shown.
 * @param {string} address
 * @param {(problem: string) => void} [onproblem] called when the picture fails to load
 * @returns {HTMLElement|null} null if there is no picture
 */
export function noticePicture(address, onproblem) {
  if (!isPicture(address)) return null;
  const problem = failures.get(address);
  if (problem)
    return h(
      'p',
      { class: 'picture-problem subhead', role: 'status' },
      icon('warning', { size: 18 }),
      h(
        'span',
        {},
        problem,
        ' ',
        /^http/i.test(address) &&
          h('a', { class: 'link', href: address, target: '_blank', rel: 'noopener noreferrer' }, t`Open the picture`),
      ),
    );
  return h('img', {
    class: 'notice-picture',
    src: address,
    alt: t`Picture of the notice`,
    referrerpolicy: 'no-referrer',
    decoding: 'async',
    onload: () => failures.delete(address),
    onerror: () =>
      // The browser fires the policy's event in a separate task.
      setTimeout(() => {
        failures.set(address, why(address));
        onproblem?.(failures.get(address));
      }),
  });
}

function why(address) {
  if (!/^http/i.test(address)) return t`The picture cannot be read.`;
  const { href, origin, host } = new URL(address);
  if (refused.has(href) || refused.has(origin))
    return t`The picture is not shown: the server of this page does not allow pictures from ${host}.`;
  return navigator.onLine ? t`The picture cannot be loaded from ${host}.` : t`There is no network to load the picture.`;
}

/** Tries again once the network is back. */
addEventListener('online', () => failures.clear());
