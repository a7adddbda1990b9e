// The SOS button, on the real server: who is told, the hold, the countdown, and the alarm that follows.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { ask, Devices, go, signIn, unexpected } from '../support/Devices.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

const hold = async (page) => {
  const { x, y } = await page.reach('#sos-hold');
  const touch = (type, touchPoints) => page.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [{ x, y }]);
  return () => touch('touchEnd', []);
};

test('SOS is held and counted down, is told once with the place, and ends by Stop', async () => {
  const page = await devices.device();
  await signIn(page);
  await page.move({ latitude: 46.05, longitude: 14.5 });
  const alarms = async () => (await ask(page, 'GET', '/alarms')).items.filter(({ subject }) => subject === 'sos');
  await go(page, '/');
  await page.tap('#sos');
  await page.see('#sos-told', 'Nobody is told yet');
  page.problems = unexpected(page);
  await auditBoth(page, 'sos-phone');

  // A finger that is lifted early, and a countdown that is cancelled, send nothing.
  await (
    await hold(page)
  )();
  assert.ok(await page.run(() => Boolean(document.querySelector('#sos-hold:not(.held)'))));
  let lift = await hold(page);
  await page.see('.sos-count', '5');
  await lift();
  await page.shot('sos-count-phone');
  await page.tap('dialog button', 'Cancel');
  await page.see('.snackbar', 'No SOS was sent.');
  assert.deepEqual(await alarms(), []);

  await page.tap('#sos');
  lift = await hold(page);
  await page.see('.sos-count', '5');
  await lift();
  await page.see('.sos-count', '1');
  await page.see('#alarm-sheet', 'SOS');
  const [alarm, ...others] = await alarms();
  assert.equal(others.length, 0);
  assert.equal(alarm.state, 'ringing');
  assert.deepEqual([alarm.latitude, alarm.longitude], [46.05, 14.5]);
  await page.shot('sos-rings-phone');
  await page.gone('.snackbar');
  await page.tap('#alarm-stop');
  await page.gone('#alarm-sheet');
  assert.equal((await alarms())[0].state, 'acknowledged');
  await page.context.close();
});

test('without the server SOS is tried until it is sent, and a tap beside the sheet does not end it', async () => {
  const page = await devices.device();
  await signIn(page);
  await go(page, '/');
  await page.tap('#sos');
  const lift = await hold(page);
  await page.see('.sos-count', '5');
  await lift();
  await devices.server.pause();
  await page.touch([[195, 60]]);
  await page.see('#sos-state', 'Not sent yet');
  await page.touch([[195, 60]]);
  await devices.server.resume();
  await page.see('#alarm-sheet', 'SOS');
  await page.context.close();
});
