// A code from an authenticator app besides the password: turned on, requested, replaced by a recovery code, turned off.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { audit } from '../support/Audit.mjs';
import { Devices, go, pictured, signIn } from '../support/Devices.mjs';

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

/** A code by RFC 6238, as an app computes it, `ahead` half minutes from now. */
function code(secret, ahead = 0) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const count = Buffer.alloc(8);
  count.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const hash = createHmac('sha1', key).update(count).digest();
  const number = hash.readUInt32BE(hash[19] & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Browsers report every response with an error status; wrong passwords and codes cause some here. */
const expected = (page) => {
  page.problems = page.problems.filter((problem) => !/status of (403|422)/.test(problem));
};

test(
  'codes are switched on with a first one, asked for at the next sign-in, and one on paper does it too',
  { skip: inAll },
  async () => {
    const anna = await devices.device();
    await signIn(anna);
    await go(anna, '/security');
    await anna.see('[data-key="second-factor"]', 'Off: the password alone is enough');
    await anna.tap('[data-key="second-factor"]');
    await anna.type('[name=proof]', 'wrong');
    await anna.tap('dialog button[type=submit]');
    await anna.see('dialog .problem', 'wrong');
    await anna.type('[name=proof]', 'correct horse');
    await anna.tap('dialog button[type=submit]');
    await anna.see('dialog svg.qr');
    const secret = await anna.run(() => document.querySelector('dialog .link-address').textContent);
    expected(anna);
    await pictured(anna, 'codes-scan-phone');
    await audit(anna);
    await anna.type('[name=code]', '000000');
    await anna.tap('dialog button[type=submit]');
    await anna.see('dialog .problem', 'Wrong code found');
    await anna.type('[name=code]', code(secret));
    await anna.tap('dialog button[type=submit]');
    await anna.see('dialog', 'For paper');
    const paper = await anna.run(() =>
      [...document.querySelectorAll('.recovery-codes li')].map((each) => each.innerText),
    );
    assert.equal(new Set(paper).size, 10);
    expected(anna);
    await pictured(anna, 'codes-paper-phone');
    await anna.tap('dialog .button', 'I have written them down');
    await anna.see('[data-key="second-factor"]', '10 codes left on paper');

    const other = await devices.device();
    await go(other, '/account');
    await other.type('[name=login]', 'anna');
    await other.type('[name=password]', 'correct horse');
    await other.tap('form button[type=submit]');
    await other.see('[name=code]');
    await pictured(other, 'codes-asked-phone');
    await other.type('[name=code]', '000000');
    await other.tap('form button[type=submit]');
    await other.see('form .problem', 'The code is wrong');
    await other.type('[name=code]', paper[0]);
    await other.tap('form button[type=submit]');
    await other.see('[data-state="done"]');
    await go(other, '/security');
    await other.see('[data-key="second-factor"]', '9 codes left on paper');

    await other.tap('[data-key="second-factor"]');
    await other.type('[name=proof]', 'correct horse');
    await other.tap('dialog button[type=submit]');
    await other.see('[data-key="second-factor"]', 'Off');
    await Promise.all([anna.context.close(), other.context.close()]);
  },
);
