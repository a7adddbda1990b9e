#!/usr/bin/env node
// The page's sentences and their translations.
//
//   Scripts/page/catalogue.mjs               prints all sentences, each with its files, as JSON
//   Scripts/page/catalogue.mjs de            lists missing, stale and faulty sentences of Web/words/de.json
//   Scripts/page/catalogue.mjs de --write    adds missing sentences to it, with "" to be filled in, and removes stale ones
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path/posix';
import { pathToFileURL } from 'node:url';
import { keyOf, literals } from './sentences.mjs';

/** All plural categories of numbers (CLDR); English has `one` and `other`. */
const categories = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** All scripts of the page, by their path in `Web`: `Map<string, Literal[]>`. */
export async function scripts(root = 'Web') {
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.js')).sort();
  const found = new Map();
  for (const name of names) {
    try {
      found.set(name, literals(await readFile(join(root, name), 'utf8')));
    } catch (error) {
      throw new Error(`${name}, ${error.message}`, { cause: error });
    }
  }
  return found;
}

/**
 * Each sentence by its key: `{files, form, forms}`; `form` is "one" or "other" of a plural, `forms` are all that were found.
 */
export async function sentences(root) {
  const found = new Map();
  for (const [name, all] of await scripts(root))
    for (const literal of all.filter(({ kind }) => kind === 'sentence')) {
      const key = keyOf(literal);
      const entry = found.get(key) ?? { files: [], forms: new Set() };
      if (!entry.files.includes(name)) entry.files.push(name);
      // Matches "[name]: t`…`" only in a call of `plural`.
      const form = /(?:plural\([^`]*|`,)\s*(one|other):\s*(?:t|t\.meaning\('[^']*'\))$/.exec(literal.before)?.[1];
      entry.form ??= form;
      entry.forms.add(form);
      found.set(key, entry);
    }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const places = (text) => [...text.matchAll(/\{(\d)\}/g)].map(([, place]) => place).sort();
const english = (key) => key.replace(/ \[[^\]]*\]$/, '');

/** The faults of a catalogue, each as a sentence. */
export function faults(all, catalogue, language) {
  const needed = new Set(new Intl.PluralRules(language).resolvedOptions().pluralCategories);
  const found = [];
  for (const [key, { form }] of all) {
    const text = catalogue[key];
    if (form === 'one' && !needed.has('one') && text === undefined) continue;
    if (text === undefined || text === '') found.push(`missing: ${key}`);
  }
  for (const [key, text] of Object.entries(catalogue)) {
    const entry = all.get(key);
    if (!entry) {
      found.push(`stale: ${key}`);
      continue;
    }
    const forms = typeof text === 'string' ? { other: text } : text;
    if (
      typeof text !== 'string' &&
      (entry.form !== 'other' || !text.other || Object.keys(text).some((name) => !categories.includes(name)))
    )
      found.push(`forms where there is no plural, or not the form “other”: ${key}`);
    const wanted = places(english(key));
    for (const [name, each] of Object.entries(forms)) {
      if (each === '') continue;
      const has = places(each);
      // "One zone" needs no number.
      const lacksOnlyNumber = (entry.form === 'one' || name === 'one') && has.every((place) => wanted.includes(place));
      if (String([...new Set(has)]) !== String([...new Set(wanted)]) && !lacksOnlyNumber)
        found.push(`other placeholders: ${key}\n  in ${language}: ${each}`);
    }
  }
  return found;
}

export const catalogueOf = async (language, root = 'Web') =>
  JSON.parse(await readFile(join(root, 'words', `${language}.json`), 'utf8'));

async function main([language, flag]) {
  const all = await sentences();
  if (!language) {
    const listed = [...all].map(([key, { files, form }]) => [key, { ...(form && { form }), files }]);
    console.log(JSON.stringify(Object.fromEntries(listed), null, 1));
    return;
  }
  const file = join('Web/words', `${language}.json`);
  const catalogue = await catalogueOf(language).catch((error) => {
    if (error.code === 'ENOENT' && flag === '--write') return {};
    throw error;
  });
  if (flag === '--write') {
    const needsOne = new Intl.PluralRules(language).resolvedOptions().pluralCategories.includes('one');
    const next = {};
    for (const [key, { form }] of all)
      if (form !== 'one' || needsOne || catalogue[key]) next[key] = catalogue[key] ?? '';
    await writeFile(file, `${JSON.stringify(next, null, 1)}\n`);
    const left = Object.values(next).filter((text) => text === '').length;
    console.log(`${file}: ${Object.keys(next).length} sentences, ${left} of them to be translated`);
    return;
  }
  const found = faults(all, catalogue, language);
  for (const fault of found) console.log(fault);
  console.log(found.length ? `${file}: ${found.length} faults` : `${file} is complete: ${all.size} sentences`);
  process.exitCode = found.length ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
