// Proposes a name for a zone from the streets that are drawn at its place.
import { awayFromLine_m } from './shapes-at.js';

/**
 * The layers that can name a place, most exact first, with the greatest distance in metres between the place and the named
 * feature.
 */
const named = [
  { layer: 'house', reach_m: 15, says: ({ street, number }) => street && `${street} ${number}` },
  { layer: 'point', reach_m: 40 },
  { layer: 'road_name', reach_m: 100 },
  { layer: 'place', reach_m: 1500 },
];
/** The most features checked per layer; the middle of a city has some thousands. */
const most = 20_000;

/**
 * @param {[number, number]} place
 * @returns {string|undefined} undefined if no streets are drawn or nothing near has a name
 */
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
 * The named point, such as a stop or a station, that is drawn at a place.
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
