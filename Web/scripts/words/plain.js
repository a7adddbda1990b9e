// Names as a search compares them.

/** Accents, and vowel points of Hebrew and Arabic, which people leave out. Marks of other scripts are part of their words. */
const marks = /(?:[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]|[\u0591-\u05c7]|[\u0610-\u061a\u064b-\u065f]|\u0670)+/gu;
/** Letters without a decomposition, and letters for which Persian and Urdu keyboards have characters of their own. */
const same = new Map([
  ...Object.entries({ ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', ə: 'e' }),
  ...Object.entries({ ک: 'ك', ی: 'ي', ى: 'ي', ہ: 'ه', ھ: 'ه', ۀ: 'ه', ە: 'ه', ة: 'ه' }),
  ...[..."'’‘ʻʼʾʿ`´"].map((apostrophe) => [apostrophe, '']),
]);
const others = new RegExp(`[${[...same.keys()].join('')}]`, 'g');

/**
 * A text without case, accents and punctuation: "Saint-Étienne" becomes "saint etienne". Tabs and ends of lines stay, so that a
 * table has the same cells. Scripts/page/city-index.py has the same rule.
 */
export const plain = (text) =>
  text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(others, (letter) => same.get(letter))
    .replace(/[^\p{L}\p{M}\p{N}\t\n]+/gu, ' ')
    .replace(/^ | $| (?=[\t\n])/g, '')
    .replace(/([\t\n]) /g, '$1');
