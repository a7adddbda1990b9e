// The legibility of names on the map. Needs no browser.
import assert from 'node:assert/strict';
import test from 'node:test';
import { nameOf, translated } from '../../../Web/map/archives/schemas.js';
import { colours, streetLayers } from '../../../Web/map/streets/streets-style.js';

/** The relative luminance defined by WCAG 2.2. */
function luminance(colour) {
  const parts = /^#(..)(..)(..)$/.exec(colour).slice(1);
  const [red, green, blue] = parts
    .map((part) => Number.parseInt(part, 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
const contrast = (a, b) => {
  const [dark, bright] = [luminance(a), luminance(b)].toSorted((one, other) => one - other);
  return (bright + 0.05) / (dark + 0.05);
};

const inks = ['name', 'placeName', 'pointName', 'transit', 'waterName', 'house'];
const beneath = [
  'ground',
  'sea',
  'wood',
  'park',
  'grass',
  'farm',
  'sand',
  'rock',
  'town',
  'industry',
  'school',
  'square',
];

for (const look of ['light', 'dark']) {
  test(`names can be read on their halo and on every ground, ${look}`, () => {
    const tones = colours[look];
    for (const ink of inks) {
      assert.ok(contrast(tones[ink], tones.halo) >= 4.5, `${ink} on its halo: ${contrast(tones[ink], tones.halo)}`);
      for (const ground of beneath) {
        const found = contrast(tones[ink], tones[ground]);
        // House numbers are drawn on buildings and on the ground, with a halo of their own.
        assert.ok(found >= (ink === 'house' ? 3.5 : 4.5), `${ink} on ${ground}: ${found.toFixed(2)}`);
      }
    }
  });

  test(`the ground is quieter than any zone's outline, ${look}`, () => {
    const tones = colours[look];
    const outline = look === 'light' ? '#00656e' : '#5ad1d6';
    for (const ground of [...beneath, 'building', 'road', 'main', 'motorway'])
      assert.ok(contrast(outline, tones[ground]) >= 3, `${ground}: ${contrast(outline, tones[ground])}`);
  });
}

test('both looks have the same layers and colours', () => {
  assert.deepEqual(Object.keys(colours.light), Object.keys(colours.dark));
  const ids = (isDark) => Object.values(streetLayers(isDark, ['sans'])).map((layers) => layers.map(({ id }) => id));
  assert.deepEqual(ids(true), ids(false));
  const all = ids(true).flat();
  assert.equal(new Set(all).size, all.length, 'a name of a layer twice');
});

test('names of other programs’ maps are shown where they are written under another member', () => {
  const road = translated(streetLayers(false, ['sans']).names, 'openmaptiles').find(({ id }) => id === 'road-name');
  const anyName = ['coalesce', ['get', 'name'], ['get', 'name:latin'], ['get', 'name_int'], ['get', 'name:en']];
  assert.deepEqual(road.layout['text-field'], anyName);
  assert.ok(JSON.stringify(road.filter).includes(JSON.stringify(anyName)), JSON.stringify(road.filter));
  assert.equal(nameOf({ 'name:latin': 'Turmstraße', 'name:en': 'Tower street' }), 'Turmstraße');
  assert.equal(nameOf({ name: 'Turmstraße', 'name:latin': 'Turmstrasse' }), 'Turmstraße');
  assert.equal(nameOf({ class: 'minor' }), undefined);
});
