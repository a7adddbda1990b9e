// Tries the alarm of a zone, with its own sound, vibration and look, until it is closed. Nothing is armed or recorded.
import { h } from '../scripts/page/dom.js';
import { categoryLook, icon } from '../scripts/page/icons.js';
import { ring } from '../scripts/page/ring.js';
import { closesOnBack } from '../scripts/page/steps.js';
import * as sounds from '../scripts/sounds/sounds.js';
import { t } from '../scripts/words/translate.js';
import * as zoneWords from '../scripts/words/zone-words.js';

/** The trial ends by itself, in case the person has walked away. */
const longest_ms = 60_000;

/** @param {object} form of the zone; the sheet shows the name of the sound */
export function tryAlarm(app, form) {
  const sounding = h('span', { class: 'grow subhead' }, t`The sound is on its way …`);
  const dialog = h(
    'dialog',
    {
      class: 'alarm',
      id: 'trial-alarm',
      'aria-labelledby': 'trial-zone',
      'aria-describedby': 'trial-why',
      onclose: () => end(),
    },
    h(
      'div',
      { class: 'face' },
      h(
        'header',
        {},
        h('span', { class: 'tile white' }, icon(categoryLook(form.category).picture, { size: 30 })),
        h(
          'div',
          { class: 'grow' },
          h('h1', { id: 'trial-zone', class: 'title-1' }, zoneWords.name(form)),
          h('p', { id: 'trial-why' }, t`Only tried: this is what an alarm looks and sounds like.`),
        ),
      ),
      h(
        'div',
        { class: 'dial' },
        ring(1, { radius: 132, width: 10, box: 292, colour: '#fff', track: 28 }),
        h('p', { class: 'count' }, icon('bell', { size: 72 }), h('span', {}, t`A trial`)),
      ),
    ),
    h(
      'div',
      { class: 'answers' },
      h('div', { class: 'sounding' }, sounding),
      h('p', { class: 'subhead' }, t`Do you hear nothing? Turn the volume up: a page cannot.`),
      h(
        'button',
        { type: 'button', class: 'button ink tall wide', id: 'trial-close', onclick: () => dialog.close() },
        icon('check'),
        t`I have heard it`,
      ),
    ),
  );
  const late = setTimeout(() => dialog.close(), longest_ms);
  sounds.unlock();
  const playing = sounds.play(form.sound ?? '', { loop: true });
  // A real alarm comes first, and sounds by itself.
  const yields = () => {
    isOutdone = app.ringing.entries.some(({ closed }) => !closed);
    if (isOutdone) dialog.close();
  };
  let isOutdone = false;
  let isOver = false;
  function end() {
    isOver = true;
    clearTimeout(late);
    app.ringing?.removeEventListener('change', yields);
    playing.then(({ stop }) => stop()).catch(() => {});
    // Stopping a vibration that never began causes a warning in browsers.
    if (form.vibrate && !isOutdone) navigator.vibrate?.(0);
    dialog.remove();
  }
  app.ringing?.addEventListener('change', yields);
  document.body.append(dialog);
  dialog.showModal();
  closesOnBack(dialog);
  if (form.vibrate) navigator.vibrate?.([400, 150, 400, 150, 800]);
  playing
    .then(({ name, missing }) => {
      if (!isOver) sounding.textContent = missing ? t`No “${missing}” here: ${name}` : name;
    })
    .catch((error) => {
      console.error(error);
      sounding.textContent = t`This browser plays no sound now.`;
    });
  return dialog;
}
