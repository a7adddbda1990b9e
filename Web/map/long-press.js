// A long press of a finger or the mouse on the map. One press is one event, however long it lasts (S70).

const after_ms = 450;
const slop_px = 8;

/**
 * Swallows the click that follows a long press when the finger is lifted, whatever element is under the finger by then.
 * @param {import('./map-view.js').MapView} view reports no taps meanwhile
 */
export function swallowClick(view) {
  view.swallowsTap = true;
  const done = () => {
    removeEventListener('click', stop, true);
    view.swallowsTap = false;
    view.released();
  };
  const stop = (event) => {
    event.stopPropagation();
    event.preventDefault();
    done();
  };
  const lifted = () => {
    for (const name of ['pointerup', 'pointercancel']) removeEventListener(name, lifted, true);
    // If a click follows, it comes right after this event.
    setTimeout(done, 100);
  };
  addEventListener('click', stop, true);
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, lifted, true);
}

/**
 * Reports long presses and right clicks on the map.
 * @param {import('./map-view.js').MapView} view
 * @param {(place: [number, number], point: {x: number, y: number}) => void} pressed
 * @returns {() => void} stops listening
 */
export function onLongPress(view, pressed) {
  const canvas = view.map.getCanvasContainer();
  const held = new Set();
  let timer;
  let start;
  const forget = () => {
    clearTimeout(timer);
    timer = undefined;
    start = undefined;
  };

  const down = (event) => {
    held.add(event.pointerId);
    // A second finger is a pinch. Elements on the map handle their own presses.
    if (held.size > 1 || event.button !== 0 || event.target !== view.map.getCanvas()) return forget();
    start = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => {
      const box = view.map.getCanvas().getBoundingClientRect();
      const point = { x: start.x - box.left, y: start.y - box.top };
      forget();
      // Until the finger is lifted it neither pans the map nor taps anything.
      view.map.dragPan.disable();
      swallowClick(view);
      navigator.vibrate?.(10);
      const { lng, lat } = view.map.unproject([point.x, point.y]);
      pressed([lat, lng], point);
    }, after_ms);
  };
  const move = (event) => {
    if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > slop_px) forget();
  };
  const up = (event) => {
    held.delete(event.pointerId);
    forget();
    if (!view.map.dragPan.isEnabled()) view.map.dragPan.enable();
  };
  const noMenu = (event) => event.preventDefault();
  const rightClick = (event) => {
    // Only a right click of a mouse counts: a long press of a finger opens a context menu too, and was reported already.
    if (event.originalEvent?.pointerType === 'touch' || view.swallowsTap || held.size) return;
    pressed([event.lngLat.lat, event.lngLat.lng], event.point);
  };
  canvas.addEventListener('pointerdown', down);
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', up);
  canvas.addEventListener('contextmenu', noMenu);
  view.map.on('contextmenu', rightClick);
  return () => {
    forget();
    view.map.dragPan.enable();
    canvas.removeEventListener('pointerdown', down);
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', up);
    removeEventListener('pointercancel', up);
    canvas.removeEventListener('contextmenu', noMenu);
    view.map.off('contextmenu', rightClick);
  };
}
