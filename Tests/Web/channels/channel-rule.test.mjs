// The rule of a channel: the form, the stored rule, and the preview of the last alarms, on the real server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, Devices, edit, go, pictured, signIn } from '../support/Devices.mjs';
import { place, zone } from '../support/Story.mjs';

const school = zone({ name: 'School', category: 'Children' });
const station = zone({ id: 'a000000000000002', name: 'Station', category: 'Train', east: -9000 });
const title = 'dialog h2';
const all = { zone_ids: [], categories: [], directions: [], kinds: [], device_ids: [], hours: [] };

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

/** A page with two zones on the server, a channel, and an alarm at the school. */
async function begun() {
  const page = await devices.device();
  await page.move(place(1000));
  await signIn(page);
  await edit(page, [school, station]);
  // The zones reach the server by the page's own sync.
  await page.until(async () => {
    const { app } = await import('/scripts/main.js');
    const { serverOf } = await import('/scripts/server/server.js');
    return (await serverOf(app).ask('GET', '/zones')).items.length === 2;
  });
  await ask(page, 'POST', '/channels', {
    kind: 'webhook',
    name: 'Hook',
    configuration: { url: 'https://hook.example.com/alarm', secret: '0123456789abcdef0123456789abcdef' },
  });
  const { token } = await ask(page, 'POST', '/tokens', { name: 'phones' });
  await devices.report(token, place(0));
  // The alarm rings over every screen until it is answered.
  await page.see('.dial');
  const [{ id }] = (await ask(page, 'GET', '/alarms')).items;
  await ask(page, 'POST', `/alarms/${id}/acknowledge`);
  await page.gone('.dial');
  return page;
}

const ruleOf = async (page) => (await ask(page, 'GET', '/channels')).items[0].rule;

/** Waits until the server has a rule with so many of something, such as `directions`. */
const stored = (page, member, count) =>
  page.until(
    async (one, many) => {
      const { app } = await import('/scripts/main.js');
      const { serverOf } = await import('/scripts/server/server.js');
      return (await serverOf(app).ask('GET', '/channels')).items[0].rule[one].length === many;
    },
    member,
    count,
  );

async function openRule(page, label) {
  // Drawn anew, with what the server has.
  await go(page, '/about');
  await go(page, '/account');
  await page.tap('button[aria-label="When Hook is told"]');
  await page.tap('dialog.menu-sheet button', label);
  await page.see(title, 'Notices for Hook');
  await page.until(() => document.querySelector('dialog [aria-busy="false"] [data-key^="preview-"]'));
}
const flip = (page, key) => page.tap(`dialog [data-key="rule-${key}"]`);
const save = async (page) => {
  await page.tap('#rule-save');
};

test('a rule is set, refused where nothing would be sent, and the preview says what it means', async () => {
  const page = await begun();
  await openRule(page, 'Sends all notices');
  const preview = 'dialog [data-key^="preview-"]';
  await page.see(preview, 'School');
  await page.see(preview, 'is inside');

  // Nothing chosen is said, and not stored.
  await flip(page, 'zones');
  await save(page);
  await page.see('dialog .problem', 'Choose a zone or a category');
  assert.deepEqual(await ruleOf(page), all);

  await flip(page, `zones-zone ${station.id}`);
  await flip(page, 'direction-dwell');
  await flip(page, 'kind-repeat');
  await save(page);
  await page.see(preview, 'not sent: another zone');
  const rule = await ruleOf(page);
  assert.deepEqual(rule.zone_ids, [station.id]);
  assert.deepEqual(rule.directions, ['enter', 'leave']);
  assert.ok(rule.kinds.includes('ring') && rule.kinds.includes('companion_lost') && !rule.kinds.includes('repeat'));
  assert.deepEqual([rule.categories, rule.device_ids, rule.hours], [[], [], []]);
  await pictured(page, 'channel-rule-phone');

  // A category, and hours that cross midnight on weekdays.
  await flip(page, 'zones-category children');
  await page.tap('dialog [aria-label="Only at certain hours"]');
  for (const [key, value] of [
    ['from', '22:00'],
    ['to', '06:30'],
  ]) {
    // The row of the hours is drawn anew after each change.
    await page.until((one) => document.querySelector(`dialog [data-key="${one}-0"]`), key);
    await page.run(
      (one, time) => {
        const input = document.querySelector(`dialog [data-key="${one}-0"]`);
        input.value = time;
        input.dispatchEvent(new Event('change', { bubbles: true }));
      },
      key,
      value,
    );
  }
  await page.see('dialog .window', 'next day');
  await save(page);
  await page.until(() => !document.querySelector('dialog [data-key^="preview-"]').innerText.includes('another zone'));
  const timed = await ruleOf(page);
  assert.deepEqual(timed.categories, ['Children']);
  assert.deepEqual(timed.hours, [{ weekdays: [1, 2, 3, 4, 5], opens_min: 1320, closes_min: 390 }]);
  await page.tap('dialog button', 'Close');
  await page.gone('dialog');
  await page.see('section[aria-label="Who is notified"] .row', 'some notices only');

  // The form shows what is stored. All zones and no hours: everything but the repeats and staying.
  await openRule(page, 'Sends some notices only');
  await flip(page, 'zones');
  await page.tap('dialog [aria-label="Only at certain hours"]');
  await save(page);
  // The preview said so before.
  await stored(page, 'zone_ids', 0);
  await page.see(preview, 'is inside');
  assert.deepEqual(await ruleOf(page), { ...rule, zone_ids: [] });
  await page.tap('dialog button', 'Close');
  await page.gone('dialog');
  await page.context.close();
});

test('a channel whose zones are deleted says so, and keeps them in its rule', async () => {
  const page = await devices.device();
  await page.move(place(1000));
  await signIn(page);
  const [{ id, name }] = (await ask(page, 'GET', '/channels')).items;
  await page.run(
    async (to, body) => {
      const [{ app }, { serverOf }] = await Promise.all([
        import('/scripts/main.js'),
        import('/scripts/server/server.js'),
      ]);
      await serverOf(app).change(to, () => body);
    },
    `/channels/${id}`,
    { name, rule: { zone_ids: [station.id] } },
  );
  await edit(page, [], [station.id]);
  await page.until(async () => {
    const { app } = await import('/scripts/main.js');
    const { serverOf } = await import('/scripts/server/server.js');
    return (await serverOf(app).ask('GET', '/channels')).items[0].missing_zone_ids.length === 1;
  });
  await go(page, '/about');
  await go(page, '/account');
  await page.see('section[aria-label="Who is notified"] .row', 'no alarm of a zone: its zones are deleted');
  await openRule(page, 'Sends some notices only');
  await page.see('dialog .row', 'They count again if you restore them');
  await flip(page, 'direction-leave');
  await save(page);
  await stored(page, 'directions', 2);
  await page.see('dialog [data-key^="preview-"]', 'not sent: another zone');
  assert.deepEqual((await ruleOf(page)).zone_ids, [station.id]);
  assert.deepEqual((await ruleOf(page)).directions, ['dwell', 'enter']);
  await page.tap('dialog button', 'Close');
  await page.context.close();
});
