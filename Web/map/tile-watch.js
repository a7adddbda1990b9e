// Tiles of a person's own choice that do not come, and why: the page would show the map of the world without a word.
import { tileProblem } from './tile-check.js';
import { t } from '../scripts/words/translate.js';

/**
 * @param {import('./map-view.js').MapView} view
 * @param {(why: string) => void} tell is called once for tiles, and for what had to be opened and could not be
 * @returns {() => void} stops
 */
export function watchTiles(view, tell) {
  let isAsked = false;
  let isOver = false;
  const failed = async () => {
    // Of an archive there is no address to try.
    if (isAsked || !view.tileURL) return;
    isAsked = true;
    const why = await tileProblem(view.tileURL);
    // Single tiles may be missing where there is nothing to see.
    if (why && !isOver) tell(t`Your map tiles do not come. ${why}`);
  };
  const { chosen } = view;
  const look = () => {
    if (chosen.problem && !isOver) tell(t`Your map does not come. ${chosen.problem}`);
  };
  const hear = ({ sourceId }) => {
    if (sourceId === 'tiles') failed();
  };
  view.map.on('error', hear);
  chosen.addEventListener('change', look);
  look();
  // Tiles that failed before are not asked for again.
  if (view.tilesFail) failed();
  return () => {
    isOver = true;
    chosen.removeEventListener('change', look);
    view.map.off('error', hear);
  };
}
