// All that this device keeps, as one file, and back (a backup); and all of it gone.
import { forgetDrafts } from '../../parts/drafts.js';
import { joined } from '../device/phone-app.js';
import { zoneForm } from '../storage/earlier.js';
import { t } from '../words/translate.js';

export const format = 'proximity-alarm-backup';
const version = 1;
/** What can be had again, or belongs to this device only, is left out. */
const left = {
  kept: ['snapshot', 'armed', 'device', 'nearby', 'account', 'sync', 'shared_zones', 'push', joined],
};

/** Secret keys of sealed messages stay in this browser, with what goes with them. */
const isLeft = (store, key) => left[store]?.includes(key) || (store === 'kept' && key.startsWith('sealed-'));

/** Why a file is not restored, in words for people. Nothing was changed then. */
export class RestoreRefused extends Error {}

/** @returns {Promise<Blob>} JSON; bytes are written as `{"bytes": base64}` */
export async function backup(app) {
  const stores = {};
  for (const [name, key] of Object.entries(app.storage.stores)) {
    stores[name] = (await app.storage.all(name)).filter((record) => !isLeft(name, record[key]));
  }
  const text = JSON.stringify({ format, version, made_at: new Date(app.now).toISOString(), stores }, (_, value) => {
    if (value instanceof ArrayBuffer) return { bytes: base64(new Uint8Array(value)) };
    if (ArrayBuffer.isView(value))
      return { bytes: base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)), view: true };
    return value;
  });
  return new Blob([text], { type: 'application/json' });
}

/**
 * Reads a backup, and checks it to the last record before anything is kept. What has the same id is replaced.
 * @returns {Promise<{zones: number, reminders: number, messages: number, sounds: number}>} how many there were
 * @throws {RestoreRefused}
 */
export async function restore(app, file) {
  let read;
  try {
    read = JSON.parse(await file.text(), reviver);
  } catch {
    throw new RestoreRefused(
      t`${file.name} is not a backup, or is cut off. A backup is a .json file that was saved here.`,
    );
  }
  if (read?.format !== format) throw new RestoreRefused(t`${file.name} is not a backup of Proximity Alarm.`);
  if (read.version !== version)
    throw new RestoreRefused(
      t`${file.name} is a backup of version ${JSON.stringify(read.version)}; this page reads version ${version}.`,
    );
  if (typeof read.stores !== 'object' || read.stores === null) throw new RestoreRefused(t`${file.name} is empty.`);
  const taken = {};
  for (const [name, key] of Object.entries(app.storage.stores)) {
    const records = read.stores[name] ?? [];
    if (!Array.isArray(records) || records.some((record) => !['string', 'number'].includes(typeof record?.[key]))) {
      throw new RestoreRefused(t`${file.name}: an entry of “${name}” lacks “${key}”.`);
    }
    taken[name] = records.filter((record) => !isLeft(name, record[key]));
  }
  taken.zones = taken.zones.map(zoneForm);
  const { zones, reminders } = taken;
  const settings = taken.kept.find(({ key }) => key === 'settings')?.value ?? {};
  try {
    app.ask('check', { zones, reminders, settings });
  } catch (error) {
    throw new RestoreRefused(`${file.name}: ${error.message}.`);
  }
  for (const [name, records] of Object.entries(taken)) if (records.length) await app.storage.put(name, ...records);
  return {
    zones: zones.length,
    reminders: reminders.length,
    messages: taken.messages.length,
    sounds: taken.sounds.length,
  };
}

/** Forgets everything on this device. The page is to be loaded anew then. */
export async function erase(app) {
  await app.deactivate();
  forgetDrafts();
  const hasJoined = await app.storage.kept(joined);
  for (const name of Object.keys(app.storage.stores)) await app.storage.clear(name);
  // Else the zones would come back from the app's watch.
  if (hasJoined) await app.storage.keep(joined, true);
}

const reviver = (_, value) => {
  if (typeof value?.bytes !== 'string' || Object.keys(value).some((key) => key !== 'bytes' && key !== 'view'))
    return value;
  const bytes = Uint8Array.from(atob(value.bytes), (character) => character.charCodeAt(0));
  return value.view ? bytes : bytes.buffer;
};

function base64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}
