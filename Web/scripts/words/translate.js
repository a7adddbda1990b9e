// Translates the page's sentences to the reader's language.
//
// A sentence is written in English where it is used and marked by `t`. In the catalogue of a language (`Web/words/de.json`)
// its key is its English text, with a number for each value:
//
//   t`Rings ${length(20)} before the edge`            "Rings {0} before the edge": "Klingelt {0} vor dem Rand"
//   plural(n, { one: t`${n} zone`, other: t`${n} zones` })
//                                                     "{0} zone": "{0} Zone", "{0} zones": "{0} Zonen"
//   t.meaning('a switch')`Off`                        "Off [a switch]": "Aus"
//
// For a language with more forms than `one` and `other`, the key of `other` has an object: {"few": "…", "other": "…"}.
// A value is text that needs no translation, or a number, which is written as usual in the language. A sentence may continue in
// the next line: the break and the spaces around it count as one space. A sentence that the catalogue lacks stays English.
// The catalogue is loaded before any other module (scripts/page/begin.js), so a table of sentences may be a constant.
import { category, number } from './locale.js';

/** @type {Record<string, string | Record<string, string>>} */
let catalogue = {};
/** @param {typeof catalogue} sentences by their English text; empty for English */
export function useCatalogue(sentences) {
  catalogue = sentences;
}

/** The key of a template, computed once for each place in the source. */
const keys = new WeakMap();
function keyOf(parts, meaning) {
  let key = keys.get(parts);
  if (key === undefined) {
    key = parts.reduce((text, part, place) => `${text}{${place - 1}}${part}`).replace(/\s*\n\s*/g, ' ');
    if (meaning) key += ` [${meaning}]`;
    keys.set(parts, key);
  }
  return key;
}

const filled = (text, values) =>
  text.replace(/\{(\d)\}/g, (_, place) => {
    const value = values[place];
    return typeof value === 'number' ? number(value) : (value ?? '');
  });

/** The forms of the sentence that was looked up last, for `plural`, which is called next. */
let last = { text: '', forms: undefined };

function say(key, english, values) {
  const found = Object.hasOwn(catalogue, key) ? catalogue[key] : english;
  if (typeof found === 'string') return filled(found, values);
  const text = filled(found.other, values);
  last = { text, forms: Object.fromEntries(Object.entries(found).map(([name, form]) => [name, filled(form, values)])) };
  return text;
}

/**
 * Translates a sentence, written in English where it is used: t`Rings ${length(20)} before the edge`.
 * @returns {string}
 */
export const t = (parts, ...values) => {
  const key = keyOf(parts);
  return say(key, key, values);
};

/** Translates an English word for which other languages have several words; `what` is the meaning. */
t.meaning =
  (what) =>
  (parts, ...values) => {
    const key = keyOf(parts, what);
    return say(key, key.slice(0, -what.length - 3), values);
  };

/**
 * The plural form for a number: `plural(n, { one: t`${n} zone`, other: t`${n} zones` })`.
 * @param {number} count
 * @param {Record<string, string>} forms `other` last
 */
export function plural(count, forms) {
  const all = last.forms && last.text === forms.other ? { ...forms, ...last.forms } : forms;
  return all[category(count)] ?? all.other;
}
