// What a place on the map is called, by the streets that are drawn there: a proposal for the name of a zone.
import { awayFromLine_m } from './shapes-at.js';

/** Of each layer, how far the place may be from what names it, in metres; the first that has one within reach names it. */
const named = [
  { layer: 'house', reach_m: 15, says: ({ street, number }) => street && `${street} ${number}` },
  { layer: 'point', reach_m: 40 },
  { layer: 'road_name', reach_m: 100 },
  { layer: 'place', reach_m: 1500 },
];
/** In the middle of a city there are some thousands of each. */
const most = 20_000;

/** @param {[number, number]} place @returns {string|undefined} undefined where no streets are drawn, or nothing near has a name */
export function nameOfPlace(view, place) {
  for (const { layer, reach_m, says = ({ name }) => name } of named) {
    let best;
    let nearest = reach_m;
    for (const { geometry, properties } of view.streetFeatures(layer).slice(0, most)) {
      const name = says(properties);
      if (!name) continue;
      const away = away_m(geometry, place);
      if (away < nearest) [best, nearest] = [name, away];
    }
    if (best) return best;
  }
  return undefined;
}

/**
 * The stop, station or shop that is drawn at a place.
 * @returns {{name: string, kind: string, place: [number, number]}|undefined}
 */
export function pointAt(view, place) {
  let best;
  let nearest = named.find(({ layer }) => layer === 'point').reach_m;
  for (const { geometry, properties } of view.streetFeatures('point').slice(0, most)) {
    if (!properties.name || geometry.type !== 'Point') continue;
    const away = away_m(geometry, place);
    const { name, kind } = properties;
    if (away < nearest) [best, nearest] = [{ name, kind, place: geometry.coordinates.toReversed() }, away];
  }
  return best;
}

function away_m({ type, coordinates }, place) {
  const lines = type === 'MultiLineString' ? coordinates : [type === 'Point' ? [coordinates] : coordinates];
  return Math.min(
    ...lines.map((line) =>
      awayFromLine_m(
        place,
        line.map(([x, y]) => [y, x]),
      ),
    ),
  );
}
