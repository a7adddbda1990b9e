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
  const taps = [];
  const kept = Array.from({ length: 200 }, (_, index) => zone({ id: (0xa000 + index).toString(16).padStart(16, '0'), name: `Zone ${index}`, east: 300 + 200 * index }));
  for (let round = 0; round < 5; round++) {
    const page = await story.open({ zones: kept, at: place(0), address: '/about' });
    await page.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.send('Network.setCacheDisabled', { cacheDisabled: true });
    // When the first screen's button is there to be seen.
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `new MutationObserver((_, observer) => {
      if (!document.querySelector('#activate')) return;
      observer.disconnect();
      requestAnimationFrame(() => { globalThis.shownAt = performance.now(); });
    }).observe(document, { subtree: true, childList: true });` });
    await page.open('about:blank', { ready: null });
    await page.open(`${story.server.origin}/#/`, { ready: '#activate' });
    firsts.push(await page.until(() => globalThis.shownAt));
    await page.until(() => document.documentElement.hasAttribute('data-ready'));
    for (let tap = 0; tap < 4; tap++) {
      // A person's next tap comes after the page has come to rest.
      await page.run(() => new Promise((quiet) => { setTimeout(() => requestIdleCallback(quiet), 300); }));
      taps.push(await page.run(() => new Promise((done) => {
        const start = performance.now();
        document.querySelector('#activate').click();
        // Until the frame that shows it has been made.
        requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => done(performance.now() - start); channel.port2.postMessage(0); });
      })));
    }
    await page.context.close();
  }
  t.diagnostic(`the button is there after ${Math.round(middle(firsts))} ms (target 1000), Activate to the next frame ${Math.round(middle(taps))} ms (target 50), 200 zones`);
  assert.equal(firsts.every((each) => each > 0), true);
});

test('what has to be loaded before the first screen is small', async () => {
  const page = await story.open();
  const bytes = await page.run(() => performance.getEntriesByType('resource').filter(({ name }) => !/vendor|world|wasm/.test(name)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0));
  assert.ok(bytes < 110_000, `${bytes} bytes of scripts and styles, compressed`);
  assert.equal(await page.run(() => performance.getEntriesByType('resource').some(({ name }) => /maplibre/.test(name))), false);
  await story.close(page);
});
