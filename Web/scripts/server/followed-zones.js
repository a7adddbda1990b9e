// Zones of others that the account follows: fetched when the server's feed reports a change, kept on the device, and watched by
// the page's engine beside the person's own. They are never edited, sent or exported.
import { zoneForm } from './zone-wire.js';

const key = 'shared_zones';

export class FollowedZones {
  #app;
  #server;
  /** The zones fetched last: `{account, collections: [{id, name, owner, zones}]}`. */
  #kept;

  constructor(app, server) {
    this.#app = app;
    this.#server = server;
  }

  /**
   * Fetches new and changed collections.
   * @param {Set<string>} changed the ids of changed collections, from the feed
   * @throws {ServerProblem}
   */
  async take(changed) {
    const { storage } = this.#app;
    this.#kept ??= await storage.kept(key, null);
    const { id: account } = this.#server.account;
    const was = this.#kept?.account === account ? this.#kept.collections : undefined;
    if (was && !changed.size) return;
    const known = new Map((was ?? []).map((each) => [each.id, each]));
    const collections = [];
    for (const { id, name, owner_name: owner, is_own: isOwn, is_followed: isFollowed } of await this.#server.list(
      '/collections',
    )) {
      if (isOwn || !isFollowed) continue;
      const zones = changed.has(id) || !known.has(id) ? await this.#zones(id) : known.get(id).zones;
      collections.push({ id, name, owner, zones });
    }
    await this.#keep({ account, collections });
  }

  async #zones(collection) {
    const { items } = await this.#server.ask('GET', `/collections/${collection}/zones`);
    return items.map((zone) => zoneForm(zone.id, zone));
  }

  /** Removes all followed zones from this device, at sign-out. */
  forget() {
    return this.#keep(undefined);
  }

  async #keep(kept) {
    if (JSON.stringify(kept) === JSON.stringify(this.#kept)) return;
    const { storage } = this.#app;
    if (kept) await storage.keep(key, kept);
    else await storage.remove('kept', key);
    this.#kept = kept;
    await this.#app.share(kept?.collections ?? []);
  }
}
