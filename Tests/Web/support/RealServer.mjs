// The Swift server with the built page, and its data in a temporary folder for one test file.
import { execFile, spawn } from 'node:child_process';
import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { folder, keepsNothing } from './PageServer.mjs';

const patience = 60_000;

export class RealServer {
  #process;
  #folder;
  #port = 0;
  #output = '';

  #more = [];
  #page;

  /**
   * Starts a server.
   * @param {string[]} [more] flags
   * @param {{keeps?: boolean}} [how] without `keeps` the service worker stores no files: most tests would only wait for it
   * @returns {Promise<RealServer>} with `origin`, and `setUp`, the token in the link for its first account
   */
  static async start(more = [], { keeps = false } = {}) {
    const server = new RealServer();
    server.#more = more;
    server.#folder = await mkdtemp(join(tmpdir(), 'server-'));
    server.#page = join(server.#folder, 'page');
    // Node's own `cp` takes 20 times the processor time.
    await promisify(execFile)('cp', ['-r', folder, server.#page]);
    const worker = join(server.#page, 'service-worker.js');
    for (const ending of ['.gz', '.br']) await rm(worker + ending, { force: true });
    if (!keeps) await writeFile(worker, await keepsNothing(folder));
    await server.resume();
    return server;
  }

  /** Starts it; after `pause`, at the same address. */
  async resume() {
    const program = resolve(process.env.PROXIMITY ?? '.build/debug/proximity');
    const child = spawn(
      program,
      [
        'serve',
        '--listen',
        `127.0.0.1:${this.#port}`,
        '--data',
        this.#folder,
        '--page',
        this.#page,
        '--private-targets',
        'allow',
        '--log-level',
        'warning',
        ...this.#more,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.#process = child;
    this.#output = '';
    await new Promise((done, failed) => {
      const late = setTimeout(() => failed(new Error(`the server did not start:\n${this.#output}`)), patience);
      const hear = (bytes) => {
        this.#output += bytes;
        const address = /listening on (http:\/\/127\.0\.0\.1:(\d+))/.exec(this.#output);
        const link = /setup=([\w-]+)/.exec(this.#output);
        if (!address || !(this.setUp || link)) return;
        clearTimeout(late);
        this.origin = address[1];
        this.#port = Number(address[2]);
        this.setUp ??= link[1];
        done();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.on('error', failed);
      child.on('exit', (code) => failed(new Error(`the server ended with ${code}:\n${this.#output}`)));
    });
  }

  /** Restarts with a newer version of the page, of which only the service worker differs. */
  async renew() {
    await this.pause();
    await appendFile(join(this.#page, 'service-worker.js'), `\n// ${++this.#renewed}`);
    await this.resume();
  }
  #renewed = 0;

  /** Ends the server, which looks like a lost network to the page. */
  async pause() {
    const ended = new Promise((done) => this.#process.once('exit', done));
    this.#process.kill('SIGTERM');
    await ended;
  }

  /** Makes the time of the check-in pass. Called while the server does not run. */
  missCheckIn() {
    return this.#pass(
      'UPDATE check_in SET due_at = ?1',
      'UPDATE device_due SET at = ?1 WHERE device IN (SELECT device FROM check_in)',
    );
  }

  /** Makes the next time of all expected arrivals pass. Called while the server does not run. */
  missArrivals() {
    return this.#pass(
      'UPDATE expected_arrival SET next_due = ?1',
      'UPDATE device_due SET at = ?1 WHERE device IN (SELECT device FROM expected_arrival)',
    );
  }

  /** Runs statements on the data, in which `?1` is a time that has just passed. */
  async #pass(...statements) {
    const script = `
import sqlite3, sys
data = sqlite3.connect(sys.argv[1])
for statement in sys.argv[3:]:
  data.execute(statement, (sys.argv[2],))
data.commit()
`;
    const path = join(this.#folder, 'proximity.sqlite');
    await promisify(execFile)('python3', ['-c', script, path, String(Date.now() - 1_000), ...statements]);
  }

  /** Makes a copy of its present data, beside it. */
  async backUp() {
    const copy = join(this.#folder, 'copy.sqlite');
    await rm(copy, { force: true });
    await run('backup', copy, '--data', this.#folder);
  }

  /** Replaces its data by the copy, as an operator does, and starts it again. */
  async putBack() {
    await this.pause();
    for (const end of ['', '-wal', '-shm']) await rm(join(this.#folder, `proximity.sqlite${end}`), { force: true });
    await rename(join(this.#folder, 'copy.sqlite'), join(this.#folder, 'proximity.sqlite'));
    await this.resume();
  }

  /** A link for a new password, as for the operator. @returns {Promise<string>} the part after `reset=` */
  async resetLink(login) {
    let said = '';
    await run('user', 'password', login, '--link', '--data', this.#folder, (text) => {
      said += text;
    });
    return /reset=([\w-]+)/.exec(said)[1];
  }

  /** A link that creates one account, as for the operator. @returns {Promise<string>} the part after `setup=` or `invite=` */
  async invitation() {
    let said = '';
    await run('user', 'invite', '--data', this.#folder, (text) => {
      said += text;
    });
    return /(?:setup|invite)=([\w-]+)/.exec(said)[1];
  }

  /**
   * A link to join a group, as for the operator.
   * @param {string[]} [more] flags
   * @returns {Promise<string>} its address after the `#`
   */
  async groupLink(group, manager, people, more = []) {
    let said = '';
    const options = [group, '--user', manager, '--people', String(people), '--data', this.#folder, ...more];
    await run('group', 'invite', ...options, (text) => {
      said += text;
    });
    return /#(\/join\/[\w-]+)/.exec(said)[1];
  }

  /**
   * Links to join a group for people of a table, printed as for the operator.
   * @param {string} table CSV with the columns name and mail
   * @returns {Promise<string[]>} their addresses after the `#`
   */
  async groupLinksOf(table, group, manager, more = []) {
    const path = join(this.#folder, 'people.csv');
    await writeFile(path, table);
    let said = '';
    const options = [group, '--user', manager, '--csv', path, '--print', '--data', this.#folder, ...more];
    await run('group', 'invite', ...options, (text) => {
      said += text;
    });
    return [...said.matchAll(/#(\/join\/[\w-]+)/g)].map(([, address]) => address);
  }

  async stop() {
    await this.pause();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Runs the program until it ends. @param {...(string|((text: string) => void))} options the last one may receive its output */
function run(...options) {
  const hear = typeof options.at(-1) === 'function' ? options.pop() : () => {};
  return new Promise((done, failed) => {
    const child = spawn(resolve(process.env.PROXIMITY ?? '.build/debug/proximity'), options, {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', hear);
    child.on('error', failed);
    child.on('close', (code) => (code === 0 ? done() : failed(new Error(`${options.join(' ')}: ${code}`))));
  });
}
