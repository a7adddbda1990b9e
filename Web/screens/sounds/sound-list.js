// The sounds of this device as a list: play, select, describe, add (S105-S111).
import { segments } from '../../parts/controls.js';
import { field } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { h, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import {
  SoundRefused,
  add,
  all,
  describe,
  play,
  remove,
  restore,
  standardSound,
  stop,
} from '../../scripts/sounds/sounds.js';
import { t } from '../../scripts/words/translate.js';
import * as words from '../../scripts/words/words.js';

await styles('sounds');

const modes = () => [
  { value: 'play', label: t`Play` },
  { value: 'select', label: t`Select` },
  { value: 'describe', label: t`Describe` },
  { value: 'add', label: t`Add own` },
];
const hints = () => ({
  play: t`Tap a sound to hear it.`,
  select: t`Tap the sound to use.`,
  describe: t`Tap a sound to say what it is. The words are for this list only.`,
  add: t`Audio files of your own. With an account they are on all your devices, up to 4 MB each.`,
});

/**
 * The list as an element.
 * @param {{selected: string, standard: string, onselect: (name: string) => void, mode?: string}} what `selected` is the exact
 *   name in the zone, empty for the standard sound
 */
export function soundList({ selected, standard, onselect, mode = 'play' }) {
  let sounds = [];
  let playing;
  /**
   * The sound whose description is being requested. After a No there are no further requests until the list is opened again
   * (S107).
   */
  let asking;
  let mayAsk = true;
  const hint = h('p', { class: 'footnote' });
  const rows = h('div', { class: 'sound-rows', 'aria-live': 'off' });
  const picker = h('input', {
    type: 'file',
    accept: 'audio/*',
    multiple: true,
    hidden: true,
    onchange: () => {
      take([...picker.files]);
      picker.value = '';
    },
  });

  async function load() {
    sounds = await all();
    draw();
  }

  async function listen(name) {
    if (playing === name) {
      stop();
      return;
    }
    asking = undefined;
    playing = name;
    draw();
    const { ended } = await play(name);
    await ended;
    if (playing !== name) return;
    playing = undefined;
    if (mayAsk && element.isConnected) asking = name;
    draw();
  }

  const choose = (name) => {
    selected = name;
    onselect(name);
    draw();
  };

  function act(name) {
    if (mode === 'select') choose(name);
    else if (mode === 'describe') describing(name);
    else listen(name);
  }

  function describing(name) {
    const sound = sounds.find((each) => each.name === name);
    const input = h('input', { class: 'input', maxlength: 200, value: sound.description ?? '', enterkeyhint: 'done' });
    const dialog = modalSheet(
      { label: t`Describe ${name}` },
      h(
        'form',
        {
          class: 'fields',
          onsubmit: async (event) => {
            event.preventDefault();
            await describe(name, input.value);
            asking = undefined;
            dialog.close();
            load();
          },
        },
        h('h2', { class: 'title-3' }, name),
        field({ label: t`Description`, input, hint: t`It is shown in the list only.` }),
        h('button', { class: 'button primary wide', type: 'submit' }, t`Save`),
      ),
    );
    input.focus();
  }

  async function take(files) {
    const added = [];
    for (const file of files) {
      try {
        added.push(await add(file));
      } catch (error) {
        if (!(error instanceof SoundRefused)) throw error;
        snackbar(error.message, { seconds: 15 });
      }
    }
    if (added.length) snackbar(t`Added ${added.join(', ')}`);
    await load();
  }

  async function forget(name) {
    const removed = await remove(name);
    await load();
    snackbar(t`“${name}” deleted`, {
      undo: async () => {
        await restore(removed);
        load();
      },
    });
  }

  function draw() {
    hint.textContent = hints()[mode];
    // Rows are reused, so that a button that is being pressed is not replaced.
    update(
      rows,
      missingCard(),
      mode === 'add' && adding(),
      h(
        'ul',
        { class: 'card', 'data-mode': mode },
        mode === 'select' && h('li', {}, standardRow()),
        sounds.map((sound) => h('li', {}, soundRow(sound))),
      ),
    );
  }

  function missingCard() {
    if (!selected || sounds.length === 0 || sounds.some(({ name }) => name === selected)) return null;
    const alike = sounds.find(({ name }) => name.toLowerCase() === selected.toLowerCase());
    return h(
      'div',
      { class: 'card note warn', role: 'status' },
      icon('warning'),
      h(
        'p',
        {},
        h('b', {}, t`“${selected}” is not on this device.`),
        ' ',
        t`${standard} plays in its place.`,
        ' ',
        alike
          ? t`There is “${alike.name}”: names have to be the same letter for letter, capitals too.`
          : t`Add the file, or select another sound.`,
      ),
    );
  }

  const standardRow = () =>
    h(
      'button',
      {
        type: 'button',
        class: 'row',
        'data-key': 'standard',
        'aria-pressed': String(selected === ''),
        onclick: () => choose(''),
      },
      h('span', { class: 'tile quiet' }, icon('bell')),
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline' }, t`The standard sound`),
        h('span', { class: 'subhead' }, standard),
      ),
      selected === '' && icon('check'),
    );

  function soundRow({ name, about, description, own, length_s: length, levels }) {
    const is = playing === name;
    const detail = description ?? about ?? t`Your own`;
    return h(
      'div',
      { class: 'sound' },
      h(
        'div',
        { class: 'row' },
        h(
          'button',
          {
            type: 'button',
            class: `round play${is ? ' on' : ''}`,
            'data-key': `play-${name}`,
            'aria-label': is ? t`Stop ${name}` : t`Play ${name}`,
            onclick: () => listen(name),
          },
          icon(is ? 'stop' : 'play'),
        ),
        h(
          'button',
          {
            type: 'button',
            class: 'grow sound-name',
            'data-key': `sound-${name}`,
            'aria-pressed': mode === 'select' ? String(selected === name) : null,
            onclick: () => act(name),
          },
          h('span', { class: 'headline name' }, name),
          h('span', { class: 'subhead' }, detail),
        ),
        waveform(levels, is),
        h('span', { class: 'footnote number' }, words.span(Math.max(1, length))),
        mode === 'select' && selected === name && icon('check'),
        mode === 'add' &&
          own &&
          h(
            'button',
            {
              type: 'button',
              class: 'round bare danger',
              'data-key': `forget-${name}`,
              'aria-label': t`Delete ${name}`,
              onclick: () => forget(name),
            },
            icon('trash'),
          ),
      ),
      asking === name && question(name),
    );
  }

  const question = (name) =>
    h(
      'div',
      { class: 'question', role: 'group', 'aria-label': t`Describe it?` },
      h('p', { class: 'subhead' }, t`Describe this sound?`),
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          'data-key': 'no',
          onclick: () => {
            mayAsk = false;
            asking = undefined;
            draw();
          },
        },
        t`No`,
      ),
      h(
        'button',
        { type: 'button', class: 'button primary', 'data-key': 'yes', onclick: () => describing(name) },
        t`Yes`,
      ),
    );

  const adding = () =>
    h(
      'div',
      {
        class: 'drop',
        ondragover: (event) => {
          event.preventDefault();
          event.currentTarget.classList.add('over');
        },
        ondragleave: (event) => event.currentTarget.classList.remove('over'),
        ondrop: (event) => {
          event.preventDefault();
          event.currentTarget.classList.remove('over');
          take([...event.dataTransfer.files]);
        },
      },
      icon('sound', { size: 32 }),
      h('p', { class: 'subhead' }, t`MP3, WAV, M4A, Ogg … The first minute is played. Its name is that of the file.`),
      h(
        'button',
        { type: 'button', class: 'button primary', 'data-key': 'pick', onclick: () => picker.click() },
        t`Choose a file`,
      ),
    );

  const element = h(
    'div',
    { class: 'sound-list' },
    segments({
      label: t`What a tap on a sound does`,
      options: modes(),
      value: mode,
      onchoose: (next) => {
        mode = next;
        asking = undefined;
      },
      onchange: draw,
    }),
    hint,
    picker,
    rows,
  );
  /** To be called when the list is removed. */
  element.leave = () => {
    playing = undefined;
    stop();
  };
  load();
  return element;
}

function waveform(levels, moving) {
  return h(
    'span',
    { class: `waveform${moving ? ' moving' : ''}`, 'aria-hidden': 'true' },
    levels.map((level) => h('i', { style: { '--level': Math.max(0.12, level).toFixed(2) } })),
  );
}

/**
 * Opens the list above the editor of a zone.
 * @returns {Promise<string>} the exact name of the selected sound, empty for the standard sound
 */
export function chooseSound({ app, selected, back = t`Alert Zone Editor` }) {
  return new Promise((done) => {
    const list = soundList({
      app,
      selected,
      standard: standardSound(),
      mode: 'select',
      onselect: (name) => {
        selected = name;
      },
    });
    const dialog = modalSheet(
      {
        label: t`Sounds`,
        onclose: () => {
          list.leave();
          done(selected);
        },
      },
      h(
        'header',
        { class: 'sheet-bar' },
        h(
          'button',
          { type: 'button', class: 'button plain', onclick: () => dialog.close() },
          icon('back', { size: 20 }),
          back,
        ),
        h('h2', { class: 'title-3' }, t`Sounds`),
      ),
      list,
    );
  });
}
