// Packs that the service worker fetches with no page open, where the browser lets it (periodic background sync: Chrome and Edge,
// for a page that is installed). Page and worker speak by a cache: `packs/wanted` is what to fetch, `packs/COLLECTION` what came.
import { largest_bytes } from './pack-file.js';

const tag = 'packs';
const at = (name) => new URL(`packs/${name}`, document.baseURI).href;
const open = () => ('caches' in globalThis ? caches.open('packs') : undefined);

/** The address of what has changed since the version that is held. */
export function changesOf({ address, head: { version } }) {
  const asked = new URL(address);
  asked.searchParams.set('since', version);
  return asked.href;
}

/** Leaves word of what is to be fetched, and asks the browser to do so. @param {object[]} packs that are followed */
export async function wantPacks(packs, interval_ms) {
  const cache = await open();
  if (!cache) return;
  const wanted = packs
    .filter(({ address }) => address)
    .map((pack) => ({ collection: pack.head.collection, address: changesOf(pack) }));
  const kept = new Set([at('wanted'), ...wanted.map(({ collection }) => at(collection))]);
  for (const { url } of await cache.keys()) if (!kept.has(url)) await cache.delete(url);
  await cache.put(at('wanted'), Response.json({ packs: wanted, largest: largest_bytes }));
  const sync = (await navigator.serviceWorker?.getRegistration())?.periodicSync;
  // Whether it may is the browser's: it refuses a page that is not installed.
  if (wanted.length > 0) await sync?.register(tag, { minInterval: interval_ms }).catch(() => {});
  else await sync?.unregister(tag).catch(() => {});
}

/** What was fetched of a pack, once. @returns {Promise<Uint8Array|undefined>} unchecked */
export async function fetchedPack(collection) {
  const cache = await open();
  const answer = await cache?.match(at(collection));
  if (!answer) return undefined;
  await cache.delete(at(collection));
  return new Uint8Array(await answer.arrayBuffer());
}
