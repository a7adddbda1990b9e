// Looking for a place by its name (S203): at the server this page came from, which has imported places, and at a service
// that speaks as Nominatim does, when people have named one. Nothing is sent before somebody searches.
import { localeTag } from '../words/locale.js';
import { t } from '../words/translate.js';

/** Why there is no answer, in words for people. */
export class SearchFailed extends Error {}

const longest_ms = 10_000;
const most = 40;

/**
 * @param {string} words
 * @param {{near?: [number, number], isPrivate?: boolean, service?: string, signal?: AbortSignal, language?: string}} how `service` is the address of
 *   a Nominatim-compatible service, without `/search`; `isPrivate`: nobody is told where one is, and the order is theirs
 * @returns {Promise<{places: {name: string, detail: string, place: [number, number], distance_m?: number}[], attribution: string,
 *   hint?: string}>} nearest first where `near` is known
 * @throws {SearchFailed}
 */
export async function searchPlaces(words, { near: place, isPrivate, service, signal, language = localeTag() } = {}) {
  const near = isPrivate ? undefined : place;
  const q = words.trim();
  if (q.length < 2) throw new SearchFailed(t`Type at least two letters.`);
  let first;
  try {
    const found = await fromServer(q, near, signal);
    if (found.places.length || !service) return found;
    first = found;
  } catch (error) {
    if (error.name === 'AbortError' || !service) throw error;
  }
  const found = await fromService(q, near, service, signal, language);
  return found.places.length || !first ? found : first;
}

async function fetched(url, signal, whose) {
  const late = AbortSignal.timeout(longest_ms);
  let response;
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json' },
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (late.aborted) throw new SearchFailed(t`${whose} did not answer within ${longest_ms / 1000} seconds.`);
    throw new SearchFailed(
      navigator.onLine ? t`${whose} cannot be reached.` : t`There is no network. Choose the place on the map.`,
    );
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new SearchFailed(
      t`${whose} refused: ${problem.detail ?? problem.title ?? t`status ${String(response.status)}`}.`,
    );
  }
  try {
    return await response.json();
  } catch {
    throw new SearchFailed(t`${whose} did not answer with a list of places.`);
  }
}

async function fromServer(q, near, signal) {
  const url = new URL('api/v1/places', document.baseURI);
  url.search = new URLSearchParams({
    q,
    limit: String(most),
    ...(near && { near: near.map((degrees) => degrees.toFixed(5)).join(',') }),
  });
  const answer = await fetched(url, signal, t`The server`);
  if (!Array.isArray(answer?.items)) throw new SearchFailed(t`The server did not answer with a list of places.`);
  return {
    places: answer.items.flatMap((item) =>
      placed(item.name || item.brand, item.latitude, item.longitude, {
        detail: [item.word, street(item.address)].filter(Boolean).join(' · '),
        distance_m: item.distance_m ?? undefined,
      }),
    ),
    attribution: answer.attribution ?? '',
    hint: answer.hint ?? undefined,
  };
}

const street = ({ street = '', house_number: number = '', city = '' } = {}) =>
  [`${street} ${number}`.trim(), city].filter(Boolean).join(', ');

async function fromService(q, near, service, signal, language) {
  const url = new URL(`${service.replace(/\/+$/, '')}/search`);
  url.search = new URLSearchParams({
    q,
    format: 'jsonv2',
    limit: String(most),
    addressdetails: '1',
    'accept-language': language,
    ...(near && { viewbox: box(near) }),
  });
  const answer = await fetched(url, signal, url.host);
  if (!Array.isArray(answer)) throw new SearchFailed(t`${url.host} did not answer with a list of places.`);
  return {
    places: answer.slice(0, most).flatMap((item) => {
      const whole = String(item?.display_name ?? '');
      const name = String(item?.name || whole.split(',')[0]);
      return placed(name, Number(item?.lat), Number(item?.lon), {
        detail: whole
          .split(', ')
          .filter((part) => part !== name)
          .slice(0, 3)
          .join(', '),
      });
    }),
    attribution: t`© OpenStreetMap contributors, by ${url.host}`,
  };
}

/** Half a degree around; the service prefers what is inside, and finds what is not. */
const box = ([latitude, longitude]) => [longitude - 0.5, latitude + 0.5, longitude + 0.5, latitude - 0.5].join(',');

/** A list of one place, or of none when it has no name or lies nowhere. */
function placed(name, latitude, longitude, more) {
  const lies =
    Number.isFinite(latitude) && Math.abs(latitude) <= 90 && Number.isFinite(longitude) && Math.abs(longitude) <= 180;
  return name && lies ? [{ name, place: [latitude, longitude], ...more }] : [];
}
