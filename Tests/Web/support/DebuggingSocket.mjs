// The part of a WebSocket (RFC 6455) that is needed to drive Chromium, which sends each message unfragmented.
import { once } from 'node:events';
import { request } from 'node:http';

const text = 0x81;

export class DebuggingSocket {
  #socket;
  #pieces = [];
  #length = 0;
  /** The number of bytes that the next read needs. */
  #wanted = 2;
  #hear;
  /** Resolves when the other side has closed the connection. @type {Promise<void>} */
  closed;

  /** @param {string} address @param {(message: string) => void} hear */
  static async connect(address, hear) {
    const asked = request(address.replace(/^ws:/, 'http:'), {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': 13,
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      },
    }).end();
    const [, socket, first] = await once(asked, 'upgrade');
    const debugging = new DebuggingSocket();
    debugging.#socket = socket;
    debugging.#hear = hear;
    debugging.closed = new Promise((done) => {
      socket.on('close', done);
    });
    socket.setNoDelay();
    socket.on('error', () => {});
    socket.on('data', (bytes) => debugging.#read(bytes));
    if (first.length) debugging.#read(first);
    return debugging;
  }

  #read(bytes) {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    while (this.#length >= this.#wanted) {
      const all = Buffer.concat(this.#pieces);
      this.#pieces = [all];
      const [kind, short] = all;
      const head = short === 127 ? 10 : short === 126 ? 4 : 2;
      this.#wanted = head;
      if (all.length < head) return;
      const length = short === 127 ? Number(all.readBigUInt64BE(2)) : short === 126 ? all.readUInt16BE(2) : short;
      this.#wanted = head + length;
      if (all.length < head + length) return;
      this.#pieces = [all.subarray(head + length)];
      this.#length = all.length - head - length;
      this.#wanted = 2;
      if (kind === text) this.#hear(all.toString('utf8', head, head + length));
    }
  }

  /** Masked with zeros, because clients have to mask. */
  send(message) {
    const bytes = Buffer.from(message);
    const head = Buffer.alloc(bytes.length > 0xffff ? 14 : bytes.length > 125 ? 8 : 6);
    head[0] = text;
    if (bytes.length > 0xffff) head.writeBigUInt64BE(BigInt(bytes.length), 2);
    else if (bytes.length > 125) head.writeUInt16BE(bytes.length, 2);
    head[1] = 0x80 | (bytes.length > 0xffff ? 127 : bytes.length > 125 ? 126 : bytes.length);
    this.#socket.write(Buffer.concat([head, bytes]));
  }

  close() {
    this.#socket.destroy();
  }
}
