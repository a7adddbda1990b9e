// Checks if an address delivers map tiles, by requesting the tile of the whole world.
import { t } from '../scripts/words/translate.js';
import { NotReached, reach } from './reach.js';

/** @returns {Promise<string|undefined>} the reason why there are no tiles, with advice; undefined if there are tiles */
export async function tileProblem(address) {
  const url = address
    .replace('{z}', '0')
    .replace('{x}', '0')
    .replace('{y}', '0')
    .replace('{s}', 'a')
    .replace('{r}', '');
  const { host } = new URL(url);
  try {
    const response = await reach(url, { any: true });
    if (!response.ok)
      return t`${host} answers ${response.status} for the tile of the whole world; an address of tiles answers 200.`;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('image/')) return undefined;
    return type
      ? t`${host} answers with ${type}, which is no picture.`
      : t`${host} answers with something that is not a picture.`;
  } catch (error) {
    if (error instanceof NotReached) return error.message;
    throw error;
  }
}
