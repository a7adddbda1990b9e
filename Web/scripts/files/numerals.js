// Numbers, times and hemispheres in files, by the rules of the program's readers (`NumberField`, `Numerals`, `Hemisphere`): digits
// of every script, and a comma as the decimal mark if it can be nothing else. NaN for any other text.

const marks = {
  '\u066b': '.',
  '\uff0e': '.',
  '\uff0c': ',',
  '\u060c': ',',
  '\u2212': '-',
  '\uff0d': '-',
  '\uff0b': '+',
  '\uff1a': ':',
  '\uff0f': '/',
  '\uff34': 'T',
  '\uff3a': 'Z',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u3000': ' ',
  '\u200e': '',
  '\u200f': '',
  '\u061c': '',
  '\ufeff': '',
};
const digit = (letter) => {
  const code = letter.codePointAt(0);
  let first = code;
  // Unicode has digits in runs of ten, or of several tens.
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
};

/** A text with its digits, and the marks and blanks of numbers, in ASCII. */
export const plain = (text) =>
  /[^\0-\x7f]/.test(text)
    ? [...text].map((letter) => marks[letter] ?? (/\p{Nd}/u.test(letter) ? digit(letter) : letter)).join('')
    : text;

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const withComma = /^[+-]?\d+,\d+(e[+-]?\d+)?$/i;
const thousands = /^[+-]?[1-9]\d{0,2},\d{3}(\D|$)/;

/** @param {boolean} [isDecimal] whether commas are decimal marks: in degrees, and in rows whose degrees have a comma */
export function number(value, isDecimal = false) {
  if (typeof value === 'number') return value;
  if (value === null || value === undefined) return NaN;
  const text = plain(String(value)).trim();
  if (decimal.test(text)) return Number(text);
  return withComma.test(text) && (isDecimal || !thousands.test(text)) ? Number(text.replace(',', '.')) : NaN;
}

export const degrees = (value) => number(value, true);

/** A time in milliseconds since 1970; UTC if no time zone is stated. */
export function time(text) {
  const found = plain(text ?? '').trim();
  const isZoneless = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/.test(found);
  return Date.parse(isZoneless ? `${found.replace(' ', 'T').replace(',', '.')}Z` : found);
}

const words = {
  n: 'north',
  northern: 'north',
  nord: 'north',
  norte: 'north',
  s: 'south',
  southern: 'south',
  süd: 'south',
  sued: 'south',
  sud: 'south',
  sur: 'south',
  sul: 'south',
  e: 'east',
  eastern: 'east',
  ost: 'east',
  est: 'east',
  este: 'east',
  leste: 'east',
  w: 'west',
  western: 'west',
  ouest: 'west',
  oeste: 'west',
  ovest: 'west',
};
const sides = { north: 'latitude', south: 'latitude', east: 'longitude', west: 'longitude' };

/** @returns {'north'|'south'|'east'|'west'|undefined} undefined for "O" too, which is east in German and west in French */
export function hemisphere(text) {
  const word = (text ?? '').trim().toLowerCase();
  const found = Object.hasOwn(words, word) ? words[word] : word;
  return Object.hasOwn(sides, found) ? found : undefined;
}

const mark = `(${[
  'hem|hemi|hemis|hemisph|hemisphere|hemisphäre|dir|direction|ref|reference|ind|indicator|cardinal',
  'cardinaldirection|card|letter|flag|side|sign|quadrant|compass|orientation|ns|sn|ew|we|nors|eorw',
  'northsouth|eastwest|nshem|ewhem|nshemisphere|ewhemisphere|nsindicator|ewindicator|hemispherens',
  'hemisphereew|richtung',
].join('|')})`;
const north = '(gpslatitude|gpslat|latitude|lat|breitengrad|breite|northsouth|ns)';
const east = '(gpslongitude|gpslong|gpslon|gpslng|longitude|long|lon|lng|längengrad|länge|eastwest|ew)';
const named = {
  latitude: new RegExp(`^(ns|sn|nors|northsouth|nordsüd|nordsued|${north}${mark}|${mark}${north})$`),
  longitude: new RegExp(`^(ew|we|eorw|eastwest|ostwest|ow|${east}${mark}|${mark}${east})$`),
};
const alike = /^(|hemisphere|hem|hemi|dir|direction|ref|indicator|ind|cardinal|nsew|letter)$/;

/**
 * The columns of hemispheres, found by their names or by their places after latitude and longitude.
 * @param {string[]} names
 * @returns {{latitude?: {at: number, isUnnamed: boolean}, longitude?: {at: number, isUnnamed: boolean}}}
 */
export function hemisphereColumns(names, latitude, longitude) {
  const bare = names.map((name) => name.toLowerCase().replace(/[^\p{L}\d]/gu, ''));
  const found = {};
  for (const [axis, pattern] of Object.entries(named)) {
    const at = bare.findIndex((name, index) => index !== latitude && index !== longitude && pattern.test(name));
    if (at >= 0) found[axis] = { at, isUnnamed: false };
  }
  const [first, second] = [bare[latitude + 1], bare[longitude + 1]];
  if (found.latitude || found.longitude || first === undefined || first !== second || !alike.test(first)) return found;
  const isUnnamed = first === '';
  return { latitude: { at: latitude + 1, isUnnamed }, longitude: { at: longitude + 1, isUnnamed } };
}

/** Applies a hemisphere to a number; NaN if its sign contradicts it. */
const signed = (value, side) => {
  const isNegative = side === 'south' || side === 'west';
  if (value < 0) return isNegative ? value : NaN;
  return isNegative ? -value : value;
};

/**
 * The degrees in a field, with the hemisphere beside the number or in a column.
 * @param {'latitude'|'longitude'} axis
 * @param {string} [beside] the column's value
 */
export function degreesOn(axis, field, beside, isUnnamed = false) {
  const text = (field ?? '').trim();
  const value = degrees(text);
  const column = hemisphere(beside);
  const isObeyed = beside !== undefined && !(isUnnamed && !column);
  if (Number.isNaN(value)) {
    const [, before, digits, behind] = /^([nsew])?\s*(.*?)\s*°?\s*([nsew])?$/i.exec(text) ?? [];
    const side = hemisphere(behind ?? before);
    if (!side || (before && behind) || sides[side] !== axis) return NaN;
    const found = signed(degrees(digits), side);
    return isObeyed && column !== side ? NaN : found;
  }
  if (!isObeyed) return value;
  return column && sides[column] === axis ? signed(value, column) : NaN;
}
