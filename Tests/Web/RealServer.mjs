// The Swift server with the built page, its data in memory of the disk for one test file.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { folder as page } from './PageServer.mjs';

const patience = 60_000;

export class RealServer {
  #process;
  #folder;
  #port = 0;
  #output = '';

  /** @returns {Promise<RealServer>} with `origin`, and `setUp`, the token of its first account's link */
  static async start() {
    const server = new RealServer();
    server.#folder = await mkdtemp(join(tmpdir(), 'server-'));
    await server.resume();
    return server;
  }

  /** Starts it, again after `pause` at the same address. */
  async resume() {
    const program = resolve(process.env.PROXIMITY ?? '.build/debug/proximity');
    const child = spawn(program, ['serve', '--listen', `127.0.0.1:${this.#port}`, '--data', this.#folder, '--page', page, '--private-targets', 'allow', '--log-level', 'warning'], { stdio: ['ignore', 'pipe', 'pipe'] });
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

  /** The network is gone, as far as the page can see. */
  async pause() {
    const ended = new Promise((done) => this.#process.once('exit', done));
    this.#process.kill('SIGTERM');
    await ended;
  }

  async stop() {
    await this.pause();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
