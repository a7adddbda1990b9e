// Starts a Chromium with a profile of its own, driven through its debugging port.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { DebuggingSocket } from './DebuggingSocket.mjs';

const switches = [
  '--headless=new',
  // A language without a region, so that units are metric.
  '--accept-lang=en',
  '--no-sandbox',
  '--remote-debugging-port=0',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--mute-audio',
  '--hide-scrollbars',
  '--password-store=basic',
  '--disable-breakpad',
  // SwiftShader provides WebGL for the map; everything else is drawn faster without it.
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  // A graphics process that ended is restarted each time, and later pages still get WebGL.
  '--disable-gpu-process-crash-limit',
  '--disable-domain-blocking-for-3d-apis',
  // The address bar's own pages, in every window, take a third of the time.
  '--disable-features=Translate,PreloadTopChromeWebUI,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
  '--disable-extensions',
  '--disable-component-extensions-with-background-pages',
  // Timers run in background pages, too.
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
];

const isInstalled = (command) => process.env.PATH.split(delimiter).some((folder) => existsSync(join(folder, command)));
/**
 * Chromium without its windows, menus and services, which takes a quarter less processor time. It shows no notifications and
 * has no Web Push; the tests of those ask for the whole browser.
 */
const shell = process.env.CHROMIUM ?? (isInstalled('chromium-headless-shell') ? 'chromium-headless-shell' : 'chromium');
const whole = process.env.CHROMIUM ?? 'chromium';

export class Chromium {
  /** The address of the debugging port, a WebSocket. */
  address;
  /** Resolves with the reason when it has ended. @type {Promise<string>} */
  ended;
  hasEnded = false;
  #process;
  #folder;

  /** @param {{more?: string[], isWhole?: boolean}} [how] `more` are switches; `isWhole` starts the whole browser */
  static async start({ more = [], isWhole = false } = {}) {
    const chromium = new Chromium();
    chromium.#folder = await mkdtemp(join(tmpdir(), 'browser-'));
    const child = spawn(isWhole ? whole : shell, [...switches, ...more, `--user-data-dir=${chromium.#folder}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: chromium.#folder },
    });
    chromium.#process = child;
    chromium.ended = new Promise((done) => {
      child.on('error', ({ message }) => done(`Chromium could not be started: ${message}`));
      child.on('exit', (code, signal) => done(`Chromium ended (${signal ?? code})`));
    });
    chromium.ended.then(() => {
      chromium.hasEnded = true;
    });
    chromium.address = await Promise.race([
      new Promise((done) => {
        let said = '';
        child.stderr.on('data', (bytes) => {
          // Later output is not needed.
          if (chromium.address) return;
          said += bytes;
          const found = /DevTools listening on (ws:\S+)\s/.exec(said);
          if (found) done(found[1]);
        });
      }),
      chromium.ended.then((why) => {
        throw new Error(why);
      }),
    ]);
    return chromium;
  }

  /** True if it answers in time; false if it hangs. */
  async isWell(within_ms = 10_000) {
    if (this.hasEnded) return false;
    const { host } = new URL(this.address);
    return fetch(`http://${host}/json/version`, { signal: AbortSignal.timeout(within_ms) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Asks it to end, and after 5 s ends all processes with its profile: Debian's command is a script that waits for another. */
  async stop() {
    const late = setTimeout(() => {
      spawnSync('pkill', ['-KILL', '-f', `user-data-dir=${this.#folder}`]);
      this.#process.kill('SIGKILL');
    }, 5000);
    DebuggingSocket.connect(this.address, () => {}).then(
      (socket) => socket.send(JSON.stringify({ id: 1, method: 'Browser.close' })),
      () => {},
    );
    await this.ended;
    clearTimeout(late);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
