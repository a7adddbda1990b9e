// A time line to drag along: stays as bands, events as ticks above, hours below.
import { noFlick } from './no-flick.js';
import { h } from '../scripts/page/dom.js';
import { dateParts } from '../scripts/words/locale.js';
import { clockWithSeconds } from '../scripts/words/words.js';

const steps_ms = [
  60_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

/**
 * A slider over the time of a player.
 * @param {{label: string, player: import('./player.js').Player, stays: [number, number][],
 *   ticks: {time: number, kind: string}[]}} what kinds of ticks: `alarm`, `sleep`, `other`
 */
export function scrubber({ label, player, stays, ticks }) {
  const { from, to } = player;
  const length = Math.max(1, to - from);
  const share = (time) => (Math.min(to, Math.max(from, time)) - from) / length;
  const at = (element, start, end) => {
    element.style.setProperty('--start', share(start));
    if (end !== undefined) element.style.setProperty('--span', share(end) - share(start));
    return element;
  };
  const element = h(
    'div',
    {
      class: 'scrubber',
      role: 'slider',
      tabindex: 0,
      'aria-label': label,
      'aria-valuemin': 0,
      'aria-valuemax': Math.round(length / 1000),
      onpointerdown: grab,
      onpointermove: move,
      onpointerup: letGo,
      onpointercancel: letGo,
      onkeydown: key,
    },
    h('div', { class: 'track' }, h('div', { class: 'gone' })),
    stays.map(([start, end]) => at(h('div', { class: 'stay' }), start, end)),
    ticks.map(({ time, kind }) => at(h('div', { class: `tick ${kind}` }), time)),
    h('div', { class: 'knob' }),
    h(
      'div',
      { class: 'captions', 'aria-hidden': 'true' },
      captions(from, to).map((time) => at(h('span', { class: 'number' }, caption(time)), time)),
    ),
  );

  noFlick(element);

  let held = false;
  let wasPlaying = false;
  const timeAt = (event) => {
    const box = element.querySelector('.track').getBoundingClientRect();
    return from + length * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  function grab(event) {
    held = true;
    wasPlaying = player.playing;
    player.pause();
    element.setPointerCapture(event.pointerId);
    player.seek(timeAt(event));
  }
  function move(event) {
    if (held) player.seek(timeAt(event));
  }
  function letGo() {
    if (!held) return;
    held = false;
    if (wasPlaying) player.play();
  }
  function key(event) {
    const small = Math.max(1000, length / 200);
    const to_ = {
      ArrowRight: player.time + small,
      ArrowUp: player.time + small,
      ArrowLeft: player.time - small,
      ArrowDown: player.time - small,
      PageUp: player.time + length / 10,
      PageDown: player.time - length / 10,
      Home: from,
      End: to,
    }[event.key];
    if (to_ === undefined) return;
    event.preventDefault();
    player.seek(to_);
  }
  const show = () => {
    element.style.setProperty('--now', share(player.time));
    element.setAttribute('aria-valuenow', Math.round((player.time - from) / 1000));
    element.setAttribute('aria-valuetext', clockWithSeconds(player.time));
  };
  player.addEventListener('time', show);
  show();
  return element;
}

/** Hour and minute as in the language, without a.m. and p.m., which the clock above shows. */
const caption = (time) =>
  dateParts(time, { hour: 'numeric', minute: '2-digit' })
    .filter(({ type }) => type === 'hour' || type === 'minute')
    .map(({ value }) => value)
    .join(':');

/** Round times of day, at most six. */
export function captions(from, to) {
  const step = steps_ms.find((each) => (to - from) / each <= 5) ?? steps_ms[steps_ms.length - 1];
  const midnight = new Date(from);
  midnight.setHours(0, 0, 0, 0);
  const found = [];
  for (
    let time = midnight.getTime() + Math.ceil((from - midnight) / step) * step;
    time <= to && found.length < 6;
    time += step
  )
    found.push(time);
  return found.length ? found : [from];
}
