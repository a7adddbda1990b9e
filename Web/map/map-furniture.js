// Controls that float over the map: over the whole screen on phones, beside the pane on wide screens.
import { h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { t } from '../scripts/words/translate.js';

/** A layer over the map for one screen; its `remove` takes it away. */
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

const tool_px = { width: 52, height: 48, below: 12 };

/** Tools in as many columns as fit above the covered part of the map; hints and offers stay beside them. */
export function tools(...buttons) {
  const element = h('div', { class: 'map-tools', role: 'group', 'aria-label': t`Map tools` }, buttons);
  const map = document.getElementById('map');
  const lay = () => {
    if (!element.isConnected) return;
    const covered = Number.parseFloat(map.style.getPropertyValue('--covered')) || 0;
    const free = map.clientHeight - covered - element.offsetTop - tool_px.below;
    const rows = Math.max(1, Math.floor(free / tool_px.height));
    const columns = Math.ceil(buttons.filter(({ hidden }) => !hidden).length / rows);
    for (const [name, value] of [
      ['--columns', String(columns)],
      ['--tools', `${columns * tool_px.width}px`],
    ])
      if (map.style.getPropertyValue(name) !== value) map.style.setProperty(name, value);
  };
  // The covered part of the map is in its style. Tools that were removed have no size, which ends the observation.
  const covering = new MutationObserver(lay);
  const room = new ResizeObserver(() => {
    lay();
    covering.disconnect();
    if (element.isConnected) covering.observe(map, { attributes: true, attributeFilter: ['style'] });
    else room.disconnect();
  });
  room.observe(element);
  room.observe(map);
  return element;
}

/** For people who cannot pinch: these need one finger, or a key. */
export const zoomTools = (view) => [
  tool({ label: t`Zoom in`, picture: 'plus', run: () => view.map.zoomIn() }),
  tool({ label: t`Zoom out`, picture: 'minus', run: () => view.map.zoomOut() }),
];
