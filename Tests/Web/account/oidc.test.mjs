// Signing in with an OpenID Connect provider, a third-party program: linking, signing in, a second factor, unlinking.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { Browser } from '../support/Browser.mjs';
import { Devices, go, pictured, signIn, unexpected } from '../support/Devices.mjs';
import { RealServer } from '../support/RealServer.mjs';

const script = `
import sys, oidc_provider_mock as mock
user = mock.User(sub="7", claims={"preferred_username": "anna at the club"})
with mock.run_server_in_thread(user_claims=[user]) as server:
    print(server.server_port, flush=True)
    sys.stdin.read()
`;

let devices;
let provider;
let folder;
before(async () => {
  provider = spawn('.venv-tests/bin/python', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  const port = await new Promise((done, failed) => {
    provider.stdout.once('data', (bytes) => done(Number(bytes)));
    provider.once('exit', (code) => failed(new Error(`the provider ended with ${code}; \`make test\` installs it`)));
  });
  folder = await mkdtemp(join(tmpdir(), 'secret-'));
  await writeFile(join(folder, 'secret'), 'open sesame\n');
  devices = new Devices();
  [devices.browser, devices.server] = await Promise.all([
    Browser.launch(),
    RealServer.start([
      '--oidc-issuer',
      `http://localhost:${port}`,
      '--oidc-client',
      'alarm',
      '--oidc-name',
      'The club',
      '--oidc-secret-file',
      join(folder, 'secret'),
    ]),
  ]);
  await devices.setUp();
});
after(async () => {
  await devices?.end();
  provider?.stdin.end();
  await rm(folder, { recursive: true, force: true });
});

/** Runs an action that leads to another page, and waits for that page. @param {string} to a part of its address */
async function leads(page, to, act) {
  const there = page.event('Page.frameNavigated', ({ frame }) => !frame.parentId && frame.url.includes(to));
  await act();
  await there;
}

/** Goes to the provider, signs in there, and returns. */
async function agree(page, selector, to = `${devices.server.origin}/`) {
  await leads(page, '/authorize', () => page.tap(selector));
  await page.see('button[name=sub]', '7');
  await leads(page, to, () => page.clickAtOnce('button[name=sub]'));
  // The provider's own page asks for files that this machine cannot reach.
  page.problems = page.problems.filter((problem) => !/jsdelivr|favicon/.test(problem));
}

test(
  'an account is linked to a login elsewhere, which opens it from then on, until that is ended',
  { skip: inAll },
  async () => {
    const [anna, other] = [await devices.device(), await devices.device()];
    await go(other, '/account');
    await other.see('[data-key="oidc"]', 'Sign in with The club');
    await pictured(other, 'oidc-entrance-phone');
    await agree(other, '[data-key="oidc"]', '/oidc/callback');
    await other.see('[role=status]', 'No account here is linked');
    other.problems = other.problems.filter((problem) => !/status of 403/.test(problem));

    await signIn(anna);
    await go(anna, '/security');
    await anna.tap('[data-key="link-login"]');
    await anna.type('[name=proof]', 'wrong');
    await anna.tap('dialog button[type=submit]');
    await anna.see('dialog .problem', 'The password is wrong');
    anna.problems = anna.problems.filter((problem) => !/status of 403/.test(problem));
    await pictured(anna, 'oidc-link-phone');
    await anna.type('[name=proof]', 'correct horse');
    await agree(anna, 'dialog button[type=submit]');
    await anna.see('[data-state="done"]');
    await go(anna, '/security');
    await anna.see('.row', 'Linked to anna at the club');
    await pictured(anna, 'oidc-linked-phone');

    await other.open(`${devices.server.origin}/#/account`);
    await agree(other, '[data-key="oidc"]');
    await other.see('[data-state="done"]');
    await go(anna, '/log');
    await anna.see('.row', 'Signed in by the provider');
    await anna.see('.row', 'Linked a login elsewhere · anna at the club');
    await go(anna, '/security');
    await anna.tap('.row', 'Linked to anna at the club');
    await anna.tap('#unlink-login');
    await anna.see('[data-key="link-login"]');
    assert.deepEqual(unexpected(anna), []);
    await Promise.all([anna.context.close(), other.context.close()]);
  },
);
