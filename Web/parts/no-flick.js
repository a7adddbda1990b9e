// Prevents scroll gestures on elements that are dragged. A browser that takes a quick drag for a fling uses the next tap,
// wherever it is, to stop the fling, and that tap has no other effect.

/** @param {() => boolean} [isDragged] true once the finger moves `element`; until then the touch may become a tap */
export function noFlick(element, isDragged = () => true) {
  element.addEventListener(
    'touchmove',
    (event) => {
      if (event.cancelable && isDragged()) event.preventDefault();
    },
    { passive: false },
  );
}
