// The real server on a free port, with a folder of its own, and people with accounts there.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { folder as page } from './PageServer.mjs';

const program = resolve(process.env.PROXIMITY ?? '.build/debug/proximity');
const patience = 30_000;

export class LiveServer {
  #process;
  #folder;
  #link;

  /** @param {{options?: string[], prepare?: (data: string) => Promise<void>}} how `prepare` runs before the server, on its folder */
  static async start({ options = [], prepare } = {}) {
    const server = new LiveServer();
    server.#folder = await mkdtemp(join(tmpdir(), 'server-'));
    await prepare?.(join(server.#folder, 'data'));
    server.#process = spawn(
      program,
      ['serve', '--listen', '127.0.0.1:0', '--data', join(server.#folder, 'data'), '--page', page, ...options],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await server.#listens();
    return server;
  }

  #listens() {
    let said = '';
    return new Promise((done, failed) => {
      const late = setTimeout(() => failed(new Error(`the server did not start: ${said}`)), patience);
      this.#process.on('error', (error) => failed(new Error(`${program}: ${error.message}; \`make build\` builds it`)));
      this.#process.on('exit', (code) => failed(new Error(`the server ended (${code}): ${said}`)));
      this.#process.stderr.on('data', (bytes) => {
        said += bytes;
        const port = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        const link = /setup=(\S+)/.exec(said);
        if (!port || !link) return;
        clearTimeout(late);
        // A host name, which makes the page a secure context.
        this.origin = `http://localhost:${port[1]}`;
        this.#link = link[1];
        done();
      });
    });
  }

  /** Creates the first account in the page, which has its session afterwards. */
  async signUp(page, login = 'anna') {
    const status = await page.run(
      async (token, name) =>
        (
          await fetch('/api/v1/setup', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ token, login: name, password: 'correct horse battery' }),
          })
        ).status,
      this.#link,
      login,
    );
    if (status !== 201) throw new Error(`the account was not made: ${status}`);
  }

  async stop() {
    this.#process.removeAllListeners('exit');
    const over = new Promise((done) => this.#process.on('exit', done));
    this.#process.kill('SIGTERM');
    await over;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Runs the program until it ends. */
export function run(...options) {
  return new Promise((done, failed) => {
    const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (bytes) => {
      said += bytes;
    });
    child.on('error', failed);
    child.on('exit', (code) => (code === 0 ? done() : failed(new Error(`${options.join(' ')}: ${code} ${said}`))));
  });
}
