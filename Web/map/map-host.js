// Loads the map when it is needed: beside the pane on wide screens, behind map screens on phones. Also loads the layers that
// every map has.
import { mapView, NoMap } from './map-view.js';
import { writePins } from './zone-geojson.js';
import { h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { t } from '../scripts/words/translate.js';

/** Modules that draw on every map, with its first picture. Each exports `draw(app, view)`. */
const atOnce = [() => import('./zone-layers.js'), () => import('./streets/no-streets.js')];
/** Modules whose layers are added once the base map has been drawn. */
const overlays = [() => import('./position-layer.js'), () => import('./phone-dots.js')];

export function mapHost(app) {
  const wide = matchMedia('(min-width: 768px)');
  const stage = document.getElementById('stage');
  let begun = false;
  /** The reason for a missing map, beside the pane on wide screens; on phones each screen shows it. */
  const absent = h('div', { class: 'map-absent' });
  const consider = async () => {
    if (begun || !(wide.matches || stage.dataset.map === 'behind')) return;
    begun = true;
    writePins(app).catch((error) => console.error(error));
    try {
      const view = await mapView(app);
      absent.remove();
      document.documentElement.dataset.map = '';
      const laid = [...atOnce.map((load) => load()), ...overlays.map((load) => view.drawn.then(load))].map((loading) =>
        loading.then((module) => module.draw(app, view)).catch((error) => console.error(error)),
      );
      view.laid = Promise.all(laid);
    } catch (error) {
      begun = false;
      if (error instanceof NoMap) console.warn(error.message);
      else console.error(error);
      absent.replaceChildren(
        icon('warning', { size: 40 }),
        h('p', { class: 'headline' }, t`No map`),
        h('p', { class: 'subhead' }, error.message),
        h('p', { class: 'subhead' }, t`Alarms work without the map.`),
      );
      document.getElementById('map').append(absent);
    }
  };
  wide.addEventListener('change', consider);
  addEventListener('screen', consider);
  consider();
}
