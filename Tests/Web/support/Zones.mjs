// Zones for tests of the page: a town with names, or any number from a seed.

const home = [52.52, 13.405];

/** A place by metres north and east of the middle of the town. */
export const at = (north, east) => [
  home[0] + north / 111_270,
  home[1] + east / (111_320 * Math.cos((home[0] * Math.PI) / 180)),
];

const id = (number) => number.toString(16).padStart(16, '0');
const ring = (north, east, points) => points.map(([up, right]) => at(north + up, east + right));

export const zone = (number, values) => ({
  id: id(number),
  name: `Zone ${number}`,
  category: '',
  active: true,
  vibrate: true,
  priority: 0,
  inset_m: 0,
  alert_distance_m: 0,
  sound: '',
  outline: 'locations',
  edges: 'geodesic',
  trigger: 'enter',
  assurance: 'normal',
  ...values,
});

export const town = [
  zone(1, {
    name: 'Bakery Sonne',
    category: 'Food',
    priority: 1,
    alert_distance_m: 150,
    places: ring(420, -560, [
      [80, 10],
      [20, 95],
      [-70, 60],
      [-60, -80],
      [30, -90],
    ]),
  }),
  zone(2, { name: 'Market hall', category: 'Shopping', alert_distance_m: 150, places: [at(380, 520)], size_m: 110 }),
  zone(3, {
    name: 'Südkreuz station',
    category: 'Transit',
    priority: 3,
    alert_distance_m: 260,
    places: [at(-900, 240)],
    size_m: 150,
  }),
  zone(4, { name: 'Home', category: 'Home', priority: 2, trigger: 'leave', places: [at(1250, 900)], size_m: 120 }),
  zone(5, {
    name: 'Pharmacy at the ring',
    category: 'Health',
    priority: 2,
    alert_distance_m: 60,
    places: [at(-420, -520)],
    size_m: 60,
  }),
  zone(6, {
    name: 'Stadtpark',
    category: 'Nature',
    active: false,
    alert_distance_m: 80,
    places: ring(-80, -1200, [
      [260, -200],
      [200, 220],
      [-220, 240],
      [-240, -180],
    ]),
  }),
  zone(7, {
    name: 'Quarry edge',
    category: 'Hazard',
    priority: 5,
    alert_distance_m: 90,
    inset_m: -20,
    assurance: 'safety',
    places: ring(-500, 900, [
      [150, -60],
      [60, 140],
      [-120, 120],
      [-150, -40],
      [-40, -130],
    ]),
  }),
  zone(8, {
    name: 'Tow path',
    category: 'Path',
    outline: 'path',
    size_m: 25,
    places: [at(150, -300), at(60, 80), at(180, 380), at(90, 760)],
  }),
  zone(9, { name: 'Office', category: 'Work', active: false, places: [at(60, 1250)], size_m: 90 }),
];

/** A generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Circles and polygons over a region of this many metres. */
export function many(count, { seed = 1, across = 60_000 } = {}) {
  const random = seeded(seed);
  const categories = ['Food', 'Shopping', 'Transit', 'Home', 'Health', 'Nature', 'Work', 'Hazard', 'Else'];
  return Array.from({ length: count }, (_, index) => {
    const [north, east] = [(random() - 0.5) * across, (random() - 0.5) * across];
    const size = 30 + random() * 200;
    const corners = 3 + Math.floor(random() * 6);
    const places =
      random() < 0.5
        ? [at(north, east)]
        : Array.from({ length: corners }, (_, corner) => {
            const turn = (corner / corners) * 2 * Math.PI;
            const far = size * (0.7 + random() * 0.6);
            return at(north + far * Math.cos(turn), east + far * Math.sin(turn));
          });
    return zone(index + 1, {
      category: categories[Math.floor(random() * categories.length)],
      priority: Math.floor(random() * 4),
      active: random() < 0.9,
      alert_distance_m: random() < 0.5 ? 0 : Math.round(random() * 200),
      size_m: size,
      places,
    });
  });
}

/** The position of a device in the middle of the town. */
export const middle = { latitude: home[0], longitude: home[1] };

/** Runs a function with the page's map, once there is one. */
export async function onMap(page, what, ...values) {
  await page.see('.maplibregl-canvas');
  return page.run(
    `import('/map/map-view.js').then(async ({ mapView }) => (${what})(await mapView(), ...${JSON.stringify(values)}))`,
  );
}

/** Waits until the map has drawn everything. */
export const settled = (page) =>
  onMap(page, async (view) => {
    await view.idle();
  });

/** The position of a place on the screen. */
export const pixel = (page, place) =>
  onMap(
    page,
    (view, [latitude, longitude]) => {
      const { left, top } = view.map.getCanvas().getBoundingClientRect();
      const { x, y } = view.map.project([longitude, latitude]);
      return [left + x, top + y];
    },
    place,
  );

/** The features that a layer of the map shows, once there are at least `least`. */
export async function drawn(page, layer, least = 1) {
  await page.see('.maplibregl-canvas');
  return page.until(
    async (name, count) => {
      const { map } = await (await import('/map/map-view.js')).mapView();
      if (!map.getLayer(name)) return null;
      const found = map.queryRenderedFeatures({ layers: [name] });
      return found.length >= count && found.map(({ properties }) => properties);
    },
    layer,
    least,
  );
}

/** The stored range of a map that was used before. */
export const near = { map_range_m: 1500 };

/** The map screen over the town in its first view, which needs the position. */
export async function openedMap(story, more = {}) {
  const page = await story.open({ zones: town, kept: near, at: middle, address: '/map', ...more });
  await page.see('.map-tools');
  await page.until(async () => {
    const { map } = await (await import('/map/map-view.js')).mapView();
    return map.getZoom() > 3 && !map.isMoving();
  });
  await settled(page);
  return page;
}

/** The center of the map, latitude first. */
export const centerOf = (page) =>
  onMap(page, (view) => {
    const { lat, lng } = view.map.getCenter();
    return [lat, lng];
  });
