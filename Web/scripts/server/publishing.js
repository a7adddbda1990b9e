// Zones of the account in its collections, which others may follow.

/** The fields of a zone that only the server sets. */
const ofServer = ['id', 'revision', 'saved_at', 'refused'];
/** The number of requests at a time, so that a large collection does not request all zones at once. */
const abreast = 4;

/** @param {[zone: string, collection: string|null][]} places the new collection of each zone; null: no longer published */
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
