// Cities by name, in any language: reads the list that Scripts/page/city-index.py makes and describes, and searches it.
import { apart_m } from '../page/metres.js';
import { plain } from '../words/plain.js';

/** The list cannot be read. The message is for programs. */
export class CityIndexProblem extends Error {}

/** How well a name matches: it is the typed text, it begins with it, or its words begin with the typed words. */
export const grades = { equal: 0, beginning: 1, words: 2 };

const head = /^proximity cities 1\t(\d+)$/;
const country = /^@[A-Z]{2}(?:\t[^\t]+)?$/;
const city = /^(\d+)\t(-?\d+\.\d+)\t(-?\d+\.\d+)\t[^\t]/;
/** The column of the first name. */
const firstName = 3;
/** Matches that a search looks at: of two letters, the most frequent begin some 15,000 names. */
const mostMatches = 20_000;
/** A match of a name other than the first counts like a tenth of the people: many languages have names that few know. */
const otherName = 1;

export class CityIndex {
  /** The list, and the same list as names are compared, in one text. */
  #lines;
  #plain;
  /** The position in `#plain` at which each line begins. */
  #starts;
  /** The country of each line, such as `['AT']`, or with a state `['US', 'Missouri']`; undefined if it is no city. */
  #regions = [];
  #sizes;
  #places = [];

