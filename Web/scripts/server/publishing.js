// Zones of the account in its collections, which others may follow.

/** What the server says of a zone beside what can be edited. */
const ofServer = ['id', 'revision', 'saved_at', 'refused'];
/** At a time, so that a large collection does not ask for all zones at once. */
const abreast = 4;

/** @param {[zone: string, collection: string|null][]} places where each zone is from now on; null: published no more */
export async function moveZones(server, places) {
  for (let at = 0; at < places.length; at += abreast)
    await Promise.all(
      places.slice(at, at + abreast).map(([zone, collection]) =>
        server.change(`/zones/${zone}`, (content) => ({
          ...Object.fromEntries(Object.entries(content).filter(([key]) => !ofServer.includes(key))),
          collection_id: collection,
        })),
      ),
    );
}
