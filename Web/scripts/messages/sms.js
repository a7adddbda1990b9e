// A text message, ready to be sent: the person presses send (S99).
//
// RFC 5724 writes `sms:+41791112233,+41792223344?body=…`, and Android's messaging applications take it so. Apple's take
// the first number only from that, and all of them from `sms://open?addresses=…,…&body=…`. Where there is no messaging
// application nothing happens; that cannot be seen from a page, so there is always another way beside it.
import { t } from '../words/translate.js';

/** Whether the device speaks Apple's form. An iPad calls itself a Macintosh, and a Macintosh takes the same form. */
export const isApple = (agent = navigator.userAgent) => /iPhone|iPad|iPod|Macintosh/.test(agent);

/**
 * @param {{text: string, addressees: {number: string}[]}} proposal as the engine merges it
 * @returns {string} the address of a link: one tap opens the message, with everybody in it
 */
export function smsLink({ text, addressees }, { apple = isApple() } = {}) {
  const numbers = addressees.map(({ number }) => encodeURIComponent(dialled(number))).join(',');
  const body = encodeURIComponent(text);
  if (!apple) return `sms:${numbers}?body=${body}`;
  return numbers ? `sms://open?addresses=${numbers}&body=${body}` : `sms:&body=${body}`;
}

/** Without the blanks, brackets, hyphens and dots that people write for themselves. */
const dialled = (number) => number.replace(/[\s()./-]/g, '');

/** What is wrong with a number, in words, or nothing. */
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