  /** @param {ArrayBuffer|Uint8Array} bytes @throws {CityIndexProblem} */
  constructor(bytes) {
    const text = decoded(bytes);
    this.#lines = text.split('\n');
    const announced = head.exec(this.#lines[0])?.[1];
    if (!announced) throw new CityIndexProblem('it is no list of cities of version 1');
    if (this.#lines.pop() !== '') throw new CityIndexProblem('it is cut off');
    this.#sizes = new Uint8Array(this.#lines.length);
    const cities = this.#read();
    if (cities !== Number(announced)) throw new CityIndexProblem(`${cities} cities found, ${announced} announced`);
    this.#plain = plain(text);
    this.#starts = beginnings(this.#plain);
    if (this.#starts.length !== this.#lines.length + 1) throw new CityIndexProblem('its lines cannot be compared');
  }

  #read() {
    let region;
    let cities = 0;
    for (const [index, line] of this.#lines.entries()) {
      if (index === 0) continue;
      if (country.test(line)) {
        region = line.slice(1).split('\t');
        continue;
      }
      const [, size, latitude, longitude] = city.exec(line) ?? [];
      const place = [Number(latitude), Number(longitude)];
      if (!region || size === undefined || Math.abs(place[0]) > 90 || Math.abs(place[1]) > 180)
        throw new CityIndexProblem(`line ${index + 1} is no city of a country`);
      this.#regions[index] = region;
      this.#sizes[index] = Number(size);
      this.#places[index] = place;
      cities++;
    }
    return cities;
  }

  /**
   * Finds cities. The typed words begin words of one of a city's names; those after the first may also be of its country or
   * state.
   * @param {string} typed
   * @param {{near?: [number, number], language?: string, most?: number}} [how]
   * @returns {{name: string, first: string, country: string, state?: string, place: [number, number], size: number, grade:
   *   number, names: string[]}[]} by grade, then by size and nearness. `name` is the one that matches, `first` the English
   *   name, `size` ten times the logarithm of the number of people. `names` are all of them as `plain` writes them
   */
  search(typed, { near, language = 'en', most = 10 } = {}) {
    const wanted = plain(typed).trim();
    if (!wanted) return [];
    const words = wanted.split(' ');
    const regions = new Regions(language);
    /** The best match of each line. */
    const found = new Map();
    for (const { line, column, from, until } of this.#occurrences(words[0])) {
      const name = this.#plain.slice(from, until);
      const grade = gradeOf(name, wanted, words, () => regions.words(this.#regions[line]));
      if (grade === undefined) continue;
      // The first name before others that match as well, of the others the shortest.
      const rank = [grade, column === firstName ? 0 : 1, name.length];
      const best = found.get(line);
      if (!best || isBefore(rank, best.rank)) found.set(line, { rank, column });
    }
    return [...found]
      .map(([line, { rank, column }]) => ({
        line,
        column,
        grade: rank[0],
        weight: this.#sizes[line] / 10 - otherName * rank[1] - (near ? farness(near, this.#places[line]) : 0),
      }))
      .sort((a, b) => a.grade - b.grade || b.weight - a.weight || a.line - b.line)
      .slice(0, most)
      .map(({ line, column, grade }) => {
        const cells = this.#lines[line].split('\t');
        return {
          name: grade === grades.equal && column !== firstName ? asTyped(cells[column], typed.trim()) : cells[column],
          first: cells[firstName],
          ...regions.named(this.#regions[line]),
          place: this.#places[line],
          size: this.#sizes[line],
          grade,
          names: this.#plain
            .slice(this.#starts[line], this.#starts[line + 1] - 1)
            .split('\t')
            .slice(firstName),
        };
      });
  }

  /** The names in which a word begins with `word`: line, column, and where the name lies in `#plain`. */
  *#occurrences(word) {
    const text = this.#plain;
    let line = 0;
    let left = mostMatches;
    for (let at = text.indexOf(word); at >= 0 && left > 0; at = text.indexOf(word, at + 1)) {
      if (text[at - 1] !== '\t' && text[at - 1] !== ' ') continue;
      while (this.#starts[line + 1] <= at) line++;
      if (!this.#regions[line]) continue;
      const column = tabs(text, this.#starts[line], at);
      if (column < firstName) continue;
      left--;
      yield { line, column, from: text.lastIndexOf('\t', at) + 1, until: endOfName(text, at) };
    }
  }
}

function decoded(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CityIndexProblem('it is not UTF-8');
  }
}

function beginnings(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return Int32Array.from(starts);
}

function tabs(text, from, until) {
  let found = 0;
  for (let at = from; at < until; at++) if (text[at] === '\t') found++;
  return found;
}

function endOfName(text, from) {
  let at = from;
  while (text[at] !== '\t' && text[at] !== '\n') at++;
  return at;
}

/** Undefined if a name does not match. `region` gives the words of its country, and is called only if the name lacks some. */
function gradeOf(name, wanted, words, region) {
  if (name === wanted) return grades.equal;
  if (name.startsWith(wanted)) return grades.beginning;
  const own = name.split(' ');
  const rest = words.filter((word) => !own.some((part) => part.startsWith(word)));
  if (!rest.length) return grades.words;
  if (!rest.every((word) => region().some((part) => part.startsWith(word)))) return undefined;
  return name.startsWith(words.filter((word) => !rest.includes(word)).join(' ')) ? grades.beginning : grades.words;
}

/** The logarithm of how much larger a distant city has to be to come before one nearby: 100 times at ten times the distance. */
const farness = (near, place) => 2 * Math.log10(1 + apart_m(near, place) / 100_000);

function isBefore(a, b) {
  const different = a.findIndex((value, index) => value !== b[index]);
  return different >= 0 && a[different] < b[different];
}

/**
 * A name with the accents that a person typed and its own capitals. The list has one of the spellings that a search does not
 * tell apart, such as "Róma" (Hungarian) for "Roma".
 */
function asTyped(name, typed) {
  const [own, wanted] = [name, typed].map((text) => [...text.normalize('NFC')]);
  if (own.length !== wanted.length) return name;
  return own
    .map((char, index) => (char === char.toLowerCase() ? wanted[index].toLowerCase() : wanted[index].toUpperCase()))
    .join('');
}

/** Countries in the language of the page. */
class Regions {
  #names;
  #english;
  #words = new Map();

  constructor(language) {
    [this.#names, this.#english] = [language, 'en'].map(
      (tag) => new Intl.DisplayNames([tag, 'en'], { type: 'region', fallback: 'code' }),
    );
  }

  named([code, state]) {
    return { country: this.#names.of(code), ...(state && { state }) };
  }

  /** The words of a region as they are compared, in the page's language and in English. */
  words(region) {
    if (!this.#words.has(region)) {
      const [code, state = ''] = region;
      this.#words.set(
        region,
        plain(`${this.#names.of(code)} ${this.#english.of(code)} ${code} ${state}`)
          .trim()
          .split(' '),
      );
    }
    return this.#words.get(region);
  }
}
