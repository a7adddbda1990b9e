// When the map is there: beside the pane on wide screens, behind map screens on phones. And what is always drawn on it.
import { mapView } from './map-view.js';

/** Modules that draw something on every map: each exports `draw(app, view)`. */
const overlays = [() => import('./zone-layers.js'), () => import('./position-layer.js')];

export function mapHost(app) {
  const wide = matchMedia('(min-width: 840px)');
  const stage = document.getElementById('stage');
  let begun = false;
  const consider = async () => {
    if (begun || !(wide.matches || stage.dataset.map === 'behind')) return;
    begun = true;
    try {
      const view = await mapView(app);
      document.documentElement.dataset.map = '';
      for (const load of overlays) load().then((module) => module.draw(app, view)).catch((error) => console.error(error));
    } catch (error) {
      begun = false;
      console.error(error);
    }
  };
  wide.addEventListener('change', consider);
  addEventListener('screen', consider);
  consider();
}
