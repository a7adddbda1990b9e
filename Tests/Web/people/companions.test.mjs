// Alarms about two phones, on the real server: set by an account that sees a phone, seen and refused by the phone's owner.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { audit } from '../support/Audit.mjs';
import { tablet } from '../support/Browser.mjs';
import { ask, Devices, go, pictured, signIn } from '../support/Devices.mjs';
import { place } from '../support/Story.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

/** Reports a position, this many metres to the east of home and seconds ago, so that no speed is implausible. */
async function report(login, token, east, ago = 0) {
  const { latitude: lat, longitude: lon } = place(east);
  const answer = await fetch(`${devices.server.origin}/pub?u=${login}&d=${login}-phone`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${login}:${token}`)}` },
    body: JSON.stringify({ _type: 'location', lat, lon, acc: 5, tst: Math.floor(Date.now() / 1000) - ago, tid: 'an' }),
  });
  assert.equal(answer.status, 200);
}

test('who sees a phone is told when it comes near, and whose it is sees that and refuses', async () => {
  const anna = await devices.device();
  await signIn(anna);
  await go(anna, '/people');
  await anna.tap('[data-key="new-companion"]');
  await anna.see('dialog', 'It needs a phone of yours');
  await anna.tap('dialog .button', 'Close');
  const { token } = await ask(anna, 'POST', '/tokens', { name: 'phones' });
  await report('anna', token, 0, 300);
  const ben = await devices.another('ben');
  const bens = (await ask(ben, 'POST', '/tokens', { name: 'phones' })).token;
  await report('ben', bens, 5000, 300);
  const phone = (await ask(ben, 'GET', '/devices')).items[0].id;
  const share = await ask(ben, 'POST', '/shares', { device_id: phone, login: 'anna', precision: 'place' });
  await ask(anna, 'PUT', `/shares/${share.id}/accept`);

  await go(anna, '/more');
  await go(anna, '/people');
  await anna.see('section[aria-label="Phones shared with you"] .row', 'ben-phone of ben');
  await anna.tap('[data-key="new-companion"]');
  await anna.see('dialog [name="companion-target"]', 'ben-phone of ben');
  await pictured(anna, 'companion-new-phone');
  await audit(anna);
  await anna.tap('#companion-save');
  await anna.see('section[aria-label="Phones that meet or part"] .row', 'ben within 500 m');
  await pictured(anna, 'companion-set-phone');
  await anna.tap('section[aria-label="Phones that meet or part"] .row', 'ben within 500 m');
  await anna.see('#companion-why', 'you and ben were');
  await pictured(anna, 'companion-why-phone');
  await anna.tap('#companion-edit');
  await anna.type('[name="companion-name"]', 'Ben');
  await anna.run(() => {
    document.querySelector('[name="companion-distance"]').value = '1000';
  });
  await pictured(anna, 'companion-edit-phone');
  await audit(anna);
  await anna.tap('#companion-change');
  await anna.see('section[aria-label="Phones that meet or part"] .row', 'Ben within 1');
  await anna.tap('section[aria-label="Phones that meet or part"] .row', 'Ben within 1');
  await anna.tap('#companion-edit');
  await anna.type('[name="companion-name"]', 'ben');
  await anna.run(() => {
    document.querySelector('[name="companion-distance"]').value = '500';
  });
  await anna.tap('#companion-change');
  await anna.see('section[aria-label="Phones that meet or part"] .row', 'ben within 500 m');
  const wide = await devices.device(tablet);
  await signIn(wide);
  await go(wide, '/people');
  await wide.see('section[aria-label="Phones that meet or part"] .row', 'ben within 500 m');
  await pictured(wide, 'companion-set-tablet');
  await wide.context.close();

  await go(ben, '/people');
  await ben.see(
    'section[aria-label="Phones that meet or part"] .row',
    'anna is told when ben-phone comes within 500 m',
  );
  await pictured(ben, 'companion-about-phone');
  await audit(ben);
  // Ben arrives, and Anna's page rings.
  await report('ben', bens, 200);
  await report('anna', token, 0);
  await anna.see('dialog, .sheet', 'ben');
  await anna.until(async () => {
    const { items } = await (await fetch('/api/v1/alarms')).json();
    return items.some(({ subject, name }) => subject === 'companion_near' && name === 'ben');
  });
  await pictured(anna, 'companion-rings-phone');
  await ben.tap('section[aria-label="Phones that meet or part"] .row', 'anna is told');
  await ben.tap('dialog .button', 'Refuse');
  await ben.see('.snackbar', 'Refused');
  await ben.until(
    () => !document.querySelector('section[aria-label="Phones that meet or part"]')?.innerText.includes('anna is told'),
  );
  await anna.until(async () => {
    const { items } = await (await fetch('/api/v1/companions')).json();
    return items[0].state === 'refused';
  });
  await Promise.all([anna.context.close(), ben.context.close()]);
});
