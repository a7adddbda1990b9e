// Two tabs of one browser: only one of them sounds, and changes in one take effect in the other.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { phone } from '../support/Browser.mjs';
import { ears, place, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

/** Two tabs a kilometre away from a zone, both armed: the first by a tap, the second by the stored state. */
async function pair() {
  const first = await story.open({ zones: [zone()], at: place(1000), kept: { settings: { alarm_cycle_s: 1 } } });
  await first.tap('#activate');
  await first.see('#nearest');
  const second = await first.context.page({ ...phone, before: ears });
  await second.move(place(1000));
  await second.open(`${story.server.origin}/#/`);
  await second.see('#nearest');
  for (const page of [first, second]) await page.see('html[data-attends]');
  return [first, second];
}
const ours = (page, is) =>
  page.until(async (wanted) => (await import('/scripts/main.js')).app.ringing.isElsewhere !== wanted, is);

test('one of two armed tabs sounds, the other shows it; answered in one, it is answered; closed, the other one sounds', async () => {
  const [first, second] = await pair();
  await ours(second, true);
  await ours(first, false);
  for (const page of [first, second]) {
    await walk(page, place(120));
    await page.see('#alarm-sheet', 'Market hall');
  }
  // A tap also vibrates, but only alarms have a pattern.
  const rings = () =>
    globalThis.heard.vibrations.some(Array.isArray) &&
    import('/scripts/main.js').then(({ app }) => Boolean(app.ringing.playing));
  await second.until(rings);
  await first.see('.sounding', 'Sounds in another tab');
  assert.equal(await first.run(() => document.querySelector('#alarm-mute')), null);
  // More than one cycle of it.
  const told = (page) =>
    page.until(
      async () =>
        (await (await (await import('/scripts/storage/storage.js')).Storage.open()).all('events')).filter(
          ({ event }) => event === 'repeat',
        ).length > 1,
    );
  await told(first);
  assert.equal(await first.run(rings), false);
  await second.until(() => {
    globalThis.seen ??= performance.now();
    return performance.now() - globalThis.seen > 750;
  });
  await second.tap('#alarm-close');
  await first.gone('#alarm-sheet');
  await first.see('.tag.alarm', 'Ringing');
  await story.browser.send('Target.closeTarget', { targetId: second.target });
  await ours(first, true);
  await first.until(rings);
  await story.close(first);
});

test('alarms on and off, zones and settings are the same in both', async () => {
  const [first, second] = await pair();
  await first.tap('#activate');
  await second.see('h1', 'Alarms off');
  await second.tap('#activate');
  await first.see('h1', 'Alarms on');
  await first.run(
    async (form) => {
      const { app } = await import('/scripts/main.js');
      await app.putZones(form);
      await app.changeSettings({ theme: 'dark' });
    },
    zone({ id: 'a000000000000002', name: 'Runway', east: 400 }),
  );
  await second.see('.alarm-screen .row', 'Runway');
  await second.see('html[data-theme="dark"]');
  await first.run(async (id) => {
    await (await import('/scripts/main.js')).app.removeZones(id);
  }, 'a000000000000002');
  await second.until(
    () => ![...document.querySelectorAll('.alarm-screen .row')].some((row) => row.textContent.includes('Runway')),
  );
  assert.deepEqual(second.problems, []);
  await story.close(first);
});
