// The common part of replay and history: a journey that can be played, and a list of its alarms, each with the reason.
import { incidents } from '../scripts/history/journey.js';
import { h } from '../scripts/page/dom.js';
import { categoryLook, icon } from '../scripts/page/icons.js';
import { endingWords } from '../scripts/words/answer-words.js';
import { number as written } from '../scripts/words/locale.js';
import { t } from '../scripts/words/translate.js';
import { clock, clockWithSeconds, count, doubt, length, speed, span } from '../scripts/words/words.js';
import { Player, rates } from './player.js';
import { scrubber } from './scrubber.js';

const causes = {
  inside: t`Inside`,
  near: t`Came near`,
  passed: t`Passed through`,
  dwell: t`Stayed inside`,
  left: t`Left`,
  possible: t`Possibly inside`,
};
const answers = {
  close: t`closed`,
  sleep: t`put to sleep`,
  inside: t.meaning('an alarm')`stopped`,
  today: t`asleep for today`,
};

/** The outcome of an incident, in one line. */
export function story(incident) {
  if (incident.kind === 'missed_signal') return t`No signal, ${length(incident.distance)} before the edge`;
  if (incident.kind === 'notice') return t`Its notice was shown`;
  if (incident.kind === 'perhaps') return doubt(incident.probability);
  const answer = incident.answers[0];
  const parts = [
    causes[incident.cause] ?? incident.cause,
    incident.distance <= 0 ? t`${length(-incident.distance)} inside` : t`${length(incident.distance)} from the edge`,
  ];
  if (answer)
    parts.push(
      t`${answers[answer.command] ?? answer.command} after ${span((answer.time_ms - incident.decided) / 1000)}`,
    );
  if (incident.cleared)
    parts.push(
      t`${endingWords(incident.cleared.why) ?? t`over`} after ${span((incident.cleared.time_ms - incident.time) / 1000)}`,
    );
  if (incident.learned - incident.time > 60_000) parts.push(t`learned late`);
  return parts.join(' · ');
}

const look = (incident) => {
  if (incident.kind === 'missed_signal') return { kind: 'warn', picture: 'warning' };
  if (['notice', 'perhaps'].includes(incident.kind)) return { kind: 'note', picture: 'info' };
  return incident.answers.some(({ command }) => command === 'sleep')
    ? { kind: 'sleep', picture: 'moon' }
    : { kind: 'alarm', picture: 'bell' };
};

/**
 * A view of a journey.
 * @param {{journey: import('../scripts/history/journey.js').Journey, events: object[], onwhy: (incident) => void, onring?:
 *   (event: object, rate: number) => void, silent?: object[], onsilent?: (row) => void, after?: Node[]}} what
 * @returns {{element: HTMLElement, player: Player, found: object[], badges: object[], stop: () => void}}
 */
