// The server of a person's account: that which this page came from; in an app, that which the person named. Sessions, and requests
// whose errors say what failed.
import { phone } from '../device/phone-app.js';
import { t } from '../words/translate.js';

/** A failed request. `offline`: there was no answer; else `status` is that of the answer and `kind` the server's problem type. */
export class ServerProblem extends Error {
  constructor(message, { status = 0, kind = '', date } = {}) {
    super(message);
    this.name = 'ServerProblem';
    this.status = status;
    this.kind = kind;
    /** The server's clock when it answered, in milliseconds. */
    this.date = date;
  }
  get offline() {
    return this.status === 0;
  }
  /** True if the same request may succeed later: there was no answer, it took too long, or there were too many requests. */
  get isTemporary() {
    return this.offline || this.status >= 500 || this.status === 408 || this.status === 429;
  }
}

/** Sentences in place of the server's own, which speak of cookies and addresses. */
const ours = {
  'not-signed-in': () => t`Sign in first.`,
  'not-found': () => t`Nothing of your account is found here. It may have been deleted.`,
};

const patience_ms = 30_000;

/**
 * `state`: `unknown` until the server was asked, `none` if the page came from a plain file server, `out` and `in`, `offline`
 * while a session is remembered but the server cannot be reached. Dispatches `change`.
 */
export class Server extends EventTarget {
  state = 'unknown';
  account = null;
  /** In an app, the server at another origin (`AppServer`), once it is `found`; undefined in a browser. */
  remote;
  /** Settles when it is known where the server is. */
  found;
  /** The session's token for changes; null in an app. Undefined until a session is known. */
  #token;
  #storage;

  constructor(storage) {
    super();
    this.#storage = storage;
    this.found = phone && this.#recall();
  }

  async #recall() {
    const { AppServer } = await import('./app-server.js');
    this.remote = await AppServer.recall(this.#storage);
  }

  get signedIn() {
    return this.state === 'in' || this.state === 'offline';
  }

  /** The address of the server's own page, where its links lead; undefined in an app that knows no server. */
  get home() {
    if (!phone) return document.baseURI;
    return this.remote?.address ? `${this.remote.address}/` : undefined;
  }

  /** Asks who is signed in, if somebody was: without an account no request is made. */
  async begin() {
    this.account = await this.#storage.kept('account', null);
    if (this.account) await this.look();
  }

  /** Asks who is signed in. */
  async look() {
    await this.found;
    if (this.remote && !this.remote.hasToken) return this.state === 'out' ? undefined : this.#forget();
    try {
      await this.#enter(await this.#session());
    } catch (error) {
      // The person who is signed in stays unknown.
      if (error.isTemporary) return this.#set(this.account ? 'offline' : this.remote ? 'out' : 'unknown');
      // An error without a problem type is not from our server: the page came from a plain file server.
      if (!error.kind) return this.#set('none');
      await this.#forget();
    }
  }

