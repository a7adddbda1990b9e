// Reports a zone that the phone is perhaps in by a line of text: without sound, and without asking for an answer.
import { snackbar } from '../../parts/snackbar.js';
import { doubt } from '../words/words.js';

export function sayDoubts(app) {
  app.addEventListener('event', ({ detail }) => {
    if (detail.event === 'perhaps') snackbar(`${detail.name}: ${doubt(detail.probability)}`, { seconds: 20 });
  });
}
