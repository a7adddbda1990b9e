// Browsers of one account on the real server: each is a device of its own.
import { auditBoth } from './Audit.mjs';
import { Browser, phone } from './Browser.mjs';
import { RealServer } from './RealServer.mjs';
import { ears } from './Story.mjs';

export const password = 'correct horse';

export class Devices {
  /** @param {{map?: boolean, keeps?: boolean}} [how] as `Browser.launch` and `RealServer.start` take them */
  static async begin({ map, keeps } = {}) {
    const devices = new Devices();
    [devices.browser, devices.server] = await Promise.all([Browser.launch({ map }), RealServer.start([], { keeps })]);
    return devices;
  }
  async end() {
    await this.browser?.close();
    await this.server?.stop();
  }

  /** @param {string} [more] script that is run first in every document */
  async device(look = phone, more = '') {
    const context = await this.browser.context({ origin: this.server.origin });
    const page = await context.page({ ...look, before: `${ears} ${more}` });
    await page.open(`${this.server.origin}/#/about`);
    return page;
  }

  /** The first account, by the link that the server gives for it. */
  async setUp() {
    const page = await this.device();
    await this.#enters(page, this.server.setUp);
    await page.context.close();
  }

  /** Somebody else, by an invitation; on a page of his own, signed in. */
  async another(login) {
    const page = await this.device();
    await this.#enters(page, await this.server.invitation(), login);
    return page;
  }

  async #enters(page, link, login) {
    await page.open('about:blank', { ready: null });
    await page.open(`${this.server.origin}/#setup=${link}`);
    await enter(page, login);
  }
}

export async function enter(page, login = 'anna') {
  await page.type('[name=login]', login);
  await page.type('[name=password]', password);
  await page.click('button[type=submit]');
  await page.see('[data-state="done"]');
}
/** As the page's own buttons go, after a step back that closes a sheet and is still on its way; waits for the screen. */
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
/** What the page's own application does when a person edits. */
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
/** The browser reports every answer that refuses as an error. */
export const unexpected = (page) => page.problems.filter((problem) => !/status of 401/.test(problem));
export const pictured = (page, name) => {
  page.problems = unexpected(page);
  return auditBoth(page, name);
};
/** Asks the server as the page does, for whoever is signed in there. */
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
/** Chooses in a list that the system shows, by a part of what is read there: driven browsers cannot tap in it. */
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
