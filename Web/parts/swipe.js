// A row that can be swiped left or right, for one action each. Every action can also be reached by a button or a menu.

const slop_px = 12;
/** The distance that counts as a swipe, in pixels. */
const far_px = 96;

/**
 * Makes a row swipeable.
 * @param {HTMLElement} element the row, which contains `slide` and, below it, the part that a swipe uncovers (`.under`)
 * @param {HTMLElement} slide the part that moves
 * @param {{left?: {name: string, run: () => void}, right?: {name: string, run: () => void}}} ways `name` is the value of
 *   `data-swipe` during a swipe
 * @returns {{moved: boolean}} `moved` is true during a swipe
 */
export function swipes(element, slide, ways) {
  let start;
  let swiped = false;
  const rest = () => {
    start = undefined;
    slide.style.transform = '';
    element.classList.remove('held');
    delete element.dataset.swipe;
  };
  const wayOf = (by) => (by < 0 ? ways.left : ways.right);
  element.classList.add('swipes');
  slide.classList.add('slide');
  slide.addEventListener('pointerdown', (event) => {
    swiped = false;
    if (event.button === 0) start = { x: event.clientX, y: event.clientY, by: 0, moved: false };
  });
  slide.addEventListener('pointermove', (event) => {
    if (!start) return;
    const by = event.clientX - start.x;
    if (!start.moved) {
      if (Math.abs(event.clientY - start.y) > slop_px) {
        start = undefined;
        return;
      }
      if (Math.abs(by) < slop_px || !wayOf(by)) return;
      start.moved = true;
      slide.setPointerCapture(event.pointerId);
      element.classList.add('held');
    }
    start.by = wayOf(by) ? by : 0;
    element.dataset.swipe = wayOf(start.by)?.name ?? '';
    slide.style.transform = `translateX(${start.by}px)`;
  });
  slide.addEventListener('pointerup', () => {
    const by = start?.moved ? start.by : 0;
    swiped = Boolean(start?.moved);
    rest();
    if (Math.abs(by) >= far_px) wayOf(by)?.run();
  });
  slide.addEventListener('pointercancel', rest);
  // Ignores the click that follows a swipe.
  slide.addEventListener(
    'click',
    (event) => {
      if (!swiped) return;
      swiped = false;
      event.stopPropagation();
      event.preventDefault();
    },
    { capture: true },
  );
  return {
    get moved() {
      return Boolean(start?.moved);
    },
  };
}
