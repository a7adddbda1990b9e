// The SOS button: held for two seconds, it counts down five; then the account's channels are told, with the place.
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { isOld, ownPosition, placeOf } from '../../scripts/device/own-position.js';
import { fill, h } from '../../scripts/page/dom.js';
import { styles } from '../../scripts/page/styles.js';
import { serverOf } from '../../scripts/server/server.js';
import { t } from '../../scripts/words/translate.js';
import { whoIsTold } from './who-is-told.js';

await styles('sos');

const hold_ms = 2_000;
const countdown_s = 5;
const pause_ms = 3_000;

/** Keys that press a button. */
const presses = ({ key }) => key === ' ' || key === 'Enter';

export function openSOS(app) {
  const server = serverOf(app);
  const body = h('div', { class: 'sos', 'aria-live': 'assertive' });
  /** The timer of the hold, of the countdown or of the next try. */
  let timer;
  let isOver = false;
  /** True from the end of the hold on: a tap beside the sheet does not close it then. */
  let begun = false;
  const sheet = modalSheet(
    {
      label: 'SOS',
      stays: () => begun,
      onclose: (reason) => {
        isOver = true;
        clearTimeout(timer);
        if (begun && reason !== 'sent') snackbar(t`No SOS was sent.`);
      },
    },
    h('h2', { class: 'title-2' }, 'SOS'),
    body,
  );
  // Asked for now, so that it is there when the countdown ends.
  ownPosition(app).catch(() => {});

  const cancel = () => h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`);

  const openCheckIn = async () => {
    const [sheetOf, { checkInOf }] = await Promise.all([
      import('./check-in-sheet.js'),
      import('../../scripts/server/check-in.js'),
    ]);
    sheet.close();
    sheetOf.openCheckIn(app, checkInOf(app));
  };

  const ready = (problem) => {
    begun = false;
    const told = h('p', { class: 'footnote', id: 'sos-told' });
    const release = () => {
      clearTimeout(timer);
      button.classList.remove('held');
    };
    const press = (event) => {
      // A key that is held comes again and again.
      if (event.repeat || button.classList.contains('held')) return;
      button.classList.add('held');
      timer = setTimeout(() => count(countdown_s), hold_ms);
    };
    const button = h(
      'button',
      {
        type: 'button',
        id: 'sos-hold',
        style: `--hold: ${hold_ms}ms`,
        onpointerdown: press,
        onpointerup: release,
        onpointerleave: release,
        onpointercancel: release,
        onblur: release,
        oncontextmenu: (event) => event.preventDefault(),
        onkeydown: (event) => {
          if (!presses(event)) return;
          event.preventDefault();
          press(event);
        },
        onkeyup: (event) => presses(event) && release(),
        // Screen readers press without holding.
        onclick: ({ detail }) => detail === 0 && count(countdown_s),
      },
      h('span', {}, t`Hold for 2 seconds`),
    );
    fill(
      body,
      problem && h('p', { class: 'problem', role: 'alert' }, problem),
      h('p', { class: 'subhead' }, t`Five seconds later your channels are told that you need help, and where you are.`),
      button,
      told,
      h(
        'div',
        { class: 'sheet-actions' },
        cancel(),
        h('button', { type: 'button', class: 'button', id: 'sos-check-in', onclick: openCheckIn }, t`Back by a time`),
      ),
    );
    whoIsTold(server, 'sos').then(
      (text) => told.replaceChildren(text),
      () => {},
    );
  };

  const count = (seconds) => {
    clearTimeout(timer);
    if (isOver) return;
    if (!seconds) return send();
    if (!begun) navigator.vibrate?.(200);
    begun = true;
    const stop = cancel();
    fill(body, h('p', { class: 'sos-count' }, String(seconds)), h('div', { class: 'sheet-actions' }, stop));
    stop.focus();
    timer = setTimeout(() => count(seconds - 1), 1_000);
  };

  const send = async (tries = 0) => {
    if (isOver) return;
    fill(
      body,
      h(
        'p',
        { class: 'subhead', id: 'sos-state' },
        tries ? t`Not sent yet: the server cannot be reached.` : t`Sending…`,
      ),
      tries > 0 && h('p', { class: 'footnote' }, t`It is tried again and again. Call for help in another way too.`),
      h('div', { class: 'sheet-actions' }, cancel()),
    );
    try {
      const [latitude, longitude] = isOld(app) ? [] : placeOf(app);
      await server.ask('POST', '/sos', latitude === undefined ? {} : { latitude, longitude });
      sheet.close('sent');
      snackbar(t`SOS is sent.`);
    } catch (error) {
      if (isOver) return;
      if (error.isTemporary) timer = setTimeout(() => send(tries + 1), pause_ms);
      else ready(error.message);
    }
  };

  ready();
  return sheet;
}
