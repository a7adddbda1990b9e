// The sheet of a ringing alarm: the distance, the cause, and the answers Stop, Sleep and Close. Several alarms form a stack,
// the most urgent first.
import { go } from '../scripts/page/address.js';
import { h, update } from '../scripts/page/dom.js';
import { categoryLook, icon } from '../scripts/page/icons.js';
import { ring } from '../scripts/page/ring.js';
import * as sounds from '../scripts/sounds/sounds.js';
import { stopDoes, stopped } from '../scripts/words/answer-words.js';
import { t } from '../scripts/words/translate.js';
import { obstacle } from '../scripts/words/watch-words.js';
import * as words from '../scripts/words/words.js';
import { messageProposal } from './message-proposal.js';
import { noticePicture } from './notice-picture.js';
import { snackbar } from './snackbar.js';

/**
 * The time, in ms, after an alarm is shown in which taps are ignored: they may be meant for the previous content or come from a
 * pocket.
 */
const deaf = 700;
/** The interval between repetitions if the settings have none, in seconds. */
const defaultCycle_s = 10;

/** The choices for Sleep: the zone's own time, seconds, or `today`, which ends at midnight. */
const times = () => [
  { value: 'zone' },
  { value: 300, label: words.span(300) },
  { value: 1800, label: words.span(1800) },
  { value: 'today', label: t`Today` },
];

