// Starts the page: the engine, the stored data, the frame, the first screen.
import { sayDoubts } from './alarm/doubts.js';
import { Ringing } from './alarm/ringing.js';
import { showSigns } from './alarm/state-signs.js';
import { App } from './app.js';
import { joinPhone, phone } from './device/phone-app.js';
import { WakeLock } from './device/wake-lock.js';
import { Engine } from './engine/engine.js';
import { journalOf } from './history/journal.js';
import { h } from './page/dom.js';
import { isMapAddress } from './page/map-address.js';
import { Router, screenOf } from './page/router.js';
import { announceReminders } from './reminders/reminder-notices.js';
import { keepReminders } from './reminders/reminders.js';
import * as sounds from './sounds/sounds.js';
import { Storage } from './storage/storage.js';
import { keepLanguage } from './words/language.js';
import { t } from './words/translate.js';
import { useUnits } from './words/units.js';
import * as words from './words/words.js';
import { alarmSheet } from '../parts/alarm-sheet.js';
import { snackbar } from '../parts/snackbar.js';
import { storageNote } from '../parts/storage-note.js';
import { watchFace } from '../parts/watch-face.js';

// Translates the English texts of index.html.
document.querySelector('.skip').textContent = t`Skip to the content`;
document.getElementById('places').setAttribute('aria-label', t`Main`);
document.getElementById('map').setAttribute('aria-label', t`Map`);

// The map takes longest, so it is requested first.
if (isMapAddress()) import('../map/map-view.js').then(({ prepare }) => prepare({ asksWhere: true })).catch(() => {});

const engine = Engine.load(fetch('engine.wasm'));
// The code that awaits the engine reports the error.
engine.catch(() => {});
const storage = await Storage.open().catch(cannotBegin);
storageNote(storage);
/** Exported for use from the browser's console. */
export const app = new App({ engine, storage });
storage.reconcile = () => app.recallLate();
await app.recall().catch(cannotBegin);
sounds.keepIn(storage);
app.wakeLock = new WakeLock(app);
app.dim = () => watchFace(app);

const screen = screenOf(location.hash);
if (screen !== location.hash) history.replaceState(null, '', screen);

const dress = () => {
  const { theme, units, language } = app.settings;
  // Before the stored data arrive the setting is unknown.
  if (app.isKnown && keepLanguage(language)) location.reload();
  useUnits(units);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
};
app.addEventListener('settings', dress);
dress();
app.addEventListener('problem', ({ detail }) => snackbar(t`Not kept: ${detail.message}`));
let isLeft = false;
document.addEventListener('visibilitychange', () => {
  const isVisible = document.visibilityState === 'visible';
  // A page that is left is hidden right after `pagehide`, which has stored everything already.
  if (isVisible || !isLeft) app.visibility(isVisible);
  isLeft = false;
});
addEventListener('pagehide', () => {
  isLeft = true;
  app.visibility(false);
});

app.addEventListener('caught-up', ({ detail: { from, to } }) => {
  if (to - from > 10_000)
    snackbar(
      t`Paused for ${words.span((to - from) / 1000)} while this page was hidden; what was missed has been judged now.`,
    );
});

// A page that was armed when it was closed is armed again, but is silent until it is touched.
sounds.unlockByTouch();

const router = new Router(app, {
  outlet: document.getElementById('outlet'),
  stage: document.getElementById('stage'),
  bar: document.getElementById('places'),
});
if (router.wantsMap) import('../map/map-view.js').then(({ mapView }) => mapView(app)).catch(() => {});
const shown = router.follow();
// Shows the large button before the engine is loaded.
if (router.isHome) {
  await shown;
  await new Promise((done) => {
    setTimeout(done);
  });
}

// Before the engine begins, so that alarms that fell due meanwhile are heard.
app.ringing = new Ringing(app);
announceReminders(app);
// Records from the first position on.
journalOf(app);
await app.begin().catch(cannotBegin);
// Compares the zones of the app with the stored ones, so only after these have arrived; the tabs below wait for them too.
if (phone) storage.arrived.then(() => app.joinPhone(joinPhone)).catch((error) => console.error(error));
keepReminders(app);
alarmSheet(app, app.ringing);
showSigns(app);
sayDoubts(app);
await shown;
document.documentElement.dataset.ready = '';

// Work that can wait until the first screen is drawn.
await new Promise((done) => {
  setTimeout(done);
});
(globalThis.requestIdleCallback ?? setTimeout)(() => sounds.prepare());
import('./storage/recent.js').then(({ recentOf }) => recentOf(app)).catch((error) => console.error(error));
import('./server/signed-in.js').then(({ attend }) => attend(app)).catch((error) => console.error(error));
import('./alarm/watch-loss.js').then(({ soundLoss }) => soundLoss(app)).catch((error) => console.error(error));
import('./device/location-permission.js')
  .then(({ followPermission }) => followPermission(app))
  .catch((error) => console.error(error));
Promise.all([import('./page/tabs.js'), storage.arrived])
  .then(([{ joinTabs }]) => joinTabs(app))
  .catch((error) => console.error(error));
import('./page/worker.js').then(({ work }) => work(app)).catch((error) => console.error(error));
(globalThis.requestIdleCallback ?? setTimeout)(() =>
  import('./engine/after-update.js')
    .then(({ reportAfterUpdate }) => reportAfterUpdate(app))
    .catch((error) => console.error(error)),
);
import('../map/map-host.js').then(({ mapHost }) => mapHost(app)).catch((error) => console.error(error));

function cannotBegin(error) {
  console.error(error);
  document
    .getElementById('outlet')
    .replaceChildren(
      h(
        'div',
        { class: 'pane' },
        h('header', {}, h('h1', { class: 'large-title' }, t`Proximity Alarm cannot begin`)),
        h('p', {}, error.message),
        h('button', { class: 'button primary', onclick: () => location.reload() }, t`Try again`),
      ),
    );
  throw error;
}
