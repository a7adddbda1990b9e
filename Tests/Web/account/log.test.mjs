// The log of an account's actions, on the real server.
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { Devices, go, pictured, signIn } from '../support/Devices.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

test(
  'the log says who signed in and what was changed, what was refused too, page by page',
  { skip: inAll },
  async () => {
    const anna = await devices.device();
    await anna.run(async () => {
      const wrong = { login: 'anna', password: 'not this one' };
      await fetch('/api/v1/login', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(wrong),
      });
    });
    await signIn(anna);
    await anna.run(async () => {
      const { app } = await import('/scripts/main.js');
      const { serverOf } = await import('/scripts/server/server.js');
      const server = serverOf(app);
      for (let number = 1; number <= 55; number += 1)
        await server.ask('POST', '/tokens', { name: `Kitchen ${number}` });
      const first = (await server.ask('GET', '/tokens')).items.find(({ name }) => name === 'Kitchen 1');
      await server.ask('DELETE', `/tokens/${first.id}`);
    });
    await go(anna, '/security');
    await anna.tap('.row', 'Account log');
    await anna.see('.row', 'Revoked a token · Kitchen 1');
    await anna.see('.row', 'Made a token · Kitchen 55');
    await anna.gone('.tile.warn');
    await anna.tap('.button', 'Show earlier ones');
    await anna.see('.row', 'Refused: Signed in');
    await anna.see('.row', 'Made the account');
    await anna.gone('.pane > .button:not([hidden])');
    await anna.context.close();
  },
);

test('with few entries it is one page', async () => {
  const ben = await devices.another('ben');
  await go(ben, '/log');
  await ben.see('.row', 'Made the account');
  await pictured(ben, 'account-log');
  await ben.context.close();
});

test('nobody who is not signed in is told anything', async () => {
  const stranger = await devices.device();
  await go(stranger, '/log');
  await stranger.see('.note', 'Sign in first.');
  await stranger.context.close();
});
