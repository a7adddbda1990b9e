// The shopping list of a reminder (S205).
import { modalSheet } from '../../parts/sheet.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { itemTick } from './nearby-screen.js';
import { t } from '../../scripts/words/translate.js';

/**
 * Opens the list.
 * @param {{text: string, done: boolean}[]} given
 * @param {(items: {text: string, done: boolean}[]) => void} onchange receives all items after each change
 */
export function editItems(given, onchange) {
  return new Promise((done) => {
    let items = given.map((item) => ({ ...item }));
    const list = h('ul', { class: 'items' });
    const input = h('input', {
      class: 'input',
      placeholder: t`Add an item`,
      'aria-label': t`Add an item`,
      maxlength: 200,
      enterkeyhint: 'enter',
      autocomplete: 'off',
    });
    const draw = () =>
      fill(
        list,
        items.length === 0 && h('li', { class: 'subhead' }, t`Nothing on the list yet.`),
        items.map((item, index) =>
          h(
            'li',
            { class: 'item' },
            itemTick(item, {
              key: `tick-${index}`,
              onchange: () => {
                item.done = !item.done;
                changed();
              },
            }),
            h(
              'button',
              {
                type: 'button',
                class: 'round bare',
                'data-key': `remove-${index}`,
                'aria-label': t`Remove ${item.text}`,
                onclick: () => {
                  items = items.toSpliced(index, 1);
                  changed();
                },
              },
              icon('close', { size: 20 }),
            ),
          ),
        ),
      );
    const changed = () => {
      onchange(items);
      draw();
    };
    const add = () => {
      // Pasted lines, or texts between commas, are separate items.
      const texts = input.value
        .split(/[\n,;]/)
        .map((text) => text.trim())
        .filter(Boolean);
      input.value = '';
      if (!texts.length) return;
      items = [...items, ...texts.map((text) => ({ text, done: false }))];
      changed();
      list.lastElementChild?.scrollIntoView({ block: 'nearest' });
    };
    const dialog = modalSheet(
      {
        label: t`Items`,
        onclose: () => {
          add();
          done();
        },
      },
      h(
        'header',
        { class: 'sheet-bar' },
        h('h2', { class: 'title-3' }, t`Items`),
        h('button', { type: 'button', class: 'button primary', onclick: () => dialog.close() }, t`Done`),
      ),
      list,
      h(
        'form',
        {
          class: 'item-add',
          onsubmit: (event) => {
            event.preventDefault();
            add();
            input.focus();
          },
        },
        input,
        h('button', { type: 'submit', class: 'round', 'aria-label': t`Add` }, icon('plus')),
      ),
    );
    draw();
    input.focus();
  });
}
