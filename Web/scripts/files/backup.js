// Backup and restore of this device's data as one file, and their removal.
import { forgetDrafts } from '../../parts/drafts.js';
import { editionKey } from '../device/phone-app.js';
import { zoneForm } from '../storage/earlier.js';
import { t } from '../words/translate.js';

export const format = 'proximity-alarm-backup';
const version = 1;
/** Records left out of a backup: they can be computed or fetched again, or belong to this device only. */
const left = {
  kept: ['snapshot', 'armed', 'device', 'nearby', 'account', 'sync', 'shared_zones', 'push', 'server', editionKey],
};

/** True if a record is left out. Sealed messages and their secret keys stay in this browser too. */
const isLeft = (store, key) => left[store]?.includes(key) || (store === 'kept' && key.startsWith('sealed-'));

/** The reason why a file is not restored, in words for people. Nothing was changed. */
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
 * Restores a backup, after checking all of it. Records with the same key are replaced.
 * @returns {Promise<{zones: number, reminders: number, messages: number, sounds: number}>} the numbers of records
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

/** Removes all data from this device. The page must be reloaded afterwards. */
export async function erase(app) {
  await app.deactivate();
  forgetDrafts();
  const edition = await app.storage.kept(editionKey);
  for (const name of Object.keys(app.storage.stores)) await app.storage.clear(name);
  // Otherwise the zones would come back from the app's watch. Commands that are on their way to it raise the edition meanwhile.
  if (edition !== undefined) await app.storage.keep(editionKey, edition + 100);
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
