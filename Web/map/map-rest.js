// A map that is not seen is not drawn: while an alarm rings its zone flashes, and each position moves the dot, for hours.
// MapLibre asks for every frame by `triggerRepaint`; the frames that were asked for meanwhile are one when the map is seen again.
// One that is seen is drawn once for each change: labels fade, which takes 300 ms of frames, only when the map has moved.

/** @returns {{isShown: boolean}} over the page's stage; told by `change` */
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
  // MapLibre has no public way to change it later.
  const fade_ms = map._fadeDuration;
  map.on('idle', () => {
    map._fadeDuration = 0;
  });
  map.on('movestart', () => {
    map._fadeDuration = fade_ms;
  });
  wide.addEventListener('change', consider);
  document.addEventListener('visibilitychange', consider);
  // A sheet that covers all of the page came or went.
  addEventListener('cover', consider);
  new MutationObserver(consider).observe(stage, { attributes: true, attributeFilter: ['data-map'] });
  return rest;
}
