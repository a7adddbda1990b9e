// A number with its unit that changes often. The size of its box follows from a fixed width per character, so most changes
// cause no layout of the elements around it.
import { describe } from '../scripts/page/dom.js';

/** The width in digits, rounded up. */
const width = (character) => {
  if (/[0-9]/.test(character)) return 1;
  if (/[\s.,·]/.test(character)) return 0.5;
  return /[mw]/i.test(character) ? 1.6 : 1;
};

/** @param {string} look the class of the font */
export const sizedNumber = (text, look) =>
  describe(
    'span',
    {
      class: `${look} number sized`,
      style: { '--room': `${Array.from(text, width).reduce((sum, each) => sum + each, 0)}ch` },
    },
    text,
  );
