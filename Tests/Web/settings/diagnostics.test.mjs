// The page that says what works on this device and what does not, and what is copied of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { Devices, pictured, signIn } from '../support/Devices.mjs';
import { place, Story, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const said = (page, name) =>
  page.run((key) => document.querySelector(`[data-key="${key}"] .headline`)?.textContent, name);
const catchCopy =
  'Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { globalThis.copied = text; } } });';

test('it names what keeps alarms from working, and the copy has no place and no name in it', async () => {
  const page = await story.open({ zones: [zone({ name: 'Secret garden' })], at: place(1000) });
  await page.run(catchCopy);
  await page.tap('#activate');
  await page.see('.hero[data-state="watching"]');
  await page.run(() => {
    location.hash = '#/more';
  });
  await page.tap('a.row', 'Diagnostics');
  await page.see('[data-key="Database"]', 'can be written and read');
  assert.match(await said(page, 'State'), /^Best effort/);
  assert.equal(await said(page, 'Zones'), '1 watched of 1; 0 cannot be watched');
  assert.match(await said(page, 'Page'), /^\d+\.\d+\.\d+/);
  assert.match(await said(page, 'Engine'), /^\d+\.\d+\.\d+$/);
  assert.equal(await said(page, 'Location'), 'allowed');
  assert.match(await said(page, 'Last position'), /^\d+ s ago$/);
  assert.equal(await said(page, 'Accuracy'), '±5.0 m');
  assert.equal(await said(page, 'Clock since the page began'), 'steady');
  assert.equal(await said(page, 'Reachable'), 'this page came from a plain file server');
  page.problems = page.problems.filter((problem) => !/status of 404/.test(problem));
  await auditBoth(page, 'diagnostics-phone');
  page.problems = page.problems.filter((problem) => !/status of 404/.test(problem));
  await page.tap('#copy-diagnostics');
  await page.see('.snackbar', 'copied');
  const text = await page.run(() => globalThis.copied);
  assert.match(text, /Location: allowed/);
  const { latitude, longitude } = place(1000);
  for (const secret of ['Secret garden', String(latitude).slice(0, 5), String(longitude).slice(0, 5)])
    assert.equal(text.includes(secret), false, secret);
  await page.run(() => {
    globalThis.skip(60_000);
  });
  await page.see('[data-key="Clock since the page began"]', 'jumped by 60 s');
  await page.context.close();
});

test('signed in, it tells the server’s version, the live events and what was not sent', async () => {
  const devices = await Devices.begin();
  try {
    await devices.setUp();
    const page = await devices.device();
    await signIn(page);
    await page.see('[data-state="done"]');
    await page.run(() => {
      location.hash = '#/diagnostics';
    });
    await page.see('[data-key="Live events"]', 'connected');
    assert.equal(await said(page, 'Reachable'), 'yes');
    assert.equal(await said(page, 'Version'), await said(page, 'Engine'));
    assert.equal(await said(page, 'Edits not sent'), '0');
    await pictured(page, 'diagnostics-account-phone');
    await devices.server.pause();
    await page.see('[data-key="Reachable"]', 'no answer');
    await devices.server.resume();
    await page.see('[data-key="Reachable"]', 'yes');
    await page.context.close();
  } finally {
    await devices.end();
  }
});
