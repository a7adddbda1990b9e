// Addresses and their screens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match } from '../../../Web/scripts/page/router.js';
import { places, routes } from '../../../Web/scripts/page/routes.js';

test('an address is the first screen whose pattern fits, with what the pattern caught', () => {
  const { route, parameters, query } = match('#/zones/a%20b?part=sound&x=1');
  assert.equal(route.pattern, '/zones/:id');
  assert.deepEqual(parameters, { id: 'a b' });
  assert.equal(query.get('part'), 'sound');
  for (const address of ['', '#', '#/', '/']) assert.equal(match(address).route.pattern, '/', address);
});

test('what is written before a catch-all wins over it', () => {
  assert.equal(match('#/reminders/nearby').route.pattern, '/reminders/nearby');
  assert.equal(match('#/reminders/1').route.pattern, '/reminders/:id');
});

test('addresses that lead nowhere, and broken ones, are no screen', () => {
  for (const address of ['#/nowhere', '#/zones/1/2', '#/zones/%E0%A4%A', '#/why'])
    assert.equal(match(address), null, address);
});

test('the link that makes the first account leads to the account', () => {
  const { route, query } = match('#setup=Lq39kEiuq_j-2');
  assert.equal(route.pattern, '/account');
  assert.equal(query.get('setup'), 'Lq39kEiuq_j-2');
});

test('the link for a new password leads to the account', () => {
  const { route, query } = match('#reset=Lq39kEiuq_j-2');
  assert.equal(route.pattern, '/account');
  assert.equal(query.get('reset'), 'Lq39kEiuq_j-2');
});

test('the code that signs a phone in leads to its own screen, and a damaged one to none', () => {
  const { route, query } = match('#phone=Lq39kEiuq_j-2');
  assert.equal(route.pattern, '/open');
  assert.equal(query.get('code'), 'Lq39kEiuq_j-2');
  for (const address of ['#phone=', '#phone=a%20b', '#phone=a&code=b']) assert.equal(match(address), null, address);
});

test('every place of the bar has its screens', () => {
  for (const { name, address } of places) {
    assert.equal(match(address).route.place, name);
  }
  assert.deepEqual([...new Set(routes.map(({ place }) => place))].sort(), places.map(({ name }) => name).sort());
});
