// Zones as GeoJSON and KML, written as the program writes them: for maps and geographic information systems. The engine supplies
// the property names (`names`): `property_names`.

/** The members of a form that are written elsewhere in the file, or in another format. */
const special = ['name', 'schedule'];

/** The attributes of a zone, by their names in files. */
function properties(form, names) {
  const found = {};
  for (const [member, [name]] of Object.entries(names)) {
    const value = form[member];
    if (special.includes(member) || value === undefined || value === null || value === '') continue;
    if (Array.isArray(value) && value.length === 0) continue;
    found[name] = value;
  }
  const { schedule } = form;
  if (schedule)
    found[names.schedule[0]] = {
      ...schedule,
      // "12345" is Monday to Friday.
      windows: schedule.windows.map(([mask, opens, closes]) => ({
        days: [1, 2, 3, 4, 5, 6, 7].filter((day) => mask & (1 << (day - 1))).join(''),
        opens,
        closes,
      })),
    };
  return found;
}

const position = ([latitude, longitude]) => [longitude, latitude];
const ring = (places) => [...places, places[0]].map(position);

function geometry({ outline, places = [], parts = [] }) {
  if (outline === 'area') {
    const areas = parts.map((rings) => rings.map(ring));
    return areas.length === 1
      ? { type: 'Polygon', coordinates: areas[0] }
      : { type: 'MultiPolygon', coordinates: areas };
  }
  if (!places.length) return null;
  if (places.length === 1) return { type: 'Point', coordinates: position(places[0]) };
  return outline === 'path' || places.length === 2
    ? { type: 'LineString', coordinates: places.map(position) }
    : { type: 'Polygon', coordinates: [ring(places)] };
}

/**
 * @param {object[]} forms
 * @param {Record<string, string[]>} names by the members of a form
 * @returns {string} RFC 7946, a feature a line
 */
export function toGeoJSON(forms, names) {
  const features = forms.map((form) =>
    JSON.stringify({
      type: 'Feature',
      id: form.id,
      properties: { name: form.name ?? '', ...properties(form, names) },
      geometry: geometry(form),
    }),
  );
  return `{"type":"FeatureCollection","features":[\n${features.join(',\n')}\n]}\n`;
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) =>
  String(text)
    // XML does not allow these characters, not even as character references.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => entities[character]);
const tuples = (positions) => `<coordinates>${positions.map((each) => each.join(',')).join(' ')}</coordinates>`;
const linearRing = (positions) => `<LinearRing>${tuples(positions)}</LinearRing>`;
const polygon = ([outer, ...holes]) =>
  `<Polygon><outerBoundaryIs>${linearRing(outer)}</outerBoundaryIs>${holes
    .map((hole) => `<innerBoundaryIs>${linearRing(hole)}</innerBoundaryIs>`)
    .join('')}</Polygon>`;

function shape(found) {
  switch (found?.type) {
    case 'Point':
      return `<Point>${tuples([found.coordinates])}</Point>`;
    case 'LineString':
      return `<LineString>${tuples(found.coordinates)}</LineString>`;
    case 'Polygon':
      return polygon(found.coordinates);
    case 'MultiPolygon':
      return `<MultiGeometry>${found.coordinates.map(polygon).join('')}</MultiGeometry>`;
    default:
      return '';
  }
}

/** KML 2.2; attributes without an element of their own are in `ExtendedData`. The parameters are those of `toGeoJSON`. */
export function toKML(forms, names) {
  const placemarks = forms.map((form) => {
    const data = Object.entries(properties(form, names)).map(
      ([name, value]) =>
        `<Data name="${name}"><value>${escaped(typeof value === 'object' ? JSON.stringify(value) : value)}</value></Data>`,
    );
    const name = escaped((form.name ?? '').trim());
    return [
      `<Placemark id="z${form.id}"><name>${name}</name>`,
      `<ExtendedData>${data.join('')}</ExtendedData>`,
      `${shape(geometry(form))}</Placemark>\n`,
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n<Document>\n${placemarks.join('')}</Document>\n</kml>\n`;
}
