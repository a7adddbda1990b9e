// Firefox and WebKit (Safari's engine, as WebKitGTK), driven by their own protocols, Marionette and WebDriver. Contains only
// what one test of the page needs; Chromium's driver is `Browser.mjs`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const patience_ms = Number(process.env.PATIENCE_MS ?? 60_000);

/** The path of a program, or undefined. */
const program = (...names) =>
  names
    .flatMap((name) =>
      name.startsWith('/') ? [name] : process.env.PATH.split(delimiter).map((folder) => join(folder, name)),
    )
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

/** Run in the page: calls the function with that name in `globalThis.steps`, and returns its result or error. */
const step = `const done = arguments[arguments.length - 1];
  Promise.resolve().then(() => window.steps[arguments[0]](...arguments[1])).then((value) => done({ value }), (error) => done({ failed: String(error), at: error && error.stack }));`;
const outcome = ({ value, failed, at }) => {
  if (failed) throw new Error(`${failed}\n${at ?? ''}`);
  return value;
};

/** Waits until a process prints a matching text; an error contains its other output. */
function said(child, what) {
  return new Promise((done, failed) => {
    let text = '';
    const late = setTimeout(() => failed(new Error(`waited ${patience_ms} ms for ${what} in: ${text}`)), patience_ms);
    const hear = (bytes) => {
      text += bytes;
      const found = what.exec(text);
      if (found) {
        clearTimeout(late);
        done(found);
      }
    };
    for (const stream of child.stdio.filter((each) => each?.readable)) stream.on('data', hear);
    child.on('error', failed);
    child.on('exit', (code) => failed(new Error(`it ended with ${code}: ${text}`)));
  });
}

/** Ends a process and waits for it. */
async function end(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(late);
}

