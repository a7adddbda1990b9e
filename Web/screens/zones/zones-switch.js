// The two states of the tab *Zones*: Via Map (S23) and Via List (S24). Both screens begin with it.
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';

/** @param {'/map'|'/zones'} shown the state that is shown, as its route says */
export const zonesSwitch = (shown) =>
  h(
    'nav',
    { class: 'segments zones-switch', 'aria-label': t`Map or list` },
    [
      ['/map', t`Map`, 'map'],
      ['/zones', t`List`, 'list'],
    ].map(([address, label, picture]) =>
      h(
        'a',
        { href: `#${address}`, 'aria-current': address === shown ? 'page' : null },
        icon(picture, { size: 20 }),
        h('span', {}, label),
      ),
    ),
  );
