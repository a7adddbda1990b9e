// The page as it is inside an app: the app's interface, played by the test, and the app's own origin.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { folder, types } from './PageServer.mjs';
import { ears } from './Story.mjs';

/** An app whose watch is simulated by the test: `app.state` is its answer, `app.asked` the requests that it received. */
export const app = `${ears}
  const said = { armed: false, edition: 0, rows: [], acts: [], ringing: [], promises: [], state: { kind: 'none' } };
  globalThis.app = { asked: [], said };
  const grants = { location: false, notifications: false, background: false, troubles: [{ trouble: 'SAVER', title: 'Battery saver is on', text: 'Positions stop with the screen.', place: 'saver' }] };
  globalThis.app.grants = grants;
  globalThis.app.done = [];
  globalThis.app.reports = { address: '', waiting: 0, sent_ms: 0, problem: '' };
  const does = (name) => (...rest) => { globalThis.app.done.push([name, ...rest]); };
  globalThis.proximityPhone = {
    permissions: async () => JSON.stringify(grants),
    request(what) {
      globalThis.app.done.push(['request', what]);
      grants[what] = what !== 'background';
      setTimeout(() => globalThis.proximityPhone.onpermissions?.());
    },
    openSettings: does('openSettings'),
    test: does('test'),
    sounding: does('sounding'),
    reports: async () => JSON.stringify(globalThis.app.reports),
    report(address, token) {
      globalThis.app.done.push(['report', address, token]);
      globalThis.app.reports = { ...globalThis.app.reports, address };
    },
    save: does('save'),
    takeFile: async () => { const file = globalThis.app.file ?? ''; globalThis.app.file = ''; return file; },
    journal: async () => btoa('journal'),
    async ask(request) {
      const { decode, encode } = await import('/scripts/engine/cbor.js');
      const { rows } = await import('/scripts/engine/rows.js');
      const asked = decode(Uint8Array.from(atob(request), (letter) => letter.charCodeAt(0)));
      globalThis.app.asked.push(asked);
      if (asked.ask === 'phone_edition') said.edition = asked.edition;
      if (asked.ask === 'phone_act' && !asked.zone) said.armed = asked.command === 'activate';
      const answer = asked.ask === 'phone_state'
        ? { ...said, rows: rows(said.rows.filter(({ received }) => received > (asked.after_ms ?? 0))) }
        : asked.ask === 'phone_past' ? { rows: rows(globalThis.app.past) }
        : asked.ask === 'phone_kept' ? globalThis.app.kept ?? { zones: [], settings: {} }
        : asked.ask === 'phone_watch' ? { zones: asked.zones.length, refused_zones: [] } : { done: true };
      return btoa(String.fromCharCode(...encode(answer)));
    },
  };
  Geolocation.prototype.watchPosition = () => { throw new Error('the browser was asked for positions'); };`;

/** The origin of the page in the app for Android, and that of a server in the internet. */
export const appOrigin = 'https://proximity.invalid';
export const serverOrigin = 'https://alarm.test';

/**
 * Both origins over TLS, as a WebView has them. The app's files are answered as `PageFiles` of the Android app does: GET and HEAD
 * alone, no policy, nothing but files. What is asked of the server goes on to `target`.
 */
export class AppOrigins {
  /** Paths asked of the app's own origin that are none of its files. */
  missed = [];
  /** Requests of the app to the server: `{method, path, headers}`; and the names of the headers in the answers to them. */
  asked = [];
  answered = new Set();
  #servers = [];
  #folder;

  /** @param {string} target the server's own origin, over HTTP */
  static async start(target) {
    const origins = new AppOrigins();
    origins.#folder = await mkdtemp(join(tmpdir(), 'app-'));
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(origins.#folder, name));
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=alarm.test', '-keyout', key, '-out', cert],
    ]);
    const tls = { key: await readFile(key), cert: await readFile(cert) };
    const ports = [];
    for (const answer of [
      (asked, answer) => origins.#file(asked, answer),
      (asked, answer) => origins.#pass(target, asked, answer),
    ]) {
      const server = createServer(tls, answer).listen(0, '127.0.0.1');
      await once(server, 'listening');
      origins.#servers.push(server);
      ports.push(server.address().port);
    }
    /** Switches of a Chromium that knows both. */
    origins.switches = [
      '--ignore-certificate-errors',
      `--host-resolver-rules=MAP proximity.invalid:443 127.0.0.1:${ports[0]},MAP alarm.test:443 127.0.0.1:${ports[1]}`,
    ];
    return origins;
  }

  async stop() {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
    await rm(this.#folder, { recursive: true });
  }

  async #file({ method, url }, answer) {
    const path = decodeURIComponent(new URL(url, appOrigin).pathname);
    const file = join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path));
    const bytes = method === 'GET' || method === 'HEAD' ? await readFile(file).catch(() => undefined) : undefined;
    if (!bytes) this.missed.push(`${method} ${path}`);
    answer.writeHead(bytes ? 200 : method === 'GET' ? 404 : 405, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
    });
    answer.end(bytes);
  }

  /** A server that is gone breaks the connection. */
  #pass(target, asked, answer) {
    const { method, url, headers } = asked;
    const isOfApp = headers.origin === appOrigin;
    if (isOfApp) this.asked.push({ method, path: url, headers });
    const on = request(
      new URL(url, target),
      { method, headers: { ...headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' } },
      (given) => {
        if (isOfApp) for (const name of Object.keys(given.headers)) this.answered.add(name);
        answer.writeHead(given.statusCode, given.headers);
        answer.flushHeaders();
        given.pipe(answer);
        given.on('error', () => answer.destroy());
      },
    );
    on.on('error', () => answer.destroy());
    answer.on('close', () => on.destroy());
    asked.pipe(on);
  }
}