  /** Asks for the session, and opens one if a proxy has signed the person in (`vouched-for`). */
  async #session() {
    try {
      return await this.ask('GET', '/session');
    } catch (error) {
      if (error.kind !== 'vouched-for') throw error;
      return await this.ask('POST', '/login/proxy');
    }
  }

  /** @param {string} [code] the second factor, if the account has one: without it the problem's kind is `second-factor-needed` */
  async signIn(login, password, code) {
    await this.found;
    const answer = await this.ask('POST', this.remote ? '/login/app' : '/login', {
      login,
      password,
      code: code || undefined,
    });
    const kept = this.remote?.take(answer.token);
    await this.#enter({ csrf_token: null, ...answer });
    await kept;
  }
  /** Enters by any other request that ends in a session. @param {string} path below `/api/v1` */
  async enterBy(path, body) {
    await this.#enter(await this.ask('POST', path, body));
  }
  async setUp(token, login, password, { name, isPrivate = false } = {}) {
    const account = { token, login, password, name: name || undefined, is_private: isPrivate || undefined };
    await this.#enter(await this.ask('POST', '/setup', account));
  }
  /**
   * In an app: takes another server, if one answers there; undefined: none. Only while nobody is signed in.
   * @param {string|undefined} address an origin
   */
  async moveTo(address) {
    await this.found;
    await this.remote.move(address ?? '');
    if (!address) return;
    try {
      const { passkeys } = await this.ask('GET', '/login');
      if (passkeys === undefined) throw new ServerProblem(t`The server cannot be reached.`);
    } catch (error) {
      await this.remote.move('');
      throw error;
    }
  }
  /** @param {{hereOnly?: boolean}} [how] `hereOnly`: the server is not asked; its session lasts until it is ended elsewhere */
  async signOut({ hereOnly = false } = {}) {
    try {
      if (!hereOnly) await this.ask('POST', '/logout');
    } catch (error) {
      if (error.kind !== 'not-signed-in') throw error;
    }
    await this.#forget();
  }
  async erase(password) {
    await this.ask('DELETE', '/account', { password });
    await this.#forget();
  }

  async #enter({ account, csrf_token: token }) {
    this.#token = token;
    this.account = account;
    await this.#storage.keep('account', account);
    // Not if somebody signed out, or another person in, meanwhile.
    if (this.account === account) this.#set('in');
  }

  async #forget() {
    this.#token = undefined;
    this.account = null;
    // Set before the storage is written, so that nobody counts as signed in meanwhile.
    this.state = 'out';
    await Promise.all([this.remote?.take(undefined), this.#storage.remove('kept', 'account')]);
    this.#set('out');
  }

  #set(state) {
    this.state = state;
    this.dispatchEvent(new CustomEvent('change'));
  }

  /**
   * @param {string} path below `/api/v1`
   * @param {object|Blob} [body] JSON, unless it is a Blob
   * @param {{headers?: object, tagged?: boolean, bytes?: boolean, patience?: number}} [how] `tagged`: the answer is `{content,
   *   tag}`, with its ETag; `bytes`: it is a Blob; `patience`: how long it may take, in milliseconds
   * @returns {Promise<object|null>} null for an answer without content
   * @throws {ServerProblem}
   */
  async ask(method, path, body, { headers = {}, tagged = false, bytes = false, patience = patience_ms } = {}) {
    await this.found;
    const mine = { ...headers };
    if (method !== 'GET' && this.#token) mine['X-CSRF-Token'] = this.#token;
    if (body !== undefined)
      mine['Content-Type'] ??= body instanceof Blob ? 'application/octet-stream' : 'application/json';
    let answer;
    try {
      answer = await (this.remote ?? globalThis).fetch(`/api/v1${path}`, {
        method,
        headers: mine,
        body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(patience),
        cache: 'no-store',
      });
    } catch {
      if (this.state === 'in') this.#set('offline');
      throw new ServerProblem(t`The server cannot be reached.`);
    }
    if (this.state === 'offline' && this.#token !== undefined) this.#set('in');
    if (bytes && answer.ok) return answer.blob();
    const content = await this.#read(answer);
    return tagged ? { content, tag: answer.headers.get('etag') } : content;
  }

  /** The stream of the account's events: an `EventSource`, or in an app what is like one. */
  events() {
    return this.remote?.events() ?? new EventSource('/api/v1/events');
  }

  /**
   * Reads a resource and saves the result of `edit`; refused if somebody else saves it meanwhile.
   * @param {(content: object) => object} edit
   */
  async change(path, edit) {
    const { content, tag } = await this.ask('GET', path, undefined, { tagged: true });
    return this.ask('PUT', path, edit(content), { headers: { 'If-Match': tag } });
  }

  /**
   * The items of a list, page after page.
   * @param {string} path with its query
   * @param {{most?: number, isLast?: (items: object[]) => boolean}} [how] `most` pages; `isLast` ends it early
   */
  async list(path, { most = 50, isLast = () => false } = {}) {
    const found = [];
    let cursor = '';
    for (let pages = 0; pages < most; pages++) {
      const { items, next } = await this.ask('GET', `${path}${path.includes('?') ? '&' : '?'}limit=200${cursor}`);
      found.push(...items);
      if (!next || isLast(items)) break;
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    return found;
  }

  async #read(answer) {
    if (answer.status === 204) return null;
    const date = Date.parse(answer.headers.get('date') ?? '');
    const isJSON = /\bjson\b/.test(answer.headers.get('content-type') ?? '');
    const content = isJSON ? await answer.json().catch(() => null) : null;
    if (answer.ok && content) return content;
    const kind = content?.type?.replace('/problems/', '') ?? '';
    if (kind === 'not-signed-in' && this.signedIn) await this.#forget();
    throw new ServerProblem(
      ours[kind]?.() ??
        (content?.detail || content?.title || t`The server answered with status ${String(answer.status)}.`),
      {
        status: answer.status,
        kind,
        date,
      },
    );
  }
}

let shared;
/** The page's one `Server`. */
export function serverOf(app) {
  shared ??= new Server(app.storage);
  return shared;
}
