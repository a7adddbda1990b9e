// Search for a place by its name (S203): among the cities on board, on the server this page came from, or in an app the
// account's server, which has imported places, and on a service compatible with Nominatim, if people have named one. While
// somebody types, only the cities and the server's own places are searched.
import { localeTag } from '../words/locale.js';
import { t } from '../words/translate.js';
import { ordered, withCities } from './place-order.js';

/** The reason why a search has no answer, in words for people. */
export class SearchFailed extends Error {}

/** An app without an account has no server to ask. */
class SignedOut extends SearchFailed {}

/** The time that places of the server wait for the cities, to be shown after them, in ms: the list may be on its way. */
const cities_ms = 1000;
const longest_ms = 10_000;
const most = 40;

/**
 * @param {string} words
 * @param {{server: import('../server/server.js').Server, near?: [number, number], service?: string, signal?: AbortSignal,
 *   language?: string}} how `service` is the address of a Nominatim-compatible service, without `/search`; `suggests`: for
 *   words that are being typed, which are not sent to other services; `alsoFar`: also the best matches at any distance;
 *   `cities`: finds cities on board, such as `findCities`; `soon`: called with the part that is found first
 * @returns {Promise<{places: {name: string, detail: string, where: string, place: [number, number], distance_m?: number}[],
 *   attribution: string, hint?: string, note?: string, isEmpty?: boolean}>} cities, then the best match, then the nearest if
 *   `near` is known; `hint`: the reason why nothing was found, `note`: the reason why other places than these are missing;
 *   `isEmpty`: the server has no places at all
 * @throws {SearchFailed}
 */
export async function searchPlaces(words, { cities, soon, ...how }) {
  if (words.trim().length < 2) throw new SearchFailed(t`Type at least two letters.`);
  const others = fromOthers(words, how);
  if (!cities) return others;
  const { near, signal } = how;
  let isKnown = false;
  let isAnswered = false;
  let areShown = false;
  let late;
  const show = (answer) => {
    if (signal?.aborted || !soon) return;
    areShown = true;
    soon(answer);
  };
  const known = cities(words, { near }).then((own) => {
    isKnown = true;
    clearTimeout(late);
    if (!isAnswered && own.places.length && !signal?.aborted)
      soon?.({ places: withCities(own.places, [], { near }), attribution: '' });
    return own;
  });
  const answered = others
    .catch((error) => {
      if (!(error instanceof SearchFailed)) throw error;
      return { places: [], attribution: '', problem: error, isSignedOut: error instanceof SignedOut };
    })
    .then((answer) => {
      isAnswered = true;
      if (!isKnown && answer.places.length) late = setTimeout(() => show(answer), cities_ms);
      return answer;
    });
  const [own, answer] = await Promise.all([known, answered]);
  const places = withCities(own.places, answer.places, { near, areShown });
  if (answer.problem && !places.length) throw answer.problem;
  return { ...answer, places, note: noteOf(own, answer) };
}

/** The reason why a list of places may lack some, in words for people. */
function noteOf(own, { isEmpty, isSignedOut, problem }) {
  if (own.problem) return own.problem;
  if (isSignedOut)
    return t`Cities and towns are on board. For stations and shops, sign in to a server that knows them.`;
  if (isEmpty)
    return t`Cities and towns are on board. For stations and shops, ask the person who runs your server to import places.`;
  if (problem && !navigator.onLine)
    return t`Cities and towns are on board. Stations and shops are found with a network.`;
  return problem?.message;
}

async function fromOthers(
  words,
  { server, near: place, service, signal, suggests = false, alsoFar = false, language = localeTag() },
) {
  const found = await unordered(words, {
    server,
    // The account's positions stay on its devices.
    near: server.account?.is_private ? undefined : place,
    service: suggests ? undefined : service,
    signal,
    suggests,
    alsoFar,
    language,
  });
  return { ...found, places: ordered(found.places, words, place) };
}

