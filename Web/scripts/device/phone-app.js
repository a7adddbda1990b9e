// The app that shows this page, if there is one: its watch decides and rings, even when the page is gone. The page shows the watch's
// state, and passes on zones, settings and the person's commands.
import { snackbar } from '../../parts/snackbar.js';
import { t } from '../words/translate.js';
import { decode, encode } from '../engine/cbor.js';
import { Refused } from '../engine/engine.js';
import { fromRows, rowBytes } from '../engine/rows.js';
import { journalOf } from '../history/journal.js';
import { timed } from './local-time.js';

/** The number of bytes of positions that are handled at once. */
const portion = 1000 * rowBytes;

/** The app's interface; undefined in a browser. */
export const phone = globalThis.proximityPhone;

export const base64 = (bytes) => {
  let text = '';
  // In parts: spreading all bytes at once would overflow the stack.
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
};

export const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/**
 * The permissions that the phone grants the app, and the problems that keep alarms from ringing.
 * @returns {Promise<{location: boolean, background: boolean, notifications: boolean, alarms?: boolean, battery?: boolean,
 *   unused?: boolean, maker?: {title: string, text: string}, troubles: {trouble: string, title: string, text: string, place?: string}[]}>}
 */
export const phoneGrants = async () => JSON.parse(await phone.permissions());

/** Permissions in the order in which people are asked: each needs the previous one. A phone omits those that it does not have. */
export const grants = ['location', 'notifications', 'alarms', 'background', 'battery', 'unused'];

/** Sends a request to the app's watch. @throws {Refused} */
export async function askPhone(ask, values = {}) {
  const request = encode({ ask, now_ms: Date.now(), ...values });
  const answer = await phone.ask(base64(request));
  const { refused, ...value } = decode(fromBase64(answer));
  if (refused) throw new Refused(refused);
  return value;
}

/** The device's positions from the app: like `Positions`, but the watch alone decides when to look. */
export class PhonePositions {
  state = 'granted';
  #taken;
  #listens = false;
  #after = 0;

  constructor({ taken }) {
    this.#taken = taken;
  }
  begin() {
    this.#listens = true;
  }
  end() {
    this.#listens = false;
  }
  ask() {}

