// Goes to another screen by its address. A separate file: the router imports all screens, so no screen may import the router.
import { step } from './steps.js';

export const go = step;
/**
 * Settles when the next screen is there. A message at the foot of the page is placed by the screen: shown earlier, it would move
 * while somebody reaches for its button.
 */
export const nextScreen = () =>
  new Promise((done) => {
    addEventListener('screen', done, { once: true });
  });
/** Goes to an address without adding a step to the browser's history. */
export const replace = (address) => {
  history.replaceState(null, '', `#${address}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
};
