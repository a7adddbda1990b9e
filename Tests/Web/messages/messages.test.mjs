// Messages (S87-S104), in the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { Browser, tablet } from '../support/Browser.mjs';
import { PageServer } from '../support/PageServer.mjs';
import { keptIn, visit, zoneForm } from '../support/Visit.mjs';

let browser, server;
before(async () => {
  [browser, server] = await Promise.all([Browser.launch(), PageServer.start()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const mum = { your_moniker: 'Ann', to_moniker: 'Mum', contact_number: '+49 170 111', supplement: 'Call me.' };
const site = { your_moniker: 'Ann', to_moniker: 'Site office', contact_number: '112', supplement: 'Send help' };
const hall = zoneForm('a1', 'Market hall');
const quarry = zoneForm('a2', 'Quarry', { priority: 9, messages: [site] });
const at = (look, address, zones = [hall, quarry]) =>
  visit({ browser, origin: server.origin, look, address, kept: { zones } });
const rows = (page) =>
  page.run(() => [...document.querySelectorAll('.message-rows .headline')].map((row) => row.textContent));
const messagesOf = async (page, id) =>
  (await keptIn(page, 'zones')).find((zone) => zone.id.endsWith(id)).messages ?? [];

async function fillIn(page, values) {
  for (const [name, text] of Object.entries(values)) await page.type(`dialog input[name="${name}"]`, text);
}

test('the first Add opens the mock text message with its four fields, and Save keeps it (S87, S90, S100, S101, S102, S103, S104)', async () => {
  const page = await at(undefined, '/messages?zone=00000000000000a1');
  await page.see('.message-list', 'a message can be proposed');
  await page.tap('.segments button', 'Add');
  await page.see('dialog .mock-sms');
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('dialog label')].map((label) => label.textContent)),
    ['Your Moniker', 'To Moniker', 'Contact Number', 'Supplementary Message'],
  );
  await auditBoth(page, 'message-editor-phone');
  await fillIn(page, { ...mum, contact_number: 'call Mum' });
  assert.equal(await page.text('.bubble'), 'Mum: Ann is near Market hall. Call me.');
  await page.tap('dialog button', 'Save');
  await page.see('dialog .problem', 'cannot be in a phone number');
  await fillIn(page, { contact_number: mum.contact_number });
  await page.tap('dialog button', 'Save');
  await page.see('.message-rows', 'Mum');
  assert.deepEqual(await rows(page), ['Mum']);
  await page.until(async () =>
    (await (await import('/scripts/storage/storage.js')).Storage.open())
      .all('zones')
      .then((zones) => zones[0].messages?.length === 1),
  );
  assert.deepEqual(await messagesOf(page, 'a1'), [mum]);
  await page.context.close();
});

test('Edit, Del and Add decide what a tap on the list does, by touch and with keys (S89)', async () => {
  const page = await at(tablet, '/messages?zone=00000000000000a2');
  await page.see('.message-rows .chevron');
  const signs = () =>
    page.run(() =>
      [...document.querySelectorAll('.message-rows .row')].map((row) =>
        ['.chevron', '.sign.minus', '.sign.plus'].find((sign) => row.querySelector(sign)),
      ),
    );
  assert.deepEqual(await signs(), ['.chevron'], 'Edit is first');
  await page.run(() =>
    [...document.querySelectorAll('.selectors [role=radio]')].find((each) => each.textContent === 'Edit').focus(),
  );
  for (const sign of ['.sign.minus', '.sign.plus', '.chevron']) {
    await page.press('ArrowRight');
    await page.see(`.message-rows ${sign}`);
    assert.deepEqual(await signs(), [sign]);
  }
  await page.context.close();
});

test('in Edit, a tap opens the message and Save changes it (S88, S93)', async () => {
  const page = await at(tablet, '/messages?zone=00000000000000a2');
  await page.click('.message-rows .row', 'Site office');
  await fillIn(page, { supplement: 'Stay away' });
  await page.press('Enter');
  await page.gone('dialog');
  await page.see('.message-rows', 'Stay away');
  assert.deepEqual(await messagesOf(page, 'a2'), [{ ...site, supplement: 'Stay away' }]);
  await page.context.close();
});

test('in Add, each row has a plus that opens the editor for one more message (S91, S97)', async () => {
  const page = await at(undefined, '/messages?zone=00000000000000a2');
  await page.tap('.segments button', 'Add');
  await page.see('.message-rows .sign.plus');
  await page.tap('.message-rows .row');
  assert.equal(await page.run(() => document.querySelector('dialog input[name=your_moniker]').value), 'Ann');
  await fillIn(page, { to_moniker: 'Ben' });
  await page.tap('dialog button', 'Save');
  await page.gone('dialog');
  await page.see('.message-rows', 'Ben');
  assert.deepEqual(await rows(page), ['Site office', 'Ben']);
  await page.context.close();
});

test('in Del, a message is deleted by minus, Delete and the trash can in place of Save, and Undo restores it (S92)', async () => {
  const page = await at(undefined, '/messages?zone=00000000000000a2');
  await page.tap('.segments button', 'Del');
  assert.equal(await page.run(() => document.querySelector('.message-rows .button.alarm')), null);
  await page.tap('.sign.minus');
  await auditBoth(page, 'messages-delete-phone');
  await page.tap('.message-rows .button', 'Delete');
  await page.see('dialog .mock-sms');
  assert.equal(
    await page.run(() =>
      [...document.querySelectorAll('dialog button')].some((button) => button.textContent === 'Save'),
    ),
    false,
  );
  assert.equal(
    await page.run(() => [...document.querySelectorAll('dialog input')].every((input) => input.readOnly)),
    true,
  );
  await page.tap('dialog button[aria-label="Delete this message"]');
  await page.gone('.message-rows .sign');
  await page.see('.snackbar', 'Message deleted');
  await page.until(async () =>
    (await (await import('/scripts/storage/storage.js')).Storage.open())
      .get('zones', '00000000000000a2')
      .then((zone) => zone.messages.length === 0),
  );
  await page.tap('.snackbar button', 'Undo');
  await page.see('.message-rows', 'Site office');
  await page.until(async () =>
    (await (await import('/scripts/storage/storage.js')).Storage.open())
      .get('zones', '00000000000000a2')
      .then((zone) => zone.messages.length === 1),
  );
  await page.context.close();
});

test('Select Old adds a message made for another zone (S94, S95)', async () => {
  const page = await at(tablet, '/messages?zone=00000000000000a1');
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('.selectors [role=radio]')].map((each) => each.textContent)),
    ['Ignore Old', 'Select Old', 'Edit Old', 'Edit', 'Del', 'Add'],
  );
  await page.click('.segments button', 'Select Old');
  await page.see('.message-rows', 'Quarry');
  await auditBoth(page, 'messages-old-tablet');
  await page.click('.message-rows .row', 'Site office');
  await page.see('.message-rows', 'In this zone already');
  await page.until(async () =>
    (await (await import('/scripts/storage/storage.js')).Storage.open())
      .get('zones', '00000000000000a1')
      .then((zone) => zone.messages?.length === 1),
  );
  assert.deepEqual(await messagesOf(page, 'a1'), [site]);
  await page.context.close();
});

