// Signed packs in storage, for code that watches their zones.

/** The stored packs that are valid: a backup may contain anything. */
export const keptPacks = (packs) =>
  (Array.isArray(packs) ? packs : []).filter(
    ({ head, section, forms } = {}) =>
      head?.key instanceof Uint8Array && section instanceof Uint8Array && Array.isArray(forms),
  );

/** The packs in the form that `App.share` takes. */
export const lentByPacks = (packs) =>
  packs.map(({ head: { name, publisher }, forms }) => ({ name, owner: publisher, zones: forms }));
