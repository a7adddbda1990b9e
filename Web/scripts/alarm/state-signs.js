// Signs of the state outside the first screen: the page's title, a badge on the first place of the bar, and the badge of the
// installed application.
import { h } from '../page/dom.js';
import { t } from '../words/translate.js';
import { watchWords } from '../words/watch-words.js';

const signWords = {
  ringing: () => t`ringing`,
  cannot_watch: () => t`cannot watch`,
  no_sound: () => t`no sound`,
};

export function showSigns(app) {
  let base = document.title;
  let shown = '';
  const draw = () => {
    const state = watchWords(app);
    const isSilent = state.promise?.kind === 'held_back';
    const calls = isSilent
      ? t`No sound`
      : { ringing: t`Ringing: ${state.detail}`, cannot_watch: state.title }[state.kind];
    const title = calls ? `${calls} · ${base}` : base;
    if (document.title !== title) document.title = title;
    const sign = isSilent ? 'no_sound' : calls ? state.kind : '';
    if (sign === shown) return;
    shown = sign;
    const place = document.querySelector('nav.places [data-place="alarm"]');
    place?.querySelector('.sign')?.remove();
    if (sign)
      place?.append(
        h('span', { class: `sign ${sign}` }, h('span', { class: 'visually-hidden' }, `, ${signWords[sign]()}`)),
      );
    (sign === 'ringing' ? navigator.setAppBadge?.() : navigator.clearAppBadge?.())?.catch?.(() => {});
  };
  addEventListener('screen', () => {
    base = document.title;
    draw();
  });
  let isDue = false;
  // One position causes several events: draws once after them. Not in a frame, as hidden pages have none.
  const drawSoon = () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      draw();
    });
  };
  app.addEventListener('change', drawSoon);
  app.ringing.addEventListener('change', drawSoon);
  draw();
}