test('Edit Old changes a message in every zone that has it, and adds it to this one (S96)', async () => {
  const page = await at(undefined, '/messages?zone=00000000000000a1');
  await page.tap('.segments button', 'Edit Old');
  await page.tap('.message-rows .row', 'Site office');
  await page.see('dialog', 'It changes in Quarry too.');
  await fillIn(page, { supplement: 'At gate 3' });
  await page.tap('dialog button', 'Save');
  await page.until(async () =>
    (await (await import('/scripts/storage/storage.js')).Storage.open())
      .all('zones')
      .then((zones) => zones.every((zone) => zone.messages?.[0]?.supplement === 'At gate 3')),
  );
  await page.context.close();
});

test('a message stays to be used again when its zone is gone, until it is deleted', async () => {
  const page = await visit({
    browser,
    origin: server.origin,
    address: '/messages',
    kept: { messages: [{ id: '1', ...mum }], zones: [quarry] },
  });
  await page.see('.row', 'in no zone');
  await auditBoth(page, 'messages-phone');
  await page.type('.search input', 'call');
  await page.until(() => document.querySelectorAll('.messages .row').length === 1);
  await page.tap('.messages .row', 'Mum');
  await page.tap('dialog button[aria-label="Delete this message"]');
  await page.see('.messages', 'No message has');
  assert.deepEqual(await keptIn(page, 'messages'), []);
  await page.context.close();
});

test('zones that ring together give one proposal with all addressees, and nothing is sent by itself (S98, S99)', async () => {
  const page = await at(undefined, '/', [{ ...hall, messages: [mum] }, quarry]);
  await page.move({ latitude: 52, longitude: 13 });
  await page.tap('#activate');
  const link = await page.until(() => document.querySelector('.proposal a')?.getAttribute('href'));
  const [, numbers, body] = /^sms:([^?]*)\?body=(.*)$/.exec(link);
  assert.equal(decodeURIComponent(numbers), '112,+49170111');
  assert.equal(decodeURIComponent(body), 'Site office, Mum: Ann is near Quarry, Market hall. Send help. Call me.');
  assert.equal(await page.text('.proposal a'), 'Message Site office and Mum');
  await page.context.close();
});

test('where the browser offers the device’s contacts, a person is chosen from them (S103)', async () => {
  // Chromium has them on Android only: its answer is played.
  const before = `Object.defineProperty(Navigator.prototype, 'contacts', { value: { select: async (wanted) => (wanted.includes('tel') ? [{ name: ['Mum'], tel: ['+49 170 111'] }] : []) } });`;
  const page = await visit({ browser, origin: server.origin, look: { ...tablet, before }, address: '/messages/new' });
  await page.click('dialog button', 'Choose from contacts');
  await page.see('dialog .sms-to', 'Mum');
  await page.click('dialog button', 'Save');
  await page.see('.messages .row', '+49 170 111');
  assert.equal(await page.run(() => location.hash), '#/messages');
  await page.context.close();
});
