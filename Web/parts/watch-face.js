// A black screen with the distance, for pockets and bedsides: light costs more than listening. A tap or a key ends it,
// an alarm does too.
import { h, update } from '../scripts/dom.js';
import { ring } from '../scripts/ring.js';
import * as words from '../scripts/words.js';

export function watchFace(app) {
  const dialog = h('dialog', { class: 'watch-face', id: 'watch-face', 'aria-label': 'Dimmed. Tap to go back.', onclick: () => dialog.close(), onkeydown: () => dialog.close() });
  const draw = () => {
    if (app.report.alarms.some(({ zone, closed }) => zone.state === 'ringing' && !closed) || !app.report.armed) { dialog.close(); return; }
    const [first] = app.report.nearest;
    update(dialog, h('div', { class: 'dial' }, ring(first?.closeness ?? 0, { radius: 136, width: 2, box: 288, colour: '#7d8a8f' }),
      h('p', {}, h('b', { class: 'number' }, first ? (first.distance_m <= 0 ? 'inside' : words.length(first.distance_m)) : 'Alarms on'), h('span', {}, first?.name || 'Waiting for a position'), h('span', { class: 'number' }, words.clock(app.now)))));
  };
  const clock = setInterval(draw, 20_000);
  app.addEventListener('change', draw);
  dialog.addEventListener('close', () => { clearInterval(clock); app.removeEventListener('change', draw); dialog.remove(); });
  document.body.append(dialog);
  dialog.showModal();
  draw();
}
