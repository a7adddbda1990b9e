// Tiles of a person's own choice that do not come, and why: the page would show the map of the world without a word.
import { tileProblem } from './tile-check.js';
import { t } from '../scripts/words/translate.js';

/**
 * @param {import('./map-view.js').MapView} view
 * @param {(why: string) => void} tell is called once
 * @returns {() => void} stops
 */
export function watchTiles(view, tell) {
  let isAsked = false;
  let isOver = false;
  const failed = async () => {
    if (isAsked) return;
    isAsked = true;
    const why = await tileProblem(view.tileURL);
    // Single tiles may be missing where there is nothing to see.
    if (why && !isOver) tell(t`Your map tiles do not come. ${why}`);
  };
  const hear = ({ sourceId }) => {
    if (sourceId === 'tiles') failed();
  };
  view.map.on('error', hear);
  // Tiles that failed before are not asked for again.
  if (view.tilesFail) failed();
  return () => {
    isOver = true;
    view.map.off('error', hear);
  };
}
