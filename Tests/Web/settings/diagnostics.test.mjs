// The page with the state of all functions on this device, and the text that it copies.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { phone } from '../support/Browser.mjs';
import { Devices, pictured, signIn } from '../support/Devices.mjs';
import { folder } from '../support/PageServer.mjs';
import { ears, place, Story, zone } from '../support/Story.mjs';

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
  const expected = Object.values(JSON.parse(await readFile(join(folder, 'check/expected.json'), 'utf8')));
  const events = expected.reduce((sum, { events: count }) => sum + count, 0);
  assert.ok(events > 100);
  const count = events.toLocaleString('en');
  await page.see('[data-key="Engine self-check"]', `${count} events of 820 recorded positions came out right`);
  assert.match(await said(page, 'Region monitoring'), /^no browser has it/);
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

/** A wrong journey from the server simulates an engine that the browser runs incorrectly. */
function spoil(story) {
  story.server.answers.set('/check/wander.rows', async (_, response) => {
    const rows = await readFile(join(folder, 'check/wander.rows'));
    // Changes the first latitude by a tenth of a degree.
    rows.writeDoubleLE(rows.readDoubleLE(0) + 0.1, 0);
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(rows);
  });
}

test('events that come out otherwise are said, also by themselves after an update of the browser (S221)', async () => {
  const page = await story.open({ at: place(1000), kept: { engine_check: { of: 'an older browser', right: true } } });
  const last = () =>
    page.until(
      async () =>
        (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('engine_check'))?.of?.includes(
          navigator.userAgent,
        ) && (await (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('engine_check')),
    );
  assert.equal((await last()).right, true);
  assert.equal(await page.run(() => document.querySelector('.snackbar')), null);
  await story.close(page);
  spoil(story);
  try {
    const wrong = await story.open({ kept: { engine_check: { of: 'an older browser', right: true } } });
    await wrong.see('.snackbar', 'alarms come out wrong in this browser');
    await wrong.tap('.snackbar button', 'Show');
    await wrong.see('[data-key="Engine self-check"]', 'alarms come out wrong in this browser');
    await wrong.see('[data-key="Engine self-check"] [aria-label="needs attention"]');
    await wrong.shot('diagnostics-engine-wrong-phone');
    await wrong.context.close();
  } finally {
    story.server.answers.delete('/check/wander.rows');
  }
});

test('a new device writes down its browser and checks nothing', async () => {
  const page = await story.open();
  const kept = await page.until(async () =>
    (await (await import('/scripts/storage/storage.js')).Storage.open()).kept('engine_check'),
  );
  assert.equal(kept.right, undefined);
  await story.close(page);
});

test('while the position is denied, the diagnostics count no zone as watched (S195)', async () => {
  const page = await story.open({
    zones: [zone()],
    kept: { armed: true },
    permissions: ['notifications'],
    look: { ...phone, before: `${ears}; delete Navigator.prototype.geolocation;` },
  });
  await page.see('#obstacle', 'This browser gives no positions.');
  await page.tap('[data-place="zones"]');
  await page.tap('.zone-row .tile-button');
  await page.see('dialog[open]', 'Not watched now: This browser gives no positions.');
  await page.tap('dialog .button', 'Cancel');
  await page.gone('dialog[open]');
  await page.run(() => {
    location.hash = '#/diagnostics';
  });
  await page.see('[data-key="Zones"]', '0 watched of 1');
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
