// Which language the page speaks: the one chosen in the settings, else the first of the browser's that it can.
import { useLocale } from './locale.js';
import { useCatalogue } from './translate.js';

/** Names in the languages themselves. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ja: '日本語' };
const key = 'language';

/** What the browser's user reads, the best first; a program without a browser reads English. */
const wishes = () => globalThis.navigator?.languages ?? ['en'];

/** @returns {string} of `languages`, or any other that `chosen` names */
export function languageOf(chosen, wanted = wishes()) {
  if (chosen) return chosen;
  for (const wish of wanted) {
    const language = wish.split('-')[0].toLowerCase();
    if (Object.hasOwn(languages, language)) return language;
  }
  return 'en';
}

/** How numbers and times are written: as the language does where the reader is. */
export function localeOf(language, wanted = wishes()) {
  const own = wanted.find((wish) => wish.split('-')[0].toLowerCase() === language.split('-')[0]);
  if (own) return own;
  const region = /-([A-Z]{2})\b/.exec(wanted[0])?.[1];
  return region && !language.includes('-') ? `${language}-${region}` : language;
}

/** The setting, where it can be read at once: the database would be asked before anything can be shown. */
function kept() {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

let current = 'en';
/** The one that it began to load. */
let asked = 'en';
/** The language that the page speaks. */
export const language = () => current;

async function load(name) {
  const response = await fetch(new URL(`../../words/${name}.json`, import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  useCatalogue(await response.json());
}

/** Settles when the sentences of all screens are there, or cannot be had. */
let all;

/**
 * Loads the catalogue. Without network it comes from the service worker; without both the page is English.
 * @param {string} [chosen] by the settings, or by a page for its worker
 * @param {{first?: boolean}} [how] `first`: only the sentences of the first screen, which the build puts in a file of their own;
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

/** Loads what `useLanguage` left out, once. A screen whose sentences cannot be had is English. */
export function allWords() {
  all ??= load(current).catch((error) => console.error(error));
  return all;
}

/**
 * Keeps the setting where the page finds it when it begins.
 * @returns {boolean} whether another language is wished than the page began with, and it can be loaded anew
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
