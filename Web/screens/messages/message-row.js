// One message as a row of a conversation: the recipient, and the text in a bubble.
import { swipes } from '../../parts/swipe.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';

/** The recipient of a message, as a person reads it. */
export const addresseeOf = ({ to_moniker, contact_number }) =>
  to_moniker?.trim() || contact_number?.trim() || t`Someone you choose`;

/** Up to two initials of a name; none for a number. */
function initialsOf({ to_moniker }) {
  const parts = (to_moniker ?? '').trim().split(/\s+/u).filter(Boolean);
  const letters = (parts.length > 1 ? [parts[0], parts.at(-1)] : parts).map((part) => [...part][0]);
  return letters.join('').toLocaleUpperCase();
}

export const avatar = (message) =>
  h('span', { class: 'avatar', 'aria-hidden': 'true' }, initialsOf(message) || icon('user', { size: 22 }));

/**
 * A row of a message. A tap opens it; a swipe to the left, or the Delete key, deletes it; its menu has all other actions.
 * @param {{message: object, said: string, detail?: string, key: string, onopen: () => void, ondelete: () => void,
 *   onmenu: (at: HTMLElement) => void}} what `said` is the text to be sent, `detail` a line below it
 */
export function messageRow({ message, said, detail, key, onopen, ondelete, onmenu }) {
  const name = addresseeOf(message);
  const number = message.to_moniker?.trim() ? message.contact_number?.trim() : '';
  const more = h(
    'button',
    {
      type: 'button',
      class: 'round bare',
      'data-key': `more-${key}`,
      'aria-haspopup': 'dialog',
      'aria-label': t`More for the message to ${name}`,
      onclick: () => onmenu(more),
    },
    icon('more'),
  );
  const slide = h(
    'div',
    {},
    h(
      'button',
      {
        type: 'button',
        class: 'open',
        'data-key': key,
        onclick: onopen,
        onkeydown: (event) => {
          if (event.key !== 'Delete') return;
          event.preventDefault();
          ondelete();
        },
      },
      avatar(message),
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline' }, name),
        number && h('span', { class: 'footnote number' }, number),
        h('span', { class: `bubble theirs${said ? '' : ' nothing'}` }, said || t`It has no text yet.`),
        detail && h('span', { class: 'footnote' }, detail),
      ),
    ),
    more,
  );
  const element = h(
    'li',
    { class: 'message-row' },
    h('div', { class: 'under', 'aria-hidden': 'true' }, h('span', {}), h('span', {}, t`Delete`, icon('trash'))),
    slide,
  );
  const swipe = swipes(element, slide, { left: { name: 'delete', run: ondelete } });
  element.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    if (!swipe.moved) onmenu(more);
  });
  return element;
}
