// Where the page begins: the engine, what is kept, the frame, the first screen.
import { App } from './app.js';
import { h } from './dom.js';
import { Engine } from './engine.js';
import { Router } from './router.js';
import { Storage } from './storage.js';
import { snackbar } from '../parts/snackbar.js';

const [engine, storage] = await Promise.all([Engine.load(fetch('engine.wasm')), Storage.open()]).catch(cannotBegin);
const app = new App({ engine, storage });
await app.begin().catch(cannotBegin);

const dress = () => {
  const { theme } = app.settings;
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
};
app.addEventListener('settings', dress);
dress();
app.addEventListener('problem', ({ detail }) => snackbar(`Not kept: ${detail.message}`));
document.addEventListener('visibilitychange', () => app.visibility(document.visibilityState === 'visible'));
addEventListener('pagehide', () => app.visibility(false));

const router = new Router(app, {
  outlet: document.getElementById('outlet'), stage: document.getElementById('stage'), bar: document.getElementById('places'),
});
await router.follow();
document.documentElement.dataset.ready = '';

// What can wait until the first screen is there.
import('../map/map-host.js').then(({ mapHost }) => mapHost(app)).catch((error) => console.error(error));

function cannotBegin(error) {
  console.error(error);
  document.getElementById('outlet').replaceChildren(h('div', { class: 'pane' },
    h('header', {}, h('h1', { class: 'large-title' }, 'Proximity Alarm cannot begin')),
    h('p', {}, error.message), h('button', { class: 'button primary', onclick: () => location.reload() }, 'Try again')));
  throw error;
}
