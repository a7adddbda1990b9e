// A real Chromium, driven through its debugging port. Each test uses a context of its own, so that storage, permissions and
// service workers are fresh.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { Chromium } from './Chromium.mjs';
import { DebuggingSocket } from './DebuggingSocket.mjs';

// A failed test may leave a server open, which would keep its process from ending.
if (process.env.NODE_TEST_CONTEXT)
  after(() =>
    setTimeout(() => {
      console.error(`left open: ${process.getActiveResourcesInfo().join(', ')}`);
      process.exit();
    }, 10_000).unref(),
  );

export const phone = { width: 390, height: 844, touch: true };
export const tablet = { width: 1024, height: 768, touch: false };
export const shots = '.build-page-shots';
/** The longest wait for an expected state, in ms. PATIENCE_MS sets another one, for busy machines. */
export const patience = Number(process.env.PATIENCE_MS ?? 60_000);

/** Run first in a document: canvases give no WebGL context, as if it were turned off. */
const withoutWebGL = `{
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest); };
}`;

/** A value as source text. */
const literal = (value) => (typeof value === 'function' ? `(${value})` : (JSON.stringify(value) ?? 'undefined'));

/** In the page: the elements meant, and whether a press on `hit` reaches one of them. */
const targets = (one, words, hit) => {
  const all = [...document.querySelectorAll(one)].filter(
    (each) => words === undefined || each.textContent.includes(words),
  );
  // An icon cannot be hit itself, but is in a control that can. A hit on an inert element goes to the page around it.
  const isReached = all.some(
    (each) =>
      each.contains(hit) || hit?.closest('a, button, label, summary, [role=button], [role=option]')?.contains(each),
  );
  return { all, isReached };
};

