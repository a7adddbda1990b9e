// What is seen when an alarm rings: how far it is, why, and the two answers. Several alarms are a stack, the most urgent first.
import { h, update } from '../scripts/dom.js';
import { categoryLook, icon } from '../scripts/icons.js';
import { ring } from '../scripts/ring.js';
import { go } from '../scripts/router.js';
import * as words from '../scripts/words.js';
import { messageProposal } from './message-proposal.js';
import { snackbar } from './snackbar.js';

/** Taps that were meant for what was there before, or come from a pocket, count for nothing. In ms. */
const deaf = 700;

const quiets = [
  { value: 'zone' }, { value: 300, label: '5 min' }, { value: 1800, label: '30 min' },
  { value: 'inside', label: 'Next visit' }, { value: 'today', label: 'Today' },
];

export function alarmSheet(app, ringing) {
  const dialog = h('dialog', { class: 'alarm', id: 'alarm-sheet', role: 'alertdialog', 'aria-labelledby': 'alarm-zone', 'aria-describedby': 'alarm-why', oncancel: (event) => event.preventDefault() });
  // Escape closes nothing, however often.
  dialog.addEventListener('keydown', (event) => { if (event.key === 'Escape') event.preventDefault(); });
  document.body.append(dialog);
  let shownAt = 0;
  let place = 0;
  let quiet = 'zone';
  /** Zones whose notice the engine said to show. */
  const noticed = new Set();
  app.addEventListener('event', ({ detail }) => { if (detail.event === 'notice') noticed.add(detail.zone); });

  const open = () => ringing.alarms.filter(({ closed }) => !closed);
  const draw = () => {
    const alarms = open();
    if (!alarms.length) { if (dialog.open) dialog.close(); return; }
    place = Math.min(place, alarms.length - 1);
    update(dialog, face(alarms[place], alarms.length), answers(alarms[place]));
    if (dialog.open) return;
    [place, quiet, shownAt] = [0, 'zone', performance.now()];
    dialog.showModal();
    dialog.querySelector('#alarm-close').focus();
  };
  ringing.addEventListener('change', draw);
  ringing.addEventListener('missed', ({ detail: event }) => {
    snackbar(`${event.name || 'A zone'}: ${words.cause(event.cause).toLowerCase()}, ${words.clock(event.time_ms)}`, { action: { label: 'Why', run: () => go('/history') }, seconds: 60 });
  });
  draw();

  function face(alarm, many) {
    const { zone } = alarm;
    const { picture } = categoryLook(zone.category);
    const inside = zone.distance_m === undefined || zone.distance_m <= 0;
    return h('div', { class: 'face' },
      h('header', {},
        h('span', { class: 'tile white' }, icon(picture, { size: 30 })),
        h('div', { class: 'grow' }, h('h1', { id: 'alarm-zone', class: 'title-1' }, zone.name || 'A zone'),
          h('p', { id: 'alarm-why' }, h('span', {}, words.cause(alarm.cause)), ' ', alarm.began_ms && h('span', { class: 'when number' }, words.clock(alarm.began_ms)))),
        many > 1 && h('button', { class: 'stack', id: 'alarm-next', onclick: () => { place = (place + 1) % many; draw(); }, 'aria-label': `Alarm ${place + 1} of ${many}, show the next` },
          `${place + 1} of ${many}`, icon('forward', { size: 18 }))),
      h('div', { class: 'dial' },
        ring(inside ? 1 : Math.max(0.04, 1 - zone.distance_m / Math.max(zone.alert_m, zone.distance_m)), { radius: 132, width: 10, box: 292, colour: '#fff', track: 28, dot: !inside }),
        h('p', { class: 'count' },
          inside ? icon(alarm.cause === 'left' ? 'forward' : 'bell', { size: 72 }) : h('b', { class: 'number' }, words.split(zone.distance_m).number),
          h('span', {}, inside ? (alarm.cause === 'left' ? 'You have left' : 'You have arrived') : `${words.split(zone.distance_m).unit} ${alarm.cause === 'passed' || alarm.cause === 'left' ? 'away' : 'to go'}`))));
  }

  function answers(alarm) {
    const said = messages();
    return h('div', { class: 'answers' },
      notice(alarm.zone.id), said,
      h('div', { class: 'sounding' }, bars(Boolean(ringing.playing)),
        h('span', { class: 'grow subhead' }, soundWords(alarm)),
        !ringing.isElsewhere && h('button', { class: 'button', id: 'alarm-mute', 'aria-pressed': String(ringing.isMuted(alarm.alarm)), onclick: () => ringing.mute(alarm.alarm, !ringing.isMuted(alarm.alarm)) },
          ringing.isMuted(alarm.alarm) ? 'Unmute' : 'Mute')),
      h('button', { class: 'button ink tall wide', id: 'alarm-close', onclick: act(() => close(alarm)) }, icon('check'), 'Close'),
      h('button', { class: 'button sleep tall wide', id: 'alarm-sleep', onclick: act(() => hush(alarm)) }, icon('moon'), quietWords(alarm)),
      h('div', { class: 'quiets', role: 'radiogroup', 'aria-label': 'Quiet for' }, quiets.map(({ value, label }) => h('button', {
        role: 'radio', 'aria-checked': String(value === quiet), 'data-key': `quiet-${value}`, onclick: () => { quiet = value; draw(); },
      }, label ?? words.span(alarm.sleep_s)))));
  }

  function messages() {
    // Messages are a colleague of the alarm, not its condition: without them it still can be answered.
    try { return messageProposal(app); } catch (error) { console.error(error); return null; }
  }

  function notice(id) {
    const form = app.zones.get(id)?.notice;
    if (!noticed.has(id) || !form || !(form.title || form.text)) return null;
    return h('div', { class: 'notice' }, form.title && h('p', { class: 'headline' }, form.title), form.text && h('p', {}, form.text),
      /^https?:/.test(form.link ?? '') && h('a', { class: 'link', href: form.link, target: '_blank', rel: 'noopener noreferrer' }, 'More'));
  }

  function soundWords(alarm) {
    const playing = ringing.playing;
    if (ringing.isElsewhere) return 'Sounds in another tab';
    if (ringing.isMuted(alarm.alarm)) return 'Muted here; the alarm goes on';
    if (playing?.missing) return `No “${playing.missing}” here: ${playing.name}`;
    return playing?.name ?? (alarm.sound || 'Standard sound');
  }

  function quietWords(alarm) {
    if (quiet === 'inside') return 'Quiet until next visit';
    if (quiet === 'today') return 'Quiet for today';
    return `Sleep ${words.span(quiet === 'zone' ? alarm.sleep_s : quiet)}`;
  }

  const act = (work) => () => {
    if (performance.now() - shownAt < deaf) return;
    work().catch((error) => snackbar(`Not kept: ${error.message}`));
  };

  /** S40, S41: then the main view, or the map with the zone flashing. */
  async function close(alarm) {
    await ringing.answer('close', alarm.alarm);
    if (open().length) return;
    go(app.settings.bypass_to_map ? `/map?flash=${alarm.zone.id}` : '/');
  }

  async function hush(alarm) {
    const [command, more] = quiet === 'inside' || quiet === 'today' ? [quiet] : ['sleep', quiet === 'zone' ? {} : { seconds: quiet }];
    const span = words.span(quiet === 'zone' ? alarm.sleep_s : quiet);
    await ringing.answer(command, alarm.alarm, more);
    const name = alarm.zone.name || 'The zone';
    snackbar({ inside: `${name} is quiet until you have left`, today: `${name} is quiet for today` }[command] ?? `${name} sleeps for ${span}`);
  }
}

const bars = (moving) => h('span', { class: `bars${moving ? ' moving' : ''}`, 'aria-hidden': 'true' }, [8, 14, 22, 12, 18, 10, 16].map((height) => h('i', { style: { '--height': `${height}px` } })));
