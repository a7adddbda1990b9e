// Proposes shapes for a zone from the streets drawn at its place: the building or area around it, or the street along it.
import { t } from '../../scripts/words/translate.js';

/** The highest zoom of the tiles; at higher zooms they are enlarged. */
const deepest = 14;
/** Layers with areas that a person may mean, and names for areas that have none. */
const areas = () => [
  { layer: 'building', called: t`this building` },
  { layer: 'ground', called: t`this area` },
  { layer: 'water', called: t`this water` },
];
/** The most features checked per layer; a tile of a city has some thousands. */
const most = 20_000;
/** The most points of a proposed shape: a zone does not need the detail of a coastline. */
const mostPoints = 500;
/**
 * The greatest distances, in metres, from a tap to the street that it means, and from the end of a line to its continuation.
 */
const reach_m = 25;
const joint_m = 3;

/**
 * The areas around a place, smallest first. An area that is cut at the edge of a tile is replaced by its convex hull if it is a
 * building, else omitted.
 * @param {[number, number]} place
 * @returns {{called: string, name?: string, isBuilding: boolean, places: [number, number][]}[]}
 */
export function areasAt(view, [latitude, longitude]) {
  const found = areas().flatMap(({ layer, called }) => {
    const features = view.streetFeatures(layer).slice(0, most);
    const isBuilding = layer === 'building';
    const here = features.filter(({ geometry }) =>
      outersOf(geometry).some((ring) => contains(ring, longitude, latitude)),
    );
    // A feature is returned once for each loaded tile that it is in.
    const things = new Map(here.map((feature) => [feature.id ?? feature, feature]));
    return [...things.values()].flatMap(({ id, properties, geometry }) => {
      const pieces = features.filter((each) => each.id === id && id !== undefined);
      const rings = (pieces.length ? pieces.map((each) => each.geometry) : [geometry]).flatMap(outersOf);
      const whole = rings.find((ring) => contains(ring, longitude, latitude) && !isCut(ring, longitude, latitude));
      const ring = whole ?? (isBuilding ? hull(rings.flat()) : undefined);
      if (!ring || ring.length < 3 || ring.length > mostPoints) return [];
      const { name } = properties;
      return [{ called: name ? `“${name}”` : called, name, isBuilding, places: ring.map(([x, y]) => [y, x]) }];
    });
  });
  return found.sort((one, other) => size(one.places) - size(other.places));
}

/**
 * The street at a place, from crossing to crossing, if the map has that stretch as one line.
 * @returns {{name: string, places: [number, number][]}|undefined}
 */
export function streetAt(view, place) {
  const lines = view
    .streetFeatures('road_name')
    .slice(0, most)
    .filter(({ properties }) => properties.name)
    .flatMap(({ geometry, properties }) => {
      const parts = geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates;
      return parts.map((line) => ({ name: properties.name, places: line.map(([x, y]) => [y, x]) }));
    });
  let nearest;
  let least = reach_m;
  for (const line of lines) {
    const away = awayFromLine_m(place, line.places);
    if (away < least) [nearest, least] = [line, away];
  }
  if (!nearest) return undefined;
  const others = lines.filter(({ name }) => name === nearest.name);
  return {
    name: nearest.name,
    places: joined(
      nearest.places,
      others.map(({ places }) => places),
    ).slice(0, mostPoints),
  };
}

/** Extends a line at both ends by lines that continue it. Lines of adjacent tiles overlap a little. */
function joined(line, others) {
  const waiting = new Set(others.filter((each) => each !== line));
  let whole = line;
  for (let goesOn = true; goesOn;) {
    goesOn = false;
    for (const other of waiting) {
      const onward = beyond(whole, other);
      const before = onward ?? beyond(whole.toReversed(), other)?.toReversed();
      if (!before) continue;
      waiting.delete(other);
      whole = onward ? [...whole, ...onward] : [...before, ...whole];
      goesOn = true;
    }
  }
  return whole;
}

/**
 * The points of another line after the point where the first line's end lies on it; undefined if it leads back to the first
 * line.
 */
function beyond(line, other) {
  const end = line.at(-1);
  for (const way of [other, other.toReversed()])
    for (let index = 1; index < way.length; index++)
      if (awayFromLine_m(end, way.slice(index - 1, index + 1)) < joint_m && awayFromLine_m(way.at(-1), line) > joint_m)
        return way.slice(index);
  return undefined;
}

/**
 * The distance in metres from a place to a line, on a plane that touches the earth at the place; exact enough for short
 * distances.
 */
export function awayFromLine_m([latitude, longitude], line) {
  const [north, east] = [111_195, 111_195 * Math.cos((latitude * Math.PI) / 180)];
  const points = line.map(([a, b]) => [(b - longitude) * east, (a - latitude) * north]);
  let nearest = points.length === 1 ? Math.hypot(...points[0]) : Infinity;
  for (let index = 1; index < points.length; index++) {
    const [[ax, ay], [bx, by]] = [points[index - 1], points[index]];
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.max(0, Math.min(1, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)));
    nearest = Math.min(nearest, Math.hypot(ax + along * dx, ay + along * dy));
  }
  return nearest;
}

/** The outer rings, without the closing point. */
function outersOf({ type, coordinates }) {
  const polygons = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : [];
  return polygons.map(([outer]) => outer.slice(0, -1));
}

function contains(ring, x, y) {
  let inside = false;
  for (let index = 0, before = ring.length - 1; index < ring.length; before = index++) {
    const [[ax, ay], [bx, by]] = [ring[index], ring[before]];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** True if a ring extends beyond the tile of a place. Tiles hold a little more than their own square. */
function isCut(ring, longitude, latitude) {
  const [column, row] = tileOf(longitude, latitude).map(Math.floor);
  return ring.some(([x, y]) => {
    const [across, down] = tileOf(x, y);
    return across < column || across > column + 1 || down < row || down > row + 1;
  });
}

function tileOf(longitude, latitude) {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return [
    (longitude / 360 + 0.5) * 2 ** deepest,
    (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** deepest,
  ];
}

/** The convex hull of points (Andrew's monotone chain). */
function hull(points) {
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const half = (from) => {
    const chain = [];
    for (const point of from) {
      while (chain.length > 1 && !turnsLeft(chain.at(-2), chain.at(-1), point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}
const turnsLeft = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0;

/** The area in square degrees, for comparisons only. */
function size(places) {
  let twice = 0;
  for (const [index, [a, b]] of places.entries()) {
    const [c, d] = places[(index + 1) % places.length];
    twice += a * d - c * b;
  }
  return Math.abs(twice);
}
