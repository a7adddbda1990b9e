// Every sentence of the page is marked, and every catalogue contains all of them. Needs no browser.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { catalogueOf, faults, scripts, sentences } from '../../../Scripts/page/catalogue.mjs';
import { literals } from '../../../Scripts/page/sentences.mjs';
import { unmarked } from '../../../Scripts/page/unmarked.mjs';
import { languages } from '../../../Web/scripts/words/language.js';

const list = (lines) => `\n${lines.join('\n')}\n`;

test('each language that can be chosen has a catalogue, and each catalogue can be chosen', async () => {
  const kept = (await readdir('Web/words')).map((name) => name.replace(/\.json$/, ''));
  assert.deepEqual([...kept, 'en'].sort(), Object.keys(languages).sort());
});

for (const language of Object.keys(languages).filter((each) => each !== 'en'))
  test(`${languages[language]}: nothing is missing, nothing stale, and the values are those of the English text`, async () => {
    const found = faults(await sentences(), await catalogueOf(language), language);
    assert.ok(!found.length, list(found));
  });

test('every sentence of the page is marked', async () => {
  const found = [];
  for (const [name, all] of await scripts()) for (const fault of unmarked(name, all)) found.push(fault);
  assert.ok(!found.length, list(found));
});

test('a sentence means one thing: where a key is a plural form, it is so everywhere', async () => {
  for (const [key, { forms }] of await sentences()) assert.equal(forms.size, 1, `${key}: ${[...forms].join(', ')}`);
});

test('what is wrong with a catalogue is found', () => {
  const all = new Map([
    ['Rings {0} before {1}', { forms: new Set() }],
    ['{0} zone', { form: 'one', forms: new Set(['one']) }],
    ['{0} zones', { form: 'other', forms: new Set(['other']) }],
    ['Off [a switch]', { forms: new Set() }],
  ]);
  const good = {
    'Rings {0} before {1}': '{1}: {0}',
    '{0} zone': 'Eine Zone',
    '{0} zones': '{0} Zonen',
    'Off [a switch]': 'Aus',
  };
  const found = (more, language = 'de') =>
    faults(all, JSON.parse(JSON.stringify({ ...good, ...more })), language).map((each) => each.split(':')[0]);
  assert.deepEqual(found({}), []);
  assert.deepEqual(found({ '{0} zone': undefined }, 'ja'), []);
  assert.deepEqual(found({ '{0} zones': { few: '{0} a', other: '{0} b' } }, 'pl'), []);
  assert.deepEqual(found({ 'Off [a switch]': '' }), ['missing']);
  assert.deepEqual(found({ Gone: 'Weg' }), ['stale']);
  assert.deepEqual(found({ 'Rings {0} before {1}': 'Vor {0}' }), ['other placeholders']);
  assert.deepEqual(found({ '{0} zones': 'Viele Zonen' }), ['other placeholders']);
  assert.deepEqual(found({ 'Off [a switch]': { few: 'a', other: 'b' } }), [
    'forms where there is no plural, or not the form “other”',
  ]);
});

test('an unmarked sentence is found, and what is no sentence is not', () => {
  const found = (source) => unmarked('a.js', literals(source)).length;
  for (const sentence of [
    "h('p', {}, 'Nothing was kept')",
    "h('p', {}, `Only ${n} left`)",
    "const a = { label: 'Try again' }",
    "snackbar('Not done')",
    "throw new Error('Nothing was kept')",
    "h('h2', { class: 'title-3' }, 'Found')",
    "h('button', { type: 'submit', 'aria-label': 'Add' }, icon('plus'))",
    "h('button', { 'aria-label': `Remove ${name}` })",
    "h('button', { 'aria-label': chosen ? t`${name}, chosen` : `Choose ${name}` })",
    "say('Searching …')",
    "const title = reminder.title || 'Untitled'",
  ])
    assert.equal(found(sentence), 1, sentence);
  for (const other of [
    "h('p', { class: 'button primary' })",
    'h(`p`, {}, t`Nothing was kept`)',
    "querySelector('.row .grow')",
    "import { a } from 'b c'",
    "const path = 'M4 8.5h14v7H4zM20 11v2'",
    'element.style.transform = `translate(${x}px, ${y}px)`',
    '// It is a comment, and don’t mind',
    "const fonts = ['Inter', 'Roboto']",
    "if (event.key === 'Escape') close()",
    "const found = /it's \\/ a pattern/.exec(text)",
    "t`Rings ${zone ? 'a' : 'b'} now`",
  ])
    assert.equal(found(other), 0, other);
});

test('the sentences of a script are found with their values, also one inside another', () => {
  const source = [
    "const a = t`One ${b ? t`two ${c}` : 'three'}`;",
    'const d = plural(n, { one: t`${n} zone`, other: t`${n} zones` });',
    "const e = t.meaning('a switch')`Off`; const f = t`in",
    '   two lines`;',
  ].join('\n');
  assert.deepEqual(
    literals(source)
      .filter(({ kind }) => kind === 'sentence')
      .map(({ text, meaning }) => (meaning ? `${text}/${meaning}` : text)),
    ['One {0}', 'two {0}', '{0} zone', '{0} zones', 'Off/a switch', 'in two lines'],
  );
  assert.throws(() => literals('const a = `no end'), /line 1/);
});

test('index.html says nothing that a script does not say in the reader’s language', async () => {
  const text = await readFile('Web/index.html', 'utf8');
  const labels = [...text.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label);
  const skip = />([^<]+)<\/a>/.exec(text)[1];
  const all = await sentences();
  for (const said of [...labels, skip]) assert.ok(all.has(said), said);
});
