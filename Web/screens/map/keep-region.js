// Stores a region of the map on the device: shows its size and the progress, and can be cancelled.
import { mostTiles, tilesOf } from '../../map/streets/kept-streets.js';
import { progressSheet } from '../../parts/import-sheet.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { h } from '../../scripts/page/dom.js';
import { megabytes } from '../../scripts/words/words.js';
import { t } from '../../scripts/words/translate.js';

/** The part of the view for which the server has streets; undefined if it has none at the center. */
function regionInView({ map, streets, look }) {
  const [latitude, longitude] = look.center;
  const around = streets.regions.find(
    ({ bounds: [west, south, east, north] }) =>
      west <= longitude && longitude <= east && south <= latitude && latitude <= north,
  );
  if (!around) return undefined;
  const view = map.getBounds();
  const [west, south, east, north] = around.bounds;
  return {
    name: around.name,
    bounds: [
      Math.max(west, view.getWest()),
      Math.max(south, view.getSouth()),
      Math.min(east, view.getEast()),
      Math.min(north, view.getNorth()),
    ],
  };
}

/** True if the server has streets at the center of the map that can be stored. */
export const canKeep = (view) => Boolean(view.streets.tiles && regionInView(view));

export async function askToKeep(view) {
  const region = regionInView(view);
  const { least, most } = view.streets.zooms;
  const tiles = tilesOf(region.bounds, least, most);
  if (!tiles) {
    snackbar(t`This is more than the ${mostTiles} tiles that can be kept at once. Zoom in.`);
    return;
  }
  let each;
  try {
    const { numTileEntries } = await view.archive.getHeader();
    each = view.streets.size_bytes / Math.max(1, numTileEntries);
  } catch {
    snackbar(t`The server does not answer: what is kept has to be loaded from it.`);
    return;
  }
  const sheet = modalSheet(
    { label: t`Keep this region` },
    h(
      'div',
      { class: 'public-map' },
      h('h2', { class: 'title-3' }, t`Keep this region`),
      h(
        'p',
        { class: 'subhead' },
        t`The streets in view are loaded and stay on this device: ${megabytes(each * tiles.length)}, as far as can be told
          before. The map is then there without network too. They can be deleted under Settings, Map Parameters.`,
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
              sheet.close();
              keep(view, { ...region, version: view.streets.version, tiles });
            },
          },
          t`Keep it`,
        ),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Not now`),
      ),
    ),
  );
}

async function keep(view, region) {
  const stop = new AbortController();
  let told = () => {};
  const whole = region.tiles.length;
  const away = progressSheet(
    {
      title: t`Keeping this region`,
      detail: t`Alarms go on meanwhile.`,
      oncancel: () => stop.abort(),
    },
    (tell) => {
      told = (done) => tell(done / whole, t`${done} of ${whole} tiles`);
    },
  );
  try {
    const kept = await view.kept.keep(
      region,
      async (z, x, y) => (await view.archive.getZxy(z, x, y, stop.signal))?.data,
      { signal: stop.signal, tell: (done) => told(done) },
    );
    snackbar(t`Kept: ${megabytes(kept.size)}. The streets here need no network now.`);
  } catch (error) {
    if (stop.signal.aborted) snackbar(t`Stopped. Nothing was kept.`);
    else
      snackbar(
        t`Nothing is kept: ${error.name === 'QuotaExceededError' ? t`this device has no room` : error.message}.`,
      );
  } finally {
    away();
  }
}
