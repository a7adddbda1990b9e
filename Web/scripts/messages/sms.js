// A text message, ready to be sent: the person presses send (S99).
//
// RFC 5724 defines `sms:+41791112233,+41792223344?body=…`, which Android's messaging applications accept. Apple's take only the
// first number from it, and all numbers from `sms://open?addresses=…,…&body=…`. Without a messaging application nothing happens,
// which a page cannot detect, so there is always an alternative beside it.
import { t } from '../words/translate.js';

/** True if the device uses Apple's form. An iPad identifies itself as a Macintosh, which uses the same form. */
export const isApple = (agent = navigator.userAgent) => /iPhone|iPad|iPod|Macintosh/.test(agent);

/**
 * @param {{text: string, addressees: {number: string}[]}} proposal from the engine
 * @returns {string} the address of a link: one tap opens the message to all addressees
 */
export function smsLink({ text, addressees }, { apple = isApple() } = {}) {
  const numbers = addressees.map(({ number }) => encodeURIComponent(dialled(number))).join(',');
  const body = encodeURIComponent(text);
  if (!apple) return `sms:${numbers}?body=${body}`;
  return numbers ? `sms://open?addresses=${numbers}&body=${body}` : `sms:&body=${body}`;
}

/** A number without blanks, brackets, hyphens, dots and slashes. */
const dialled = (number) => number.replace(/[\s()./-]/g, '');

/** The problem with a phone number, in words; undefined if there is none. */
export function problemWithNumber(number) {
  const found = number.trim();
  if (!found) return undefined;
  const odd = found.match(/[^\d\s()+*#./-]/u);
  if (odd)
    return t`“${odd[0]}” cannot be in a phone number. Digits, + at the beginning, * and #, blanks, brackets and hyphens
      can.`;
  if (!/\d/.test(found)) return t`There is no digit in this number.`;
  if (found.lastIndexOf('+') > 0) return t`+ can only be at the beginning, before the country.`;
  return undefined;
}
