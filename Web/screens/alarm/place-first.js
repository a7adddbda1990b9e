// The first screen before there are zones: the purpose of the app, and one question.
import { placeInput, row, tile } from '../../parts/layout.js';
import { earlyPlace, placeOf } from '../../scripts/device/own-position.js';
import { go } from '../../scripts/page/address.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { nextZone } from '../map/next-zone.js';

export const sentence = t`An alarm clock for places: come near one, and it rings.`;

const ways = [
  { title: t`Where I am now`, detail: t`A zone around you`, picture: 'position', href: '#/zones/new?at=here' },
  { title: t`On the map`, detail: t`Tap the place`, picture: 'map', href: '#/zones/new?at=map' },
  { title: t`From a file`, detail: t`Zones that somebody sent you`, picture: 'import', href: '#/receive' },
];

export const placeFirst = (app) =>
  h(
    'section',
    { class: 'place-first', 'aria-labelledby': 'where' },
    h('h2', { class: 'title-2', id: 'where' }, t`Where should it ring?`),
    byName(app),
    h(
      'div',
      { class: 'card' },
      ways.map(({ picture, ...way }) => row({ ...way, leading: tile(picture, 'var(--primary)') })),
    ),
  );

/**
 * A search for a place by name; the result is the place and the name of the new zone. The search is loaded when the field gets
 * the focus.
 */
function byName(app) {
  const input = placeInput();
  const results = h('div', { class: 'results', 'aria-live': 'polite' });
  let searching;
  const ready = () =>
    (searching ??= import('../../parts/place-search.js').then(({ attachPlaceSearch }) => {
      const made = attachPlaceSearch({
        app,
        near: () => placeOf(app) ?? earlyPlace(),
        input,
        results,
        choose: ({ name, place }) => {
          Object.assign(nextZone, { name, place });
          go('/zones/new?at=found');
        },
      });
      // Text that was typed while the search was loading.
      if (input.value) input.dispatchEvent(new Event('input'));
      return made;
    }));
  input.addEventListener('focus', ready);
  return h(
    'form',
    {
      class: 'search-first',
      role: 'search',
      onsubmit: async (event) => {
        event.preventDefault();
        (await ready()).search();
      },
    },
    h('span', { class: 'search' }, icon('search'), input),
    results,
  );
}
