// Zones of OpenAir airspace files as forms, read as the program reads them (Sources/Formats/Zones/OpenAir/OpenAirReader.swift): the
// class becomes the category, the engine computes arcs (`arc`), and records without a shape are kept as rows.
// Source: J. Plutenko, "OPEN AIR (tm) TERRAIN and AIRSPACE DESCRIPTION LANGUAGE" 1.0 (1998, 1999).

const mile_m = 1852;
const most_m = 500 * mile_m;
/** The most points that all arcs of a file may have together. */
const most_points = 5_000_000;
const most_rows = 10_000;
const most_letters = 2 ** 20;

/** True if a text begins like an OpenAir file: with lines that name a class or an airspace. */
export const looksLikeOpenAir = (text) => /^a[cn] /im.test(text);

/** A record that is left out; the message is the issue's key. */
class RecordProblem extends Error {}
const refuse = (why) => {
  throw new RecordProblem(why);
};

/** A value without a trailing comment and surrounding blanks. */
const trimmed = (text) => text.split('*', 1)[0].replaceAll(/^[ \t]+|[ \t]+$/g, '');
/** The parts of a value between commas. */
const list = (text) => trimmed(text).split(',').map(trimmed);

/** `39:29.7 N 119:46.5 W`, `39:29:42N 119:46:30W`, `39.495 N 119.775 W` @returns {[number, number]} latitude first */
export function coordinate(text) {
  const found = /^([^NS]*)([NS])([^EW]*)([EW])$/i.exec(trimmed(text));
  if (!found) refuse('bad_coordinate');
  const [, north, ns, east, ew] = found;
  const place = [angle(north, /s/i.test(ns)), angle(east, /w/i.test(ew))];
  if (!(Math.abs(place[0]) <= 90 && Math.abs(place[1]) <= 180)) refuse('bad_coordinate');
  return place;
}

/** Degrees, minutes and seconds; a fraction belongs to the last of them. */
function angle(written, isNegative) {
  const parts = written.split(':');
  let degrees = 0;
  parts.forEach((part, index) => {
    const value = /^[ \t]*\+?(\d+\.?\d*|\.\d+)[ \t]*$/.test(part) ? Number(part) : NaN;
    const isBroken = index < parts.length - 1 && !Number.isInteger(value);
    if (parts.length > 3 || !(value >= 0) || isBroken || (index > 0 && value >= 60.000_001)) refuse('bad_coordinate');
    degrees += value / [1, 60, 3600][index];
  });
  return isNegative ? -degrees : degrees;
}

const number = (text) => (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : NaN);
/** A distance in metres from nautical miles, or from the unit that is stated. */
const metres = (text) => {
  const [, digits, , unit] =
    /^([+-]?(\d+\.?\d*|\.\d+))[ \t]*(|(?:nmi?|km)\.?)$/i.exec(trimmed(text)) ?? refuse('bad_arc');
  const distance_m = Number(digits) * (/^k/i.test(unit) ? 1000 : mile_m);
  return distance_m > 0 && distance_m <= most_m ? distance_m : refuse('bad_arc');
};

const foot_m = 0.3048;
/** Margins of a flight level: 600 m for 940 hPa at sea level, and a tenth for air 25 K colder or warmer than the standard. */
const pressure_m = 600;
const temperature = 0.1;
const possible_m = [-12_000, 100_000];

/**
 * Reads a limit as the program does (Sources/Formats/Zones/OpenAir/OpenAirLimit.swift): above sea level; a flight level is moved
 * outwards; a limit above ground is not used.
 * @param {boolean} isFloor
 * @returns {{metres?: number, why?: string}} `why`: the reason why a stated limit is not used
 */
