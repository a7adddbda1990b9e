// The images of zones on the map: one exists for every category that a layer may request, without a message in the console.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Story } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

test('the look of other categories is drawn before any zone has it', async () => {
  const page = await story.open();
  const missing = await page.run(async () => {
    const { zoneStyle } = await import('/map/zone-style.js');
    const { states } = await import('/map/zone-medallions.js');
    const found = [];
    for (const categories of [[], ['Shopping']]) {
      const { images } = zoneStyle({ token: () => '#123456' }, { categories, hidden: '', selected: '' });
      for (const state of states) if (!images[`zone-other-${state}`]) found.push(`${categories} ${state}`);
    }
    return found;
  });
  assert.deepEqual(missing, []);
  await story.close(page);
});

test('without an account nothing is asked of the server when the page is loaded', async () => {
  const asked = [];
  story.server.answers.set('/api/v1/session', (_, response) => {
    asked.push('session');
    response.writeHead(401).end();
  });
  const page = await story.open();
  await page.see('#outlet h1');
  await page.reload();
  await page.see('#outlet h1');
  assert.deepEqual(asked, []);
  await story.close(page);
});
