// Browsers of one account on the real server; each is a device of its own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditBoth } from './Audit.mjs';
import { Browser, phone } from './Browser.mjs';
import { RealServer } from './RealServer.mjs';
import { ears } from './Story.mjs';

export const password = 'correct horse';

export class Devices {
  /**
   * @param {{map?: boolean, isWhole?: boolean, keeps?: boolean, switches?: string[], flags?: string[]}} [how] as for
   *   `Browser.launch` (`switches` are its `more`) and `RealServer.start` (`flags`)
   */
  static async begin({ map, isWhole, keeps, switches, flags } = {}) {
    const devices = new Devices();
    [devices.browser, devices.server] = await Promise.all([
      Browser.launch({ map, isWhole, more: switches }),
      RealServer.start(flags, { keeps }),
    ]);
    return devices;
  }
  async end() {
    await this.browser?.close();
    await this.server?.stop();
  }

  /**
   * @param {string} [more] a script run first in every document
   * @param {string} [address] the screen at which it begins
   */
  async device(look = phone, more = '', address = '/about') {
    const context = await this.browser.context({ origin: this.server.origin });
    const page = await context.page({ ...look, before: `${ears} ${more}` });
    await page.open(`${this.server.origin}/#${address}`);
    return page;
  }

  /** Creates the first account, by the server's link for it, as the page does. */
  async setUp() {
    const answer = await fetch(`${this.server.origin}/api/v1/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.server.origin },
      body: JSON.stringify({ token: this.server.setUp, login: 'anna', password }),
    });
    assert.equal(answer.ok, true, await answer.text());
  }

  /** Creates another account by an invitation, on a page that is then signed in. */
  async another(login) {
    const page = await this.device(phone, '', `setup=${await this.server.invitation()}`);
    await enter(page, login);
    return page;
  }

  /**
   * Posts a position of Anna's phone as OwnTracks does.
   * @param {string} token of Anna's account
   * @param {{latitude: number, longitude: number}} where
   * @param {{phone?: string, tst?: number}} [how] `tst`: the time in seconds since 1970, now if left out
   */
  async report(token, { latitude: lat, longitude: lon }, { phone: name = 'bike', tst } = {}) {
    const answer = await fetch(`${this.server.origin}/pub?u=anna&d=${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`anna:${token}`)}` },
      body: JSON.stringify({
        _type: 'location',
        lat,
        lon,
        acc: 5,
        tst: tst ?? Math.floor(Date.now() / 1000),
        tid: 'an',
      }),
    });
    assert.equal(answer.status, 200);
  }
}

export async function enter(page, login = 'anna') {
  await page.type('[name=login]', login);
  await page.type('[name=password]', password);
  await page.click('button[type=submit]');
  await page.see('[data-state="done"]');
}
/** Navigates like the page's own buttons, after a pending step back of a closed sheet; waits for the screen. */
export const go = (page, address) =>
  page.run(async (to) => {
    const { step } = await import('/scripts/page/steps.js');
    const shown = location.hash !== to && new Promise((done) => addEventListener('screen', done, { once: true }));
    step(to);
    await shown;
  }, `#${address}`);
export async function signIn(page) {
  await go(page, '/account');
  await enter(page);
}
/** Edits zones through the page's own application, as after a person's edit. */
export const edit = (page, forms, gone = []) =>
  page.run(
    async (put, remove) => {
      const { app } = await import('/scripts/main.js');
      const { syncOf } = await import('/scripts/server/sync.js');
      await syncOf(app);
      if (put.length) await app.putZones(...put);
      if (remove.length) await app.removeZones(...remove);
    },
    forms,
    gone,
  );
/** The problems except responses with status 401, which the browser reports as errors. */
export const unexpected = (page) => page.problems.filter((problem) => !/status of 401/.test(problem));
export const pictured = (page, name) => {
  page.problems = unexpected(page);
  return auditBoth(page, name);
};
/** Sends a request to the server from the page, with its session. */
export const ask = (page, method, path, body) =>
  page.run(
    async (how, to, what) => {
      const [{ app }, { serverOf }] = await Promise.all([
        import('/scripts/main.js'),
        import('/scripts/server/server.js'),
      ]);
      return serverOf(app).ask(how, to, what);
    },
    method,
    path,
    body,
  );
/** Selects an option of a native list by a part of its text: driven browsers cannot tap in such a list. */
export async function chooseOption(page, selector, label) {
  await page.see(selector);
  await page.run(
    (one, words) => {
      const select = document.querySelector(one);
      const found = [...select.options].find(({ text }) => text.includes(words));
      if (!found) throw new Error(`${words} is none of ${[...select.options].map(({ text }) => text)}`);
      select.value = found.value;
      for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }));
    },
    selector,
    label,
  );
}
/** The content of the page's QR code, read by Debian's reader. */
export async function scannedCode(page) {
  const folder = await mkdtemp(join(tmpdir(), 'code-'));
  try {
    const { x, y, width, height } = await page.run(() => {
      const box = document.querySelector('svg.qr').getBoundingClientRect();
      return { x: box.x, y: box.y, width: box.width, height: box.height };
    });
    const { data } = await page.send('Page.captureScreenshot', {
      format: 'png',
      clip: { x, y, width, height, scale: 3 },
    });
    await writeFile(join(folder, 'code.png'), Buffer.from(data, 'base64'));
    return execFileSync('zbarimg', ['--quiet', '--raw', join(folder, 'code.png')], { encoding: 'utf8' }).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