/** A virtual screen: without one, neither browser draws maps. Returns the environment for programs that draw on it. */
async function startScreen() {
  const screen = spawn(program('Xvfb'), ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [, display] = await said(screen, /(\d+)\n/);
  return {
    screen,
    environment: {
      ...process.env,
      DISPLAY: `:${display}`,
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
      NO_AT_BRIDGE: '1',
    },
  };
}

export class Firefox {
  static name = 'Firefox';
  static get program() {
    return program('Xvfb') && program('firefox-esr', 'firefox');
  }
  #folder;
  #screen;
  #process;
  #socket;
  #last = 0;
  #asked = new Map();
  #rest = Buffer.alloc(0);

  static async launch({ width, height }) {
    const browser = new Firefox();
    browser.#folder = await mkdtemp(join(tmpdir(), 'firefox-'));
    const { screen, environment } = await startScreen();
    browser.#screen = screen;
    await writeFile(
      join(browser.#folder, 'user.js'),
      Object.entries({
        'marionette.port': 0,
        'media.autoplay.default': 0,
        'browser.shell.checkDefaultBrowser': false,
        'datareporting.policy.dataSubmissionEnabled': false,
        // No animations: without a GPU each frame of the map is slow.
        'ui.prefersReducedMotion': 1,
        // Without this, Firefox does not accept its software renderer.
        'webgl.force-enabled': true,
      })
        .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
        .join(''),
    );
    browser.#process = spawn(
      Firefox.program,
      ['--no-remote', '--marionette', '--profile', browser.#folder, 'about:blank'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...environment, HOME: browser.#folder },
      },
    );
    const [, port] = await said(browser.#process, /Listening on port (\d+)/);
    browser.#socket = connect(Number(port), '127.0.0.1');
    browser.#socket.on('data', (bytes) => browser.#read(bytes));
    browser.#socket.on('close', () => {
      for (const { no } of browser.#asked.values()) no(new Error('Firefox ended'));
      browser.#asked.clear();
    });
    await once(browser.#socket, 'connect');
    await browser.#send('WebDriver:NewSession', { timeouts: { script: 2 * patience_ms } });
    await browser.#send('WebDriver:SetWindowRect', { width, height });
    return browser;
  }

  /** Each message is its length in bytes, a colon, and JSON: `[1, number, error, result]`. */
  #read(bytes) {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (let colon; (colon = this.#rest.indexOf(58)) > 0;) {
      const length = Number(this.#rest.subarray(0, colon));
      if (this.#rest.length < colon + 1 + length) return;
      const message = JSON.parse(this.#rest.subarray(colon + 1, colon + 1 + length));
      this.#rest = this.#rest.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue;
      const [, number, error, result] = message;
      const asked = this.#asked.get(number);
      this.#asked.delete(number);
      if (error) asked?.no(new Error(`${error.error}: ${error.message}`));
      else asked?.yes(result);
    }
  }

  #send(name, values = {}) {
    return new Promise((yes, no) => {
      const text = JSON.stringify([0, ++this.#last, name, values]);
      this.#asked.set(this.#last, { yes, no });
      this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }

  open(url) {
    return this.#send('WebDriver:Navigate', { url });
  }
  async run(name, ...values) {
    return outcome(
      (await this.#send('WebDriver:ExecuteAsyncScript', { script: step, args: [name, values], sandbox: null })).value,
    );
  }
  async picture() {
    return Buffer.from((await this.#send('WebDriver:TakeScreenshot', { full: false })).value, 'base64');
  }

  async close() {
    this.#socket?.destroy();
    await end(this.#process);
    await end(this.#screen);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

export class WebKit {
  static name = 'WebKit';
  /** The driver, the browser that it drives, and a screen for it. */
  static get programs() {
    const folders = readdirSync('/usr/lib').map((folder) => `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`);
    return [program('WebKitWebDriver'), program(...folders), program('Xvfb')];
  }
  static get program() {
    return WebKit.programs.every(Boolean) ? WebKit.programs[0] : undefined;
  }
  #folder;
  #screen;
  #process;
  #address;

  static async launch({ width, height }) {
    const browser = new WebKit();
    const [driver, binary] = WebKit.programs;
    browser.#folder = await mkdtemp(join(tmpdir(), 'webkit-'));
    const { screen, environment } = await startScreen();
    browser.#screen = screen;
    const settings = join(browser.#folder, '.config/gtk-3.0');
    await mkdir(settings, { recursive: true });
    // No animations, as in Firefox.
    await writeFile(join(settings, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
    const port = await freePort();
    browser.#process = spawn(driver, [`--port=${port}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...environment, HOME: browser.#folder },
    });
    const driverAt = `http://127.0.0.1:${port}`;
    await listening(port, browser.#process);
    const { sessionId } = await ask('POST', `${driverAt}/session`, {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } } },
    });
    browser.#address = `${driverAt}/session/${sessionId}`;
    await ask('POST', `${browser.#address}/timeouts`, { script: 2 * patience_ms, pageLoad: 2 * patience_ms });
    await ask('POST', `${browser.#address}/window/rect`, { width, height });
    return browser;
  }

  open(url) {
    return ask('POST', `${this.#address}/url`, { url });
  }
  async run(name, ...values) {
    return outcome(await ask('POST', `${this.#address}/execute/async`, { script: step, args: [name, values] }));
  }
  async picture() {
    return Buffer.from(await ask('GET', `${this.#address}/screenshot`), 'base64');
  }

  async close() {
    if (this.#address) await ask('DELETE', this.#address).catch(() => {});
    await end(this.#process);
    await end(this.#screen);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function ask(method, url, body) {
  const response = await fetch(url, {
    method,
    body: body && JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** WebKit's driver does not report when it listens. */
async function listening(port, child) {
  for (const until = Date.now() + patience_ms; Date.now() < until && child.exitCode === null;) {
    const is = await new Promise((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        done(true);
      });
      socket.on('error', () => done(false));
    });
    if (is) return;
    await new Promise((done) => {
      setTimeout(done, 50);
    });
  }
  throw new Error('WebKit’s driver does not listen');
}
