// The page's wording: short English sentences with a subject, one form of address in each language, one word for one thing.
// Needs no browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { catalogueOf, sentences } from '../../../Scripts/page/catalogue.mjs';
import { languages } from '../../../Web/scripts/words/language.js';

/** The most words in a sentence; nine in ten of the page's sentences have fewer than eleven. */
const most = 25;
const glossary = JSON.parse(await readFile('Tests/Web/words/glossary.json', 'utf8'));
const list = (lines) => `\n${lines.join('\n')}\n`;
const english = (key) => key.replace(/ \[[^\]]*\]$/, '');
const parts = (text) => text.split(/(?<=[.!?…])\s+/);
const words = (text) => text.match(/[\p{L}\p{N}{}’'-]+/gu) ?? [];

/** The text of a translation without soft hyphens; of several plural forms, the one for many. */
const said = (translation) =>
  (typeof translation === 'string' ? translation : translation.other).replaceAll('\u00ad', '');

const keys = [...(await sentences()).keys()];
const translations = async (language) =>
  Object.entries(await catalogueOf(language)).map(([key, translation]) => [english(key), said(translation)]);

test(`no sentence has more than ${most} words`, () => {
  const long = keys.flatMap((key) => parts(english(key))).filter((sentence) => words(sentence).length > most);
  assert.ok(!long.length, list(long));
});

test('a sentence begins with its subject, and people are not spoken of as whoever', () => {
  const riddles = keys.filter(
    (key) =>
      parts(english(key)).some((sentence) => /^(?:What|Who|Whose|Whoever|Of|That|Which) .*\.$/.test(sentence)) ||
      /\bwhoever\b|\banew\b|\bno more\b/i.test(key),
  );
  assert.ok(!riddles.length, list(riddles));
});

/**
 * Pronouns of formal address, or of informal address in French. The same word may be a third person; it does not count if the
 * English sentence names one.
 */
const address = {
  de: (text, key) =>
    /(?<!^|[.:!?;“„(] |[„(])\b(?:Sie|Ihr|Ihre[mnrs]?|Ihnen)\b/.test(text) ||
    (/\b(?:Sie|Ihr|Ihre[mnrs]?|Ihnen)\b/.test(text) && isAddress(key)),
  es: (text, key) =>
    word('ustedes|usted').test(text) ||
    imperatives.test(text) ||
    (word('sus|su|les|le|\\p{L}+rles?').test(text) && isAddress(key)),
  fr: (text) => word('tu|toi|ton|ta|tes|t’\\p{L}+').test(text),
};
const word = (pattern) => new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'iu');
const isAddress = (key) =>
  word('you|your|yours').test(key) &&
  !word('they|them|their|theirs|it|its|he|she|his|her|somebody|people|services|owner|phones|\\{\\d\\}').test(key);
/** Imperatives for usted, at the beginning of a sentence. */
const imperatives =
  /(?<=^|[.:;] )(?:Inicie|Escriba|Elija|Introduzca|Abra|Añada|Toque|Pulse|Guarde|Lea|Haga|Vaya|Pida|Escan[eé]e|Copie|Pegue|Pruebe|Espere|Cierre|Muestre|Seleccione|Compruebe|Revise|Mire|Confirme|Deje|Permita|Ponga|Quite|Suba|Baje|Mantenga|Arrastre|Acepte|Envíe|Cree|Dé|Busque|Borre|Cambie|Compare|Configure|Instale|Dibuje|Marque|Vuelva|Conecte)(?:l[oae]s?)?(?!\p{L})/u;

test('an address that does not fit is found, and a word for somebody else is none', () => {
  assert.ok(address.de('Du siehst Ihr Telefon', 'You see your phone'));
  assert.ok(address.de('Ihr Telefon klingelt', 'Your phone rings'));
  assert.ok(!address.de('Sie sehen deine Zonen', 'They see your zones'));
  assert.ok(address.es('Para su lista.', 'For your list.'));
  assert.ok(address.es('Escanéelo con la app', 'Scan it with the app'));
  assert.ok(!address.es('Sus zonas', 'Its zones'));
  assert.ok(address.fr('Touche ta carte', 'Tap your map'));
});

for (const [language, isWrong] of Object.entries(address))
  test(`${languages[language]}: a person is addressed in one way`, async () => {
    const found = (await translations(language)).filter(([key, text]) => isWrong(text, key));
    assert.ok(!found.length, list(found.map((each) => each.join(' → '))));
  });

/** Settings of a system, separated by ›, have the system's own names. */
const isOfSystem = (key) => /^(?:System )?Settings ›/.test(key);

const missesTerm = (term, language, key, text) => {
  const { is, not } = glossary[term][language];
  if (!new RegExp(glossary[term].en, 'i').test(key) || isOfSystem(key)) return false;
  return !new RegExp(is, 'iu').test(text) || (not !== undefined && new RegExp(not, 'iu').test(text));
};

for (const language of Object.keys(languages).filter((each) => each !== 'en'))
  test(`${languages[language]}: each term of the glossary has one translation`, async () => {
    const found = [];
    for (const [key, text] of await translations(language))
      for (const term of Object.keys(glossary))
        if (missesTerm(term, language, key, text)) found.push(`${term}: ${key} → ${text}`);
    assert.ok(!found.length, list(found));
  });

test('a term with a forbidden translation is found', () => {
  assert.ok(missesTerm('phone', 'de', 'This phone', 'Dieses Handy'));
  assert.ok(missesTerm('phone', 'de', 'This phone', 'Dieses hier'));
  assert.ok(!missesTerm('phone', 'de', 'This phone', 'Dieses Telefon'));
});
