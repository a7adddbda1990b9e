// The libraries of the map, loaded when the first map or archive is wanted.
import { h } from '../scripts/page/dom.js';
import { t } from '../scripts/words/translate.js';

/** Why there is no map, in words for people. */
export class NoMap extends Error {}

/** What was loaded stays; what could not be loaded may be tried again. */
const loaded = new Set();
const loads = (tag, attributes) => {
  const address = attributes.src ?? attributes.href;
  if (loaded.has(address)) return Promise.resolve();
  return new Promise((done, failed) => {
    const element = h(tag, {
      ...attributes,
      onload: () => {
        loaded.add(address);
        done();
      },
      onerror: () => {
        element.remove();
        failed(
          new NoMap(
            navigator.onLine
              ? t`The map could not be loaded from the server. Try again in a moment.`
              : t`There is no network, and the map was not kept on this device.`,
          ),
        );
      },
    });
    document.head.append(element);
  });
};
const script = (src) => loads('script', { src });
const style = (href) => loads('link', { rel: 'stylesheet', href });

/** MapLibre, with its looks. */
export async function mapLibrary() {
  await Promise.all([style('vendor/maplibre-gl.css'), script('vendor/maplibre-gl.js')]);
  return globalThis.maplibregl;
}

/** The reader of PMTiles archives. */
export async function archiveLibrary() {
  await script('vendor/pmtiles.js');
  return globalThis.pmtiles;
}
