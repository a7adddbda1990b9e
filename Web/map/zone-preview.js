// The zone that is being edited: its border, the line after the inset, and the line at which it alerts.
import { toMap } from './map-view.js';
import { h } from '../scripts/page/dom.js';
import * as words from '../scripts/words/words.js';

const none = { type: 'FeatureCollection', features: [] };
const text = new TextDecoder();

export class ZonePreview {
  #view;
  #draft;
  #alertTag = h('div', { class: 'map-tag alarm', 'aria-hidden': 'true' });
  #insetTag = h('div', { class: 'map-tag', 'aria-hidden': 'true' });
  #markers;

  constructor(view, draft) {
    this.#view = view;
    this.#draft = draft;
    view.overlay('draft', ({ token }) => ({
      sources: { draft: { type: 'geojson', data: none, tolerance: 0.1 } },
      layers: [
        layer('alert-fill', 'fill', 'alert', { 'fill-color': token('--alarm'), 'fill-opacity': 0.13 }),
        layer('fill', 'fill', 'border', { 'fill-color': token('--primary'), 'fill-opacity': 0.18 }),
        layer('alert-casing', 'line', 'alert', { 'line-color': token('--surface'), 'line-width': 4.5 }),
        layer('alert-line', 'line', 'alert', {
          'line-color': token('--alarm'),
          'line-width': 2.5,
          'line-dasharray': [3.4, 2.4],
        }),
        layer(
          'border',
          'line',
          'line',
          { 'line-color': token('--primary'), 'line-width': 3.5 },
          { 'line-join': 'round' },
        ),
        layer(
          'level',
          'line',
          'level',
          { 'line-color': token('--primary'), 'line-width': 3, 'line-dasharray': [0.1, 2.2] },
          { 'line-cap': 'round' },
        ),
        layer(
          'crossing',
          'line',
          'crossing',
          { 'line-color': token('--alarm'), 'line-width': 5 },
          { 'line-cap': 'round' },
        ),
      ],
    }));
    const marker = (element, options) => new view.library.Marker({ element, ...options });
    this.#markers = { alert: marker(this.#alertTag), inset: marker(this.#insetTag) };
    this.draw();
  }

  remove() {
    this.#view.remove('draft');
    for (const marker of Object.values(this.#markers)) marker.remove();
  }

  draw() {
    const { drawing, form } = this.#draft;
    const features = drawing.features ? JSON.parse(`[${text.decode(drawing.features)}]`) : [];
    // If an inset moves the border, the drawn border stays solid and the line after the inset is dotted.
    const moved = features.some(({ properties }) => properties.kind === 'drawn');
    for (const { properties } of features) {
      if (properties.kind === 'drawn' || (properties.kind === 'effective' && !moved)) properties.kind = 'border';
      else if (properties.kind === 'effective') properties.kind = 'level';
    }
    // A self-intersecting border may have no area to fill, so it is drawn as a line.
    const borders = features
      .filter(({ properties }) => properties.kind === 'border')
      .map(({ geometry }) => ({
        type: 'Feature',
        properties: { kind: 'line' },
        geometry: { type: 'MultiLineString', coordinates: geometry.coordinates.flat() },
      }));
    this.#view.setData('draft', { type: 'FeatureCollection', features: [...features, ...borders] });
    this.#tag(
      'alert',
      this.#alertTag,
      form.alert_distance_m > 0 && drawing.top,
      words.length(form.alert_distance_m ?? 0),
    );
    this.#tag('inset', this.#insetTag, form.inset_m && drawing.center, grown(form.inset_m));
  }

  #tag(name, element, place, said) {
    element.textContent = said;
    if (place) this.#markers[name].setLngLat(toMap(place)).addTo(this.#view.map);
    else this.#markers[name].remove();
  }
}

/** The inset as people say it: a negative inset enlarges the zone, a positive one shrinks it. */
export const grown = (inset_m) => `${inset_m > 0 ? '−' : '+'}${words.length(inset_m ?? 0)}`;

const layer = (id, type, kind, paint, layout = {}) => ({
  id: `draft-${id}`,
  type,
  source: 'draft',
  filter: ['==', ['get', 'kind'], kind],
  paint,
  layout,
});
