// A real MQTT broker for the page's tests.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Mosquitto on a free port, which accepts any client on this machine. */
export class Mosquitto {
  static async start() {
    const broker = new Mosquitto();
    const free = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => free.once('listening', done));
    broker.port = free.address().port;
    await new Promise((done) => free.close(done));
    broker.folder = await mkdtemp(join(tmpdir(), 'broker-'));
    const settings = join(broker.folder, 'settings');
    await writeFile(
      settings,
      `listener ${broker.port} 127.0.0.1\nallow_anonymous true\nlog_type none\nuser ${userInfo().username}\n`,
    );
    broker.process = spawn('/usr/sbin/mosquitto', ['-c', settings], { stdio: 'ignore' });
    broker.ended = new Promise((done) => broker.process.once('exit', done));
    for (let tries = 0; !(await broker.answers()); tries++) {
      assert.ok(tries < 600 && broker.process.exitCode === null, 'the broker does not start');
      await new Promise((done) => setTimeout(done, 50));
    }
    return broker;
  }
  answers() {
    return new Promise((done) => {
      const socket = connect(this.port, '127.0.0.1');
      socket.once('connect', () => done(true)).once('error', () => done(false));
      socket.once('connect', () => socket.destroy());
    });
  }
  /** The topic of the first retained message that matches a filter. */
  async retained(filter) {
    const ears = spawn('mosquitto_sub', ['-p', this.port, '-t', filter, '-C', '1', '-W', '30', '-F', '%t']);
    let text = '';
    ears.stdout.on('data', (bytes) => (text += bytes));
    await new Promise((done) => ears.once('exit', done));
    return text.trim();
  }
  async stop() {
    this.process.kill();
    await this.ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}
