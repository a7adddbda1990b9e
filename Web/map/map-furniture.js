// What floats over the map: on phones over the whole screen, on wide ones over the map beside the pane.
import { h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { t } from '../scripts/words/translate.js';

/** A layer over the map for one screen; taken away by its `remove`. */
export function furniture(...content) {
  const layer = h('div', { class: 'map-furniture' }, content);
  document.getElementById('map').append(layer);
  return layer;
}

/** @param {{label: string, picture: string, run: () => void, pressed?: boolean}} what */
export function tool({ label, picture, run, pressed }) {
  return h(
    'button',
    {
      type: 'button',
      'aria-label': label,
      title: label,
      'aria-pressed': pressed === undefined ? null : String(pressed),
      onclick: run,
    },
    icon(picture),
  );
}

export const tools = (...buttons) =>
  h('div', { class: 'map-tools', role: 'group', 'aria-label': t`Map tools` }, buttons);

/** Pinching needs two fingers; these need one, or a key. */
export const zoomTools = (view) => [
  tool({ label: t`Zoom in`, picture: 'plus', run: () => view.map.zoomIn() }),
  tool({ label: t`Zoom out`, picture: 'minus', run: () => view.map.zoomOut() }),
];
