// Reads a MapLibre style from an address, with all that it loads and the credits that it shows. Other addresses in the style
// are requested only at origins to which the person has agreed.
import { NotReached, reach } from '../reach.js';
import { t } from '../../scripts/words/translate.js';

const own = 'style-';
/** The prefix of an archive's address in a style. */
const archive = 'pmtiles://';
const most_layers = 2_000;

/**
 * Reads and checks a style, and makes all its addresses absolute.
 * @param {string} address of the style
 * @param {string[]} agreed origins that may be asked, besides the style's own
 * @returns {Promise<{style: {sources: object, layers: object[], sprite?: string}, origins: string[]}>} `origins` are all from
 *   which the style would load, as far as the answers of the agreed ones show
 * @throws {NotReached}
 */
export async function readStyle(address, agreed) {
  const { host } = new URL(address);
  const style = await json(address);
  if (style?.version !== 8 || !Array.isArray(style.layers) || !isTable(style.sources))
    throw new NotReached(t`${host} answers with something that is not a MapLibre style.`);
  if (style.layers.length > most_layers)
    throw new NotReached(
      t`The style of ${host} has ${style.layers.length} layers; at most ${most_layers} can be drawn.`,
    );
  const may = new Set([new URL(address).origin, ...agreed]);
  const origins = new Set([new URL(address).origin]);
  const sources = {};
  for (const [name, source] of Object.entries(style.sources)) {
    if (!isTable(source)) continue;
    sources[own + name] = await wholeSource(source, address, may, origins);
  }
  const sprite = typeof style.sprite === 'string' ? absolute(style.sprite, address) : undefined;
  if (sprite) origins.add(new URL(sprite).origin);
  const layers = style.layers
    .filter((layer) => isTable(layer) && typeof layer.id === 'string')
    .map((layer) => ({ ...layer, id: own + layer.id, ...(layer.source && { source: own + layer.source }) }));
  return { style: { sources, layers, ...(sprite && { sprite }) }, origins: [...origins] };
}

/** A source with absolute addresses, and with the tiles that its own description (TileJSON) names. */
async function wholeSource(source, address, may, origins) {
  const whole = { ...source };
  if (typeof source.data === 'string') whole.data = absolute(source.data, address);
  if (typeof source.url === 'string') {
    const packed = source.url.startsWith(archive);
    const url = absolute(packed ? source.url.slice(archive.length) : source.url, address);
    const { origin } = new URL(url);
    origins.add(origin);
    whole.url = packed ? archive + url : url;
    if (!packed && may.has(origin)) {
      const described = await json(url);
      delete whole.url;
      for (const key of ['tiles', 'minzoom', 'maxzoom', 'bounds', 'attribution', 'scheme'])
        if (described?.[key] !== undefined) whole[key] ??= described[key];
      whole.tiles = tilesOf(whole.tiles, url);
    }
  } else if (Array.isArray(source.tiles)) whole.tiles = tilesOf(source.tiles, address);
  for (const url of [...(whole.tiles ?? []), ...(typeof whole.data === 'string' ? [whole.data] : [])])
    origins.add(new URL(url).origin);
  return whole;
}

const isTable = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const tilesOf = (tiles, address) =>
  (Array.isArray(tiles) ? tiles : []).filter((each) => typeof each === 'string').map((each) => absolute(each, address));

/** An absolute address. Placeholders such as `{z}` stay as they are written. */
function absolute(text, base) {
  try {
    const url = new URL(text.replaceAll('{', '%7B').replaceAll('}', '%7D'), base);
    if (!['https:', 'http:'].includes(url.protocol)) throw new TypeError(url.protocol);
    return url.href.replaceAll('%7B', '{').replaceAll('%7D', '}');
  } catch (error) {
    throw new NotReached(t`The style names “${text.slice(0, 60)}”, which is not an address that the page can load.`, {
      cause: error,
    });
  }
}

async function json(url) {
  const response = await reach(url);
  try {
    return await response.json();
  } catch (error) {
    throw new NotReached(t`${new URL(url).host} answers with something that is not JSON.`, { cause: error });
  }
}

/** Requests one resource from each origin of a style. @throws {NotReached} that names the origin that refuses */
export async function tryOrigins({ sources, sprite }) {
  const tried = new Set();
  const first = ({ url, tiles, data }) => {
    if (url) return url.startsWith(archive) ? url.slice(archive.length) : url;
    if (typeof data === 'string') return data;
    return tiles?.[0]?.replaceAll(/\{[zxy]\}/g, '0').replaceAll(/\{[^}]*\}/g, '');
  };
  for (const url of [...Object.values(sources).map(first), sprite && `${sprite}.json`]) {
    if (!url || tried.has(new URL(url).origin)) continue;
    tried.add(new URL(url).origin);
    // The tile of the whole world may be missing in the map of one city.
    await reach(url, {
      any: true,
      headers: new URL(url).pathname.endsWith('.pmtiles') ? { range: 'bytes=0-126' } : {},
    });
  }
}
