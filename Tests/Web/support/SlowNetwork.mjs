// A slow network in front of a page server: all connections share one line, as on a phone, and every byte is delayed.
import net from 'node:net';

export class SlowNetwork {
  #server;
  #sockets = new Set();
  #bytes_ms;
  #late_ms;
  /** The time at which the line will have sent all that was given to it. */
  #busyUntil = 0;

  /**
   * @param {string} origin of the server behind it @param {{mbit_s?: number, latency_ms?: number}} how by default a weak 3G
   *   signal
   */
  static async start(origin, { mbit_s = 1.6, latency_ms = 150 } = {}) {
    const network = new SlowNetwork();
    network.#bytes_ms = (mbit_s * 1e6) / 8 / 1000;
    network.#late_ms = latency_ms;
    const { port } = new URL(origin);
    network.#server = net.createServer((near) => network.#join(near, net.connect(Number(port), '127.0.0.1')));
    await new Promise((done) => network.#server.listen(0, '127.0.0.1', done));
    network.origin = `http://localhost:${network.#server.address().port}`;
    return network;
  }

  #join(near, far) {
    const close = () => {
      near.destroy();
      far.destroy();
      this.#sockets.delete(near);
      this.#sockets.delete(far);
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', close);
      socket.on('close', close);
    }
    // Requests are small, so they are only delayed.
    near.on('data', (bytes) => {
      setTimeout(() => {
        if (!far.destroyed) far.write(bytes);
      }, this.#late_ms / 2);
    });
    far.on('data', (bytes) => {
      const now = performance.now();
      this.#busyUntil = Math.max(now, this.#busyUntil) + bytes.length / this.#bytes_ms;
      far.pause();
      setTimeout(
        () => {
          if (!near.destroyed) near.write(bytes);
          far.resume();
        },
        this.#busyUntil - now + this.#late_ms / 2,
      );
    });
  }

  async stop() {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((done) => this.#server.close(done));
  }
}
