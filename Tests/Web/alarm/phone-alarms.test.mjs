// An alarm of the account's phone, decided by the server: the page rings for it as for its own, until it is answered or over.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withMap } from '../support/Browser.mjs';
import { Devices, edit, go, pictured, signIn } from '../support/Devices.mjs';
import { place, zone } from '../support/Story.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

const api = (page, method, path, body) =>
  page.run(
    async (how, where, what) => {
      const { csrf_token: token } = await (await fetch('/api/v1/session')).json();
      const answer = await fetch(`/api/v1${where}`, {
        method: how,
        headers: { 'content-type': 'application/json', 'x-csrf-token': token },
        body: what && JSON.stringify(what),
      });
      if (!answer.ok) throw new Error(`${how} ${where}: ${answer.status} ${await answer.text()}`);
      return answer.status === 204 ? null : answer.json();
    },
    method,
    path,
    body,
  );

let phones = 0;
/** A page that is signed in and shows the first screen, with a zone and a phone that reports to the server. */
async function paired(name) {
  const page = await devices.device();
  await edit(page, [
    zone({
      id: `a0000000000000${String(++phones).padStart(2, '0')}`,
      name,
      distance: 0,
      east: 5000 * phones,
      category: 'Hazard',
      sleep_s: 600,
    }),
  ]);
  await signIn(page);
  await page.see('[data-state="done"]');
  await page.until(async () => {
    const { app } = await import('/scripts/main.js');
    return (await (await import('/scripts/server/sync.js')).syncOf(app)).waiting === 0;
  });
  await go(page, '/pairing');
  await page.type('[name=device]', 'Anna’s phone');
  await page.tap('form button[type=submit]');
  await page.see('dialog.pair-sheet svg.qr');
  const link = await page.run(() => document.querySelector('dialog a.button').getAttribute('href'));
  const configuration = JSON.parse(
    Buffer.from(decodeURIComponent(/inline=([^&]+)/.exec(link)[1]), 'base64').toString(),
  );
  await page.press('Escape');
  await go(page, '/');
  await page.see('.alarm-screen h1');
  const east = 5000 * phones;
  let tick = Math.floor(Date.now() / 1000) - 600;
  const reports = async (away) => {
    const { latitude: lat, longitude: lon } = place(east + away);
    const answer = await fetch(configuration.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${btoa(`${configuration.username}:${configuration.password}`)}`,
        'x-limit-u': configuration.username,
        'x-limit-d': configuration.deviceId,
      },
      body: JSON.stringify({ _type: 'location', lat, lon, acc: 5, tst: (tick += 60), tid: 'an' }),
    });
    assert.equal(answer.status, 200);
  };
  return { page, reports };
}
const listening = (page) =>
  page.until(async () => {
    const { app } = await import('/scripts/main.js');
    return (await (await import('/scripts/server/signed-in.js')).liveOf(app)).isOpen;
  });
const answer = async (page, selector) => {
  await page.until(() => {
    globalThis.seen ??= performance.now();
    return performance.now() - globalThis.seen > 750;
  });
  await page.run(() => {
    delete globalThis.seen;
  });
  await page.tap(selector);
};

test('it shows the sheet and sounds, is found again after a reload, stays on the first screen after Close, and sleeps', async () => {
  const { page, reports } = await paired('Cliff path');
  await listening(page);
  await reports(2000);
  await reports(0);
  await page.see('#alarm-sheet', 'Cliff path');
  await page.see('#alarm-why', 'Anna’s phone');
  await page.until(() => globalThis.heard.sounds > 0);
  await pictured(page, 'phone-alarm-sheet-phone');
  await page.reload();
  await page.see('#alarm-sheet', 'Cliff path');
  await answer(page, '#alarm-close');
  await page.gone('#alarm-sheet');
  await page.see('.ringing-cards', 'Anna’s phone');
  await page.see('h1', 'Ringing');
  // The large button belongs to this device, which has no ringing alarm.
  await page.see('.own-off', 'This deviceAlarms off');
  assert.equal(await page.run(() => document.querySelector('.hero').dataset.state), 'off');
  assert.equal(await page.run(() => Boolean(document.querySelector('#position-chip'))), false);
  assert.equal(await page.run(() => document.title), 'Ringing: Cliff path, Anna’s phone · Proximity Alarm');
  await pictured(page, 'phone-alarm-card-phone');
  await page.reload();
  await page.see('.ringing-cards', 'Cliff path');
  await page.tap('.ringing-cards button', 'Sleep 10 min');
  await page.see('.ringing-cards .tag.sleep', 'until');
  await page.see('h1', 'Alarms off');
  await page.gone('.own-off');
  assert.equal((await api(page, 'GET', '/alarms?limit=1')).items[0].state, 'sleeping');
  await page.context.close();
});

test('it goes from the page when the phone leaves, and when another browser answers it', async () => {
  const { page, reports } = await paired('Quarry');
  await listening(page);
  await reports(2000);
  await reports(0);
  await page.see('#alarm-sheet', 'Quarry');
  const [{ id }] = (await api(page, 'GET', '/alarms?limit=1')).items;
  await api(page, 'POST', `/alarms/${id}/acknowledge`);
  await page.gone('#alarm-sheet');
  await page.see('.ringing-cards li', 'Quarry');
  await page.see('.ringing-cards .tag.sleep', 'until it leaves');
  await reports(1500);
  await reports(2500);
  await page.until(
    () => ![...document.querySelectorAll('.ringing-cards li')].some((card) => card.textContent.includes('Quarry')),
  );
  await page.context.close();
});

test('an answer that does not reach the server says so in the sheet, which stays', async () => {
  const { page, reports } = await paired('Shaft');
  await listening(page);
  await reports(2000);
  await reports(0);
  await page.see('#alarm-sheet', 'Shaft');
  await page.offline(true);
  await answer(page, '#alarm-close');
  await page.see('#alarm-sheet .problem', 'Not answered: The server cannot be reached.');
  await page.offline(false);
  await answer(page, '#alarm-close');
  await page.gone('#alarm-sheet');
  await page.context.close();
});

test(
  'a phone is a dot on the map that moves as it reports, says what it told, and leads to all phones',
  withMap(async () => {
    const { page, reports } = await paired('Quay');
    await reports(3000);
    await go(page, '/map');
    await page.see('.phone-dot', 'Anna’s phone');
    // Phones of earlier tests have dots, too.
    const liesAt = (east) =>
      page.until(
        async (longitude) => {
          const { map } = await (await import('/map/map-view.js')).mapView();
          const { left, top } = map.getCanvas().getBoundingClientRect();
          const dot = [...document.querySelectorAll('.phone-dot')].find((each) => {
            const { x, y, width, height } = each.getBoundingClientRect();
            return Math.abs(map.unproject([x + width / 2 - left, y + height / 2 - top]).lng - longitude) < 5e-4;
          });
          if (dot) dot.id = 'dot-of-test';
          return dot;
        },
        place(5000 * phones + east).longitude,
      );
    await page.run(
      async ({ latitude, longitude }) => {
        const { map } = await (await import('/map/map-view.js')).mapView();
        map.jumpTo({ center: [longitude, latitude], zoom: 13 });
      },
      place(5000 * phones + 3000),
    );
    await liesAt(3000);
    await reports(2000);
    // Polled again within ten seconds.
    await liesAt(2000);
    await page.shot('map-phone-dot');
    await page.tap('#dot-of-test');
    await page.see('dialog', 'Reported');
    await page.see('dialog', '±5 m');
    await page.tap('dialog .button', 'All phones');
    await page.until(() => location.hash === '#/pairing');
    await page.context.close();
  }),
);
