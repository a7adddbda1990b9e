// The picture of a zone's notice (S188). It is loaded only from where the page's policy allows it: the page's own server, the
// text of the zone itself (`data:`), and the origins that whoever runs the server has named. Where it cannot be shown, it says
// so and why, with the way to it.
import { h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { t } from '../scripts/words/translate.js';

/** Why pictures were not shown, by their address. */
const failures = new Map();
/** What the policy refused: the browser says so in an event of the document, and to the picture only that it failed. */
const refused = new Set();
document.addEventListener('securitypolicyviolation', ({ blockedURI }) => refused.add(blockedURI));

/** True if an address can be a picture's: nothing else is ever put into the page. */
const isPicture = (address) => /^(https?:\/\/|data:image\/)/i.test(address ?? '');

/**
 * @param {string} address
 * @param {(problem: string) => void} [onproblem] is told when it turns out that it cannot be shown
 * @returns {HTMLElement|null} nothing where there is no picture
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
      // The event of the policy comes as a task of its own.
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

/** Another try is made when the network is back. */
addEventListener('online', () => failures.clear());
