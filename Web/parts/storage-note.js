// The note at the top of every screen while this device does not store changes.
import { phone } from '../scripts/device/phone-app.js';
import { fill, h } from '../scripts/page/dom.js';
import { t } from '../scripts/words/translate.js';
import { clock } from '../scripts/words/words.js';

const words = {
  absent: () => t`This browser has no storage. Nothing is saved: zones and settings last until this page is closed.`,
  denied: () =>
    t`This browser does not let the page save anything, as in a private window or with cookies blocked. Zones and
      settings last until this page is closed.`,
  late: () =>
    phone
      ? t`Your zones are not loaded yet: trying again. The app still watches them. Your changes are saved once they are loaded.`
      : t`Your zones are not loaded yet: trying again. Until they are loaded, they are not watched. Your changes are saved then.`,
  full: (since) =>
    t`Storage is full. Changes since ${clock(since)} are not saved: they last until this page is closed.`,
  failed: (since, message) =>
    t`Changes since ${clock(since)} are not saved: they last until this page is closed. The browser says: ${message}.`,
};

export function storageNote(storage) {
  const note = h('div', { class: 'standing-note', role: 'status', id: 'storage-note' });
  new ResizeObserver(() => document.body.style.setProperty('--note', `${note.offsetHeight}px`)).observe(note);
  const draw = () => {
    const { problem } = storage;
    if (!problem) return note.remove();
    // Zones that are not loaded may be silent, so screen readers announce this note at once.
    note.setAttribute('role', problem.why === 'late' ? 'alert' : 'status');
    fill(
      note,
      h('p', {}, words[problem.why](problem.since, problem.message)),
      problem.why === 'full' && h('a', { class: 'link', href: '#/settings/data' }, t`Make room`),
    );
    document.body.prepend(note);
  };
  storage.addEventListener('problem', draw);
  draw();
}
