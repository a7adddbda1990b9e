// Zones that an organisation publishes: collections that can be followed, and those of the account. `#/collections`; a link to
// follow a signed pack is `#/collections?pack=…&key=…`.
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { serverOf } from '../../scripts/server/server.js';
import { t } from '../../scripts/words/translate.js';
import { count } from '../../scripts/words/words.js';
import { toggle } from '../../parts/controls.js';
import { offerSheet } from '../../parts/drafts.js';
import { card, row, section, switchRow, topBar } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { followSheet } from '../packs/follow-sheet.js';
import { packsSection } from '../packs/packs-section.js';
import { publishSheet } from '../people/publish-sheet.js';
import { collectionSheet } from './collection-sheet.js';
import { compareNames } from '../../scripts/words/locale.js';

export function show(app, outlet, { query }) {
  const server = serverOf(app);
  const place = h('div', {});
  const packs = packsSection(app);
  outlet.append(
    h(
      'div',
      { class: 'pane' },
      topBar({
        title: t`Shared zones`,
        detail: t`Zones of others that watch over your phones, and yours for others`,
        back: '#/people',
      }),
      // Above the parts that need the server, so that these rows stay in place when it answers.
      packs.element,
      place,
    ),
  );
  if (query?.has('pack')) followSheet(app, { link: location.href });
  const load = async () => {
    if (server.state !== 'in') {
      fill(place, section({ title: t`From others` }, server.state === 'offline' ? offline() : signedOut()));
      return;
    }
    try {
      fill(place, inside({ app, server, items: await named(server), load }));
      offerSheet(`collection/${server.account.id}/`);
    } catch (error) {
      fill(place, error.offline ? offline() : h('p', { class: 'note warn' }, error.message));
    }
  };
  // The page may have been opened at this address, before the session is known.
  (server.state === 'in' ? Promise.resolve() : server.look()).then(load);
  server.addEventListener('change', load);
  return () => {
    packs.leave();
    server.removeEventListener('change', load);
  };
}

const named = async (server) => (await server.list('/collections')).sort((a, b) => compareNames(a.name, b.name));

function inside({ app, server, items, load }) {
  const own = items.filter(({ is_own: isOwn }) => isOwn);
  const others = items.filter(({ is_own: isOwn }) => !isOwn);
  return [
    section(
      { title: t`From others`, count: others.length || undefined },
      others.length
        ? card(others.map((each) => follow(server, each, load)))
        : h(
            'p',
            { class: 'footnote padded' },
            t`Nobody has published zones to you yet. To do so, people need your sign-in name.`,
          ),
    ),
    section(
      { title: t`Yours`, count: own.length || undefined },
      h(
        'div',
        { class: 'card' },
        own.map((each) =>
          row({
            key: each.id,
            title: each.name,
            detail: [count(each.zone_count, 'zone'), each.is_public ? t`everybody may follow` : t`chosen people`].join(
              ' · ',
            ),
            leading: h('span', { class: 'tile quiet' }, icon('share')),
            chevron: true,
            onclick: () => collectionSheet({ app, server, collection: each, done: load }),
          }),
        ),
        row({
          key: 'new-collection',
          title: t`Publish zones`,
          detail: t`To a group, or to everybody; only you can change them`,
          leading: h('span', { class: 'tile quiet' }, icon('plus')),
          onclick: () => publishSheet({ app, server, done: load }).catch((error) => snackbar(error.message)),
        }),
      ),
    ),
  ];
}

function follow(server, collection, load) {
  const { id, name, about, owner_name: owner, zone_count: zones, is_followed: isFollowed } = collection;
  const control = toggle({
    label: t`Follow ${name}`,
    value: isFollowed,
    key: `follow-${id}`,
    onchange: async (wanted) => {
      try {
        await server.ask(wanted ? 'PUT' : 'DELETE', `/collections/${id}/follow`);
        snackbar(wanted ? t`${name} watches over your phones` : t`${name} no longer watches`);
        load();
      } catch (error) {
        control.value = isFollowed;
        snackbar(error.message);
      }
    },
  });
  return h(
    'div',
    {},
    switchRow({
      title: name,
      detail: [owner && t`by ${owner}`, count(zones, 'zone')].filter(Boolean).join(' · '),
      leading: h('span', { class: 'tile quiet' }, icon('share')),
      control,
    }),
    about && h('p', { class: 'footnote padded' }, about),
    zones > 0 &&
      row({
        title: t`Its zones`,
        low: true,
        key: `zones-${id}`,
        onclick: () => zoneNames(server, collection),
      }),
  );
}

function zoneNames(server, { id, name }) {
  const list = h('div', { class: 'card' }, h('p', { class: 'footnote padded' }, t`Asking the server…`));
  const sheet = modalSheet(
    { label: name },
    h('h2', { class: 'title-2' }, name),
    list,
    h(
      'div',
      { class: 'sheet-actions' },
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Done`),
    ),
  );
  server.ask('GET', `/collections/${id}/zones`).then(
    ({ items }) =>
      fill(
        list,
        items.map((zone) =>
          row({
            title: zone.name || t`A zone`,
            detail: [zone.category, !zone.active && t.meaning('a switch')`off`].filter(Boolean).join(' · '),
          }),
        ),
      ),
    (error) => fill(list, h('p', { class: 'footnote padded' }, error.message)),
  );
}

const offline = () => h('p', { class: 'note' }, t`Not known without network. The zones you follow are still watched.`);
const signedOut = () =>
  h(
    'div',
    { class: 'card empty' },
    icon('share', { size: 40 }),
    h('p', { class: 'headline' }, t`Zones are shared between accounts`),
    h('p', { class: 'subhead' }, t`Sign in to follow zones that others publish, or to publish yours.`),
    h('a', { class: 'button', href: '#/account' }, t`Account`),
  );
