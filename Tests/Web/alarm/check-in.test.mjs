// Check-ins on the real server: set, seen by another device, prolonged, ended, and missed while the server was down.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { tablet } from '../support/Browser.mjs';
import { ask, Devices, go, signIn, unexpected } from '../support/Devices.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

const open = async (page) => {
  await go(page, '/');
  await page.tap('#sos');
  await page.tap('#sos-check-in');
  await page.see('#check-in-set');
};
const pictured = (page, name) => {
  page.problems = unexpected(page);
  return auditBoth(page, name);
};
const due = async (page) => Date.parse((await ask(page, 'GET', '/check-in')).back_by);
/** Waits until the time left until `by` is shown, in the page's words and by the clock of this moment. */
const left = (page, selector, by) =>
  page.until(
    async (one, at) => {
      const { timeLeft } = await import('/scripts/server/check-in.js');
      const words = timeLeft({ state: 'running', back_by: new Date(at).toISOString() }, Date.now());
      return document.querySelector(one)?.textContent.includes(words) && /\d (min|h) left/.test(words);
    },
    selector,
    by,
  );

test('a time is set, shown on another device, prolonged and ended, and nobody is told', async () => {
  const page = await devices.device();
  await signIn(page);
  const other = await devices.device(tablet);
  await signIn(other);
  await go(other, '/');
  await open(page);
  await page.see('#check-in-told', 'Nobody is told yet');
  await pictured(page, 'check-in-set-phone');

  // Times that are not allowed are refused in the field.
  const choose = (time) =>
    page.run((value) => {
      const field = document.querySelector('[name=check-in-time]');
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }, time);
  for (const [time, words] of [
    ['', 'Choose a day and a time.'],
    ['2020-01-01T12:00', 'from one minute to seven days ahead'],
    ['2999-01-01T12:00', 'from one minute to seven days ahead'],
  ]) {
    await choose(time);
    await page.tap('#check-in-set');
    await page.see('dialog .field .problem', words);
  }
  const before = Date.now();
  await page.tap('dialog [data-value="1"]');
  await page.type('[name=check-in-note]', 'hike on the north face');
  await page.tap('#check-in-set');
  await page.see('#check-in-card', 'hike on the north face');
  await page.gone('dialog[open]');
  const first = await due(page);
  assert.ok(first > before + 3_540_000 && first <= Date.now() + 3_600_000, `${first - before}`);

  await left(other, '#check-in-card', first);
  await pictured(other, 'check-in-card-tablet');
  await pictured(page, 'check-in-card-phone');
  await other.tap('#check-in-card .row');
  await other.see('#check-in-left', 'left');
  await pictured(other, 'check-in-tablet');
  await other.tap('#check-in-prolong');
  await left(page, '#check-in-card', first + 1_800_000);
  assert.equal(await due(page), first + 1_800_000);
  await page.tap('#check-in-card .row');
  await left(page, '#check-in-left', first + 1_800_000);
  await pictured(page, 'check-in-phone');
  await page.tap('#check-in-end');
  await page.gone('#check-in-card');
  // The sheet of the other device offers to set a time again.
  await other.see('#check-in-set');
  await other.gone('#check-in-card');
  assert.deepEqual((await ask(page, 'GET', '/alarms')).items, []);
  await page.context.close();
  await other.context.close();
});

test('a time that passes while the server is down rings at its start, and ends by I am back', async () => {
  const page = await devices.device();
  await signIn(page);
  await open(page);
  await page.type('[name=check-in-note]', 'by the lake');
  await page.tap('#check-in-set');
  await page.see('#check-in-card', 'by the lake');
  await devices.server.pause();
  await devices.server.missCheckIn();
  await devices.server.resume();
  await page.see('#alarm-sheet', 'is not back');
  await page.see('#alarm-sheet', 'by the lake');
  await page.shot('check-in-missed-phone');
  // A sheet that has just appeared takes no answer, as the tap may have been meant for what was there before.
  const seen = await page.run(() => performance.now());
  await page.until((since) => performance.now() - since > 700, seen);
  await page.tap('#alarm-stop');
  await page.gone('#alarm-sheet');
  await page.see('#check-in-card', 'The time is over');
  await page.shot('check-in-stopped-phone');
  await page.tap('#check-in-back');
  await page.gone('#check-in-card');
  const [alarm] = (await ask(page, 'GET', '/alarms')).items;
  assert.deepEqual([alarm.subject, alarm.state, alarm.clearing], ['check_in_missed', 'cleared', 'reported']);
  await page.context.close();
});
