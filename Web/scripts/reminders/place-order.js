// The order of the places that a search found, and a second line that distinguishes them.
import { apart_m, bearing_deg } from '../page/metres.js';
import { plain } from '../words/plain.js';
import * as words from '../words/words.js';
import * as zoneWords from '../words/zone-words.js';

/** The distance within which two places of one name and kind count as one: the two sides of a stop, the doors of a station. */
const same_m = 150;

/** How well a name matches: 0: equal; 1: same beginning; 2: each word begins one of its words; 3: found by something else. */
function grade(name, asked) {
  const own = plain(name);
  if (own === asked) return 0;
  if (own.startsWith(asked)) return 1;
  const parts = own.split(' ');
  return asked.split(' ').every((word) => parts.some((part) => part.startsWith(word))) ? 2 : 3;
}

/**
 * Sorts places: best match first, then towns, then the nearest. Places that count as one give one row.
 * @param {{name: string, detail: string, kind?: string, place: [number, number], isTown?: boolean}[]} places
 * @param {string} asked
 * @param {[number, number]} [near]
 */
export function ordered(places, asked, near) {
  const wanted = plain(asked);
  const ranked = places
    .map((place) => {
      const distance_m = place.distance_m ?? (near && apart_m(near, place.place));
      return {
        place: { ...place, distance_m },
        rank: [grade(place.name, wanted), place.isTown ? 0 : 1, distance_m ?? 0],
      };
    })
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2])
    .map(({ place }) => place);
  const kept = [];
  for (const place of ranked)
    if (!kept.some((other) => isOne(place, other) && apart_m(place.place, other.place) <= same_m)) kept.push(place);
  return kept;
}

/** The distance within which a town of a search has to lie from a city on board of the same name, to be the same. */
const sameTown_m = 20_000;

/**
 * The cities on board, then other places that were found, without towns that are among the cities. If the other places are
 * shown already, the cities come after them: no row moves under a finger.
 * @param {{place: [number, number], names: string[]}[]} cities
 * @param {object[]} others of `ordered`
 * @param {{near?: [number, number], areShown?: boolean}} [how]
 */
export function withCities(cities, others, { near, areShown = false } = {}) {
  const isSame = (city, { name, isTown, place }) =>
    isTown && city.names.includes(plain(name)) && apart_m(city.place, place) <= sameTown_m;
  const own = cities.map((city) => ({ ...city, distance_m: near && apart_m(near, city.place) }));
  return areShown
    ? [...others, ...own.filter((city) => !others.some((place) => isSame(city, place)))]
    : [...own, ...others.filter((place) => !own.some((city) => isSame(city, place)))];
}

const isOne = (a, b) => plain(a.name) === plain(b.name) && (a.kind ?? '') === (b.kind ?? '');

/**
 * The second line of each place: kind and address; if the address is missing or not unique, also the distance and direction, or
 * else the position.
 * @param {[number, number]} [own] the person's position
 * @returns {{text: string, isAway: boolean}[]} `isAway`: the line states a distance
 */
export function secondLines(places, own) {
  const line = ({ name, detail }) => `${plain(name)}\n${detail}`;
  return places.map((place) => {
    const isAlone = places.filter((other) => line(other) === line(place)).length === 1;
    if (place.where !== '' && isAlone) return { text: place.detail, isAway: false };
    const away = own && apart_m(own, place.place);
    const lies = own
      ? `${words.length(away)} ${words.compass(bearing_deg(own, place.place))}`
      : zoneWords.place(place.place);
    return { text: [place.detail, lies].filter(Boolean).join(' · '), isAway: Boolean(own) };
  });
}
