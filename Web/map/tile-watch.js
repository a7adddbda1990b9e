// Reports that tiles of a person's own choice do not load, with the reason. Without it, the page would show the world map and
// not say why.
import { tileProblem } from './tile-check.js';
import { t } from '../scripts/words/translate.js';

/**
 * Watches the map for tiles that do not load.
 * @param {import('./map-view.js').MapView} view
 * @param {(why: string) => void} tell called once for failing tiles, and for a base map that could not be opened
 * @returns {() => void} stops
 */
export function watchTiles(view, tell) {
  let isAsked = false;
  let isOver = false;
  const failed = async () => {
    // An archive has no address to check.
    if (isAsked || !view.tileURL) return;
    isAsked = true;
    const why = await tileProblem(view.tileURL);
    // Single tiles may be missing where there is nothing to draw.
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
  // Tiles that failed before this are not requested again.
  if (view.tilesFail) failed();
  return () => {
    isOver = true;
    chosen.removeEventListener('change', look);
    view.map.off('error', hear);
  };
}
