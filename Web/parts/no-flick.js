// What is dragged with a finger is no page that is flicked: a browser that takes a quick drag for a flick takes the next tap,
// wherever it is, for the finger that stops it, and that tap does nothing.

/** @param {() => boolean} [isDragged] whether the finger has begun to move `element`; before that it may yet tap it */
export function noFlick(element, isDragged = () => true) {
  element.addEventListener(
    'touchmove',
    (event) => {
      if (event.cancelable && isDragged()) event.preventDefault();
    },
    { passive: false },
  );
}
