// The map's libraries, loaded for the first map or archive.
import { h } from '../scripts/page/dom.js';
import { t } from '../scripts/words/translate.js';

/** The reason why there is no map, in words for people. */
export class NoMap extends Error {}

/** Pending and finished loads by address. A failed load is removed, so that it can be tried again. */
const loading = new Map();
const loads = (tag, attributes) => {
  const address = attributes.src ?? attributes.href;
  if (!loading.has(address)) loading.set(address, load(tag, attributes, address));
  return loading.get(address);
};
const load = (tag, attributes, address) =>
  new Promise((done, failed) => {
    // An element that `map-ahead.js` has added.
    const begun = document.head.querySelector(`${tag}[src="${address}"]`);
    if (begun && 'isThere' in begun.dataset) return done();
    const element = begun ?? h(tag, attributes);
    element.addEventListener('load', done);
    element.addEventListener('error', () => {
      element.remove();
      loading.delete(address);
      failed(
        new NoMap(
          navigator.onLine
            ? t`The map could not be loaded from the server. Try again in a moment.`
            : t`There is no network, and the map was not kept on this device.`,
        ),
      );
    });
    if (!begun) document.head.append(element);
    return undefined;
  });
const script = (src) => loads('script', { src });
const style = (href) => loads('link', { rel: 'stylesheet', href });

/** MapLibre and its style sheet. */
export async function mapLibrary() {
  await Promise.all([style('vendor/maplibre-gl.css'), script('vendor/maplibre-gl.js')]);
  return globalThis.maplibregl;
}

/** The reader of PMTiles archives. */
export async function archiveLibrary() {
  await script('vendor/pmtiles.js');
  return globalThis.pmtiles;
}
