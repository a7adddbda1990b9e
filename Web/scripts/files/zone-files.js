// Zones of GeoJSON and KML files as forms. The engine checks every value and reports the errors; it also supplies the property
// names (`names`): `property_names`.

import { kmlCoordinates } from './kml-coordinates.js';
import { statedSize } from './stated-size.js';

const text = (value) => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');
const texts = ['name', 'category', 'sound'];
const flags = ['active', 'vibrate'];
/** The members of a form that depend on the geometry as well. */
const ofOutline = ['outline', 'edges'];

/** Reads a value that is text in KML: numbers, flags, and lists as JSON. Other text stays text, and the engine refuses it by name. */
function value(given) {
  if (typeof given !== 'string') return given;
  if (given === 'true' || given === 'false') return given === 'true';
  if (given.trim() !== '' && Number.isFinite(Number(given))) return Number(given);
  if (/^\s*[[{]/.test(given)) {
    try {
      return JSON.parse(given);
    } catch {
      return given;
    }
  }
  return given;
}

/** The value of the first of a member's names that is present. */
const given = (properties, names) =>
  names.map((name) => properties[name]).find((each) => each !== undefined && each !== null && each !== '');

function attributes(properties, names) {
  const form = { name: '', category: '' };
  for (const [member, of] of Object.entries(names)) {
    const found = given(properties, of);
    if (found === undefined || ofOutline.includes(member) || member === 'size_m') continue;
    if (texts.includes(member)) form[member] = text(found);
    else if (flags.includes(member)) form[member] = flag(value(found));
    else if (member === 'schedule') form.schedule = scheduleForm(value(found));
    else form[member] = value(found);
  }
  return form;
}

const flag = (given) => (given === 1 ? true : given === 0 ? false : given);
const scheduleForm = (schedule) =>
  Array.isArray(schedule.windows)
    ? {
        ...schedule,
        windows: schedule.windows.map(({ days, opens, closes }) => [
          [...text(days)].reduce((mask, digit) => mask | (1 << (Number(digit) - 1)), 0),
          opens,
          closes,
        ]),
      }
    : schedule;

/** Reads degrees that some programs write as text. */
const degrees = (given) =>
  typeof given === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(given) ? Number(given) : given;
const swap = (position) => (Array.isArray(position) ? [degrees(position[1]), degrees(position[0])] : position);

/**
 * True if an object names a reference system other than longitude and latitude on WGS 84, as the program decides
 * (Sources/Formats/Zones/GeoJSON/GeoJSONReference.swift).
 */
function isForeign(object) {
  const crs = object?.crs;
  if (crs === undefined || crs === null) return false;
  const { name, code, href } = crs.properties ?? {};
  const named = [name, code, href, crs.name, crs]
    .map((each) => (Number.isInteger(each) ? `EPSG:${each}` : each))
    .find((each) => typeof each === 'string' && each !== '');
  const words = (named ?? '').toUpperCase().match(/[A-Z\d]+/g) ?? [];
  const last = words.at(-1);
  const isDegrees = ['CRS84', 'CRS84H', 'WGS84'].includes(last) || /^(WGS,84|4326)$/.test(words.join(','));
  return !isDegrees && !(words.includes('EPSG') && (last === '4326' || last === '4979'));
}
/** A ring without its last place, if that repeats the first. */
const open = (ring) => {
  const [first, last] = [ring[0], ring[ring.length - 1]];
  return ring.length > 1 && first[0] === last[0] && first[1] === last[1] ? ring.slice(0, -1) : ring;
};

/** The outlines of one geometry, each as members of a form; null for an unknown type. */
function outlines(geometry, { outline, edges } = {}) {
  const { type, coordinates: found } = geometry ?? {};
  const places = (positions) => positions.map(swap);
  const area = (polygons) => ({
    outline: 'area',
    parts: polygons.map((rings) => rings.map((ring) => open(places(ring)))),
    edges: edges ?? 'lonlat',
  });
  const line = (positions) => ({
    outline: outline === 'locations' ? 'locations' : 'path',
    places: places(positions),
    edges: edges ?? 'lonlat',
  });
  switch (type) {
    case 'Point':
      return [{ places: [swap(found)], edges: edges ?? 'geodesic' }];
    case 'MultiPoint':
      return found.map((position) => ({ places: [swap(position)], edges: edges ?? 'geodesic' }));
    case 'LineString':
      return [line(found)];
    case 'MultiLineString':
      return found.map(line);
    case 'Polygon':
      return [
        outline === 'locations' ? { outline, places: open(places(found[0])), edges: edges ?? 'lonlat' } : area([found]),
      ];
    case 'MultiPolygon':
      return [area(found)];
    case 'GeometryCollection':
      return (geometry.geometries ?? []).flatMap((each) => outlines(each, { outline, edges }));
    default:
      return null;
  }
}

/**
 * @param {object} content of a GeoJSON file
 * @param {object} names the property names for each member of a form, from the engine's `property_names`
 * @returns {{zones: object[], issues: {zone: string, error: boolean, why: string}[]}} forms as found in the file
 */
export function fromGeoJSON(content, names) {
  const result = { zones: [], issues: [] };
  const refuse = (zone) => result.issues.push({ zone, error: true, why: 'foreign_crs' });
  const add = (one) => {
    if (isForeign(one)) refuse(text(one.properties?.name));
    else if (one?.type === 'FeatureCollection') (Array.isArray(one.features) ? one.features : []).forEach(add);
    else if (one?.type) {
      const { geometry, properties, id } = one.type === 'Feature' ? one : { geometry: one };
      const of = properties ?? {};
      if (isForeignGeometry(geometry)) refuse(text(of.name));
      else take(result, names, geometry, of, id ?? of.id ?? of['@id']);
    }
  };
  if (Array.isArray(content)) content.forEach(add);
  else add(content);
  return result;
}

const isForeignGeometry = (geometry) =>
  isForeign(geometry) || (Array.isArray(geometry?.geometries) && geometry.geometries.some(isForeignGeometry));

function take(result, names, geometry, properties, stated) {
  const form = attributes(properties, names);
  let found;
  try {
    found = outlines(geometry, { outline: given(properties, names.outline), edges: given(properties, names.edges) });
  } catch {
    found = null;
  }
  if (!found?.length) {
    result.issues.push({ zone: form.name, error: true, why: 'no_geometry' });
    return;
  }
  const stated_size = statedSize(properties, names.size_m ?? []);
  const needsSize = ({ outline, places }) => outline === 'path' || (places && places.length < 3);
  if (stated_size.why && found.some(needsSize))
    result.issues.push({ zone: form.name, error: stated_size.why === 'bad_size', why: stated_size.why });
  const kept_m = value(properties[names.size_m?.[0]]);
  found.forEach((outline, index) => {
    const size_m = needsSize(outline) ? stated_size.size_m : kept_m;
    const ordinal = found.length > 1 ? index + 1 : null;
    const zone = {
      ...form,
      ...(Number.isFinite(size_m) && { size_m }),
      ...outline,
      name: ordinal ? `${form.name} ${ordinal}` : form.name,
    };
    if (stated !== undefined && stated !== null && stated !== '') {
      if (ordinal === null && /^[0-9a-f]{16}$/i.test(stated)) zone.id = String(stated);
      else zone.stated = `${stated}#${ordinal ?? 0}`;
    }
    result.zones.push(zone);
  });
}

const coordinates = (node) => kmlCoordinates(node.all('coordinates')[0]?.content ?? '').places;

function kmlGeometries(placemark) {
  return [
    ...placemark
      .all('Point')
      .map((node) => ({ type: 'Point', coordinates: coordinates(node)[0] }))
      .filter((point) => point.coordinates),
    ...placemark
      .all('LineString')
      .map((node) => ({ type: 'LineString', coordinates: coordinates(node) }))
      .filter((line) => line.coordinates.length > 1),
    ...placemark
      .all('Polygon')
      .map((node) => ({
        type: 'Polygon',
        coordinates: [...node.all('outerBoundaryIs'), ...node.all('innerBoundaryIs')].map(coordinates),
      }))
      .filter((polygon) => polygon.coordinates[0]?.length),
  ];
}

/** The issues of a placemark's positions, each kind once. */
function kmlIssues(placemark) {
  const all = placemark.all('coordinates').map((node) => kmlCoordinates(node.content));
  const points = placemark.all('Point').map(coordinates);
  return [
    ...(all.some(({ leftOut }) => leftOut) || points.some((places) => places.length > 1)
      ? [{ error: true, why: 'bad_coordinate' }]
      : []),
    ...(all.some(({ isStrange }) => isStrange) ? [{ error: false, why: 'bad_altitude' }] : []),
  ];
}

/**
 * The ceiling of a placemark's areas, as the program reads it (Sources/Formats/Zones/KML/KMLTop.swift): above sea level, if every
 * polygon is extruded to the ground and states absolute heights.
 * @returns {{ceiling_m?: number, isAboveGround: boolean}}
 */
function kmlTop(placemark) {
  const parts = placemark.all('Polygon').map((node) => {
    const { heights } = kmlCoordinates(node.all('outerBoundaryIs')[0]?.all('coordinates')[0]?.content ?? '');
    return {
      mode: node.child('altitudeMode')?.content.trim(),
      isExtruded: ['1', 'true'].includes(node.child('extrude')?.content.trim().toLowerCase()),
      // The heights count only if every position has one.
      highest: heights.length && heights.every(Number.isFinite) ? heights.reduce((a, b) => Math.max(a, b)) : 0,
    };
  });
  const isAboveGround = parts.some(({ mode, isExtruded }) => isExtruded && mode === 'relativeToGround');
  if (!parts.length || !parts.every(({ mode, isExtruded, highest }) => isExtruded && mode === 'absolute' && highest))
    return { isAboveGround };
  const ceiling_m = parts.reduce((most, { highest }) => Math.max(most, highest), -Infinity);
  return ceiling_m >= -12_000 && ceiling_m <= 100_000 ? { ceiling_m, isAboveGround } : { isAboveGround };
}

/**
 * @param {object} names as in `fromGeoJSON`
 * @param {import('./xml.js').XMLNode} placemark of a KML file; its zones are added to `result`
 */
export function fromPlacemark(result, names, placemark) {
  const properties = { name: placemark.child('name')?.content ?? '' };
  for (const data of placemark.all('Data')) properties[data.attribute('name')] = data.all('value')[0]?.content ?? '';
  for (const data of placemark.all('SimpleData')) properties[data.attribute('name')] = data.content;
  const geometries = kmlGeometries(placemark);
  for (const issue of kmlIssues(placemark)) result.issues.push({ zone: properties.name, ...issue });
  const { ceiling_m, isAboveGround } = kmlTop(placemark);
  const isSaid = [...names.floor_m, ...names.ceiling_m].some((name) => properties[name]);
  if (ceiling_m !== undefined && !isSaid) properties[names.ceiling_m[0]] = ceiling_m;
  if (isAboveGround) result.issues.push({ zone: properties.name, error: false, why: 'height_unknown' });
  take(
    result,
    names,
    geometries.length === 1 ? geometries[0] : { type: 'GeometryCollection', geometries },
    properties,
    placemark.attribute('id'),
  );
}
