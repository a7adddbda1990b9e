// The progress of reading files, with a button to cancel. Not shown for small files, which are read sooner.
import { modalSheet } from './sheet.js';
import { h } from '../scripts/page/dom.js';
import { fixed } from '../scripts/words/locale.js';
import { t } from '../scripts/words/translate.js';
import * as words from '../scripts/words/words.js';

const patience_ms = 300;
const megabytes = (bytes) => fixed(bytes / 2 ** 20, bytes < 10 * 2 ** 20 ? 1 : 0);

/**
 * Shows the progress of an import.
 * @param {import('../scripts/files/importing.js').Import} source cancelled if the sheet is closed
 * @param {File[]} files
 * @returns {() => void} closes the sheet when all is read
 */
export function importSheet(source, files) {
  const whole = files.reduce((sum, { size }) => sum + size, 0);
  const name = files.length === 1 ? files[0].name : words.count(files.length, 'file');
  return progressSheet(
    {
      title: t`Reading ${name}`,
      detail: t`Alarms go on meanwhile. Nothing is added yet.`,
      oncancel: () => source.end(),
    },
    (tell) => {
      tell(undefined, t`${megabytes(0)} of ${megabytes(whole)} MB`);
      source.addEventListener('progress', ({ detail: { done } }) =>
        tell(done / whole, t`${megabytes(done)} of ${megabytes(whole)} MB`),
      );
    },
  );
}

/**
 * Shows the progress of any work, after a short delay.
 * @param {{title: string, detail: string, oncancel?: () => void}} what
 * @param {(tell: (share: number, text: string) => void) => void} follow receives a function that updates the progress
 * @returns {() => void} closes the sheet
 */
export function progressSheet({ title, detail, oncancel }, follow) {
  const bar = h('progress', { max: 1, 'aria-label': title });
  const said = h('p', { class: 'footnote number', role: 'status' });
  let sheet;
  let isOver = false;
  const show = () => {
    sheet = modalSheet(
      {
        label: title,
        onclose: () => {
          if (!isOver) oncancel?.();
        },
      },
      h(
        'div',
        { class: 'import-progress' },
        h('h2', { class: 'title-3' }, title),
        bar,
        said,
        h('p', { class: 'subhead' }, detail),
        oncancel && h('button', { type: 'button', class: 'button wide', onclick: () => sheet.close() }, t`Cancel`),
      ),
    );
  };
  const late = setTimeout(show, patience_ms);
  follow((share, text) => {
    if (share === undefined) bar.removeAttribute('value');
    else bar.value = share;
    said.textContent = text;
  });
  return () => {
    isOver = true;
    clearTimeout(late);
    sheet?.close();
  };
}
