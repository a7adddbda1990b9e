// Holding a finger, or the mouse, still on the map. However long it is held, one press is one event (S70).

const after_ms = 450;
const slop_px = 8;

/**
 * A finger that was held has done what it meant: the click that its lifting makes is none, whatever is under it by then.
 * @param {import('./map-view.js').MapView} view whose taps are none meanwhile
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
    // The click comes right after this event, if at all.
    setTimeout(done, 100);
  };
  addEventListener('click', stop, true);
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, lifted, true);
}

/**
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
    // A second finger is a pinch; what is on the map takes its own presses.
    if (held.size > 1 || event.button !== 0 || event.target !== view.map.getCanvas()) return forget();
    start = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => {
      const box = view.map.getCanvas().getBoundingClientRect();
      const point = { x: start.x - box.left, y: start.y - box.top };
      forget();
      // Until it is lifted the finger neither pans the map nor taps anything.
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
    // Of a mouse; a finger that is held still brings up a menu too, and has been heard already.
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
