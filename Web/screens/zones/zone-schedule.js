// The hours of a zone: weekly windows in one time zone.
import { toggle } from '../../parts/controls.js';
import { switchRow } from '../../parts/layout.js';
import { offsets, offsetsOf } from '../../scripts/device/local-time.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';

const days = () => [t`Mo`, t`Tu`, t`We`, t`Th`, t`Fr`, t`Sa`, t`Su`];
const names = () => [t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`, t`Sunday`];
const year_ms = 366 * 86_400_000;

const time = (minutes) =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
const minutes = (text) => {
  const [hour, minute] = text.split(':').map(Number);
  return hour * 60 + minute;
};

/** Weekly windows in this device's time zone, with its changes of offset as data for the engine. */
export function schedule(windows, now) {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
  // Without a name of the time zone, later changes cannot be looked up.
  const changes = (name && offsetsOf(name, now)) || offsets(now - year_ms, now + 9 * year_ms);
  return { time_zone: name, windows, offsets: changes };
}

/** The days of a week in words: "Mo-Fr". @param {number} bits Monday is the lowest */
export function week(bits) {
  if (bits === 0x7f) return t`daily`;
  if (bits === 0x1f) return t`Mo-Fr`;
  return (
    days()
      .filter((_, day) => bits & (1 << day))
      .join(' ') || t`no day`
  );
}

/**
 * A button for each day of a week.
 * @param {{bits: number, key: string, onchange: (bits: number) => void}} what
 */
export const weekButtons = ({ bits, key, onchange }) =>
  h(
    'div',
    { class: 'days' },
    days().map((day, number) =>
      h(
        'button',
        {
          type: 'button',
          class: 'day',
          'aria-pressed': String(Boolean(bits & (1 << number))),
          'aria-label': names()[number],
          'data-key': `${key}-${number}`,
          onclick: () => onchange(bits ^ (1 << number)),
        },
        day,
      ),
    ),
  );

/** The hours in words: "Mo-Fr 08:00-18:00". */
export function hours(form) {
  const windows = form.schedule?.windows ?? [];
  if (!windows.length) return form.schedule ? t`Never` : t`Always`;
  return windows.map(([bits, opens, closes]) => `${week(bits)} ${time(opens)}-${time(closes)}`).join(', ');
}

/** @param {{app, form: object, onchange: (schedule: object|undefined) => void}} what */
export function scheduleField({ app, form, onchange }) {
  let windows = [...(form.schedule?.windows ?? [])];
  const list = h('div', { class: 'windows' });
  const isOn = toggle({
    label: t`Only at certain hours`,
    value: Boolean(form.schedule),
    onchange: (on) => {
      windows = on ? [[0x1f, 480, 1080]] : [];
      tell(on);
    },
  });
  const element = h(
    'div',
    {},
    switchRow({
      title: t`Only at certain hours`,
      detail: t`Quiet at all others`,
      leading: icon('clock'),
      control: isOn,
    }),
    list,
  );
  function tell(on = true) {
    onchange(on ? schedule(windows, app.now) : undefined);
    draw();
  }
  const change = (index, window) => {
    windows = windows.with(index, window);
    tell();
  };
  function draw() {
    fill(
      list,
      isOn.value && [
        windows.map((window, index) => row(window, index)),
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            onclick: () => {
              windows = [...windows, [0x60, 600, 960]];
              tell();
            },
          },
          icon('plus', { size: 20 }),
          t`More hours`,
        ),
      ],
    );
  }
  function row([bits, opens, closes], index) {
    const at = (label, key, value, put) =>
      h('input', {
        class: 'input number',
        type: 'time',
        'aria-label': label,
        'data-key': `${key}-${index}`,
        '.value': time(value),
        onchange: (event) => {
          const { value: given } = event.target;
          if (given) put(minutes(given));
          else event.target.setAttribute('aria-invalid', 'true');
        },
      });
    return h(
      'div',
      { class: 'window', role: 'group', 'aria-label': t`Hours ${index + 1}` },
      weekButtons({ bits, key: `day-${index}`, onchange: (of) => change(index, [of, opens, closes]) }),
      h(
        'div',
        { class: 'times' },
        at(t`From`, 'from', opens, (of) => change(index, [bits, of, closes])),
        h('span', { class: 'subhead' }, t`to`),
        at(t`To`, 'to', closes, (of) => change(index, [bits, opens, of])),
        closes <= opens && h('span', { class: 'footnote' }, t`next day`),
        h(
          'button',
          {
            type: 'button',
            class: 'round bare',
            'aria-label': t`Remove hours ${index + 1}`,
            onclick: () => {
              windows = windows.toSpliced(index, 1);
              if (!windows.length) isOn.value = false;
              tell(windows.length > 0);
            },
          },
          icon('trash'),
        ),
      ),
    );
  }
  element.set = (next) => {
    windows = [...(next.schedule?.windows ?? [])];
    isOn.value = Boolean(next.schedule);
    draw();
  };
  draw();
  return element;
}
