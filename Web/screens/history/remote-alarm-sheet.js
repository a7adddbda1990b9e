// One alarm of a phone that reports to the server: its cause, its recipients with times, and the person who answered.
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { answerer, endingWords } from '../../scripts/words/answer-words.js';
import { ended } from '../../scripts/words/sentence.js';
import { t } from '../../scripts/words/translate.js';
import { alarmTitle, clock, count, length, phoneCause } from '../../scripts/words/words.js';
import { row, section } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';

const outcomes = {
  delivered: t`told`,
  failed: t`not reached`,
  rejected: t`refused`,
  withdrawn: t`taken back`,
  seen: t`seen`,
};
const pictures = { delivered: 'check', seen: 'eye', failed: 'warning', rejected: 'warning', withdrawn: 'bell-off' };

const at = (time) => clock(Date.parse(time));

/**
 * Opens the sheet of an alarm.
 * @param {import('../../scripts/server/server.js').Server} server
 * @param {{alarm: string, name?: string, subject?: string}} what the id of the alarm, and its zone or phone
 */
export function remoteAlarmSheet(server, what) {
  const body = h('div', {}, h('p', { class: 'footnote' }, t`Asking the server…`));
  const sheet = modalSheet(
    { label: alarmTitle(what) },
    h('h2', { class: 'title-2' }, alarmTitle(what)),
    body,
    h(
      'div',
      { class: 'sheet-actions' },
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Done`),
    ),
  );
  load(server, what.alarm).then(
    (content) => fill(body, content),
    (error) =>
      body.replaceChildren(
        h('p', { class: 'note warn' }, error.offline ? t`Not known without network.` : error.message),
      ),
  );
  return sheet;
}

async function load(server, id) {
  const [alarm, channels] = await Promise.all([server.ask('GET', `/alarms/${id}`), server.ask('GET', '/channels')]);
  const { device_id: device, zone_id: zone, companion_id: companion, decided_at: decided } = alarm;
  const { name: phone } = await server.ask('GET', `/devices/${device}`);
  // Only alarms of zones, and of two phones that meet or part, have an explanation.
  const decider =
    (zone && `/devices/${device}/explain?zone=${zone}&at=${encodeURIComponent(decided)}`) ||
    (['companion_near', 'companion_apart'].includes(alarm.subject) &&
      `/companions/${companion}/explain?at=${encodeURIComponent(alarm.began_at)}`);
  const why = decider
    ? await server
        .ask('GET', decider)
        .then(({ sentence, words }) => sentence ?? t`Decided by: ${words}.`)
        .catch(() => undefined)
    : undefined;
  const facts = [
    [t`Began`, at(alarm.began_at)],
    at(alarm.learned_at) !== at(alarm.began_at) && [t`Learned of`, at(alarm.learned_at)],
    [t`Rang`, count(alarm.rings, 'time')],
    typeof alarm.distance_m === 'number' && [
      t`From the edge`,
      alarm.distance_m < 0 ? t`${length(alarm.distance_m)} inside` : t`${length(alarm.distance_m)} outside`,
    ],
    alarm.answered_at && [
      t`Answered`,
      alarm.answered_by ? t`${at(alarm.answered_at)} by ${answerer(alarm.answered_by)}` : at(alarm.answered_at),
    ],
    alarm.cleared_at && [t`Over`, [at(alarm.cleared_at), endingWords(alarm.clearing)].filter(Boolean).join(' · ')],
  ].filter(Boolean);
  return [
    h('p', { class: 'body' }, ended(phoneCause({ ...alarm, device: phone }))),
    why && h('p', { class: 'footnote' }, why),
    h(
      'dl',
      { class: 'facts' },
      facts.map(([name, value]) => [h('dt', {}, name), h('dd', { class: 'number' }, value)]),
    ),
    section(
      { title: t`Who was told` },
      h(
        'div',
        { class: 'card', id: 'alarm-deliveries' },
        tries(alarm.deliveries, channels.items),
        alarm.deliveries.length === 0 &&
          h('p', { class: 'footnote padded' }, t`Nobody: it was shown on this page only, or the account names nobody.`),
      ),
    ),
  ];
}

/** One row for each channel: the final result and the number of attempts. */
function tries(deliveries, channels) {
  const ids = [...new Set(deliveries.map(({ channel_id: channel }) => channel))];
  return ids.map((id) => {
    const attempts = deliveries.filter(({ channel_id: channel }) => channel === id);
    const last = attempts.at(-1);
    const channel = channels.find((each) => each.id === id);
    const said = ['failed', 'rejected'].includes(last.outcome) && last.detail;
    return row({
      key: id,
      title: channel?.name || channel?.leads_to || t`A removed contact`,
      detail: [
        t`${outcomes[last.outcome] ?? last.outcome} at ${at(last.ended_at)}`,
        attempts.length > 1 && t`${attempts.length} tries`,
        said,
      ]
        .filter(Boolean)
        .join(' · '),
      leading: h('span', { class: 'tile quiet' }, icon(pictures[last.outcome] ?? 'message')),
    });
  });
}
