// A number with its unit that changes often. Its box is as large as they are, by the digits and not by the text itself, so that
// nothing around it is laid out anew with each of them.
import { describe } from '../scripts/page/dom.js';

/** In digits, or a little more. */
const width = (character) => {
  if (/[0-9]/.test(character)) return 1;
  if (/[\s.,·]/.test(character)) return 0.5;
  return /[mw]/i.test(character) ? 1.6 : 1;
};

/** @param {string} look the class of its font */
export const sizedNumber = (text, look) =>
  describe(
    'span',
    {
      class: `${look} number sized`,
      style: { '--room': `${Array.from(text, width).reduce((sum, each) => sum + each, 0)}ch` },
    },
    text,
  );