export function alarmSheet(app, ringing) {
  const dialog = h('dialog', {
    class: 'alarm',
    id: 'alarm-sheet',
    role: 'alertdialog',
    'aria-labelledby': 'alarm-zone',
    'aria-describedby': 'alarm-why',
    oncancel: (event) => event.preventDefault(),
  });
  // Escape does not close the sheet, even if it is pressed repeatedly.
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') event.preventDefault();
  });
  document.body.append(dialog);
  let shownAt = 0;
  /** When the button that mutes takes taps: a tap on "Turn sound on", whose place it takes, must not mute. */
  let muteFrom = 0;
  /** The id of the alarm that is shown. A more urgent alarm does not replace it, since a finger may be about to tap. */
  let shown;
  let time = 'zone';
  /** The reason why the last answer was not stored. */
  let problem = '';
  /** Ids of the zones whose notice the engine has requested. */
  const noticed = new Set();
  app.addEventListener('event', ({ detail }) => {
    if (detail.event === 'notice') noticed.add(detail.zone);
  });

  const open = () => ringing.entries.filter(({ closed }) => !closed);
  const draw = () => {
    const alarms = open();
    if (!alarms.length) {
      if (dialog.open) {
        dialog.close();
        covers();
      }
      shown = undefined;
      return;
    }
    const place = Math.max(
      0,
      alarms.findIndex(({ alarm }) => alarm === shown),
    );
    const alarm = alarms[place];
    if (alarm.alarm !== shown) [shown, time, problem, shownAt] = [alarm.alarm, 'zone', '', performance.now()];
    update(dialog, face(alarm, place, alarms), answers(alarm));
    if (dialog.open) return;
    dialog.showModal();
    covers();
    dialog.querySelector('#alarm-stop').focus();
  };
  const act = (work) => () => {
    if (performance.now() - shownAt < deaf) return;
    problem = '';
    // Shown in the sheet itself, which covers everything below it.
    work().catch((error) => {
      problem = t`Not answered: ${error.message}`;
      draw();
    });
  };
  /** Announces that the sheet covers the map or no longer does; a covered map is not drawn. */
  const covers = () => dispatchEvent(new Event('cover'));
  ringing.addEventListener('change', draw);
  ringing.addEventListener('missed', ({ detail: event }) => {
    const name = event.name || t`A zone`;
    snackbar(t`${name}: ${words.cause(event.cause).toLowerCase()}, ${words.clock(event.time_ms)}`, {
      action: { label: t`Why`, run: () => go('/history') },
      seconds: 60,
    });
  });

  function face(alarm, place, alarms) {
    const { zone } = alarm;
    const picture = isOfPhone(alarm) ? 'phone' : categoryLook(zone.category).picture;
    const inside = isInside(alarm);
    const many = alarms.length;
    return h(
      'div',
      { class: 'face' },
      h(
        'header',
        {},
        h('span', { class: 'tile white' }, icon(picture, { size: 30 })),
        h(
          'div',
          { class: 'grow' },
          h('h1', { id: 'alarm-zone', class: 'title-1' }, zone.name || t`A zone`),
          h(
            'p',
            { id: 'alarm-why' },
            h('span', {}, because(alarm)),
            ' ',
            alarm.began_ms && h('span', { class: 'when number' }, words.clock(alarm.began_ms)),
          ),
        ),
        many > 1 &&
          h(
            'button',
            {
              class: 'stack',
              id: 'alarm-next',
              onclick: () => {
                shown = alarms[(place + 1) % many].alarm;
                time = 'zone';
                draw();
              },
              'aria-label': t`Alarm ${place + 1} of ${many}, show the next`,
            },
            t`${place + 1} of ${many}`,
            icon('forward', { size: 18 }),
          ),
      ),
      h(
        'div',
        { class: 'dial' },
        ring(
          inside || alarm.device ? 1 : Math.max(0.04, 1 - zone.distance_m / Math.max(zone.alert_m, zone.distance_m)),
          { radius: 132, width: 10, box: 292, colour: '#fff', track: 28, dot: !inside && !alarm.device },
        ),
        h(
          'p',
          { class: 'count' },
          inside || alarm.device
            ? icon(pictureOf(alarm), { size: 72 })
            : h('b', { class: 'number' }, words.split(zone.distance_m).number),
          h('span', {}, where(alarm)),
        ),
      ),
      !alarm.device && age(),
    );
  }

  /** True if the alarm is about a phone itself and not about a zone. */
  function isOfPhone({ zone, device }) {
    return Boolean(device) && !zone.id;
  }
  function isDangerous({ zone }) {
    return categoryLook(zone.category).picture === 'hazard' || app.zoneOf(zone.id)?.assurance === 'safety';
  }
  function isInside({ zone }) {
    return zone.distance_m === undefined || zone.distance_m <= 0;
  }

  /** The cause of the alarm, in the past tense if it no longer applies. */
  function because(alarm) {
    if (alarm.device) return words.phoneCause(alarm);
    const holds = isInside(alarm) || (alarm.nearing && (alarm.cause === 'near' || alarm.cause === 'possible'));
    return holds ? words.cause(alarm.cause) : words.pastCause(alarm.cause);
  }

  function pictureOf(alarm) {
    if (alarm.device) return 'phone';
    if (alarm.cause === 'left') return 'forward';
    return isDangerous(alarm) ? 'warning' : 'bell';
  }

  /** The present position relative to the zone. A dangerous zone is not described as a destination. */
  function where(alarm) {
    if (alarm.device) return alarm.device;
    if (alarm.zone.distance_m === undefined) return words.cause(alarm.cause);
    if (isInside(alarm))
      return alarm.cause === 'left'
        ? t`You are back inside`
        : isDangerous(alarm)
          ? t`You are inside`
          : t`You have arrived`;
    const { unit } = words.split(alarm.zone.distance_m);
    // The number is shown above.
    return alarm.nearing ? t.meaning('below its number')`${unit} to go` : t.meaning('below its number')`${unit} away`;
  }

  /** A warning that the distance is not up to date, for lack of positions. */
  function age() {
    const inTheWay = obstacle(app.report.state);
    return (
      inTheWay &&
      inTheWay.why !== 'hidden' &&
      h('p', { class: 'stale', role: 'status' }, icon('warning', { size: 18 }), h('span', {}, inTheWay.detail))
    );
  }

  function answers(alarm) {
    const told = [notice(alarm.zone.id), !alarm.device && messages()].filter(Boolean);
    if (ringing.isHeldBack) muteFrom = Infinity;
    else if (muteFrom === Infinity) muteFrom = performance.now() + deaf;
    return h(
      'div',
      { class: 'answers' },
      told.length > 0 && h('div', { class: 'told' }, told),
      // Always visible, however long the text above it is.
      h(
        'div',
        { class: 'acts' },
        h(
          'div',
          { class: 'sounding' },
          bars(ringing.isSounding),
          h('span', { class: 'grow subhead' }, soundWords(alarm)),
          ringing.isHeldBack
            ? h('button', { class: 'button', id: 'alarm-hear', onclick: () => sounds.unlock() }, t`Turn sound on`)
            : !ringing.isElsewhere &&
                h(
                  'button',
                  {
                    class: 'button',
                    id: 'alarm-mute',
                    'aria-pressed': String(ringing.isMuted(alarm.alarm)),
                    onclick: () =>
                      performance.now() > muteFrom && ringing.mute(alarm.alarm, !ringing.isMuted(alarm.alarm)),
                  },
                  ringing.isMuted(alarm.alarm) ? t`Unmute` : t`Mute`,
                ),
        ),
        h(
          'button',
          { class: 'button ink tall wide', id: 'alarm-stop', onclick: act(() => stop(alarm)) },
          icon('check'),
          lines(t.meaning('an alarm')`Stop`, stopDoes(alarm)),
        ),
        problem && h('p', { class: 'problem', role: 'alert' }, problem),
        // A person's alarm ends with any answer.
        !alarm.isPerson && [
          h(
            'button',
            { class: 'button sleep tall wide', id: 'alarm-sleep', onclick: act(() => sleep(alarm)) },
            icon('moon'),
            time === 'today' ? t`Sleep for today` : t`Sleep ${spanOf(alarm)}`,
          ),
          choices(alarm),
          h(
            'button',
            { class: 'button wide', id: 'alarm-close', onclick: act(() => close(alarm)) },
            icon('close'),
            lines(t`Close`, goesOn(alarm)),
          ),
        ],
      ),
    );
  }

  /** The effect of Close, which closes the sheet but does not end the alarm. */
  const goesOn = ({ device }) =>
    device
      ? t`Sounds again until it is answered`
      : t`Sounds again every ${words.span(app.settings.alarm_cycle_s ?? defaultCycle_s)}`;

  const choices = (alarm) =>
    h(
      'div',
      { class: 'times', role: 'radiogroup', 'aria-label': t`Sleep for` },
      times()
        .filter(({ value }) => !alarm.device || typeof value === 'string')
        .map(({ value, label }) =>
          h(
            'button',
            {
              role: 'radio',
              'aria-checked': String(value === time),
              'data-key': `time-${value}`,
              onclick: () => {
                time = value;
                draw();
              },
            },
            label ?? words.span(alarm.sleep_s),
          ),
        ),
    );

  function messages() {
    // An error in a message must not prevent an answer to the alarm.
    try {
      return messageProposal(app);
    } catch (error) {
      console.error(error);
      return null;
    }
  }

  function notice(id) {
    const form = app.zoneOf(id)?.notice;
    if (!noticed.has(id) || !form || !(form.title || form.text || form.image)) return null;
    return h(
      'div',
      { class: 'notice' },
      form.title && h('p', { class: 'headline' }, form.title),
      form.text && h('p', {}, form.text),
      noticePicture(form.image, draw),
      /^https?:/.test(form.link ?? '') &&
        h('a', { class: 'link', href: form.link, target: '_blank', rel: 'noopener noreferrer' }, t`More`),
    );
  }

  function soundWords(alarm) {
    const playing = ringing.playing;
    if (ringing.isElsewhere) return t`Sounds in another tab`;
    if (ringing.isHeldBack) return t`No sound until you tap this page once`;
    if (ringing.isMuted(alarm.alarm)) return t`Muted here. The alarm continues`;
    if (playing?.missing) return t`No “${playing.missing}” here: ${playing.name}`;
    return playing?.name ?? (alarm.sound || t`Standard sound`);
  }

  const spanOf = (alarm) => words.span(time === 'zone' ? alarm.sleep_s : time);

  /** S40, S41: afterwards the main view is shown, or the map with the zone flashing. */
  async function close(alarm) {
    await ringing.answer('close', alarm.alarm);
    if (open().length) return;
    if (alarm.device) return go('/');
    go(app.settings.bypass_to_map ? `/map?flash=${alarm.zone.id}` : '/');
  }

  async function stop(alarm) {
    await ringing.answer('inside', alarm.alarm);
    if (!alarm.isPerson) snackbar(stopped(alarm));
  }

  async function sleep(alarm) {
    const name = alarm.zone.name || t`The zone`;
    const said = time === 'today' ? t`${name} is quiet for today` : t`${name} sleeps for ${spanOf(alarm)}`;
    if (time === 'today') await ringing.answer('today', alarm.alarm);
    else await ringing.answer('sleep', alarm.alarm, time === 'zone' ? {} : { seconds: time });
    snackbar(said);
  }

  // An alarm may have begun before the page was loaded.
  draw();
}

const lines = (word, does) => h('span', { class: 'lines' }, h('span', {}, word), h('small', {}, does));

const bars = (moving) =>
  h(
    'span',
    { class: `bars${moving ? ' moving' : ''}`, 'aria-hidden': 'true' },
    [8, 14, 22, 12, 18, 10, 16].map((height) => h('i', { style: { '--height': `${height}px` } })),
  );