async function unordered(words, { server, near, service, signal, suggests, alsoFar, language }) {
  const q = words.trim();
  let first;
  try {
    const found = await fromServer(server, q, near, signal, { suggests, alsoFar });
    if (found.places.length || !service) return found;
    first = found;
  } catch (error) {
    if (error.name === 'AbortError' || !service) throw error;
  }
  const found = await fromService(q, near, service, signal, language);
  return found.places.length || !first ? found : first;
}

async function fetched(url, signal, whose, { credentials = 'same-origin', by = globalThis } = {}) {
  const late = AbortSignal.timeout(longest_ms);
  let response;
  try {
    response = await by.fetch(url, {
      headers: { accept: 'application/json' },
      credentials,
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

async function fromServer(server, q, near, signal, { suggests, alsoFar }) {
  await server.found;
  if (server.remote) {
    // The server answers an app for its account only, and would pass the words on to other services.
    if (suggests) return { places: [], attribution: '' };
    if (!server.remote.hasToken)
      throw new SignedOut(t`Places are searched on a server: sign in to one, or choose the place on the map.`);
  }
  const asked = (from) => {
    const wanted = new URLSearchParams({
      q,
      limit: String(most),
      ...(from && { near: from.map((degrees) => degrees.toFixed(5)).join(',') }),
    });
    // Without credentials while a person types: the server passes searches to other services for accounts only.
    return fetched(`/api/v1/places?${wanted}`, signal, t`The server`, {
      credentials: suggests ? 'omit' : undefined,
      by: server.remote,
    });
  };
  const answers = await Promise.all([asked(near), ...(near && alsoFar ? [asked()] : [])]);
  if (!answers.every((answer) => Array.isArray(answer?.items)))
    throw new SearchFailed(t`The server did not answer with a list of places.`);
  const items = new Map();
  for (const { items: some } of answers)
    for (const item of some) {
      const id = item.id ?? `${item.name} ${item.latitude} ${item.longitude}`;
      if (!items.has(id)) items.set(id, item);
    }
  return {
    places: [...items.values()].flatMap((item) =>
      placed(item.name || item.brand, item.latitude, item.longitude, {
        detail: [item.word, street(item.address)].filter(Boolean).join(' · '),
        where: street(item.address),
        kind: item.word,
        isTown: isTown(item.category ?? ''),
        distance_m: item.distance_m ?? undefined,
      }),
    ),
    attribution: answers[0].attribution ?? '',
    hint: inPlainWords(answers[0].hint),
    isEmpty: isForOperators(answers[0].hint),
  };
}

/** True if a hint is for operators: a server without places names the command that imports some. */
const isForOperators = (hint) => Boolean(hint && /\bproximity places\b/.test(hint));
const inPlainWords = (hint) =>
  isForOperators(hint)
    ? t`Your server has no stations or shops yet. Ask the person who runs it to import places, or choose on the map.`
    : (hint ?? undefined);

/** True if a place is a town, by OpenStreetMap's category as `key=value`. */
const isTown = (category) => /^(place|boundary)=/.test(category) && category !== 'place=yes';

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
      const where = whole
        .split(', ')
        .filter((part) => part !== name)
        .slice(0, 3)
        .join(', ');
      return placed(name, Number(item?.lat), Number(item?.lon), {
        detail: where,
        where,
        kind: item?.type,
        isTown: isTown(`${item?.category}=${item?.type}`),
      });
    }),
    attribution: t`© OpenStreetMap contributors, by ${url.host}`,
  };
}

/** A box of half a degree around a position; the service prefers places in it, and finds others too. */
const box = ([latitude, longitude]) => [longitude - 0.5, latitude + 0.5, longitude + 0.5, latitude - 0.5].join(',');

/** A list of one place; empty if it has no name or no valid position. */
function placed(name, latitude, longitude, more) {
  const lies =
    Number.isFinite(latitude) && Math.abs(latitude) <= 90 && Number.isFinite(longitude) && Math.abs(longitude) <= 180;
  return name && lies ? [{ name, place: [latitude, longitude], ...more }] : [];
}
