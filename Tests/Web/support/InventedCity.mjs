// An invented city from a seed, with as much on its tiles as a dense real one.

/** @param {{middle: [number, number], blocks: number}} what `blocks` to each side; 16 houses to a block @returns {string} OpenStreetMap XML */
export function inventedCity({ middle: [latitude, longitude], blocks = 16, seed = 7 }) {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const nodes = [];
  const ways = [];
  const node = (north_m, east_m) => {
    const [lat, lon] = [
      latitude + north_m / 111_195,
      longitude + east_m / (111_195 * Math.cos((latitude * Math.PI) / 180)),
    ];
    nodes.push(`<node id="${nodes.length + 1}" version="1" lat="${lat.toFixed(7)}" lon="${lon.toFixed(7)}"/>`);
    return nodes.length;
  };
  const way = (refs, tags) =>
    ways.push(
      `<way id="${ways.length + 1}" version="1">${refs.map((ref) => `<nd ref="${ref}"/>`).join('')}${Object.entries(
        tags,
      )
        .map(([key, value]) => `<tag k="${key}" v="${value}"/>`)
        .join('')}</way>`,
    );
  const block_m = 110;
  const half_m = (blocks * block_m) / 2;
  const kinds = ['primary', 'residential', 'residential', 'secondary', 'residential', 'tertiary', 'footway'];
  for (let line = 0; line <= blocks; line++)
    for (const isAcross of [true, false]) {
      const refs = [];
      for (let at = 0; at <= blocks * 2; at++) {
        const [along, aside] = [(at * block_m) / 2 - half_m, line * block_m - half_m + (random() - 0.5) * 12];
        refs.push(isAcross ? node(aside, along) : node(along, aside));
      }
      way(refs, {
        highway: kinds[line % kinds.length],
        name: `${isAcross ? 'Avenue' : 'Street'} ${line + 1}`,
      });
    }
  for (let row = 0; row < blocks; row++)
    for (let column = 0; column < blocks; column++) {
      const [south, west] = [row * block_m - half_m, column * block_m - half_m];
      if (random() < 0.08) {
        const park = [
          node(south + 12, west + 12),
          node(south + 12, west + 98),
          node(south + 98, west + 98),
          node(south + 98, west + 12),
        ];
        way([...park, park[0]], { leisure: 'park', name: `Park ${row}-${column}` });
        continue;
      }
      for (let house = 0; house < 16; house++) {
        const [up, right] = [south + 14 + Math.floor(house / 4) * 22, west + 14 + (house % 4) * 22];
        const [deep, wide] = [12 + random() * 8, 12 + random() * 8];
        const corners = [
          node(up, right),
          node(up, right + wide),
          node(up + deep, right + wide),
          node(up + deep, right),
        ];
        way([...corners, corners[0]], {
          building: 'yes',
          'addr:housenumber': String(house + 1),
          'addr:street': `Street ${column + 1}`,
        });
      }
    }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6" generator="invented">\n${nodes.join('\n')}\n${ways.join('\n')}\n</osm>\n`;
}
