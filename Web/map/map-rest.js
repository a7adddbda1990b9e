// Stops drawing a map that is not visible: while an alarm rings, its zone flashes and each position moves the dot, for hours.
// MapLibre requests every frame with `triggerRepaint`; all frames requested while hidden become one when the map is shown
// again. A visible map is drawn once per change: labels fade in, which takes 300 ms of frames, only after the map has moved.

/** @returns {EventTarget & {isShown: boolean}} fires `change` when `isShown` changes */
export function restWhileHidden(map, stage = document.getElementById('stage')) {
  const wide = matchMedia('(min-width: 768px)');
  const isSeen = () =>
    (wide.matches || stage.dataset.map === 'behind') &&
    document.visibilityState === 'visible' &&
    !document.querySelector('dialog.alarm[open], dialog.watch-face[open]');
  const rest = new EventTarget();
  const repaint = map.triggerRepaint.bind(map);
  let waits = false;
  rest.isShown = isSeen();
  map.triggerRepaint = () => {
    if (rest.isShown) repaint();
    else waits = true;
  };
  const consider = () => {
    if (isSeen() === rest.isShown) return;
    rest.isShown = !rest.isShown;
    if (rest.isShown && waits) {
      waits = false;
      repaint();
    }
    rest.dispatchEvent(new Event('change'));
  };
  // MapLibre has no public way to change the duration later.
  const fade_ms = map._fadeDuration;
  map.on('idle', () => {
    map._fadeDuration = 0;
  });
  map.on('movestart', () => {
    map._fadeDuration = fade_ms;
  });
  wide.addEventListener('change', consider);
  document.addEventListener('visibilitychange', consider);
  // A sheet that covers the whole page was opened or closed.
  addEventListener('cover', consider);
  new MutationObserver(consider).observe(stage, { attributes: true, attributeFilter: ['data-map'] });
  return rest;
}