  /** The time of receipt of the latest position: later ones are requested from there. */
  get after() {
    return this.#after;
  }
  /** Takes the app's positions, as rows. */
  hear(rows) {
    const fixes = fromRows(rows);
    if (!fixes.length) return;
    this.#after = Math.max(this.#after, ...fixes.map(({ received }) => received));
    if (this.#listens) this.#taken(fixes);
  }
}

/**
 * The key of the edition of what the page stores: a count that rises before each edit is sent to the app's watch, which keeps it
 * too. If it is missing, the page's storage is new or was lost. If the watch has a higher one, the storage is older, as after a
 * loss of power.
 */
export const editionKey = 'edition_for_app';

/**
 * Sends the next edition to the app's watch, ahead of the edit. It is stored before, so that only a storage that fell back has a
 * lower one than the watch.
 */
async function raiseEdition(app) {
  const edition = (await app.storage.kept(editionKey, 0)) + 1;
  await app.storage.keep(editionKey, edition);
  await askPhone('phone_edition', { edition });
}

/**
 * Restores zones and settings from the app's watch if the page's own storage was lost or is older: the page would otherwise
 * remove zones from the watch. A zone that only an older storage has stays, since it may be wanted.
 * @returns {Promise<boolean>} whether there were any zones, or an older storage
 */
async function takeBack(app) {
  const own = await app.storage.kept(editionKey);
  const { edition } = await askPhone('phone_state', { after_ms: Date.now() });
  const isOld = own !== undefined && edition > own;
  const isLost = own === undefined && !app.zones.size;
  if (!isOld && !isLost) return false;
  const { zones, settings } = await askPhone('phone_kept');
  if (isLost && !zones.length) return false;
  await app.storage.keep(editionKey, edition);
  await app.changeSettings(isOld ? { ...app.settings, ...settings } : { ...settings, ...app.settings });
  await app.putZones(...zones.filter(({ id }) => !app.shared.has(id)));
  snackbar(
    isOld
      ? t`The page had lost its latest changes. They came back from the app; a zone deleted lately may be here again.`
      : t`The page had lost its data. Zones came back from the app, reminders and messages did not.`,
    { seconds: 60 },
  );
  return true;
}

/**
 * Keeps page and app in agreement from now on.
 * @param {import('../app.js').App} app with `PhonePositions`
 */
export async function joinPhone(app, positions) {
  let sent;
  let since = 0;
  // Undefined until `takeBack` has run: nothing is sent before.
  let isRestored;
  let work = Promise.resolve();
  // The permissions requested since the alarms were switched on: none is requested twice.
  let asked = new Set(grants);
  // One after the other, so that the app gets requests in order.
  const then = (what) => {
    work = work.then(what).catch((error) => {
      console.error(error);
      app.dispatchEvent(new CustomEvent('problem', { detail: error }));
    });
    return work;
  };

  const watch = async () => {
    isRestored ??= await takeBack(app);
    const forms = app.watched;
    const { reminders } = app.report;
    const lists = JSON.stringify(reminders);
    const isSame = sent?.settings === app.settings && sent.lists === lists && sent.forms.length === forms.length;
    if (isSame && forms.every((form, at) => form === sent.forms[at])) return;
    // Comparing by identity is enough, as forms are never changed in place.
    sent = { forms, settings: app.settings, lists };
    phone.sounding?.(Boolean(app.settings.sound_until_closed), Boolean(app.settings.rising_volume));
    await raiseEdition(app);
    await askPhone('phone_watch', {
      zones: forms.map((form) => timed(form, app.now)),
      reminders,
      settings: app.settings,
    });
  };
  const hear = async () => {
    const state = await askPhone('phone_state', { after_ms: Math.min(since || positions.after, positions.after) });
    const promises = new Map(state.promises.map(({ zone, guarantee }) => [zone, guarantee]));
    app.notePhone(state.state.kind === 'none' ? undefined : { state: state.state, promises });
    positions.hear(state.rows);
    for (const { at_ms: at, ...act } of state.acts) {
      if (at <= since) continue;
      since = at;
      app.adopt(act.command, { zone: act.zone, until: act.until_ms });
    }
    // Another process of the app, or the person at its notification, changed it.
    if (state.armed !== app.report.armed) app.adopt(state.armed ? 'activate' : 'deactivate');
  };

  // Fetches positions from a long absence of the page: the watch holds the last hour, the app's journal the rest.
  const catchUp = async () => {
    const { kept_from_ms: from } = await askPhone('phone_state', { after_ms: Date.now() });
    const known = await journalOf(app).last();
    if (!from || known >= from) return;
    const { rows } = await askPhone('phone_past', { journal: fromBase64(await phone.journal()), after_ms: known });
    for (let at = 0; at < rows.length; at += portion) {
      positions.hear(rows.subarray(at, at + portion));
      // Lets taps be handled in between.
      await new Promise((done) => {
        setTimeout(done);
      });
    }
  };

  const look = async () => {
    const found = await phoneGrants();
    app.noteTroubles(app.report.armed ? found.troubles : []);
    const next = app.report.armed ? grants.find((one) => found[one] === false && !asked.has(one)) : undefined;
    if (!next) return;
    asked.add(next);
    phone.request(next);
  };

  app.addEventListener('change', () => then(watch));
  app.addEventListener('command', ({ detail: { command, zone, until_ms: until } }) =>
    then(async () => {
      since = Math.max(since, Date.now());
      if (!zone) await raiseEdition(app);
      await askPhone('phone_act', { command, zone, until_ms: until });
      if (command === 'activate') asked = new Set();
      await hear();
      await look();
    }),
  );
  phone.onchange = () => then(hear);
  phone.onpermissions = () => then(look);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    then(hear);
    then(look);
  });
  then(watch);
  // The page was there when the person armed or disarmed, so its state counts, unless its data were just restored.
  then(() => isRestored === false && askPhone('phone_act', { command: app.report.armed ? 'activate' : 'deactivate' }));
  await then(catchUp);
  await then(hear);
  await then(look);
}
