// What is seen before there is a zone: what this is, and one question.
import { row, tile } from '../../parts/layout.js';
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';

export const sentence = t`An alarm clock for places: come near one, and it rings.`;

const ways = [
  { title: t`Where I am now`, detail: t`A zone around you`, picture: 'position', href: '#/zones/new?at=here' },
  { title: t`On the map`, detail: t`Tap the place`, picture: 'map', href: '#/zones/new?at=map' },
  { title: t`By name`, detail: t`A street, a station, a shop`, picture: 'search', href: '#/zones/new?at=name' },
  { title: t`From a file`, detail: t`Zones that somebody sent you`, picture: 'import', href: '#/receive' },
];

export const placeFirst = () =>
  h(
    'section',
    { class: 'place-first', 'aria-labelledby': 'where' },
    h('h2', { class: 'title-2', id: 'where' }, t`Where should it ring?`),
    h(
      'div',
      { class: 'card' },
      ways.map(({ picture, ...way }) => row({ ...way, leading: tile(picture, 'var(--primary)') })),
    ),
  );
