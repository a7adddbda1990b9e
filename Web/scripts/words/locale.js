// Numbers, lists and times in the reader's locale.

let tag = 'en';
const made = new Map();
/** A cached formatter for these options, as one is costly to create. */
function formatter(kind, options) {
  const key = `${kind} ${JSON.stringify(options)}`;
  if (!made.has(key)) made.set(key, new Intl[kind](tag, options));
  return made.get(key);
}

/** @param {string} next a language tag such as `de-AT` */
export function useLocale(next) {
  // A browser may report a language that is no valid tag, such as "C".
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

/** Compares names for sorting in the reader's language, with 2 before 10. */
export const compareNames = (a = '', b = '') => formatter('Collator', { numeric: true }).compare(a, b);

/** 1,234.5 or 1.234,5 */
export const number = (value, options) => formatter('NumberFormat', options).format(value);
/** A number with exactly `digits` digits after the decimal mark. */
export const fixed = (value, digits) => number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
/** "A, B and C", or with `type: 'disjunction'` "A, B or C". */
export const list = (items, options = { type: 'conjunction' }) => formatter('ListFormat', options).format(items);
/** A time or a date, with the options of `Intl.DateTimeFormat`. */
export const date = (milliseconds, options) => formatter('DateTimeFormat', options).format(milliseconds);
/** The parts of a time or a date. */
export const dateParts = (milliseconds, options) => formatter('DateTimeFormat', options).formatToParts(milliseconds);
/** The plural category of a count in the reader's language: `one`, `other` and so on. */
export const category = (count) => formatter('PluralRules').select(count);