export function limit(text, isFloor) {
  const words = trimmed(text).toUpperCase();
  // Two numbers are no height.
  if (/[\d.][ \t]+[\d.]/.test(words)) return { why: 'bad_height' };
  const word = words.replaceAll(/[ \t]/g, '');
  const within = (metres) => (metres >= possible_m[0] && metres <= possible_m[1] ? { metres } : { why: 'bad_height' });
  // Zero means the ground, which lies below the sea in places.
  if (/^(GND|SFC|GROUND|SURFACE|[+-]?0+(\.0*)?(FEET|FT|F|METRES|METERS|MTR|M(?!SL))?(|AMSL|MSL|ALT|QNH))$/.test(word))
    return isFloor ? {} : { why: 'bad_height' };
  if (/^UNL(|IM|TD|IMITED)$/.test(word)) return isFloor ? { why: 'bad_height' } : {};
  const level = /^FL\+?(\d+\.?\d*|\.\d+)$/.exec(word);
  if (level) {
    const metres = Number(level[1]) * 100 * foot_m;
    if (!(Number(level[1]) <= 1000)) return { why: 'bad_height' };
    return within(isFloor ? metres * (1 - temperature) - pressure_m : metres * (1 + temperature) + pressure_m);
  }
  const found =
    /^([+-]?(?:\d+\.?\d*|\.\d+))(FEET|FT|F|METRES|METERS|MTR|M(?!SL))?(|AMSL|MSL|ALT|QNH|AGL|ASFC|AGND|SFC|GND)$/.exec(
      word,
    );
  if (!found || !(Math.abs(Number(found[1])) <= 1e6)) return { why: 'bad_height' };
  const [, digits, unit, over] = found;
  if (/^(AGL|ASFC|AGND|SFC|GND)$/.test(over)) return { why: 'height_unknown' };
  return within(Number(digits) * (unit?.startsWith('M') ? 1 : foot_m));
}

const fresh = (line) => ({ line, rows: [], clockwise: true, points: [], circles: [], airway: [], lost: 0 });
const hasGeometry = ({ points, circles, airway, lost }) =>
  points.length > 0 || circles.length > 0 || airway.length > 0 || lost > 0;

export class OpenAirReader {
  #arc;
  #area = fresh(1);
  #center;
  #isTerrain = false;
  #points = 0;
  #rest = '';
  #line = 0;
  #zones = [];
  #issues = [];

  /** @param {(arc: object) => [number, number][]} arc returns the engine's points along an arc */
  constructor(arc) {
    this.#arc = arc;
  }

  /** Reads the next piece of the file. */
  feed(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    for (const line of lines) this.#take(line);
  }
  finish() {
    for (const line of this.#rest.split('\r')) this.#take(line);
    this.#end();
  }

  /** Returns the zones and issues read since the last call. */
  taken() {
    return { zones: this.#zones.splice(0), issues: this.#issues.splice(0) };
  }

  #take(line) {
    this.#line += 1;
    const text = line.trim();
    if (!text || text.startsWith('*')) return;
    if (text.length > most_letters) {
      this.#note('line_too_long');
      return;
    }
    const [, key, value] = /^(\S*)\s*([^]*)$/.exec(text);
    try {
      this.#record(key.toUpperCase(), value);
    } catch (error) {
      if (!(error instanceof RecordProblem)) throw error;
      this.#area.lost += 1;
      this.#note(error.message);
    }
  }

  #note(why, isError = true, line = this.#line) {
    this.#issues.push({ line, zone: this.#area.name ?? '', error: isError, why });
  }

  #record(key, value) {
    const area = this.#area;
    if (key === 'AC') {
      if (area.category !== undefined || hasGeometry(area)) this.#begin();
      this.#isTerrain = false;
      this.#area.category = value;
    } else if (key === 'AN') {
      if (area.name !== undefined && hasGeometry(area)) this.#begin();
      this.#isTerrain = false;
      this.#area.name = value;
    } else if (key === 'TO' || key === 'TC') {
      // Terrain is for drawing only, so it makes no zones.
      this.#begin();
      this.#isTerrain = true;
    } else if (!this.#isTerrain && key !== 'SP' && key !== 'SB') this.#shape(key, value);
  }

