// Packs that the service worker fetches while no page is open, if the browser allows it (periodic background sync: Chrome and Edge,
// for an installed page). Page and worker communicate by a cache: `packs/wanted` lists the packs, `packs/COLLECTION` is a result.
import { workerCache } from '../storage/worker-caches.js';
import { largest_bytes } from './pack-file.js';

const tag = 'packs';
const at = (name) => new URL(`packs/${name}`, document.baseURI).href;

/** The address of the changes since the held version. */
export function changesOf({ address, head: { version } }) {
  const asked = new URL(address);
  asked.searchParams.set('since', version);
  return asked.href;
}

/** Stores the list of packs to fetch, and asks the browser to schedule it. @param {object[]} packs the followed packs */
export async function wantPacks(packs, interval_ms) {
  const cache = await workerCache('packs');
  if (!cache) return;
  const wanted = packs
    .filter(({ address }) => address)
    .map((pack) => ({ collection: pack.head.collection, address: changesOf(pack) }));
  const kept = new Set([at('wanted'), ...wanted.map(({ collection }) => at(collection))]);
  for (const { url } of await cache.keys()) if (!kept.has(url)) await cache.delete(url);
  await cache.put(at('wanted'), Response.json({ packs: wanted, largest: largest_bytes }));
  const sync = (await navigator.serviceWorker?.getRegistration())?.periodicSync;
  // The browser decides: it refuses a page that is not installed.
  if (wanted.length > 0) await sync?.register(tag, { minInterval: interval_ms }).catch(() => {});
  else await sync?.unregister(tag).catch(() => {});
}

/** Takes the fetched bytes of a pack out of the cache. @returns {Promise<Uint8Array|undefined>} unchecked */
export async function fetchedPack(collection) {
  const cache = await workerCache('packs');
  const answer = await cache?.match(at(collection));
  if (!answer) return undefined;
  await cache.delete(at(collection));
  return new Uint8Array(await answer.arrayBuffer());
}
