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
  page.run(() => [...document.querySelectorAll('.pane .message-row .headline')].map((row) => row.textContent));
const messagesOf = async (page, id) =>
  (await keptIn(page, 'zones')).find((zone) => zone.id.endsWith(id)).messages ?? [];

async function fillIn(page, values) {
  for (const [name, text] of Object.entries(values)) await page.type(`dialog input[name="${name}"]`, text);
}

test('the first message is written in the mock text message with its four fields, and Save keeps it (S87, S90, S100-S104)', async () => {
  const page = await at(undefined, '/messages?zone=00000000000000a1');
  await page.see('.message-list', 'a message can be proposed');
  await auditBoth(page, 'messages-none-phone');
  await page.tap('.compose', 'Write a message');
  await page.see('dialog .mock-sms');
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('dialog label')].map((label) => label.textContent)),
    ['Your name', 'Your name for them', 'Phone number', 'Text to add'],
  );
  await auditBoth(page, 'message-editor-phone');
  await fillIn(page, { ...mum, contact_number: 'call Mum' });
  assert.equal(await page.text('dialog .bubble'), 'Mum: Ann is near Market hall. Call me.');
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

test('each message is a row with its addressee and its words; all together are what is proposed (S87, S97, S98)', async () => {
  const page = await at(tablet, '/messages?zone=00000000000000a2', [
    hall,
    { ...quarry, messages: [site, { ...mum, to_moniker: '' }] },
  ]);
  await page.see('.conversation .bubble');
  assert.deepEqual(await rows(page), ['Site office', '+49 170 111']);
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('.conversation .bubble')].map(({ textContent }) => textContent)),
    ['Site office: Ann is near Quarry. Send help.', 'Ann is near Quarry. Call me.'],
  );
  assert.equal(
    await page.text('.message-rows > .mock-sms .bubble'),
    'Site office: Ann is near Quarry. Send help. Call me.',
  );
  assert.deepEqual(
    await page.run(() =>
      [...document.querySelectorAll('.message-rows > .mock-sms .tag')].map(({ textContent }) => textContent),
    ),
    ['Site office', '+49 170 111'],
  );
  await auditBoth(page, 'messages-tablet');
  await page.context.close();
});

test('a tap opens the message and Save changes it (S88, S93)', async () => {
  const page = await at(tablet, '/messages?zone=00000000000000a2');
  await page.click('.message-row .open', 'Site office');
  await fillIn(page, { supplement: 'Stay away' });
  await page.press('Enter');
  await page.gone('dialog');
  await page.see('.message-rows', 'Stay away');
  assert.deepEqual(await messagesOf(page, 'a2'), [{ ...site, supplement: 'Stay away' }]);
  await page.context.close();
});

test('the menu of a row opens the editor for one more message below it (S89, S91, S97)', async () => {
  const page = await at(undefined, '/messages?zone=00000000000000a2', [hall, { ...quarry, messages: [site, mum] }]);
  await page.tap('.message-row button[aria-label="More for the message to Site office"]');
  await page.see('dialog.menu-sheet');
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('.menu-sheet button')].map(({ textContent }) => textContent)),
    ['Edit', 'Add one below', 'Delete…'],
  );
  await page.tap('.menu-sheet button', 'Add one below');
  assert.equal(await page.run(() => document.querySelector('dialog input[name=your_moniker]').value), 'Ann');
  await fillIn(page, { to_moniker: 'Ben' });
  await page.tap('dialog button', 'Save');
  await page.gone('dialog');
  await page.see('.message-rows', 'Ben');
  assert.deepEqual(await rows(page), ['Site office', 'Ben', 'Mum']);
  await page.context.close();
});

const keptMessages = (page, id, count) =>
  page.until(
    async (zone, wanted) =>
      (await (await import('/scripts/storage/storage.js')).Storage.open())
        .get('zones', zone)
        .then(({ messages }) => messages.length === wanted),
    id,
    count,
  );

