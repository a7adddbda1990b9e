// The list of this server's streets, requested once. The last known list is used when the server cannot be reached.

const key = 'streets';
/** No streets anywhere. */
const none = { regions: [] };

/**
 * @returns {Promise<{tiles?: string, version?: string, size_bytes?: number, zooms?: {least: number, most: number},
 *   attribution?: string, public_maps?: boolean, regions: {name: string, bounds: number[]}[]}>}
 */
export async function knownStreets() {
  try {
    const response = await fetch(new URL('streets/map.json', document.baseURI), { cache: 'no-cache' });
    if (!response.ok) return none;
    const index = await response.json();
    keep(index);
    return checked(index);
  } catch {
    return kept();
  }
}

/** Keeps the valid parts of an answer, which may come from any server, and accepts tiles only from our own. */
function checked(value) {
  const regions = (Array.isArray(value?.regions) ? value.regions : []).filter(
    ({ name, bounds } = {}) =>
      typeof name === 'string' && Array.isArray(bounds) && bounds.length === 4 && bounds.every(Number.isFinite),
  );
  if (typeof value?.tiles !== 'string' || !regions.length) return { ...none, public_maps: value?.public_maps === true };
  const tiles = new URL(value.tiles, document.baseURI);
  if (tiles.origin !== new URL(document.baseURI).origin) return none;
  return {
    tiles: tiles.href,
    version: String(value.version ?? ''),
    size_bytes: Number(value.size_bytes) || 0,
    zooms: { least: Number(value.minimum_zoom) || 0, most: Number(value.maximum_zoom) || 14 },
    attribution: String(value.attribution ?? ''),
    public_maps: value.public_maps === true,
    regions: regions.map(({ name, bounds }) => ({ name, bounds })),
  };
}

function keep(index) {
  try {
    localStorage.setItem(key, JSON.stringify(index));
  } catch {
    // Without storage, there is no list to use later.
  }
}

function kept() {
  try {
    return checked(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return none;
  }
}

/** True if there are streets at a place. */
export const reaches = ({ regions }, [latitude, longitude]) =>
  regions.some(
    ({ bounds: [west, south, east, north] }) =>
      west <= longitude && longitude <= east && south <= latitude && latitude <= north,
  );
