// Finds texts of the page's scripts that look like sentences and are not marked with `t`. A heuristic: two words or more, or
// one that begins with a capital letter in a place that only people read.

/** Scripts whose texts no person reads, each with the reason. */
const forPrograms = {
  'service-worker.js': 'its sentences come from the page; English is for when the page has never been opened',
  'scripts/engine/cbor.js': 'errors of the program itself, seen in the console',
  'scripts/engine/self-check.js': 'an error of the program itself, seen in the console',
  'scripts/files/formats.js': 'names of formats are the same everywhere',
  'scripts/files/gpx-export.js': 'the markup of a file',
  'scripts/page/icons.js': 'drawings',
  'scripts/places/city-index.js': 'errors of the program itself, seen in the console',
  'scripts/places/city-worker.js': 'errors of the program itself, seen in the console',
  'scripts/server/base64url.js': 'errors of the program itself, seen in the console',
  'scripts/sounds/sound-set.js': 'names of sounds are the same everywhere, as zones name them',
};

/** Texts that stay as they are: names, and words of the engine or a protocol. */
const same = new Set([
  'Proximity Alarm',
  'Home Assistant',
  'Harbour bells',
  'Overland',
  'Traccar',
  'Natural Earth · GeoNames',
  '© OpenStreetMap contributors',
]);

/** The places where a text is code: a class, a selector, a path, an argument of a function of the browser or the engine. */
const isCode =
  /(?:(?<![\w'])(?:class|id|href|src|rel|role|type|accept|autocomplete|'data-[\w-]+'|viewBox|className|transform|stroke|background|font|filter|'text-[a-z-]+'|'icon-[a-z-]+'):?\s*(?:=\s*)?|(?:querySelector|querySelectorAll|closest\?\.|closest|matches|matchMedia|addEventListener|import|from|t\.meaning|setProperty|test|addProtocol)\(?\s*(?:'[^']*',\s*)?)$/;

/** @param {string} name of the script, in `Web` @param {import('./sentences.mjs').Literal[]} all its texts */
export function unmarked(name, all) {
  if (name in forPrograms) return [];
  return all
    .filter((literal) => literal.kind !== 'sentence' && isSentence(literal))
    .map(({ line, text }) => `${name}:${line}: ${text}`);
}

function isSentence({ text, before, after }) {
  const words = text.replaceAll(/\{\d\}/g, ' ').trim();
  if (same.has(words) || isCode.test(before)) return false;
  // Two words, the first of them as people write it.
  const isTwo = /(?:^|[\s“(…])\p{L}[\p{L}’]*[,:;.]? +\p{L}[\p{L}’]+/u.test(words);
  // Several classes in an expression, and the like.
  if (
    /^[a-z-]+( [a-z-]+)*$/.test(words) &&
    /(?:\?|:|`|\$\{)\s*$/.test(before) &&
    !/\b(?:title|label|detail|text|hint):\s*$/.test(before)
  )
    return isTwo && words.split(' ').length > 2;
  if (isTwo) return true;
  const isOne = /^\p{Lu}\p{Ll}+(?: …|[.:…?!])?$/u.test(words);
  return isOne && (isLabel.test(before) || isContent.test(before)) && !/^\s*\(/.test(after);
}
/** The places where a single word is for people: as a label, */
const isLabel = /(?:\b(?:title|label|detail|hint|placeholder)|'aria-label'):\s*(?:[^,:]*\?\s*(?:t?`[^`]*`\s*:\s*)?)?$/;
/** or as the content of an element, a message, or the replacement of an empty name. */
const isContent = /(?:\bh\('[\w-]+',\s*\{[^{}]*\},\s*|^\s*\},\s*|\}\),\s*|\b(?:snackbar|say|list)\(\s*|\|\|\s*)$/;
