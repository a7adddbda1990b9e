// Runs a command, `node --test …`, whose test files borrow a Chromium each instead of starting one. The number of browsers is
// that of the files that run at a time. A browser that has ended, hangs, or was not returned properly is replaced.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chromium } from './support/Chromium.mjs';

const free = [];
const running = new Set();

async function start() {
  const chromium = await Chromium.start();
  running.add(chromium);
  return chromium;
}

async function end(chromium) {
  await chromium.stop();
  running.delete(chromium);
}

async function take() {
  for (let chromium; (chromium = free.pop());) {
    if (await chromium.isWell()) return chromium;
    await end(chromium);
  }
  return start();
}

/** Sends the address to a borrower. A message from it means that it returns the browser properly, with no page left open. */
async function lend(borrower) {
  let isGivenBack = false;
  const gone = new Promise((done) => {
    borrower.on('close', done);
  });
  borrower.on('error', () => {});
  borrower.on('data', () => {
    isGivenBack = true;
  });
  const chromium = await take();
  borrower.write(`${chromium.address}\n`);
  await gone;
  if (isGivenBack) free.push(chromium);
  else await end(chromium);
}

const folder = await mkdtemp(join(tmpdir(), 'browsers-'));
const path = join(folder, 'socket');
const server = createServer((borrower) => {
  lend(borrower).catch((error) => borrower.end(`${error.message}\n`));
});
server.listen(path);
await once(server, 'listening');

const [program, ...options] = process.argv.slice(2);
const child = spawn(program, options, { stdio: 'inherit', env: { ...process.env, BROWSERS: path } });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
const [code] = await once(child, 'exit');
server.close();
await Promise.all([...running].map(end));
await rm(folder, { recursive: true });
process.exitCode = code ?? 1;
