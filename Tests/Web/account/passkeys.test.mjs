// Passkeys, with Chromium's virtual authenticator instead of a finger: added, used without password and code, renamed, removed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, phone, tablet } from '../support/Browser.mjs';
import { ask, Devices, enter, go, pictured, signIn, unexpected } from '../support/Devices.mjs';
import { RealServer } from '../support/RealServer.mjs';

let devices;
before(async () => {
  devices = new Devices();
  [devices.browser, devices.server] = await Promise.all([Browser.launch(), RealServer.start()]);
  // Browsers allow passkeys for host names only, and without TLS only for localhost.
  devices.server.origin = devices.server.origin.replace('127.0.0.1', 'localhost');
  await devices.setUp();
});
after(() => devices?.end());

async function authenticator(page, { verifies = true } = {}) {
  await page.send('WebAuthn.enable');
  const { authenticatorId } = await page.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

async function add(page, name) {
  await page.tap('[data-key="add-passkey"]');
  await page.type('[name=passkey]', name);
  await page.type('[name=proof]', 'correct horse');
  await page.tap('dialog button[type=submit]');
}

async function leave(page) {
  await go(page, '/account');
  // Sections above it come one after the other, and move it.
  await page.clickAtOnce('#sign-out');
  await page.tap('#keep-zones');
  await page.see('[data-key="passkey"]');
}

test('a passkey signs in without a password, on this device alone, until it is removed', async () => {
  const anna = await devices.device();
  const id = await authenticator(anna);
  await signIn(anna);
  await go(anna, '/security');
  await anna.tap('[data-key="add-passkey"]');
  await anna.see('dialog', 'Add a passkey');
  await anna.type('[name=proof]', 'wrong');
  await anna.tap('dialog button[type=submit]');
  await anna.see('dialog .problem', 'The password is wrong');
  anna.problems = anna.problems.filter((problem) => !/status of 403/.test(problem));
  await pictured(anna, 'passkey-add-phone');
  await anna.type('[name=passkey]', 'My phone');
  await anna.type('[name=proof]', 'correct horse');
  await anna.tap('dialog button[type=submit]');
  await anna.see('section[aria-label="Passkeys"] .row', 'My phone');
  const { credentials } = await anna.send('WebAuthn.getCredentials', { authenticatorId: id });
  assert.equal(credentials.length, 1);
  assert.equal(credentials[0].rpId, 'localhost');
  assert.equal(credentials[0].isResidentCredential, true);
  await pictured(anna, 'passkey-list-phone');
  // The same authenticator is not asked to store a second passkey for the account.
  await add(anna, 'Again');
  await anna.see('dialog .problem', 'This device has a passkey of the account already.');
  await anna.tap('dialog .button', 'Cancel');

  await leave(anna);
  await pictured(anna, 'passkey-entrance-phone');
  await anna.tap('[data-key="passkey"]');
  await anna.see('[data-state="done"]');
  await go(anna, '/security');
  await anna.see('section[aria-label="Passkeys"] .row', 'Last used');
  const { items } = await ask(anna, 'GET', '/account/audit');
  assert.deepEqual(
    items.slice(0, 3).map(({ action }) => action),
    ['logInByPasskey', 'logOut', 'createPasskey'],
  );
  assert.equal(items[0].subject, 'My phone');

  // A person who holds the device but is not its owner cannot sign in.
  await leave(anna);
  await anna.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
  await anna.tap('[data-key="passkey"]');
  await anna.see('.problem', 'Not done: it was cancelled, or took too long.');
  await anna.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: true });
  await anna.tap('[data-key="passkey"]');
  await anna.see('[data-state="done"]');

  await go(anna, '/security');
  await anna.tap('section[aria-label="Passkeys"] .row', 'My phone');
  await anna.type('[name=passkey]', 'Old phone');
  await anna.tap('dialog button[type=submit]');
  await anna.see('section[aria-label="Passkeys"] .row', 'Old phone');
  await anna.tap('section[aria-label="Passkeys"] .row', 'Old phone');
  await pictured(anna, 'passkey-change-phone');
  await anna.tap('#remove-passkey');
  await anna.until(() => !document.querySelector('section[aria-label="Passkeys"]')?.innerText.includes('Old phone'));
  await leave(anna);
  await anna.tap('[data-key="passkey"]');
  await anna.see('.problem', 'No account has this passkey');
  assert.deepEqual(unexpected(anna), []);
  await anna.context.close();
});

test('a passkey stands for the code too, and one that was copied is refused', async () => {
  const [anna, thief] = [await devices.device(tablet), await devices.device()];
  const [here, there] = [await authenticator(anna), await authenticator(thief)];
  await signIn(anna);
  await go(anna, '/security');
  await add(anna, 'Laptop');
  await anna.see('section[aria-label="Passkeys"] .row', 'Laptop');
  await pictured(anna, 'passkey-list-tablet');
  const { credentials } = await anna.send('WebAuthn.getCredentials', { authenticatorId: here });
  await thief.send('WebAuthn.addCredential', {
    authenticatorId: there,
    credential: { ...credentials[0], signCount: credentials[0].signCount },
  });
  await leave(anna);
  for (let times = 0; times < 2; times++) {
    await anna.tap('[data-key="passkey"]');
    await anna.see('[data-state="done"]');
    if (times === 0) await leave(anna);
  }
  await go(thief, '/account');
  await thief.tap('[data-key="passkey"]');
  await thief.see('.problem', 'it may have been copied');
  const { items } = await ask(anna, 'GET', '/account/audit');
  const told = items.find(({ action }) => action === 'copiedPasskey');
  assert.equal(told?.is_refused, true);
  await go(anna, '/log');
  await anna.see('.row', 'Refused: Signed in with a copied passkey · Laptop');
  assert.deepEqual(unexpected(thief), []);
  await Promise.all([anna.context.close(), thief.context.close()]);
});

test('under an address without a name there are none', async () => {
  devices.server.origin = devices.server.origin.replace('localhost', '127.0.0.1');
  const page = await devices.device(phone);
  await go(page, '/account');
  await page.see('[name=login]');
  await page.until(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/v1/login')));
  assert.equal(await page.run(() => document.querySelector('[data-key="passkey"]') === null), true);
  await enter(page);
  await go(page, '/security');
  // Passkeys of the other address can be seen and removed, but none can be added.
  await page.see('section[aria-label="Passkeys"] .row', 'Laptop');
  assert.equal(await page.run(() => document.querySelector('[data-key="add-passkey"]') === null), true);
  await page.context.close();
});
