// Common parts of the page's tests: zones to enter, a way to move the device, and a record of sounds.
import { Browser, phone } from './Browser.mjs';
import { countNotices } from './Notices.mjs';
import { PageServer } from './PageServer.mjs';
import { SlowNetwork } from './SlowNetwork.mjs';

/** A place in the middle of Berlin, and the conversion from metres around it to degrees. */
export const home = { latitude: 52.52, longitude: 13.4 };
export const place = (east, north = 0) => ({
  latitude: home.latitude + north / 111_320,
  longitude: home.longitude + east / (111_320 * Math.cos((home.latitude * Math.PI) / 180)),
});

/** A square zone of 100 m at the home, that alerts at `distance` metres. */
export function zone({ id = 'a000000000000001', name = 'Market hall', distance = 150, east = 0, ...more } = {}) {
  const corner = (x, y) => {
    const { latitude, longitude } = place(east + x, y);
    return [latitude, longitude];
  };
  return {
    id,
    name,
    category: 'Shopping',
    active: true,
    vibrate: true,
    priority: 1,
    inset_m: 0,
    alert_distance_m: distance,
    sound: '',
    outline: 'locations',
    places: [corner(-50, -50), corner(50, -50), corner(50, 50), corner(-50, 50)],
    edges: 'geodesic',
    trigger: 'enter',
    assurance: 'normal',
    ...more,
  };
}

/** Records sounds and vibrations in `globalThis.heard`; `skip(ms)` advances the clocks. */
export const ears = `${countNotices}
  let ahead = 0;
  const now = Date.now;
  Date.now = () => now() + ahead;
  globalThis.skip = (ms) => { ahead += ms; };
  for (const name of ['watchPosition', 'getCurrentPosition']) {
    const ask = Geolocation.prototype[name];
    Geolocation.prototype[name] = function (yes, no, options) { return ask.call(this, ({ coords, timestamp }) => { globalThis.fixes = (globalThis.fixes ?? 0) + 1; yes({ coords, timestamp: timestamp + ahead }); }, no, options); };
  }
  globalThis.heard = { sounds: 0, vibrations: [] };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...rest) { if (this.context instanceof AudioContext) globalThis.heard.sounds++; return start.apply(this, rest); };
  Navigator.prototype.vibrate = (pattern) => { if (pattern) globalThis.heard.vibrations.push(pattern); return true; };`;

export class Story {
  /**
   * Starts a browser and a page server.
   * @param {{more?: string[], map?: boolean, isWhole?: boolean, slow?: boolean}} [life] as for `Browser.launch`; `slow` puts a slow
   *   network in front of the server
   */
  static async begin({ more, map, isWhole, slow = false } = {}) {
    const story = new Story();
    [story.browser, story.server] = await Promise.all([Browser.launch({ more, map, isWhole }), PageServer.start()]);
    if (slow) story.network = await SlowNetwork.start(story.server.origin);
    return story;
  }
  async end() {
    await this.browser?.close();
    await this.network?.stop();
    await this.server?.stop();
  }
  /** The origin at which the page is opened. */
  get origin() {
    return this.network?.origin ?? this.server.origin;
  }

  /** A page in a context of its own, with zones stored as if a person had drawn them. */
  async open({ zones = [], kept = {}, address = '/', look = phone, permissions, at, ready } = {}) {
    const context = await this.browser.context({ origin: this.origin, permissions });
    const page = await context.page({ ...look, before: look.before ?? ears });
    if (at) await page.move(at);
    if (zones.length || Object.keys(kept).length) {
      await page.open(`${this.origin}/icons/icon.svg`, { ready: null });
      await page.run(
        async (url, forms, values) => {
          const { Storage } = await import(url);
          const storage = await Storage.open();
          await storage.put('zones', ...forms);
          for (const [key, value] of Object.entries(values)) await storage.keep(key, value);
        },
        `${this.origin}/scripts/storage/storage.js`,
        zones,
        kept,
      );
    }
    await page.open(`${this.origin}/#${address}`, ready);
    return page;
  }

  /** Closes a page; fails if it had a problem. */
  async close(page) {
    const { problems } = page;
    await page.context.close();
    if (problems.length) throw new Error(`in the page: ${problems.join('\n')}`);
  }
}

/**
 * Moves the device and waits until the page has the position. Of several positions within one task the page receives only the
 * last.
 */
export async function report(page, at) {
  const before = await page.run(() => globalThis.fixes ?? 0);
  await page.move(at);
  await page.until((count) => globalThis.fixes > count, before);
}

/** Moves the device, half a minute later. */
export async function walk(page, to) {
  await page.run(() => {
    globalThis.skip(30_000);
  });
  await report(page, to);
}

/** Controls that are smaller than a finger; links within a sentence are exempt (WCAG 2.2, 2.5.8). */
export const smallBoxes = (page) =>
  page.run(() =>
    [...document.querySelectorAll('button, a[href], input, select, textarea, [role="switch"], [role="radio"]')]
      .filter(
        (each) =>
          each.checkVisibility({ visibilityProperty: true }) &&
          !each.closest('p, .maplibregl-ctrl, .skip, [inert]') &&
          !each.matches('.skip, .maplibregl-canvas') &&
          !(document.querySelector('dialog:modal') && !each.closest('dialog')),
      )
      .map((each) => ({ each, box: each.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
      .map(({ each, box }) => `${each.outerHTML.slice(0, 90)} ${Math.round(box.width)}x${Math.round(box.height)}`),
  );

/** The rules of axe that depend on the theme. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** The violations that axe finds; in the dark theme only those of colours, as all others are the same in the light theme. */
export async function violations(page, axe, { dark = false } = {}) {
  await page.run(axe);
  return page.run(
    async (rules) =>
      (
        await globalThis.axe.run(document, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
      ).violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map((node) => `${node.html.slice(0, 140)} ${node.any[0]?.message ?? node.all[0]?.message ?? ''}`)
            .join(' | ')}`,
      ),
    dark ? ofColours : undefined,
  );
}
