// How fast the page is on a slow phone: measured and said. The numbers decide nothing here; a machine that is busy would
// make them lie.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { place, Story, zone } from './Story.mjs';

let story;
before(async () => { story = await Story.begin(); });
after(() => story?.end());

const slowdown = 4;
const middle = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

test(`first load and interaction with a processor ${slowdown} times slower`, async (t) => {
  const firsts = [];
  const kept = Array.from({ length: 200 }, (_, index) => zone({ id: (0xa000 + index).toString(16).padStart(16, '0'), name: `Zone ${index}`, east: 300 + 200 * index }));
  const taps = new Map(['Activate', 'Zones', 'Category', 'a switch', 'More', 'Settings'].map((name) => [name, []]));
  for (let round = 0; round < 5; round++) {
    const page = await story.open({ zones: kept, at: place(0), address: '/about' });
    await page.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.send('Network.setCacheDisabled', { cacheDisabled: true });
    // When the first screen's button is there to be seen; and how long each tap took until the next frame was.
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `new MutationObserver((_, observer) => {
      if (!document.querySelector('#activate')) return;
      observer.disconnect();
      requestAnimationFrame(() => { globalThis.shownAt = performance.now(); });
    }).observe(document, { subtree: true, childList: true });
    globalThis.tapped = [];
    new PerformanceObserver((list) => { globalThis.tapped.push(...list.getEntries().filter(({ interactionId }) => interactionId).map(({ duration }) => duration)); })
      .observe({ type: 'event', durationThreshold: 16 });` });
    await page.open('about:blank', { ready: null });
    await page.open(`${story.server.origin}/#/`, { ready: '#activate' });
    firsts.push(await page.until(() => globalThis.shownAt));
    await page.until(() => document.documentElement.hasAttribute('data-ready'));
    const tap = async (name, selector, text) => {
      // A person's next tap comes after the page has come to rest.
      const rest = () => page.run(() => new Promise((quiet) => { setTimeout(() => requestIdleCallback(quiet), 300); }));
      await page.box(selector, text);
      await rest();
      await page.run(() => { globalThis.tapped.length = 0; });
      await page.tap(selector, text);
      await rest();
      // What is not told took less than 16 ms.
      taps.get(name).push(await page.run(() => Math.max(16, ...globalThis.tapped)));
    };
    await tap('Activate', '#activate');
    await tap('Zones', '[data-place="zones"]');
    await tap('Category', '.segments button', 'Category');
    await tap('a switch', '.zone-row .switch');
    await tap('More', '[data-place="more"]');
    await tap('Settings', 'a[href="#/settings"]');
    await page.context.close();
  }
  t.diagnostic(`the button is there after ${Math.round(middle(firsts))} ms (target 1000); from a tap to the next frame (target 50), 200 zones: ${[...taps].map(([name, each]) => `${name} ${middle(each)} ms`).join(', ')}`);
  assert.equal(firsts.every((each) => each > 0), true);
});

test('what has to be loaded before the first screen is small', async () => {
  const page = await story.open();
  const bytes = await page.run(() => performance.getEntriesByType('resource').filter(({ name }) => !/vendor|world|wasm/.test(name)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0));
  assert.ok(bytes < 110_000, `${bytes} bytes of scripts and styles, compressed`);
  assert.equal(await page.run(() => performance.getEntriesByType('resource').some(({ name }) => /maplibre/.test(name))), false);
  await story.close(page);
});
