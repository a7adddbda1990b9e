// Sentences in the reader's language. Needs no browser.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { languageOf, localeOf } from '../../../Web/scripts/words/language.js';
import { date, list, useLocale } from '../../../Web/scripts/words/locale.js';
import { plural, t, useCatalogue } from '../../../Web/scripts/words/translate.js';
import { useUnits } from '../../../Web/scripts/words/units.js';
import * as words from '../../../Web/scripts/words/words.js';

afterEach(() => {
  useCatalogue({});
  useLocale('en');
});

test('a sentence stays as it is written where the catalogue has none', () => {
  assert.equal(t`Rings ${'50 m'} before the edge`, 'Rings 50 m before the edge');
  assert.equal(
    t`One sentence
      in two lines`,
    'One sentence in two lines',
  );
  assert.equal(t`toString`, 'toString');
});

test('a sentence of the catalogue has its values where its language wants them', () => {
  useCatalogue({ '{0} of {1}': 'von {1}: {0}', 'A {z} tile': 'Eine Kachel {z}' });
  useLocale('de');
  assert.equal(t`${1234.5} of ${'all'}`, 'von all: 1.234,5');
  assert.equal(t`A {z} tile`, 'Eine Kachel {z}');
  assert.equal(t`${undefined}!`, '!');
  // A placeholder in a person's text is not replaced.
  assert.equal(t`${'{1}'} of ${'x'}`, 'von x: {1}');
});

const zones = (n) => plural(n, { one: t`${n} zone`, other: t`${n} zones` });
test('the form of a plural is the one that the language has for the number', () => {
  assert.deepEqual([0, 1, 2, 1000].map(zones), ['0 zones', '1 zone', '2 zones', '1,000 zones']);
  useCatalogue({ '{0} zone': '{0} zone', '{0} zones': '{0} zones' });
  useLocale('fr');
  assert.deepEqual([0, 1, 2].map(zones), ['0 zone', '1 zone', '2 zones']);
  useCatalogue({ '{0} zones': '{0} 件' });
  useLocale('ja');
  assert.deepEqual([1, 2].map(zones), ['1 件', '2 件']);
  // A language with more plural forms.
  useCatalogue({
    '{0} zone': '{0} strefa',
    '{0} zones': { few: '{0} strefy', many: '{0} stref', other: '{0} strefy' },
  });
  useLocale('pl');
  assert.deepEqual([1, 2, 5, 22].map(zones), ['1 strefa', '2 strefy', '5 stref', '22 strefy']);
});

test('one English word can be two in another language', () => {
  useCatalogue({ 'Off [a switch]': 'Aus', Off: 'Weg' });
  assert.deepEqual([t.meaning('a switch')`Off`, t.meaning('a smell')`Off`, t`Off`], ['Aus', 'Off', 'Weg']);
});

test('the language is the chosen one, else the first of the browser’s that there is', () => {
  assert.equal(languageOf('fr', ['de-DE']), 'fr');
  assert.equal(languageOf(undefined, ['pt-BR', 'de-AT', 'en']), 'de');
  assert.equal(languageOf(undefined, ['pt-BR']), 'en');
  assert.equal(languageOf(undefined, []), 'en');
});

test('numbers are written as where the reader is', () => {
  assert.equal(localeOf('de', ['en-US', 'de-AT']), 'de-AT');
  assert.equal(localeOf('en', ['de-DE']), 'en-DE');
  assert.equal(localeOf('ja', ['en']), 'ja');
  const noon = new Date(2026, 0, 5, 15, 30).getTime();
  const said = (tag) => {
    useLocale(tag);
    return [words.length(2300), words.clock(noon).replace(/\s/gu, ' '), list(['A', 'B', 'C'])];
  };
  useUnits('metric', 'en');
  assert.deepEqual(said('en-US'), ['2.3 km', '3:30 PM', 'A, B, and C']);
  assert.deepEqual(said('en-GB'), ['2.3 km', '15:30', 'A, B and C']);
  assert.deepEqual(said('de-DE'), ['2,3 km', '15:30', 'A, B und C']);
  assert.deepEqual(said('ja-JP'), ['2.3 km', '15:30', 'A、B、C']);
  // An invalid language tag does not keep the page from starting.
  assert.deepEqual(said('C'), ['2.3 km', '3:30 PM', 'A, B, and C']);
  useLocale('de');
  assert.equal(date(noon, { weekday: 'long' }), 'Montag');
});
