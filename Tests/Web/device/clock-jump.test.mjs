// The device's clock is set while alarms are on: no alarm is missed, and none is false.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { phone } from '../support/Browser.mjs';
import { ears, place, report, Story, walk, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

/** Armed and 300 m away; the zone rings at 200 m. */
async function near(more = {}) {
  const page = await story.open({ zones: [zone()], at: place(1000), ...more });
  await page.run(async () => {
    globalThis.jumps = [];
    (await import('/scripts/main.js')).app.addEventListener('clock', ({ detail }) => globalThis.jumps.push(detail.by));
  });
  await page.tap('#activate');
  await page.see('#nearest');
  await walk(page, place(300));
  await page.until(() => /^2[45]\d m$/.test(document.querySelector('#nearest b')?.innerText));
  return page;
}
const set = (page, ms) => page.run((by) => globalThis.skip(by), ms);
async function stepIn(page) {
  for (const east of [270, 240, 210, 180]) await report(page, place(east));
}
const jumps = (page) => page.run(() => globalThis.jumps);

for (const [name, ms] of [
  ['two hours', -7_200_000],
  ['15 seconds', -15_000],
]) {
  test(`set back by ${name}, 100 m before a zone: it rings on the way in`, async () => {
    const page = await near();
    await set(page, ms);
    await stepIn(page);
    await page.see('#alarm-sheet', 'Market hall');
    const [by, ...rest] = await jumps(page);
    assert.ok(Math.abs(by - ms) < 1_000 && rest.length === 0, `${by} ${rest}`);
    await story.close(page);
  });
}

test('set back while it rings: it goes on ringing in its cycle, and its answer counts', async () => {
  const page = await near({ kept: { settings: { alarm_cycle_s: 1 } } });
  await stepIn(page);
  await page.see('#alarm-sheet');
  await set(page, -7_200_000);
  await page.run(async () => {
    globalThis.repeats = 0;
    (await import('/scripts/main.js')).app.addEventListener('event', ({ detail }) => {
      if (detail.event === 'repeat') globalThis.repeats++;
    });
  });
  await page.until(() => globalThis.repeats > 2);
  await page.until(async () => {
    const { app } = await import('/scripts/main.js');
    const [alarm] = app.report.alarms;
    if (alarm.zone.state === 'ringing') await app.answer('inside', alarm.alarm);
    return app.report.alarms[0].zone.state === 'acknowledged';
  });
  await story.close(page);
});

test('set forward by two hours, or asleep for as long: no jump, and it rings on the way in', async () => {
  const page = await near();
  await set(page, 7_200_000);
  await stepIn(page);
  await page.see('#alarm-sheet', 'Market hall');
  assert.deepEqual(await jumps(page), []);
  // Set back to the right time.
  await set(page, -7_200_000);
  await report(page, place(170));
  assert.equal((await jumps(page)).length, 1);
  await page.see('#alarm-sheet', 'Market hall');
  await story.close(page);
});

test('positions whose own time stamps step back by two hours are live all the same', async () => {
  const look = {
    ...phone,
    before: `${ears}
    globalThis.stamps = 0;
    for (const name of ['watchPosition', 'getCurrentPosition']) {
      const ask = Geolocation.prototype[name];
      Geolocation.prototype[name] = function (yes, no, options) { return ask.call(this, ({ coords, timestamp }) => { globalThis.came = performance.now(); yes({ coords, timestamp: timestamp + globalThis.stamps }); }, no, options); };
    }`,
  };
  const page = await near({ look });
  await page.run(() => {
    globalThis.stamps = -7_200_000;
  });
  for (const east of [270, 240, 210, 180]) {
    await page.until(() => performance.now() - globalThis.came > 700);
    await report(page, place(east));
  }
  await page.see('#alarm-sheet', 'Market hall');
  await story.close(page);
});

test('set back while the page was closed: it goes on by the new clock', async () => {
  const page = await near();
  await set(page, 7_200_000);
  await report(page, place(290));
  await page.run(async () => {
    (await import('/scripts/main.js')).app.visibility(false);
  });
  await page.until(
    async () =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('snapshot', null)) !== null,
  );
  // The clock of the page that is opened again is two hours behind.
  await page.reload();
  await page.see('h1', 'Alarms on');
  await page.move(place(280));
  for (const east of [270, 240, 210, 180]) await report(page, place(east));
  await page.see('#alarm-sheet', 'Market hall');
  await story.close(page);
});

test('the history says why it did not ring, also after the clock was set', async () => {
  const page = await near();
  await set(page, -7_200_000);
  await report(page, place(290));
  const verdicts = await page.run(async () => {
    const { app } = await import('/scripts/main.js');
    return app
      .ask('explain', { zone: [...app.zones.keys()][0], from_ms: app.now - 60_000, to_ms: app.now })
      .records.map(({ verdict }) => verdict);
  });
  assert.equal(verdicts[0], 'clock_jumped');
  assert.ok(verdicts.length > 1 && verdicts.slice(1).every((verdict) => verdict === 'outside'), `${verdicts}`);
  await story.close(page);
});
