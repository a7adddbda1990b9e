// The page's side of `city-worker.js`: the cities and towns that are part of the page, by name, without network.
import { localeTag } from '../words/locale.js';
import { t } from '../words/translate.js';

/** So many cities at most come before what else is found, such as a station. */
const most = 6;
/** The list takes some 25 MB of memory, which are given back after a while without a search. */
const keep_ms = 60_000;

class Cities {
  #worker;
  #waiting = new Map();
  #number = 0;
  #idle;

  /** Starts reading the list, unless that has begun. */
  prepare() {
    clearTimeout(this.#idle);
    // On a slow line the list may take longer; a search waits for it.
    this.#idle = setTimeout(() => (this.#waiting.size ? this.prepare() : this.#end()), keep_ms);
    if (this.#worker) return;
    this.#worker = new Worker(new URL('./city-worker.js', import.meta.url), { type: 'module' });
    this.#worker.onmessage = ({ data: { number, cities, problem } }) => {
      const done = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (problem === undefined) return done?.({ cities });
      done?.({ cities: [], problem });
      // The next search reads the list again.
      this.#end();
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#end();
    };
  }

  #end() {
    clearTimeout(this.#idle);
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const done of this.#waiting.values()) done({ cities: [], problem: 'city-worker.js' });
    this.#waiting.clear();
  }

  search(typed, how) {
    this.prepare();
    return new Promise((done) => {
      const number = ++this.#number;
      this.#waiting.set(number, done);
      this.#worker.postMessage({ number, typed, how });
    });
  }
}

const cities = new Cities();

/** Starts reading the list, for a person who is about to type. */
export const prepareCities = () => cities.prepare();

/**
 * Finds cities by their name in any language.
 * @param {string} typed @param {{near?: [number, number]}} [how]
 * @returns {Promise<{places: {name: string, detail: string, where: string, place: [number, number], isTown: true, names:
 *   string[]}[], problem?: string}>} best first; `names`: all names of a city as `plain` writes them; `problem`: the reason why
 *   the list cannot be searched
 */
export async function findCities(typed, { near } = {}) {
  const { cities: found, problem } = await cities.search(typed, { near, most, language: localeTag() });
  if (problem) console.error('places/cities.txt:', problem);
  return {
    places: found.map(({ name, first, state, country, place, names }) => ({
      name,
      detail: [name === first ? '' : first, [state, country].filter(Boolean).join(', ')].filter(Boolean).join(' · '),
      where: country,
      place,
      isTown: true,
      names,
    })),
    problem: problem && t`The page’s list of cities cannot be read, so only the server is searched.`,
  };
}
