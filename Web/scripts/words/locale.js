// Numbers, lists and times as they are written where the reader is.

let tag = 'en';
const made = new Map();
/** A formatter is dear to make: the same one for the same options. */
function formatter(kind, options) {
  const key = `${kind} ${JSON.stringify(options)}`;
  if (!made.has(key)) made.set(key, new Intl[kind](tag, options));
  return made.get(key);
}

/** @param {string} next a language tag such as `de-AT` */
export function useLocale(next) {
  // A browser may say what is no tag, as "C".
  tag = Intl.NumberFormat.supportedLocalesOf(isTag(next) ? next : []).length ? next : 'en';
  made.clear();
}
function isTag(text) {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
export const localeTag = () => tag;

/** For sorting: as the reader's language has it, and 2 before 10. */
export const compareNames = (a = '', b = '') => formatter('Collator', { numeric: true }).compare(a, b);

/** 1,234.5 or 1.234,5 */
export const number = (value, options) => formatter('NumberFormat', options).format(value);
/** With exactly so many digits after the decimal point or comma. */
export const fixed = (value, digits) => number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
/** "A, B and C", or with `type: 'disjunction'` "A, B or C". */
export const list = (items, options = { type: 'conjunction' }) => formatter('ListFormat', options).format(items);
/** A time or a date, as `Intl.DateTimeFormat` has its options. */
export const date = (milliseconds, options) => formatter('DateTimeFormat', options).format(milliseconds);
/** The same in its parts. */
export const dateParts = (milliseconds, options) => formatter('DateTimeFormat', options).formatToParts(milliseconds);
/** Which form a language has for so many: `one`, `other` and what else there is. */
export const category = (count) => formatter('PluralRules').select(count);
