// Tiles of a person's own choice that do not come, and why: the page would show the map of the world without a word.
import { tileProblem } from '../scripts/tile-check.js';

/**
 * @param {import('./map-view.js').MapView} view
 * @param {(why: string) => void} tell is called once
 * @returns {() => void} stops
 */
export function watchTiles(view, tell) {
  let asked = false;
  const failed = async ({ sourceId, error }) => {
    if (sourceId !== 'tiles') { console.error(error); return; }
    if (asked) return;
    asked = true;
    const why = await tileProblem(view.tileURL);
    if (asked && why) tell(`Your map tiles do not come. ${why}`); else asked = false;
  };
  view.map.on('error', failed);
  return () => { asked = false; view.map.off('error', failed); };
}
