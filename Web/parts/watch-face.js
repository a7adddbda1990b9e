// A black screen with the distance, for pockets and bedsides: a lit screen uses more power than positioning. A tap or a key
// closes it, and so does an alarm.
import { h, update } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { ring } from '../scripts/page/ring.js';
import { t } from '../scripts/words/translate.js';
import { watchWords } from '../scripts/words/watch-words.js';
import * as words from '../scripts/words/words.js';

export function watchFace(app) {
  const dialog = h('dialog', {
    class: 'watch-face',
    id: 'watch-face',
    'aria-label': t`Dimmed. Tap to go back.`,
    onclick: () => dialog.close(),
    onkeydown: () => dialog.close(),
  });
  const draw = () => {
    const state = watchWords(app);
    if (state.kind === 'off' || app.ringing.entries.some(({ closed }) => !closed)) {
      dialog.close();
      return;
    }
    update(
      dialog,
      h('div', { class: 'dial', 'data-state': state.kind }, state.obstacle ? unwatched(state) : near(state)),
    );
  };
  const time = () => h('span', { class: 'number' }, words.clock(app.now));
  /** A person takes a dark screen for a page that watches, so the opposite is shown as large as the distance. */
  const unwatched = ({ obstacle }) => [
    ring(0, { radius: 136, width: 2, box: 288, colour: '#f0c255', track: 100 }),
    h('p', {}, icon('warning', { size: 40 }), h('b', {}, obstacle.title), h('span', {}, obstacle.detail), time()),
  ];
  const near = ({ kind, title, detail }) => {
    const [first] = app.report.nearest;
    const colour = kind === 'ringing' ? '#ff8f66' : '#7d8a8f';
    return [
      ring(first?.closeness ?? 0, { radius: 136, width: 2, box: 288, colour }),
      h(
        'p',
        {},
        h(
          'b',
          { class: 'number' },
          kind === 'ringing'
            ? title
            : first
              ? first.distance_m <= 0
                ? t`inside`
                : words.length(first.distance_m)
              : title,
        ),
        h('span', {}, kind === 'ringing' ? detail : first?.name || detail),
        time(),
      ),
    ];
  };
  const clock = setInterval(draw, 20_000);
  app.addEventListener('change', draw);
  dialog.addEventListener('close', () => {
    clearInterval(clock);
    app.removeEventListener('change', draw);
    dialog.remove();
    dispatchEvent(new Event('cover'));
  });
  document.body.append(dialog);
  dialog.showModal();
  dispatchEvent(new Event('cover'));
  draw();
}
