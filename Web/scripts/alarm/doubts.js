// A zone that the phone is perhaps in is told by a quiet line: nothing sounds, and nobody has to answer.
import { snackbar } from '../../parts/snackbar.js';
import { doubt } from '../words/words.js';

export function sayDoubts(app) {
  app.addEventListener('event', ({ detail }) => {
    if (detail.event === 'perhaps') snackbar(`${detail.name}: ${doubt(detail.probability)}`, { seconds: 20 });
  });
}
