// Sets by when a person wants to be back, prolongs it, and ends it.
import { segments } from '../../parts/controls.js';
import { field } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { fill, h } from '../../scripts/page/dom.js';
import { backBy, sayBack, timeLeft } from '../../scripts/server/check-in.js';
import { serverOf } from '../../scripts/server/server.js';
import { t } from '../../scripts/words/translate.js';
import { whoIsTold } from './who-is-told.js';

const hour_ms = 3_600_000;
const later_min = 30;
const spans = [
  { value: 1, label: t`1 hour` },
  { value: 2, label: t`2 hours` },
  { value: 4, label: t`4 hours` },
];
const noteLength = 200;

/** A local time as the field takes it, to the minute: 2026-09-21T18:00. */
function fieldTime(at) {
  const two = (number) => String(number).padStart(2, '0');
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** @param {import('../../scripts/server/check-in.js').CheckIn} held */
export function openCheckIn(app, held) {
  const body = h('div', {});
  const sheet = modalSheet(
    {
      label: t`Check-in`,
      onclose: () => {
        clearInterval(timer);
        held.removeEventListener('change', show);
      },
    },
    body,
  );
  const close = () => h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`);

  /** Shows the time left, with the ways to end and to prolong. */
  const running = () => {
    const { value } = held;
    const left = h('p', { class: 'title-3 number', id: 'check-in-left', 'aria-live': 'polite' });
    const problem = h('p', { class: 'problem', role: 'alert' });
    const tell = () => {
      left.textContent = timeLeft(held.value, app.now);
    };
    tell();
    clearInterval(timer);
    timer = setInterval(tell, 1_000);
    const prolong = async () => {
      try {
        await held.prolong(later_min);
      } catch (error) {
        problem.textContent = error.message;
      }
    };
    fill(
      body,
      h('h2', { class: 'title-2' }, t`Back by ${backBy(Date.parse(value.back_by), app.now)}`),
      left,
      value.note && h('p', { class: 'subhead' }, value.note),
      problem,
      h(
        'div',
        { class: 'sheet-actions' },
        h(
          'button',
          {
            type: 'button',
            class: 'button primary',
            id: 'check-in-end',
            onclick: async () => (await sayBack(held)) && sheet.close(),
          },
          t`I am back`,
        ),
        h('button', { type: 'button', class: 'button', id: 'check-in-prolong', onclick: prolong }, t`30 minutes later`),
      ),
    );
  };

  const setting = () => {
    const time = h('input', {
      type: 'datetime-local',
      class: 'input',
      name: 'check-in-time',
      value: fieldTime(app.now + 2 * hour_ms),
      oninput: () => {
        span.value = undefined;
        by.say();
      },
    });
    const span = segments({
      label: t`For`,
      options: spans,
      value: 2,
      onchange: (hours) => {
        time.value = fieldTime(app.now + hours * hour_ms);
        by.say();
      },
    });
    const by = field({ label: t`Back by`, input: time });
    const note = h('input', { class: 'input', name: 'check-in-note', maxlength: noteLength, autocomplete: 'off' });
    const told = h('p', { class: 'footnote', id: 'check-in-told' });
    const save = async () => {
      const at = new Date(time.value).getTime();
      // The field is empty while its time is incomplete.
      if (Number.isNaN(at)) return by.say(t`Choose a day and a time.`);
      if (at < app.now + 60_000 || at > app.now + 168 * hour_ms)
        return by.say(t`Choose a time from one minute to seven days ahead.`);
      try {
        await held.set({ back_by: new Date(at).toISOString(), note: note.value.trim() });
        sheet.close();
        snackbar(t`Say that you are back by ${backBy(at, app.now)}.`);
      } catch (error) {
        by.say(error.message);
      }
    };
    fill(
      body,
      h('h2', { class: 'title-2' }, t`Back by a time`),
      h(
        'p',
        { class: 'subhead' },
        t`If you have not said by then that you are back, your channels are told, with the last known place.`,
      ),
      span,
      by,
      field({ label: t`Note`, input: note, hint: t`For those who are told: where you are going.` }),
      told,
      h(
        'div',
        { class: 'sheet-actions' },
        h('button', { type: 'button', class: 'button primary', id: 'check-in-set', onclick: save }, t`Set`),
        close(),
      ),
    );
    whoIsTold(serverOf(app), 'check_in_missed').then(
      (text) => told.replaceChildren(text),
      () => {},
    );
  };

  let timer;
  let isSetting = false;
  const show = () => {
    clearInterval(timer);
    // Words that a person has typed stay.
    if (!held.isOn && isSetting) return;
    isSetting = !held.isOn;
    if (isSetting) setting();
    else running();
  };
  held.addEventListener('change', show);
  show();
  return sheet;
}
