// The first visit on a slow line, with nothing stored: the bytes, the rounds and the time until alarms are evaluated. Rounds
// and bytes are counted in a run of all tests; the time is measured by `make page-speed`.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { after, before, test } from 'node:test';
import { sentences } from '../../../Scripts/page/catalogue.mjs';
import { languages } from '../../../Web/scripts/words/language.js';
import { inAll } from '../support/All.mjs';
import { folder } from '../support/PageServer.mjs';
import { place, Story, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const line = { mbit_s: 1.6, latency_ms: 150 };
const zones = Array.from({ length: 20 }, (_, index) =>
  zone({ id: (0xa000 + index).toString(16).padStart(16, '0'), name: `Zone ${index}`, east: 300 + 200 * index }),
);
/** Records when the first screen's button appears, and when the engine has evaluated and the page is ready. */
const stopwatch = `new MutationObserver((_, observer) => {
    const { documentElement: root } = document;
    if (document.querySelector('#activate')) globalThis.shownAt ??= performance.now();
    if (!root?.hasAttribute('data-ready')) return;
    observer.disconnect();
    globalThis.readyAt = performance.now();
  }).observe(document, { subtree: true, childList: true, attributes: true });`;

/** Sets the language from the next load on. */
const choose = (page, language) =>
  page.run(async (wanted) => {
    localStorage.setItem('language', wanted);
    await (await import('/scripts/main.js')).app.storage.keep('settings', { language: wanted });
  }, language);

/** @returns the times of the button and of readiness, in ms, and the requests until then */
async function visit({ language = 'en' } = {}) {
  const page = await story.open({ zones, kept: { armed: true }, at: place(0), address: '/about' });
  await choose(page, language);
  await page.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: stopwatch });
  await page.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: line.latency_ms,
    downloadThroughput: (line.mbit_s * 1e6) / 8,
    uploadThroughput: (line.mbit_s * 1e6) / 8,
  });
  await page.open('about:blank', { ready: null });
  await page.open(`${story.server.origin}/#/`);
  // Until the first position arrives, the state says so.
  await page.until(async () => (await import('/scripts/main.js')).app.report.state.kind === 'watching');
  const found = await page.run(async () => {
    const { app } = await import('/scripts/main.js');
    const files = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
    return {
      title: document.querySelector('#outlet h1').textContent,
      shown: globalThis.shownAt,
      ready: globalThis.readyAt,
      state: app.report.state.kind,
      total: app.report.total,
      files: files
        .filter(({ startTime }) => startTime < globalThis.readyAt)
        // Browsers request the tab's icon on their own.
        .filter(({ name }) => !name.endsWith('/icons/icon.svg'))
        .map(({ name, startTime, responseEnd, encodedBodySize }) => ({
          name: new URL(name).pathname,
          from: startTime,
          until: responseEnd,
          bytes: encodedBodySize,
        })),
    };
  });
  await story.close(page);
  return found;
}

test('all that the first screen and its engine need is asked for in one round, after the page itself', async (t) => {
  const { files, total } = await visit();
  assert.equal(total, zones.length, 'the engine has judged the zones');
  const [page, ...rest] = files;
  assert.equal(page.name, '/');
  assert.ok(rest.length <= 6, `${rest.map(({ name }) => name)}`);
  const soonest = Math.min(...rest.map(({ until }) => until));
  assert.deepEqual(
    rest.filter(({ from }) => from >= soonest).map(({ name }) => name),
    [],
    'asked for only when another file had come',
  );
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
  t.diagnostic(`${files.length} requests, ${bytes} bytes`);
  assert.ok(bytes <= 295_600, `${bytes} bytes, compressed`);
  const engine = rest.find(({ name }) => name === '/engine.wasm');
  assert.ok(engine.bytes <= 250_000, `the engine is ${engine.bytes} bytes, compressed`);
});

test(
  'another language adds the sentences of the first screen alone, and the others come with their screens',
  { skip: inAll },
  async (t) => {
    const { files, title } = await visit({ language: 'de' });
    assert.equal(title, 'Alarme an');
    const [words, ...others] = files.filter(({ name }) => name.startsWith('/words/'));
    assert.deepEqual([words.name, ...others], ['/words/first/de.json']);
    t.diagnostic(`${words.bytes} bytes of sentences`);
    assert.ok(words.bytes < 12_000, `${words.bytes} bytes, compressed`);
    const page = await story.open({ zones, address: '/about' });
    await choose(page, 'de');
    await page.open('about:blank', { ready: null });
    await page.open(`${story.server.origin}/#/`);
    await page.tap('nav.places a', 'Zonen');
    // The text comes from a table that is made once, when its module is evaluated.
    await page.see('.segments', 'Kategorie');
    await story.close(page);
  },
);

test('every sentence of the first screen is among those that are loaded first', async () => {
  const statement = /^(?:import|export)\b[^'"()]*?['"](\.{1,2}\/[^'"]+)['"]/gm;
  const scripts = new Set();
  const waiting = ['scripts/main.js', 'scripts/page/begin.js', 'screens/alarm/alarm-screen.js'];
  for (let name; (name = waiting.pop()) !== undefined;) {
    if (scripts.has(name)) continue;
    scripts.add(name);
    const text = await readFile(join('Web', name), 'utf8');
    for (const [, target] of text.matchAll(statement)) waiting.push(join(dirname(name), target));
  }
  assert.ok(scripts.size > 50, 'the scripts are found');
  const wanted = [...(await sentences())].filter(([, { files }]) => files.some((file) => scripts.has(file)));
  assert.ok(wanted.length > 100, 'the sentences are found');
  for (const language of Object.keys(languages).filter((each) => each !== 'en')) {
    const all = JSON.parse(await readFile(join(folder, `words/${language}.json`), 'utf8'));
    const first = JSON.parse(await readFile(join(folder, `words/first/${language}.json`), 'utf8'));
    const missing = wanted.filter(([key]) => Object.hasOwn(all, key) && !Object.hasOwn(first, key)).map(([key]) => key);
    assert.deepEqual(missing, [], language);
  }
});

test('a script that went into the bundle of the first screen gives the same values at its own address', async () => {
  const page = await story.open({ zones });
  const same = await page.run(async () => {
    const [{ app }, { App }, { t }, begin, shell, { journalOf }] = await Promise.all(
      ['main.js', 'app.js', 'words/translate.js', 'page/begin.js', 'page/shell.js', 'history/journal.js'].map(
        (name) => import(`/scripts/${name}`),
      ),
    );
    return {
      app: app instanceof App,
      t: Object.values(begin).includes(t),
      class: Object.values(shell).includes(App),
      journal: journalOf(app) === journalOf(app),
    };
  });
  assert.deepEqual(same, { app: true, t: true, class: true, journal: true });
  await story.close(page);
});

test(
  `ready within 2 s on ${line.mbit_s} Mbit/s and ${line.latency_ms} ms`,
  { skip: !process.env.SPEED && '`make page-speed` measures it' },
  async (t) => {
    for (const language of ['en', 'de']) await measure(t, language);
  },
);

async function measure(t, language) {
  const all = [];
  while (all.length < 5) all.push(await visit({ language }));
  const middle = (name) => Math.round(all.map((each) => each[name]).toSorted((a, b) => a - b)[2]);
  t.diagnostic(
    `the button is there after ${middle('shown')} ms, all is ready after ${middle('ready')} ms (target 2000), in ${language}`,
  );
  assert.ok(middle('ready') < 2000, String(all.map(({ ready }) => Math.round(ready))));
}
