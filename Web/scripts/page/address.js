// Goes to another screen, by its address. A file of its own: the router knows all screens, so none of them may import the router.
import { step } from './steps.js';

export const go = step;
/**
 * Kept when the next screen is there. What is said at the foot of the page has its place by the screen: said before, it would
 * move while somebody reaches for its button.
 */
export const nextScreen = () =>
  new Promise((done) => {
    addEventListener('screen', done, { once: true });
  });
/** Goes to an address without a step in the browser's history. */
export const replace = (address) => {
  history.replaceState(null, '', `#${address}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
};
