// Signed packs as they lie in the storage, for whoever watches their zones.

/** What is kept of packs, as far as it is that: a backup may hold anything. */
export const keptPacks = (packs) =>
  (Array.isArray(packs) ? packs : []).filter(
    ({ head, section, forms } = {}) =>
      head?.key instanceof Uint8Array && section instanceof Uint8Array && Array.isArray(forms),
  );

/** As `App.share` takes them. */
export const lentByPacks = (packs) =>
  packs.map(({ head: { name, publisher }, forms }) => ({ name, owner: publisher, zones: forms }));