/** In the page: reports whether the next press reaches an element meant; the page never hears of a press that does not. */
const guardPress = (targets, one, words) => {
  const kinds = ['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend', 'click', 'contextmenu'];
  let isMissed = false;
  globalThis.endGuard?.();
  const hear = (event) => {
    if (event.type === 'pointerdown') {
      isMissed = !targets(one, words, event.target).isReached;
      globalThis.reportPress(isMissed ? 'missed' : 'hit');
      if (!isMissed) globalThis.endGuard();
    }
    if (!isMissed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const kind of kinds) addEventListener(kind, hear, { capture: true, passive: false });
  globalThis.endGuard = () => {
    for (const kind of kinds) removeEventListener(kind, hear, { capture: true });
  };
};

/** True while a test of `withMap` runs. */
let isMapDrawn = false;

/**
 * The same test, whose pages draw the map although its file's browser was launched without. Without a GPU, a page takes a third
 * more processor time with a map.
 * @param {(...given) => Promise<void>} run
 */
export const withMap =
  (run) =>
  async (...given) => {
    isMapDrawn = true;
    try {
      await run(...given);
    } finally {
      isMapDrawn = false;
    }
  };

/** Borrows a Chromium from `with-browsers.mjs`. @returns {Promise<{address: string, giveBack: () => Promise<void>}>} */
async function borrow(path) {
  const lender = connect(path);
  const [said] = await once(lender.setEncoding('utf8'), 'data');
  const address = said.trim();
  if (!address.startsWith('ws:')) throw new Error(address);
  // A browser that was not returned is released when this process ends.
  lender.on('error', () => {}).unref();
  return { address, giveBack: () => new Promise((done) => lender.end('done', done)) };
}

export class Browser {
  #socket;
  #ended;
  #close;
  #contexts = new Set();
  #last = 0;
  #asked = new Map();
  #sessions = new Map();

  /**
   * Starts or borrows a Chromium.
   * @param {{more?: string[], map?: boolean, isWhole?: boolean}} [how] `more` are switches, for which a Chromium is started.
   *   Without `map`, pages have no WebGL and show no map: without a GPU, drawing a map takes more time than the rest of a page.
   *   `isWhole` starts the browser with its windows, which shows notifications and has Web Push.
   */
  static async launch({ more = [], map = false, isWhole = false } = {}) {
    const browser = new Browser();
    browser.drawsMaps = map;
    let address;
    if (process.env.BROWSERS && !more.length && !isWhole) {
      const borrowed = await borrow(process.env.BROWSERS);
      address = borrowed.address;
      browser.#close = borrowed.giveBack;
    } else {
      const chromium = await Chromium.start({ more, isWhole });
      address = chromium.address;
      browser.#close = () => chromium.stop();
    }
    browser.#socket = await DebuggingSocket.connect(address, (message) => browser.#hear(JSON.parse(message)));
    browser.#socket.closed.then(() => browser.#give(new Error('Chromium has ended')));
    await browser.send('Browser.getVersion');
    return browser;
  }

  #hear({ id, method, params, result, error, sessionId }) {
    if (id !== undefined) {
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (error) asked?.no(new Error(`${asked.method}: ${error.message}${error.data ? ` (${error.data})` : ''}`));
      else asked?.yes(result);
      return;
    }
    for (const listener of [...(this.#sessions.get(sessionId) ?? [])]) listener(method, params);
  }

  #give(error) {
    this.#ended = error;
    for (const asked of this.#asked.values()) asked.no(error);
    this.#asked.clear();
  }

  send(method, params = {}, sessionId) {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#last;
    return new Promise((done, failed) => {
      const late = setTimeout(
        () => this.#asked.get(id)?.no(new Error(`${method} had no answer within ${2 * patience} ms`)),
        2 * patience,
      ).unref();
      const ended = (then) => (what) => {
        clearTimeout(late);
        this.#asked.delete(id);
        then(what);
      };
      const [yes, no] = [ended(done), ended(failed)];
      this.#asked.set(id, { yes, no, method });
      this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  }

  /** @param {string|undefined} sessionId undefined for events of the browser itself */
  listen(sessionId, listener) {
    if (!this.#sessions.has(sessionId)) this.#sessions.set(sessionId, new Set());
    this.#sessions.get(sessionId).add(listener);
    return () => this.#sessions.get(sessionId)?.delete(listener);
  }

  /** A separate context, like another device. */
  async context({ origin, permissions = ['geolocation', 'notifications', 'wakeLockScreen', 'durableStorage'] } = {}) {
    const { browserContextId } = await this.send('Target.createBrowserContext', { disposeOnDetach: true });
    if (origin && permissions.length)
      await this.send('Browser.grantPermissions', { origin, permissions, browserContextId });
    const context = new Context(this, browserContextId);
    this.#contexts.add(context);
    return context;
  }

  /** Forgets a context that closes itself. */
  forget(context) {
    this.#contexts.delete(context);
  }

  /** Ends the connection. A Chromium that has ended is not returned; the lender notices that. */
  async close() {
    await Promise.all([...this.#contexts].map((context) => context.close())).catch(() => {});
    this.#socket.close();
    await this.#close();
  }
}

export class Context {
  constructor(browser, id) {
    this.browser = browser;
    this.id = id;
  }

  /** @param {{width, height, touch, dark?: boolean, still?: boolean, before?: string}} look `before` is script run first in every document */
  async page({ width, height, touch, dark = false, still = true, before } = phone) {
    const { targetId } = await this.browser.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId: this.id,
      width,
      height,
      newWindow: true,
    });
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    await page.begin({ width, height, touch, dark, still, before });
    return page;
  }

  async close() {
    this.browser.forget(this);
    await this.browser.send('Target.disposeBrowserContext', { browserContextId: this.id });
  }
}

export class Page {
  /** Problems of the page: exceptions, console errors, violations of the content security policy. */
  problems = [];
  /** True if `run` counts as a touch by a person. A page that was never touched makes no sound. */
  touches = true;
  /** Ids of the requests of scripts that wait for their answer. Event streams are none of them. */
  #asked = new Set();
  #allAnswered = [];

  constructor(context, target, session) {
    this.context = context;
    this.target = target;
    this.session = session;
  }

  send(method, params) {
    return this.context.browser.send(method, params, this.session);
  }

  async begin({ width, height, touch, dark, still, before }) {
    this.context.browser.listen(this.session, (method, params) => this.#note(method, params));
    await Promise.all([
      this.send('Page.enable'),
      this.send('Runtime.enable'),
      this.send('Log.enable'),
      this.send('Network.enable'),
      this.send('Runtime.addBinding', { name: 'reportPress' }),
    ]);
    if (!this.context.browser.drawsMaps && !isMapDrawn)
      await this.send('Page.addScriptToEvaluateOnNewDocument', { source: withoutWebGL });
    if (before) await this.send('Page.addScriptToEvaluateOnNewDocument', { source: before });
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: touch });
    await this.send('Emulation.setTouchEmulationEnabled', { enabled: touch, maxTouchPoints: touch ? 5 : 1 });
    await this.look({ dark, still });
  }

  #note(method, params) {
    this.#count(method, params);
    if (method === 'Runtime.exceptionThrown')
      this.problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && params.type === 'error')
      this.problems.push(params.args.map((arg) => arg.description ?? arg.value).join(' '));
    if (method === 'Log.entryAdded' && params.entry.level === 'error')
      this.problems.push(`${params.entry.text} ${params.entry.url ?? ''}`);
  }

  #count(method, { requestId, type, response, frame }) {
    // The requests of the document before end without a word.
    if (method === 'Page.frameNavigated' && !frame.parentId) this.#asked.clear();
    if (method === 'Network.requestWillBeSent' && type === 'Fetch') this.#asked.add(requestId);
    const isStream = method === 'Network.responseReceived' && response.mimeType === 'text/event-stream';
    const isOver = method === 'Network.loadingFinished' || method === 'Network.loadingFailed';
    if (isStream || isOver) this.#asked.delete(requestId);
    if (this.#asked.size === 0) for (const done of this.#allAnswered.splice(0)) done();
  }

  /** Waits until all requests of scripts are answered, since an answer may move an element. Waits 1 s at most. */
  #answered() {
    if (this.#asked.size === 0) return undefined;
    return new Promise((done) => {
      const late = setTimeout(done, 1_000);
      this.#allAnswered.push(() => {
        clearTimeout(late);
        done();
      });
    });
  }

  look({ dark = false, still = true }) {
    return this.send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
        { name: 'prefers-reduced-motion', value: still ? 'reduce' : 'no-preference' },
      ],
    });
  }

  /** The next event with that name for which `suits` returns true. */
  event(name, suits = () => true) {
    return new Promise((yes, no) => {
      const stop = this.context.browser.listen(this.session, (method, params) => {
        if (method === name && suits(params)) {
          clearTimeout(late);
          stop();
          yes(params);
        }
      });
      // This timer must not keep a finished test from ending.
      const late = setTimeout(() => {
        stop();
        no(new Error(`${name} did not come within ${patience} ms`));
      }, patience).unref();
    });
  }

  /** Opens an address and waits until the page is ready. */
  async open(url, { ready = '[data-ready]' } = {}) {
    await this.#steppedBack();
    const loaded = this.event('Page.loadEventFired');
    loaded.catch(() => {});
    const { errorText, loaderId } = await this.send('Page.navigate', { url });
    if (errorText) throw new Error(`${url}: ${errorText}`);
    // Without a loader, only the part after the # has changed.
    if (loaderId) await loaded;
    if (ready) await this.#soundly(ready);
  }

  async reload({ ready = '[data-ready]' } = {}) {
    await this.#steppedBack();
    const loaded = this.event('Page.loadEventFired');
    await this.send('Page.reload');
    await loaded;
    if (ready) await this.#soundly(ready);
  }

  /**
   * Waits for the step back of a sheet that was just closed (`scripts/page/steps.js`), which would undo a navigation meanwhile.
   * Waits 1 s at most, because the step of a sheet that was open when the page was loaded remains.
   */
  #steppedBack() {
    return this.run(
      () =>
        new Promise((done) => {
          const isOnItsWay = () => history.state?.sheet && !document.querySelector('dialog[open]');
          if (!isOnItsWay()) return done();
          addEventListener('popstate', () => done(), { once: true });
          setTimeout(done, 1_000);
          return undefined;
        }),
    );
  }

  /** Waits until the page is ready; fails at once after an exception. */
  async #soundly(ready) {
    let stop;
    const thrown = new Promise((_, no) => {
      stop = this.context.browser.listen(this.session, (method, { exceptionDetails }) => {
        if (method === 'Runtime.exceptionThrown')
          no(new Error(exceptionDetails.exception?.description ?? exceptionDetails.text));
      });
    });
    try {
      await Promise.race([this.see(ready), thrown]);
    } finally {
      stop();
    }
  }

  /** The browser's own Back, which is a gesture on phones. */
  async back() {
    const { currentIndex, entries } = await this.send('Page.getNavigationHistory');
    if (currentIndex < 1) throw new Error('there is nothing to go back to');
    await this.send('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 1].id });
  }

  /**
   * Runs a function in the page, with JSON values and functions as arguments, and waits for its promise.
   * @param {Function|string} what
   */
  async run(what, ...values) {
    const expression = typeof what === 'string' ? what : `(${what})(${values.map(literal).join(', ')})`;
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: this.touches,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Calls the function after every change of the page, and every 50 ms, until its result is true; returns the result. */
  async until(what, ...values) {
    const said = `(${what})(${values.map(literal).join(', ')})`;
    const found = await this.run(`new Promise((done, failed) => {
      let looks = false;
      const look = async () => {
        if (looks) return;
        looks = true;
        try { const found = await ${said}; if (found) { stop(); done(found); } } catch (error) { stop(); failed(error); }
        looks = false;
      };
      const late = setTimeout(() => { stop(); failed(new Error('waited ${patience} ms for ' + ${JSON.stringify(said.slice(0, 200))})); }, ${patience});
      const changes = new MutationObserver(look);
      const frames = setInterval(look, 50);
      const stop = () => { clearTimeout(late); clearInterval(frames); changes.disconnect(); };
      changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      look();
    })`).catch(async (error) => {
      const shown = await this.run(() => (document.querySelector('dialog[open]') ?? document.body).innerText).catch(
        () => '',
      );
      const said = this.problems.join('\n') || 'no problem said';
      throw new Error(`${error.message}\nin the page: ${said}\nto be read there: ${shown.slice(0, 1000)}`);
    });
    return found;
  }

  /** Waits until an element is visible; with `text`, one that contains it. */
  see(selector, text) {
    return this.until(
      (one, words) =>
        [...document.querySelectorAll(one)].some(
          (found) => found.checkVisibility() && (words === undefined || found.textContent.includes(words)),
        ),
      selector,
      text,
    );
  }
  /**
   * Clicks an element from a script, in the moment in which it can be seen and is enabled: without a finger, and without
   * waiting for it to come to rest.
   */
  clickAtOnce(selector, text) {
    return this.until(
      (one, words) => {
        const found = [...document.querySelectorAll(one)].find(
          (each) =>
            each.checkVisibility() &&
            !each.matches(':disabled') &&
            (words === undefined || each.textContent.includes(words)),
        );
        found?.click();
        return Boolean(found);
      },
      selector,
      text,
    );
  }
  async gone(selector) {
    await this.until((one) => ![...document.querySelectorAll(one)].some((found) => found.checkVisibility()), selector);
    if (selector.startsWith('dialog')) await this.#steppedBack();
  }
  text(selector) {
    return this.run((one) => document.querySelector(one)?.innerText ?? null, selector);
  }

  /** The position of an element in CSS pixels, scrolled into view and at rest. */
  async box(selector, text) {
    await this.see(selector, text);
    await this.#answered();
    return this.run(
      async (one, words) => {
        const find = () =>
          [...document.querySelectorAll(one)].find(
            (each) => each.checkVisibility() && (words === undefined || each.textContent.includes(words)),
          );
        // Pages in the background have no frames.
        const frame = () =>
          new Promise((done) => {
            requestAnimationFrame(done);
            setTimeout(done, 100);
          });
        for (let before, tries = 0; ; tries++) {
          const found = find();
          if (!found && tries > 60) throw new Error(`${one} is gone again`);
          if (!found) {
            await frame();
            continue;
          }
          found.scrollIntoView({ block: 'nearest', behavior: 'instant' });
          const { x, y, width, height } = found.getBoundingClientRect();
          const now = [x, y, width, height].join();
          if (now === before || tries > 60)
            return { x: x + width / 2, y: y + height / 2, left: x, top: y, width, height };
          before = now;
          await frame();
        }
      },
      selector,
      text,
    );
  }

  /**
   * The point where a finger reaches an element: its center, once nothing covers it. Like a person, scrolls the element to the
   * middle of the screen, and dismisses a message at the foot that covers it.
   */
  async reach(selector, text) {
    const end = Date.now() + patience;
    for (let tries = 0; ; tries++) {
      const box = await this.box(selector, text);
      const { over, isLine } = await this.run(
        (targets, one, words, x, y, isFirst) => {
          const hit = document.elementFromPoint(x, y);
          const { all, isReached } = targets(one, words, hit);
          if (isReached)
            return { over: all.some((each) => each.matches(':disabled')) ? 'nothing: it is disabled' : '' };
          if (isFirst)
            all.find((each) => each.checkVisibility())?.scrollIntoView({ block: 'center', behavior: 'instant' });
          return {
            over: hit?.outerHTML.slice(0, 120) ?? 'the edge of the window',
            isLine: Boolean(hit?.closest('.snackbar')?.querySelector('[aria-label]')),
          };
        },
        targets,
        selector,
        text,
        box.x,
        box.y,
        tries === 0,
      );
      if (!over) return box;
      if (Date.now() > end) throw new Error(`${selector} cannot be reached: over it is ${over}`);
      if (tries && isLine) await this.click('.snackbar [aria-label]');
      else await new Promise((done) => setTimeout(done, 50));
    }
  }

  click(selector, text) {
    return this.#hit(selector, text, ({ x, y }) => this.clickAt(x, y));
  }
  async clickAt(x, y) {
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) {
      await this.send('Input.dispatchMouseEvent', {
        type,
        x,
        y,
        button: type === 'mouseMoved' ? 'none' : 'left',
        clickCount: 1,
      });
    }
  }
  tap(selector, text) {
    return this.#hit(selector, text, ({ x, y }) => this.flick([[x, y]]));
  }

  /**
   * Presses. @returns {Promise<string|undefined>} the report of `guardPress`; undefined without one within 1 s after the page
   * took the press, as when the press leads to another document
   */
  async #press(press) {
    let stop;
    const report = new Promise((done) => {
      stop = this.context.browser.listen(this.session, (method, { name, payload }) => {
        if (method === 'Runtime.bindingCalled' && name === 'reportPress') done(payload);
      });
    });
    let late;
    try {
      await press();
      return await Promise.race([report, new Promise((done) => (late = setTimeout(done, 1_000)))]);
    } finally {
      clearTimeout(late);
      stop();
    }
  }

  /**
   * Aims at an element and lets `press` press there. If the element has moved away in between, the page never hears of the
   * press, and it is aimed at again: between a look at the page and the press, a busy machine needs longer than a finger.
   * @param {(at: {x: number, y: number}) => Promise<void>} press
   */
  async #hit(selector, text, press) {
    const end = Date.now() + patience;
    for (;;) {
      const at = await this.reach(selector, text);
      await this.run(guardPress, targets, selector, text);
      if ((await this.#press(() => press(at))) !== 'missed') return;
      if (Date.now() > end) throw new Error(`${selector} moves away from each press`);
    }
  }

  /** A finger along points [x, y], held for `hold` ms at the first one. */
  async touch(points, { hold = 0 } = {}) {
    const at = ([x, y]) => [{ x, y, id: 1, radiusX: 8, radiusY: 8 }];
    await this.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(points[0]) });
    if (hold) await new Promise((done) => setTimeout(done, hold));
    for (const point of points.slice(1))
      await this.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(point) });
    await this.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  /**
   * A finger along points, at the speed of a finger: all events are sent together, so that a busy machine does not slow it
   * down.
   */
  async flick(points, { step_ms = 16 } = {}) {
    const began = Date.now();
    await Promise.all(
      [...points, undefined].map((point, number) =>
        this.send('Input.dispatchTouchEvent', {
          type: !point ? 'touchEnd' : number ? 'touchMove' : 'touchStart',
          touchPoints: point ? [{ x: point[0], y: point[1], id: 1, radiusX: 8, radiusY: 8 }] : [],
          timestamp: (began + number * step_ms) / 1000,
        }),
      ),
    );
  }

  async press(key, { code = key, modifiers = 0 } = {}) {
    const numbers = {
      Enter: 13,
      Escape: 27,
      Tab: 9,
      ' ': 32,
      ArrowLeft: 37,
      ArrowUp: 38,
      ArrowRight: 39,
      ArrowDown: 40,
      Delete: 46,
      Backspace: 8,
    };
    const base = {
      key,
      code: key === ' ' ? 'Space' : code,
      windowsVirtualKeyCode: numbers[key] ?? key.toUpperCase().charCodeAt(0),
      modifiers,
    };
    await this.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      ...base,
      text: key === 'Enter' ? '\r' : key.length === 1 ? key : undefined,
    });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...base });
  }
  async type(selector, text) {
    await this.click(selector);
    await this.run((one) => document.querySelector(one).select?.(), selector);
    await this.send('Input.insertText', { text });
  }

  /** Moves the device. Chromium may report "unavailable" once at each change. */
  move({ latitude, longitude, accuracy = 5, speed, heading, altitude, altitudeAccuracy }) {
    const place = { latitude, longitude, accuracy, speed, heading, altitude, altitudeAccuracy };
    return this.send('Emulation.setGeolocationOverride', place);
  }

  /** Turns the network off or on: the page's requests fail, except those that its service worker answers. */
  offline(offline) {
    return this.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
  }

  /** A screenshot as PNG. @param {number} [scale] pixels per CSS pixel */
  async picture(scale = 1) {
    const { clientWidth: width, clientHeight: height } = await this.run(() => ({
      clientWidth: innerWidth,
      clientHeight: innerHeight,
    }));
    const { data } = await this.send('Page.captureScreenshot', {
      format: 'png',
      captureBeyondViewport: false,
      ...(scale !== 1 && { clip: { x: 0, y: 0, width, height, scale } }),
    });
    return Buffer.from(data, 'base64');
  }

  /** With SHOTS=1, stores a picture for people. */
  async shot(name) {
    if (!process.env.SHOTS) return;
    await mkdir(shots, { recursive: true });
    await writeFile(join(shots, `${name}.png`), await this.picture());
  }
}
