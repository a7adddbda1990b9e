// Describes a PMTiles archive and checks that the page can draw it, before the archive is stored or drawn.
import { schemaOf } from './schemas.js';
import { t } from '../../scripts/words/translate.js';

/** The reason why an archive cannot be the map, in words for people. */
export class ArchiveProblem extends Error {}

/** Codes of PMTiles version 3, by its specification. */
const vector = 1;
const pictures = new Map([
  [2, 'PNG'],
  [3, 'JPEG'],
  [4, 'WebP'],
  [5, 'AVIF'],
]);
const compressions = new Map([
  [3, 'Brotli'],
  [4, 'Zstandard'],
]);
const most_zoom = 24;

/**
 * Describes an archive, or says why the page cannot draw it.
 * @param {object} archive of the pmtiles library
 * @param {string} name for messages
 * @param {number} [size] in bytes, if known: reveals an archive that was cut off
 * @returns {Promise<{kind: 'vector'|'raster', schema?: string, zooms: {least: number, most: number}, bounds: number[], layers:
 *   string[], attribution: string}>}
 * @throws {ArchiveProblem}
 */
export async function describe(archive, name, size) {
  const header = await headerOf(archive, name);
  if (header.specVersion < 3)
    throw new ArchiveProblem(
      t`${name} is a PMTiles archive of version ${header.specVersion}, and only version 3 can be read. “pmtiles convert” turns it into one.`,
    );
  if (size !== undefined && header.tileDataOffset + (header.tileDataLength ?? 0) > size)
    throw new ArchiveProblem(t`${name} is incomplete: its end is missing. Copy or download it again.`);
  const packed = compressions.get(header.tileCompression);
  if (packed) throw new ArchiveProblem(t`The tiles of ${name} are compressed with ${packed}; only gzip can be read.`);
  const kind = header.tileType === vector ? 'vector' : pictures.has(header.tileType) ? 'raster' : undefined;
  if (!kind) throw new ArchiveProblem(t`${name} does not say whether it holds vector tiles or pictures.`);
  const metadata = await metadataOf(archive, name);
  const zooms = { least: header.minZoom, most: header.maxZoom };
  const bounds = [header.minLon, header.minLat, header.maxLon, header.maxLat];
  const [west, south, east, north] = bounds;
  if (zooms.least > zooms.most || zooms.most > most_zoom || !(west < east && south < north))
    throw new ArchiveProblem(t`${name} gives zoom levels or bounds that cannot be.`);
  const layers = (Array.isArray(metadata.vector_layers) ? metadata.vector_layers : [])
    .map((layer) => layer?.id)
    .filter((id) => typeof id === 'string');
  const schema = kind === 'vector' ? schemaOf(layers) : undefined;
  if (kind === 'vector' && !schema) throw new ArchiveProblem(unknownLayers(name, layers));
  await tryTile(archive, header, name);
  return { kind, schema, zooms, bounds, layers, attribution: plain(metadata.attribution) };
}

async function headerOf(archive, name) {
  try {
    return await archive.getHeader();
  } catch (error) {
    throw new ArchiveProblem(
      /magic number/.test(error.message)
        ? t`${name} is not a PMTiles archive.`
        : /spec version/.test(error.message)
          ? t`${name} is a PMTiles archive of a version after 3, and only version 3 can be read.`
          : t`${name} cannot be read: ${error.message}`,
      { cause: error },
    );
  }
}

async function metadataOf(archive, name) {
  try {
    return (await archive.getMetadata()) ?? {};
  } catch (error) {
    throw new ArchiveProblem(t`The metadata of ${name} is damaged: ${error.message}`, { cause: error });
  }
}

/** Reads the tile in the middle of the archive. The tile may be missing, but must not be damaged. */
async function tryTile(archive, { minZoom: z, centerLon, centerLat }, name) {
  const across = 2 ** z;
  const sine = Math.sin((centerLat * Math.PI) / 180);
  const clamped = (share) => Math.min(across - 1, Math.max(0, Math.floor(share * across) || 0));
  const [x, y] = [clamped(centerLon / 360 + 0.5), clamped(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI))];
  try {
    await archive.getZxy(z, x, y);
  } catch (error) {
    throw new ArchiveProblem(t`The tiles of ${name} are damaged: ${error.message}`, { cause: error });
  }
}

function unknownLayers(name, layers) {
  if (!layers.length) return t`${name} does not say which layers its tiles have, so the page cannot draw them.`;
  const some = layers.slice(0, 6).join(', ');
  return t`The page does not know how to draw the layers of ${name} (${some}). It knows those of this program, of OpenMapTiles and of Protomaps.`;
}

/** The text of a credit without its links; at most 300 characters. */
function plain(credit) {
  if (typeof credit !== 'string') return '';
  return (new DOMParser().parseFromString(credit, 'text/html').body.textContent ?? '').trim().slice(0, 300);
}
