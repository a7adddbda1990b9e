// The data on this device: its size, a backup to a file, restoring from a file, and deletion.
import { row, section, topBar } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { RestoreRefused, backup, erase, restore } from '../../scripts/files/backup.js';
import { download } from '../../scripts/files/download.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import * as words from '../../scripts/words/words.js';

/** The key in the tab's session storage for the counts of a restore, read after the page has reloaded. */
const restored = 'restored';
const nouns = { zones: 'zone', reminders: 'reminder', messages: 'message', sounds: 'sound' };

export function dataPage(app) {
  const kept = h('div', { class: 'card' });
  const picker = h('input', {
    type: 'file',
    accept: '.json,application/json',
    hidden: true,
    'aria-label': t`Backup file`,
    onchange: () => take(picker.files[0]),
  });
  const say = h('div', { class: 'said', role: 'status' });

  async function draw() {
    const [zones, reminders, messages, sounds] = await Promise.all(
      ['zones', 'reminders', 'messages', 'sounds'].map((name) => app.storage.count(name)),
    );
    const { usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
    const lasting = (await navigator.storage?.persisted?.()) ?? false;
    fill(
      kept,
      row({
        title: t`Kept here`,
        detail:
          [
            [zones, 'zone'],
            [reminders, 'reminder'],
            [messages, 'message'],
            [sounds, 'sound'],
          ]
            .filter(([number]) => number)
            .map(([number, word]) => words.count(number, word))
            .join(' · ') || t`Nothing yet`,
        low: true,
      }),
      row({ title: t`Space`, detail: words.megabytes(usage), low: true }),
      row({
        title: lasting ? t`Kept for good` : t`May be cleared by the browser`,
        low: true,
        detail: lasting ? t`Until you erase it.` : t`When space is short, or the page is not used for long.`,
        trailing: !lasting && h('button', { type: 'button', class: 'button', onclick: keepForGood }, t`Keep`),
      }),
    );
  }
  async function keepForGood() {
    const granted = await navigator.storage.persist();
    if (!granted) snackbar(t`The browser did not agree. Install the page, or back it up now and then.`);
    draw();
  }
  async function save() {
    const day = new Date(app.now).toISOString().slice(0, 10);
    await download(await backup(app), `proximity-alarm-${day}.json`, 'application/json');
  }
  async function take(file) {
    picker.value = '';
    if (!file) return;
    try {
      const counts = await restore(app, file);
      // Shown by the page after it has reloaded.
      sessionStorage.setItem(restored, JSON.stringify(counts));
      location.reload();
    } catch (error) {
      if (!(error instanceof RestoreRefused)) throw error;
      fill(
        say,
        h('div', { class: 'card note warn' }, icon('warning'), h('p', {}, t`${error.message} Nothing was changed.`)),
      );
    }
  }
  draw();
  const counts = JSON.parse(sessionStorage.getItem(restored) ?? 'null');
  sessionStorage.removeItem(restored);
  if (counts) {
    const came = Object.entries(nouns).filter(([name]) => counts[name]);
    fill(
      say,
      h(
        'div',
        { class: 'card note' },
        icon('check'),
        h(
          'p',
          {},
          came.length
            ? t`Restored: ${words.listed(came.map(([name, noun]) => words.count(counts[name], noun)))}.`
            : t`Settings and history are restored.`,
        ),
      ),
    );
  }
  return [
    topBar({
      title: t`Your data`,
      detail: t`On this device. Nothing leaves it unless you sign in, share or search.`,
      back: '#/settings',
    }),
    kept,
    say,
    picker,
    section(
      { title: t`Backup` },
      h(
        'div',
        { class: 'card' },
        row({
          title: t`Save a backup`,
          detail: t`Zones, reminders, messages, sounds, settings, history`,
          leading: tile('import'),
          onclick: save,
        }),
        row({
          title: t`Restore a backup`,
          detail: t`Adds what is in the file`,
          leading: tile('undo'),
          onclick: () => picker.click(),
        }),
        row({
          title: t`Zones only, as .pad`,
          detail: t`For others, and other devices`,
          leading: tile('share'),
          href: '#/share',
        }),
      ),
    ),
    section(
      { title: t`Erase` },
      h(
        'div',
        { class: 'card' },
        h(
          'button',
          { type: 'button', class: 'row danger', onclick: () => confirmErase(app) },
          h('span', { class: 'tile quiet' }, icon('trash')),
          h(
            'span',
            { class: 'grow' },
            h('span', { class: 'headline' }, t`Erase everything`),
            h('span', { class: 'subhead' }, t`Cannot be undone`),
          ),
        ),
      ),
    ),
  ];
}

const tile = (picture) => h('span', { class: 'tile quiet' }, icon(picture));

function confirmErase(app) {
  const dialog = modalSheet(
    { label: t`Erase everything` },
    h(
      'div',
      { class: 'fields' },
      h('h2', { class: 'title-2' }, t`Erase everything on this device?`),
      h(
        'p',
        {},
        t`Zones, reminders, messages, sounds, settings and history go; alarms are switched off. Your account on a
          server stays as it is. Save a backup first if you are not sure.`,
      ),
      h('button', { type: 'button', class: 'button wide', onclick: () => dialog.close() }, t`Keep it`),
      h(
        'button',
        {
          type: 'button',
          class: 'button alarm wide',
          onclick: async () => {
            await erase(app);
            location.replace('./');
          },
        },
        icon('trash'),
        t`Erase`,
      ),
    ),
  );
  dialog.querySelector('button').focus();
}
