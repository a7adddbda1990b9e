// The positions of a `coordinates` element of KML, read as the program reads them (Sources/Formats/Zones/KML/KMLCoordinates.swift):
// blanks beside commas, or commas between positions, are accepted if they have only one possible meaning.

const number = (text) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN);

/** @param {string[]} fields @returns {{place?: [number, number], height: number, isStrange: boolean}} longitude first */
function position(fields) {
  const [longitude, latitude, height] = fields.slice(0, 3).map(number);
  const isStrange = fields.length > 2 && Number.isNaN(height) && fields.at(-1) !== '';
  const isPlace =
    (fields.length === 2 || fields.length === 3) && Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90;
  return { ...(isPlace && { place: [longitude, latitude] }), height: height ?? NaN, isStrange };
}

/** Reads one token, which may end with a comma. */
const ofToken = (token) => {
  const fields = token.split(',');
  return position(fields.length > 2 && fields.at(-1) === '' ? fields.slice(0, -1) : fields);
};
const lost = (positions) => positions.filter(({ place }) => !place).length;

/** Reads numbers separated only by commas as pairs or triples; undefined if both are possible, or neither. */
function ofRun(fields) {
  if (fields.length <= 3) return undefined;
  const readings = [2, 3]
    .filter((length) => fields.length % length === 0)
    .map((length) =>
      Array.from({ length: fields.length / length }, (_, index) =>
        position(fields.slice(index * length, (index + 1) * length)),
      ),
    )
    .filter((positions) => positions.every(({ place, isStrange }) => place && !isStrange));
  if (readings.length === 1) return readings[0];
  // Prefers a reading as a closed ring.
  const closed = readings.filter((positions) => String(positions[0].place) === String(positions.at(-1).place));
  return closed.length === 1 ? closed[0] : undefined;
}

/** @returns {{places: [number, number][], heights: number[], leftOut: number, isStrange: boolean}} longitude first */
export function kmlCoordinates(text) {
  const tokens = text.split(/\s+/).filter(Boolean);
  let found = tokens.map(ofToken);
  if (lost(found)) {
    const joined = text
      .trim()
      .replaceAll(/\s*,\s*/g, ',')
      .split(/\s+/);
    const run = joined.length === 1 && ofRun(joined[0].split(','));
    const positions = joined.map(ofToken);
    if (run) found = run;
    else if (joined.length < tokens.length && lost(positions) < lost(found)) found = positions;
  }
  const good = found.filter(({ place }) => place);
  return {
    places: good.map(({ place }) => place),
    heights: good.map(({ height }) => height),
    leftOut: lost(found),
    isStrange: good.some(({ isStrange }) => isStrange),
  };
}