test('from the menu, a message is deleted by the trash can in place of Save, and Undo restores it (S92)', async () => {
  const page = await at(undefined, '/messages?zone=00000000000000a2');
  await page.tap('.message-row button[aria-haspopup]');
  await auditBoth(page, 'messages-menu-phone');
  await page.tap('.menu-sheet button', 'Delete…');
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
  await page.see('.message-list', 'a message can be proposed');
  await page.see('.snackbar', 'Message deleted');
  await keptMessages(page, '00000000000000a2', 0);
  await page.tap('.snackbar button', 'Undo');
  await page.see('.message-rows', 'Site office');
  await keptMessages(page, '00000000000000a2', 1);
  await page.context.close();
});

test('a swipe to the left, or the key Delete, takes a message away; a short swipe does not (S92)', async () => {
  const page = await at(undefined, '/messages?zone=00000000000000a2', [hall, { ...quarry, messages: [site, mum] }]);
  const swipe = async (by) => {
    const { x, y } = await page.box('.message-row .open', 'Site office');
    await page.touch([
      [x, y],
      [x - by / 2, y],
      [x - by, y],
    ]);
  };
  await swipe(60);
  await page.gone('.held');
  assert.deepEqual(await rows(page), ['Site office', 'Mum']);
  assert.equal(
    await page.run(() => document.querySelectorAll('dialog[open]').length),
    0,
    'the end of a swipe opens nothing',
  );
  await swipe(180);
  await page.see('.snackbar', 'Message deleted');
  assert.deepEqual(await rows(page), ['Mum']);
  await page.run(() => document.querySelector('.message-row .open').focus());
  await page.press('Delete');
  await page.see('.message-list', 'a message can be proposed');
  await page.context.close();
});

test('a message made for another zone is chosen for this one (S94, S95)', async () => {
  const page = await at(tablet, '/messages?zone=00000000000000a1');
  await page.click('.composer button', 'Use one of another zone');
  await page.see('.other-messages', 'Quarry');
  await auditBoth(page, 'messages-others-tablet');
  await page.click('.other-messages .open', 'Site office');
  await page.see('.other-messages', 'In this zone already');
  await keptMessages(page, '00000000000000a1', 1);
  assert.deepEqual(await messagesOf(page, 'a1'), [site]);
  await page.click('.other-messages button', 'Done');
  assert.deepEqual(await rows(page), ['Site office']);
  await page.context.close();
});

test('a message of another zone is changed in every zone that has it, and added to this one (S96)', async () => {
  const page = await at(undefined, '/messages?zone=00000000000000a1');
  await page.tap('.composer button', 'Use one of another zone');
  await page.tap('.other-messages button[aria-label="Edit the message to Site office"]');
  await page.see('dialog.message-sheet', 'It changes in Quarry too.');
  await fillIn(page, { supplement: 'At gate 3' });
  await page.tap('dialog.message-sheet button', 'Save');
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
  await page.see('.message-row', 'In no zone');
  await auditBoth(page, 'messages-phone');
  await page.type('.search input', 'call');
  await page.until(() => document.querySelectorAll('.messages .message-row').length === 1);
  await page.tap('.messages .open', 'Mum');
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
  assert.equal(await page.text('.proposal a'), 'Message to Site office and Mum');
  await page.context.close();
});

test('where the browser offers the device’s contacts, a person is chosen from them (S103)', async () => {
  // Chromium has the contact picker on Android only, so its answer is simulated.
  const before = `Object.defineProperty(Navigator.prototype, 'contacts', { value: { select: async (wanted) => (wanted.includes('tel') ? [{ name: ['Mum'], tel: ['+49 170 111'] }] : []) } });`;
  const page = await visit({ browser, origin: server.origin, look: { ...tablet, before }, address: '/messages/new' });
  await page.click('dialog button', 'Choose from contacts');
  await page.see('dialog .sms-to', 'Mum');
  await page.click('dialog button', 'Save');
  await page.see('.messages .message-row', '+49 170 111');
  assert.equal(await page.run(() => location.hash), '#/messages');
  await page.context.close();
});