export function journeyView({ journey, events, onwhy, onring, silent = [], onsilent, after = [] }) {
  const player = new Player(journey.from, journey.to);
  const found = incidents(events);
  const rate = h('button', {
    type: 'button',
    class: 'chip rate number',
    onclick: () => {
      player.rate = rates[(rates.indexOf(player.rate) + 1) % rates.length];
      showRate();
    },
  });
  const showRate = () => {
    rate.textContent = `${player.rate}×`;
    rate.setAttribute('aria-label', t`Speed: ${player.rate} times as fast`);
  };
  const play = h('button', {
    type: 'button',
    class: 'play',
    onclick: () => (player.playing ? player.pause() : player.play()),
  });
  const showState = () => {
    play.replaceChildren(icon(player.playing ? 'pause' : 'play', { size: 28 }));
    play.setAttribute('aria-label', player.playing ? t`Pause` : t`Play`);
  };
  const time = h('span', { class: 'title-2 number' });
  const detail = h('span', { class: 'subhead number' });
  const list = h(
    'ul',
    { class: 'incidents' },
    found.map((incident) => {
      const { kind, picture } = look(incident);
      return h(
        'li',
        {},
        h(
          'button',
          {
            type: 'button',
            class: 'row',
            'data-key': incident.alarm ?? `${incident.zone}-${incident.time}`,
            onclick: () => {
              player.seek(incident.time);
              onwhy(incident);
            },
          },
          h('span', { class: `badge ${kind}` }, icon(picture, { size: 18 })),
          h(
            'span',
            { class: 'grow' },
            h('span', { class: 'headline name' }, incident.name || t`A zone`),
            h('span', { class: 'subhead' }, story(incident)),
          ),
          h('span', { class: 'trailing subhead number' }, clock(incident.time)),
        ),
      );
    }),
  );
  const showTime = () => {
    const short = player.rate < 60 || player.to - player.from < 3_600_000;
    time.textContent = short ? clockWithSeconds(player.time) : clock(player.time);
    const here = journey.at(player.time);
    const stay = journey.stayAt(player.time);
    detail.textContent =
      [
        stay ? t`stayed ${span((stay[1] - stay[0]) / 1000)}` : here.speed !== undefined && speed(here.speed),
        here.accuracy !== undefined && here.accuracy > 0 && `±${length(here.accuracy)}`,
      ]
        .filter(Boolean)
        .join(' · ') || `${count(journey.count, 'position')}`;
    [...list.children].forEach((item, index) => item.classList.toggle('to-come', found[index].time > player.time));
  };
  const rang = events.filter(({ event }) => event === 'alarm' || event === 'repeat');
  player.addEventListener('time', ({ detail: { from } }) => {
    showTime();
    if (from === undefined || !onring) return;
    for (const event of rang) if (event.time_ms > from && event.time_ms <= player.time) onring(event, player.rate);
  });
  player.addEventListener('state', () => {
    showState();
    showTime();
  });
  showRate();
  showState();
  showTime();
  const ignored = events.filter(({ event }) => event === 'ignored');
  const element = h(
    'div',
    { class: 'journey' },
    h('div', { class: 'player' }, play, h('span', { class: 'grow' }, time, detail), rate),
    scrubber({
      label: t`Time`,
      player,
      stays: journey.stays,
      ticks: found.map((incident) => ({ time: incident.time, kind: look(incident).kind })),
    }),
    h('h2', { class: 'visually-hidden' }, t`What rang`),
    found.length ? list : h('p', { class: 'subhead quiet-line' }, icon('bell-off', { size: 20 }), t`No alarm rang.`),
    ignored.length > 0 && h('p', { class: 'footnote' }, ignoredLine(ignored)),
    silent.length > 0 &&
      h(
        'section',
        { 'aria-label': t`Kept silent` },
        h('h2', { class: 'title-3' }, t`Kept silent`),
        h(
          'ul',
          { class: 'incidents' },
          silent.map((zone) =>
            h(
              'li',
              {},
              h(
                'button',
                {
                  type: 'button',
                  class: 'row',
                  'data-key': zone.id,
                  onclick: () => {
                    player.seek(zone.at_ms);
                    onsilent(zone);
                  },
                },
                h('span', { class: 'badge quiet' }, icon(categoryLook(zone.category).picture, { size: 18 })),
                h(
                  'span',
                  { class: 'grow' },
                  h('span', { class: 'headline name' }, zone.name || t`A zone`),
                  h(
                    'span',
                    { class: 'subhead' },
                    zone.closest_m > 0
                      ? t`Nearest: ${length(zone.closest_m)} from ringing`
                      : t`Was within, and did not ring`,
                  ),
                ),
                h('span', { class: 'trailing link' }, t`Why?`),
              ),
            ),
          ),
        ),
      ),
    after,
  );
  return {
    element,
    player,
    found,
    badges: found.map((incident) => ({
      ...look(incident),
      time: incident.time,
      place: incident.place,
      name: `${incident.name || t`A zone`}, ${clock(incident.time)}`,
      incident,
    })),
    stop: () => player.pause(),
  };
}

const reasons = {
  invalid_accuracy: t`the phone itself called them wrong`,
  duplicate: t`came twice`,
  outlier: t`too far to be true`,
  from_the_future: t`from the future`,
  too_coarse: t`too coarse`,
  too_old: t`too old`,
};
function ignoredLine(events) {
  const counts = new Map();
  for (const { why } of events) counts.set(why, (counts.get(why) ?? 0) + 1);
  return t`${count(events.length, 'position')} not counted:
    ${[...counts].map(([why, number]) => `${written(number)} ${reasons[why] ?? why}`).join(', ')}.`;
}
