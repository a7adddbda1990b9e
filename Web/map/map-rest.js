// A map that is not seen is not drawn: while an alarm rings its zone flashes, and each position moves the dot, for hours.
// MapLibre asks for every frame by `triggerRepaint`; the frames that were asked for meanwhile are one when the map is seen again.

/** @returns {{isShown: boolean}} over the page's stage; told by `change` */
export function restWhileHidden(map, stage = document.getElementById('stage')) {
  const wide = matchMedia('(min-width: 840px)');
  const isSeen = () => (wide.matches || stage.dataset.map === 'behind') && document.visibilityState === 'visible'
    && !document.querySelector('dialog.alarm[open], dialog.watch-face[open]');
  const rest = new EventTarget();
  const repaint = map.triggerRepaint.bind(map);
  let waits = false;
  rest.isShown = isSeen();
  map.triggerRepaint = () => { if (rest.isShown) repaint(); else waits = true; };
  const consider = () => {
    if (isSeen() === rest.isShown) return;
    rest.isShown = !rest.isShown;
    if (rest.isShown && waits) { waits = false; repaint(); }
    rest.dispatchEvent(new Event('change'));
  };
  wide.addEventListener('change', consider);
  document.addEventListener('visibilitychange', consider);
  // A sheet that covers all of the page came or went.
  addEventListener('cover', consider);
  new MutationObserver(consider).observe(stage, { attributes: true, attributeFilter: ['data-map'] });
  return rest;
}