  #shape(key, value) {
    const area = this.#area;
    switch (key) {
      case 'V':
        this.#variable(value);
        break;
      case 'DP':
        area.points.push(coordinate(value));
        break;
      case 'DA': {
        const [radius, from_deg, to_deg, more] = list(value);
        const [from, to] = [from_deg ?? '', to_deg ?? ''].map(number);
        if (more !== undefined || !(Math.abs(from) <= 720) || !(Math.abs(to) <= 720)) refuse('bad_arc');
        const radius_m = metres(radius);
        this.#append({ center: this.#needed(), from_deg: from, to_deg: to, radius_m, clockwise: area.clockwise });
        break;
      }
      case 'DB': {
        const ends = list(value);
        if (ends.length !== 2) refuse('bad_arc');
        const [first, last] = ends.map(coordinate);
        this.#append({ center: this.#needed(), first, last, clockwise: area.clockwise });
        break;
      }
      case 'DC':
        area.circles.push({ center: this.#needed(), radius_m: metres(value) });
        break;
      case 'DY':
        area.airway.push(coordinate(value));
        break;
      case 'AL':
      case 'AH': {
        if (area.rows.length < most_rows) area.rows.push([`OpenAir${key}`, value]);
        const { metres: over, why } = limit(value, key === 'AL');
        area[key === 'AL' ? 'floor_m' : 'ceiling_m'] = over;
        if (why) this.#note(why, false);
        break;
      }
      default:
        // AF, AG, AY and other A records are kept; any other key is unknown.
        if (key.length <= 3 && key.startsWith('A')) {
          if (area.rows.length < most_rows) area.rows.push([`OpenAir${key}`, value]);
          if (key === 'AA' && !area.toldOfTimes) {
            area.toldOfTimes = true;
            this.#note('times_ignored', false);
          }
        } else this.#note('unknown_record', false);
    }
  }

  #variable(value) {
    const [name, ...rest] = value.split('=');
    const given = rest.join('=').trim();
    if (!rest.length || !given || !name.trim()) refuse('bad_variable');
    switch (name.trim().toUpperCase()) {
      case 'X':
        // If the new center is invalid there is none, rather than that of another arc.
        this.#center = undefined;
        this.#center = coordinate(given);
        break;
      case 'D':
        if (!/^[+-]$/.test(trimmed(given))) refuse('bad_variable');
        this.#area.clockwise = trimmed(given) === '+';
        break;
      case 'W':
        this.#area.width_m = metres(given);
        break;
      default:
      // Z, the zoom level, and variables of other programs.
    }
  }

  #needed() {
    return this.#center ?? refuse('no_center');
  }

  #append(arc) {
    let places;
    try {
      places = this.#arc(arc);
    } catch {
      // The engine refuses arcs that are too large.
      refuse('bad_arc');
    }
    this.#points += places.length;
    if (this.#points > most_points) refuse('bad_arc');
    for (const place of places) this.#area.points.push(place);
  }

  #begin() {
    this.#end();
    this.#area = fresh(this.#line);
  }

  #end() {
    const { line, name, category = '', rows, points, circles, airway, width_m, floor_m, ceiling_m } = this.#area;
    // A class without name and geometry only sets how a map draws it.
    if (!this.#isTerrain && (name !== undefined || hasGeometry(this.#area))) {
      const outlines = [
        ...(points.length >= 3 ? [{ outline: 'locations', places: points }] : []),
        ...circles.map(({ center, radius_m }) => ({ outline: 'locations', places: [center], size_m: radius_m })),
        ...(airway.length >= 2 ? [{ outline: 'path', places: airway, ...(width_m && { size_m: width_m / 2 }) }] : []),
      ];
      if (!outlines.length) this.#note('no_geometry', true, line);
      const isUpsideDown = floor_m >= ceiling_m;
      if (isUpsideDown) this.#note('ceiling_below_floor', false, line);
      const heights = isUpsideDown
        ? {}
        : { ...(floor_m !== undefined && { floor_m }), ...(ceiling_m !== undefined && { ceiling_m }) };
      outlines.forEach((outline, index) =>
        this.#zones.push({
          ...outline,
          edges: 'geodesic',
          name: outlines.length > 1 ? `${name ?? ''} ${index + 1}` : (name ?? ''),
          category,
          ...heights,
          ...(rows.length && { pad_rows: rows }),
        }),
      );
    }
    this.#area = fresh(this.#line);
  }
}
