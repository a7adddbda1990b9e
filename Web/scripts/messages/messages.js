// Messages are copied into zones. A message that was written once can be used again (S94-S96): it is kept on this device until
// people delete it, even if no zone has it any more.
import { newID } from '../app.js';
import { t } from '../words/translate.js';
import { compareNames } from '../words/locale.js';

const parts = ['your_moniker', 'to_moniker', 'contact_number', 'supplement'];
export const emptyMessage = { your_moniker: '', to_moniker: '', contact_number: '', supplement: '' };

export const isSame = (a, b) => parts.every((part) => (a[part] ?? '') === (b[part] ?? ''));
export const only = (message) => Object.fromEntries(parts.map((part) => [part, message[part] ?? '']));

/**
 * All messages, each once: those of zones in the order of the zones' names, then those that are only kept.
 * @returns {Promise<{message: object, zones: {id: string, name: string}[]}[]>}
 */
export async function oldMessages(app) {
  const all = [];
  const add = (message, zone) => {
    let entry = all.find((each) => isSame(each.message, message));
    if (!entry) all.push((entry = { message: only(message), zones: [] }));
    if (zone && !entry.zones.some(({ id }) => id === zone.id))
      entry.zones.push({ id: zone.id, name: zone.name || t`A zone` });
  };
  const zones = [...app.zones.values()].sort((a, b) => compareNames(a.name, b.name));
  for (const zone of zones) for (const message of zone.messages ?? []) add(message, zone);
  for (const message of await app.storage.all('messages')) add(message);
  return all;
}

/** Keeps a message for later use, unless it is kept already. */
export async function keepMessage(app, message) {
  const kept = await app.storage.all('messages');
  if (!kept.some((each) => isSame(each, message))) await app.storage.put('messages', { id: newID(), ...only(message) });
}

/** Replaces a message in every zone that has it and among the kept ones. */
export async function changeMessage(app, old, next) {
  await replaceMessage(app, old, [only(next)]);
  const kept = await app.storage.all('messages');
  const same = kept.filter((each) => isSame(each, old));
  if (same.length) await app.storage.put('messages', ...same.map(({ id }) => ({ id, ...only(next) })));
  else await keepMessage(app, next);
}

/**
 * Removes a message from every zone and from the kept ones.
 * @returns {Promise<() => Promise<void>>} a function that restores it
 */
export async function forgetMessage(app, old) {
  const zones = await replaceMessage(app, old, []);
  const kept = (await app.storage.all('messages')).filter((each) => isSame(each, old));
  await app.storage.remove('messages', ...kept.map(({ id }) => id));
  return async () => {
    if (zones.length) await app.putZones(...zones);
    if (kept.length) await app.storage.put('messages', ...kept);
  };
}

async function replaceMessage(app, old, by) {
  const having = [...app.zones.values()].filter((zone) => zone.messages?.some((each) => isSame(each, old)));
  const changed = having.map((zone) => ({
    ...zone,
    messages: zone.messages.flatMap((each) => (isSame(each, old) ? by : [each])),
  }));
  if (changed.length) await app.putZones(...changed);
  return having;
}

/** The engine's text of messages for a zone, with the addressees. */
export const proposalOf = (app, zone, messages) =>
  app.ask('propose', { zone: { ...zone, id: undefined, places: zone?.places ?? [], messages } });
