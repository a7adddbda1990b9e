// The style of zones on the map: filled areas, solid borders, dashed alert lines, medallions, and clusters.
import { byCategory } from '../scripts/page/categories.js';
import { fonts } from './base-style.js';
import { medallions } from './zone-medallions.js';

const none = { type: 'FeatureCollection', features: [] };

/** The radius of a cluster's disc by the number of its zones, and the width of its rim, in pixels. */
const discs = [
  [0, 19],
  [20, 22],
  [100, 26],
  [1000, 30],
];
const discRim = 3;
/** The diameter in pixels of the disc for this many zones. */
export const discWidth = (count) => 2 * (discs.findLast(([from]) => count >= from)[1] + discRim);

const isOff = ['==', ['get', 'state'], 'off'];

/**
 * The filter of each layer.
 * @param {{hidden: string, selected: string}} what ids of zones; another layer draws the hidden one at present
 */
export function zoneFilters({ hidden, selected }) {
  const isShown = ['!=', ['get', 'id'], hidden];
  const isSelected = ['==', ['get', 'id'], selected];
  const isKind = (kind, ...more) => ['all', ['==', ['get', 'kind'], kind], isShown, ...more];
  const isPin = ['all', ['!', ['has', 'point_count']], isShown];
  return {
    'zone-alert': isKind('alert', ['!', isOff]),
    'zone-area': isKind('effective', ['!', isOff]),
    'zone-ringing': isKind('effective', ['==', ['get', 'state'], 'ringing']),
    'zone-drawn': isKind('drawn'),
    'zone-alert-line': isKind('alert'),
    'zone-border': isKind('effective'),
    'zone-picked': isKind('effective', isSelected),
    'zone-cluster': ['has', 'point_count'],
    'zone-cluster-count': ['has', 'point_count'],
    'zone-pin': isPin,
    'zone-pin-picked': [...isPin, isSelected],
  };
}

/**
 * The sources, layers and images for zones.
 * @param {{token: (name: string) => string}} look
 * @param {{categories: Iterable<string>, hidden: string, selected: string}} what
 */
export function zoneStyle(look, { categories, hidden, selected }) {
  const { token } = look;
  const filters = zoneFilters({ hidden, selected });
  const own = byCategory(categories, (of) => token(of.token));
  const colour = ['case', isOff, token('--off'), ['==', ['get', 'state'], 'ringing'], token('--alarm'), own];
  const picture = ['concat', 'zone-', byCategory(categories, (of) => of.picture), '-', ['get', 'state']];
  const pin = { 'icon-image': picture, 'icon-allow-overlap': true, 'icon-ignore-placement': true };
  return {
    images: medallions(look, categories),
    sources: {
      'zone-lines': { type: 'geojson', data: none, tolerance: 0.2 },
      'zone-pins': {
        type: 'geojson',
        data: none,
        cluster: true,
        clusterRadius: 40,
        clusterMaxZoom: 14,
        clusterProperties: {
          ringing: ['+', ['case', ['==', ['get', 'state'], 'ringing'], 1, 0]],
          on: ['+', ['case', isOff, 0, 1]],
        },
      },
    },
    layers: [
      { id: 'zone-alert', type: 'fill', source: 'zone-lines', paint: { 'fill-color': colour, 'fill-opacity': 0.1 } },
      { id: 'zone-area', type: 'fill', source: 'zone-lines', paint: { 'fill-color': colour, 'fill-opacity': 0.22 } },
      {
        id: 'zone-ringing',
        type: 'fill',
        source: 'zone-lines',
        paint: { 'fill-color': token('--alarm'), 'fill-opacity': 0.5, 'fill-opacity-transition': { duration: 0 } },
      },
      {
        id: 'zone-drawn',
        type: 'line',
        source: 'zone-lines',
        layout: { 'line-cap': 'round' },
        paint: { 'line-color': colour, 'line-width': 1.6, 'line-dasharray': [0.1, 2.6] },
      },
      {
        id: 'zone-alert-line',
        type: 'line',
        source: 'zone-lines',
        paint: { 'line-color': colour, 'line-width': 1.8, 'line-dasharray': [3.2, 2.4] },
      },
      {
        id: 'zone-border',
        type: 'line',
        source: 'zone-lines',
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colour, 'line-width': 2.8 },
      },
      {
        id: 'zone-picked',
        type: 'line',
        source: 'zone-lines',
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colour, 'line-width': 5 },
      },
      {
        id: 'zone-cluster',
        type: 'circle',
        source: 'zone-pins',
        paint: {
          'circle-color': [
            'case',
            ['>', ['get', 'ringing'], 0],
            token('--alarm'),
            ['>', ['get', 'on'], 0],
            token('--primary'),
            token('--off'),
          ],
          'circle-radius': ['step', ['get', 'point_count'], ...discs.flat().slice(1)],
          'circle-stroke-width': discRim,
          'circle-stroke-color': token('--surface'),
        },
      },
      {
        id: 'zone-cluster-count',
        type: 'symbol',
        source: 'zone-pins',
        layout: {
          'text-field': ['get', 'point_count_abbreviated'],
          'text-font': fonts,
          'text-size': 14,
          'text-allow-overlap': true,
          'text-ignore-placement': true,
        },
        paint: { 'text-color': token('--on-primary') },
      },
      { id: 'zone-pin', type: 'symbol', source: 'zone-pins', layout: pin },
      { id: 'zone-pin-picked', type: 'symbol', source: 'zone-pins', layout: { ...pin, 'icon-size': 1.25 } },
    ].map((layer) => ({ ...layer, filter: filters[layer.id] })),
  };
}
