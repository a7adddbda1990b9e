// Serves the built page with the real server's types, ranges and policy, for tests that do not need that server.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';

export const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.pmtiles': 'application/octet-stream',
};
/** Equal to the server's policy, which a test of the server checks. */
export const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob: https://tile.openstreetmap.org https://vector.openstreetmap.org; font-src 'self'; " +
  "connect-src 'self' blob: https://tile.openstreetmap.org https://vector.openstreetmap.org; media-src 'self' blob:; worker-src 'self' blob:; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export const folder = resolve(process.env.PAGE ?? '.build-page');

export class PageServer {
  #server;
  /** Requested paths, in order. */
  asked = [];
  /** Answers by path, which take precedence over files: `(request, response) => void`. */
  answers = new Map();

  /** @param {{keeps?: boolean}} how without `keeps` the service worker stores no files: most tests would only wait for it */
  static async start(root = folder, { keeps = false } = {}) {
    await stat(join(root, 'index.html')).catch(() => {
      throw new Error(`${root} holds no page; \`make page\` builds it`);
    });
    const server = new PageServer();
    // The answer of a server without a map; a test that has a map sets its own.
    server.answers.set('/streets/map.json', (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-security-policy': policy })
        .end('{"regions":[],"public_maps":true}'),
    );
    if (!keeps)
      server.answers.set('/service-worker.js', async (_, response) =>
        response
          .writeHead(200, { 'content-type': types['.js'], 'content-security-policy': policy })
          .end(await keepsNothing(root)),
      );
    server.#server = createServer((request, response) =>
      server.#answer(root, request, response).catch((error) => response.destroy(error)),
    );
    await new Promise((done) => server.#server.listen(0, '127.0.0.1', done));
    // A host name, which makes the page a secure context with permissions.
    server.origin = `http://localhost:${server.#server.address().port}`;
    return server;
  }

  async #answer(root, request, response) {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    this.asked.push(path);
    const own = this.answers.get(path);
    if (own) return own(request, response);
    const file = join(root, normalize(path.endsWith('/') ? `${path}index.html` : path));
    const found = file.startsWith(root) && (await stat(file).catch(() => null));
    if (!found || !found.isFile()) {
      response.writeHead(404).end('no such page');
      return;
    }
    const head = {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': policy,
      'cache-control': 'no-cache',
      'accept-ranges': 'bytes',
    };
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    if (range) {
      const from = Number(range[1]);
      const to = Math.min(range[2] ? Number(range[2]) : found.size - 1, found.size - 1);
      if (from > to) {
        response.writeHead(416, { 'content-range': `bytes */${found.size}` }).end();
        return;
      }
      response.writeHead(206, {
        ...head,
        'content-range': `bytes ${from}-${to}/${found.size}`,
        'content-length': to - from + 1,
      });
      createReadStream(file, { start: from, end: to }).pipe(response);
      return;
    }
    const tag = `"${found.size}-${Math.round(found.mtimeMs)}"`;
    if (request.headers['if-none-match'] === tag) {
      response.writeHead(304).end();
      return;
    }
    // Brotli before gzip, like the real server.
    const taken = request.headers['accept-encoding'] ?? '';
    for (const [coding, ending] of [
      ['br', 'br'],
      ['gzip', 'gz'],
    ]) {
      if (!taken.split(/\s*,\s*/).includes(coding)) continue;
      const packed = await readFile(`${file}.${ending}`).catch(() => null);
      if (!packed) continue;
      response
        .writeHead(200, { ...head, etag: tag, 'content-encoding': coding, 'content-length': packed.length })
        .end(packed);
      return;
    }
    response.writeHead(200, { ...head, etag: tag, 'content-length': found.size });
    createReadStream(file).pipe(response);
  }

  /** Simulates the loss of the network. */
  async stop() {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

/** The service worker of a page, without the list of files to store. */
export const keepsNothing = async (root) =>
  (await readFile(join(root, 'service-worker.js'), 'utf8')).replace(/^self\.files = \{[^}]*\};/, 'self.files = {};');
