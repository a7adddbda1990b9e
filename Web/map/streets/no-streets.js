// A notice on the map where it has no streets, with a way to get some. Nothing is loaded from other servers before a person
// agrees.
import { lacksStreets } from '../ground.js';
import { modalSheet } from '../../parts/sheet.js';
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';

export function draw(app, view) {
  const line = h(
    'div',
    { class: 'no-streets', hidden: true },
    h('span', {}, t`No streets here.`),
    h(
      'button',
      { type: 'button', class: 'link', onclick: () => askForPublicMap(app) },
      t`Show streets from OpenStreetMap`,
    ),
  );
  const container = view.map.getContainer();
  container.append(line);
  // Other elements at the foot of the map are placed above this line.
  new ResizeObserver(() => {
    container.style.setProperty('--streets-line', line.hidden ? '0px' : `${line.offsetHeight + 8}px`);
  }).observe(line);
  const look = () => {
    line.hidden = !lacksStreets(app.settings, view.streets, view.look);
  };
  view.map.on('moveend', look);
  app.addEventListener('settings', look);
  look();
}

/** Asks a person to agree to OpenStreetMap's tiles, and explains the data that its server will receive. */
export function askForPublicMap(app) {
  const sheet = modalSheet(
    { label: t`Streets from OpenStreetMap` },
    h(
      'div',
      { class: 'public-map' },
      h('h2', { class: 'title-3' }, t`Streets from OpenStreetMap`),
      h(
        'p',
        { class: 'subhead' },
        t`Where this server has no streets, the page then loads pictures of the map from tile.openstreetmap.org. Its
          operator sees which parts of the map you look at, and your internet address. Your zones and positions are
          not sent. You can switch it off again under Layers.`,
      ),
      h(
        'div',
        { class: 'sheet-actions' },
        h(
          'button',
          {
            type: 'button',
            class: 'button primary',
            onclick: () => {
              app.changeSettings({ map_base: 'public' });
              sheet.close();
            },
          },
          t`Show them`,
        ),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Not now`),
      ),
    ),
  );
}
