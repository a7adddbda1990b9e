// The picture and colour of a category that people write in words.
import { t } from '../words/translate.js';

/** The categories that are offered, by picture, in the reader's language. */
const ours = [
  ['home', t`Home`],
  ['work', t`Work`],
  ['food', t`Food`],
  ['shop', t`Shopping`],
  ['transit', t`Transit`],
  ['nature', t`Nature`],
  ['health', t`Health`],
  ['hazard', t`Hazard`],
];

const looks = [
  ['hazard', 'alarm', ['hazard', 'danger', 'safety', 'forbidden', 'runway', 'airport', 'mine', 'site']],
  ['home', 'home', ['home', 'house', 'family']],
  ['work', 'work', ['work', 'office', 'school']],
  ['food', 'food', ['food', 'eat', 'restaurant', 'bakery', 'café', 'cafe']],
  ['shop', 'shop', ['shop', 'store', 'market']],
  ['transit', 'transit', ['transit', 'station', 'train', 'bus', 'stop', 'travel']],
  ['nature', 'nature', ['nature', 'park', 'garden', 'hike', 'path']],
  ['health', 'health', ['health', 'doctor', 'pharmacy', 'hospital']],
].map(([picture, hue, words]) => ({
  picture,
  token: hue === 'alarm' ? '--alarm' : `--category-${hue}`,
  words: [...words, ...ours.filter(([name]) => name === picture).map(([, word]) => word.toLowerCase())],
}));
const other = { picture: 'other', token: '--category-other', words: [] };

function lookOf(category) {
  const word = category.trim().toLowerCase();
  return looks.find(({ words }) => words.some((each) => word.includes(each))) ?? other;
}

/** @returns {{picture: string, colour: string}} the name of an icon, and a colour as CSS has it */
export function categoryLook(category) {
  const { picture, token } = lookOf(category ?? '');
  return { picture, colour: `var(${token})` };
}

/** The looks of categories, each once: `picture`, and `token`, the custom property of its colour. */
export const looksOf = (categories) => [...new Set([...categories].map(lookOf))];

/** The suggestions for a category field: the categories in use first, then the page's own. */
export const suggestions = (inUse) => [
  ...new Set(
    [...inUse]
      .filter(Boolean)
      .sort()
      .concat(ours.map(([, word]) => word)),
  ),
];

/**
 * An expression of the map's style that turns the category of a feature into a value of its look.
 * @param {Iterable<string>} categories that occur
 * @param {(look: {picture: string, token: string}) => any} value
 */
export function byCategory(categories, value) {
  const cases = [...new Set(categories)]
    .filter((category) => lookOf(category) !== other)
    .flatMap((category) => [category, value(lookOf(category))]);
  return cases.length ? ['match', ['get', 'category'], ...cases, value(other)] : value(other);
}
