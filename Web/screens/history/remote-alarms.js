// Alarms of phones that report to the server, as part of a day's history. Ringing ones can be answered.
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { serverOf } from '../../scripts/server/server.js';
import { liveOf } from '../../scripts/server/signed-in.js';
import { whatBecame } from '../../scripts/words/answer-words.js';
import { t } from '../../scripts/words/translate.js';
import { alarmTitle, clock } from '../../scripts/words/words.js';
import { snackbar } from '../../parts/snackbar.js';
import { remoteAlarmSheet } from './remote-alarm-sheet.js';

const answers = [
  ['acknowledge', t.meaning('an alarm')`Stop`],
  ['sleep', t`Sleep`],
  ['close', t`Close`],
];

/**
 * The alarms that began in [from, to).
 * @param {string} [device] limits them to this phone's, and to those that ring or have no zone: the day shows the others
 * @returns {{element: HTMLElement, stop: () => void}} empty while nobody is signed in
 */
export function remoteAlarms(app, from, to, device) {
  const server = serverOf(app);
  const element = h('section', { class: 'remote', 'aria-label': t`Your phones`, hidden: true });
  let known = new Map();
  const draw = () => {
    const found = [...known.values()]
      .filter(({ began_at: began }) => Date.parse(began) >= from && Date.parse(began) < to)
      .filter(({ device_id: id, state, zone_id: zone }) => !device || (id === device && (state === 'ringing' || !zone)))
      .sort((a, b) => a.began_at.localeCompare(b.began_at));
    element.hidden = found.length === 0;
    fill(
      element,
      h('h2', { class: 'title-3' }, device ? t`Alarms` : t`Your phones`),
      h(
        'ul',
        { class: 'incidents' },
        found.map((alarm) => h('li', {}, row(alarm))),
      ),
    );
  };
  const row = (alarm) =>
    h(
      'div',
      { class: 'row', 'data-key': alarm.id },
      h(
        'span',
        { class: `badge ${alarm.state === 'ringing' ? 'alarm' : alarm.state === 'sleeping' ? 'sleep' : 'quiet'}` },
        icon(alarm.state === 'sleeping' ? 'moon' : 'bell', { size: 18 }),
      ),
      h(
        'span',
        { class: 'grow' },
        h(
          'button',
          {
            type: 'button',
            class: 'headline remote-open',
            onclick: () => remoteAlarmSheet(server, { ...alarm, alarm: alarm.id }),
          },
          alarmTitle(alarm),
        ),
        h('span', { class: 'subhead' }, whatBecame(alarm)),
        alarm.state === 'ringing' &&
          h(
            'span',
            { class: 'remote-answers' },
            answers.map(([word, label]) =>
              h(
                'button',
                {
                  type: 'button',
                  class: 'button small',
                  'data-key': `${alarm.id}-${word}`,
                  onclick: () => answer(alarm, word),
                },
                label,
              ),
            ),
          ),
      ),
      h('span', { class: 'trailing subhead number' }, clock(Date.parse(alarm.began_at))),
    );
  const answer = (alarm, word) =>
    server
      .ask('POST', `/alarms/${alarm.id}/${word}`)
      .then((changed) => {
        known.set(changed.id, changed);
        draw();
      })
      .catch((error) => snackbar(error.message));

  const load = () => {
    if (server.state !== 'in') return;
    server
      .ask('GET', `/alarms?limit=200${device ? `&device=${device}` : ''}`)
      .then(({ items }) => {
        known = new Map(items.map((alarm) => [alarm.id, alarm]));
        draw();
      })
      .catch(() => {});
  };
  const heard = ({ detail }) => {
    known.set(detail.id, detail);
    draw();
  };
  let live;
  liveOf(app)
    .then((found) => {
      live = found;
      live.addEventListener('alarm', heard);
    })
    .catch(() => {});
  server.addEventListener('change', load);
  load();
  return {
    element,
    stop: () => {
      live?.removeEventListener('alarm', heard);
      server.removeEventListener('change', load);
    },
  };
}
