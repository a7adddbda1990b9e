// The page's language: the one chosen in the settings, else the first of the browser's languages that the page has.
import { useLocale } from './locale.js';
import { useCatalogue } from './translate.js';

/** The names of the languages, each in its own language. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ja: '日本語' };
const key = 'language';

/** The languages of the browser's user, in order of preference; English outside a browser. */
const wishes = () => globalThis.navigator?.languages ?? ['en'];

/** @returns {string} a key of `languages`, or any language given as `chosen` */
export function languageOf(chosen, wanted = wishes()) {
  if (chosen) return chosen;
  for (const wish of wanted) {
    const language = wish.split('-')[0].toLowerCase();
    if (Object.hasOwn(languages, language)) return language;
  }
  return 'en';
}

/** The locale of numbers and times: the language, in the reader's region. */
export function localeOf(language, wanted = wishes()) {
  const own = wanted.find((wish) => wish.split('-')[0].toLowerCase() === language.split('-')[0]);
  if (own) return own;
  const region = /-([A-Z]{2})\b/.exec(wanted[0])?.[1];
  return region && !language.includes('-') ? `${language}-${region}` : language;
}

/** The setting from `localStorage`, which can be read at once: the database would delay the first screen. */
function kept() {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

let current = 'en';
/** The language whose catalogue was requested. */
let asked = 'en';
/** The language that the page speaks. */
export const language = () => current;

async function load(name) {
  const response = await fetch(new URL(`../../words/${name}.json`, import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  useCatalogue(await response.json());
}

/** Settles when the sentences of all screens are loaded, or cannot be loaded. */
let all;

/**
 * Loads the catalogue. Without a network it comes from the service worker; without both the page is in English.
 * @param {string} [chosen] the language from the settings, or from a page for its worker
 * @param {{first?: boolean}} [how] `first`: load only the sentences of the first screen, which the build puts in a separate file;
 *   `allWords` loads the others
 */
export async function useLanguage(chosen = kept(), { first = false } = {}) {
  asked = languageOf(/^[a-z]{2}(-[A-Z]{2})?$/.test(chosen ?? '') ? chosen : undefined);
  current = asked;
  if (current !== 'en') {
    try {
      if (first) await load(`first/${current}`).catch(() => (all = load(current)));
      else await load(current);
    } catch (error) {
      console.error(error);
      current = 'en';
    }
  }
  if (!first || current === 'en') all = Promise.resolve();
  useLocale(localeOf(current));
}

/** Loads the sentences that `useLanguage` left out, once. A screen whose sentences cannot be loaded is in English. */
export function allWords() {
  all ??= load(current).catch((error) => console.error(error));
  return all;
}

/**
 * Stores the setting where the page finds it when it begins.
 * @returns {boolean} whether the setting asks for another language than the page began with, so that a reload is needed
 */
export function keepLanguage(wish) {
  try {
    if (wish && wish !== kept()) localStorage.setItem(key, wish);
    if (!wish) localStorage.removeItem(key);
  } catch {
    return false;
  }
  return kept() === wish && languageOf(wish) !== asked;
}
