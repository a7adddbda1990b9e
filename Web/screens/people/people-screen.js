// Who sees what of whom: where phones are, groups and their managers, and who answers whose alarms. `#/people`.
import { fill, h, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { serverOf } from '../../scripts/server/server.js';
import { until, whatIsSeen, whereabouts } from '../../scripts/words/sharing-words.js';
import { t } from '../../scripts/words/translate.js';
import { offerSheet } from '../../parts/drafts.js';
import { card, row, section, topBar } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { companionsSection } from './companions-section.js';
import { deputiesSection, othersAlarms } from './deputies-section.js';
import { membershipsSection } from './memberships-section.js';
import { shareSheet } from './share-sheet.js';

await styles('settings', 'story');

const every_ms = 10_000;

export function show(app, outlet) {
  const server = serverOf(app);
  const place = h('div', {});
  outlet.append(
    h(
      'div',
      { class: 'pane' },
      topBar({ title: t`People`, detail: t`Shared phones, groups and each other’s alarms`, back: '#/more' }),
      place,
    ),
  );
  let gone = false;
  let timer;
  const load = async () => {
    clearTimeout(timer);
    if (gone) return;
    if (server.state !== 'in') {
      fill(place, server.state === 'offline' ? offline() : signedOut());
      return;
    }
    try {
      const [shares, shared, devices, memberships, deputies, owners, alarms, companions, about] = await Promise.all(
        [
          '/shares',
          '/shared',
          '/devices',
          '/memberships',
          '/deputies',
          '/deputy-for',
          '/others-alarms',
          '/companions',
          '/companions-about',
        ].map((path) => server.ask('GET', path)),
      );
      if (gone) return;
      const detail = {
        memberships: memberships.items,
        shared: shared.items,
        owners: owners.items,
        alarms: alarms.items,
      };
      app.dispatchEvent(new CustomEvent('people', { detail }));
      const names = new Map(devices.items.map(({ id, name }) => [id, name]));
      const zones = new Map([...app.zones.values()].map(({ id, name }) => [id, name]));
      update(
        place,
        othersAlarms({ server, alarms: alarms.items, load }),
        inside({ app, server, given: shares.items, received: shared.items, names, zones, load }),
        companionsSection({
          server,
          companions: companions.items,
          about: about.items,
          received: shared.items,
          names,
          load,
        }),
        membershipsSection({ server, memberships: memberships.items, load }),
        deputiesSection({ server, deputies: deputies.items, owners: owners.items, load }),
      );
      offerSheet(`people/${server.account.id}/`);
    } catch (error) {
      if (!gone) fill(place, error.offline ? offline() : h('p', { class: 'note warn' }, error.message));
    }
    // Where they are changes without any event of this account.
    if (!gone) timer = setTimeout(load, every_ms);
  };
  (server.state === 'in' ? Promise.resolve() : server.look()).then(load);
  server.addEventListener('change', load);
  return () => {
    gone = true;
    clearTimeout(timer);
    server.removeEventListener('change', load);
  };
}

function inside({ app, server, given, received, names, zones, load }) {
  const edit = (share) => shareSheet({ app, server, share, names, done: load });
  return [
    card(
      row({
        title: t`Sealed alarm messages`,
        detail: t`Alarms for people you choose, which only their browsers can read`,
        leading: h('span', { class: 'tile quiet' }, icon('message')),
        href: '#/sealed',
      }),
    ),
    section(
      { title: t`Phones shared with you`, count: received.length || undefined },
      received.length
        ? card(received.map((each) => (each.is_accepted ? seenRow(server, each, load) : offerRow(server, each, load))))
        : h(
            'p',
            { class: 'footnote padded' },
            t`Nobody shares a phone with you yet. To share one, people need your sign-in name.`,
          ),
    ),
    section(
      { title: t`Phones you share`, count: given.length || undefined },
      h(
        'div',
        { class: 'card' },
        given.map((share) =>
          row({
            key: share.id,
            title: share.login ?? (share.name || t`Anyone with the link`),
            detail: [
              names.get(share.device_id),
              whatIsSeen(share.precision),
              until(share, zones),
              !share.is_accepted && t`not accepted yet`,
            ]
              .filter(Boolean)
              .join(' · '),
            leading: h('span', { class: 'tile quiet' }, icon(share.login ? 'user' : 'share')),
            chevron: true,
            onclick: () => edit(share),
          }),
        ),
        names.size > 0
          ? row({
              key: 'new-share',
              title: t`Show where a phone is`,
              detail: t`To somebody with an account here, or by a link`,
              leading: h('span', { class: 'tile quiet' }, icon('plus')),
              onclick: () => edit(),
            })
          : row({
              title: t`No phone reports yet`,
              detail: t`Set up background reporting`,
              leading: h('span', { class: 'tile quiet' }, icon('phone')),
              href: '#/pairing',
            }),
      ),
    ),
  ];
}

const whose = ({ owner_name: name, login }) => name || login;

function seenRow(server, share, load) {
  return row({
    key: share.id,
    title: t`${share.device_name} of ${whose(share)}`,
    detail: whereabouts(share),
    leading: h('span', { class: 'tile quiet' }, icon('position')),
    chevron: true,
    onclick: () => {
      const sheet = modalSheet(
        { label: share.device_name },
        h('h2', { class: 'title-2' }, t`${share.device_name} of ${whose(share)}`),
        h('p', { class: 'subhead' }, whereabouts(share)),
        h('p', { class: 'footnote' }, [whatIsSeen(share.precision), until(share)].filter(Boolean).join(' · ')),
        h(
          'div',
          { class: 'sheet-actions' },
          share.fix &&
            h(
              'a',
              { class: 'button primary', href: `#/map?at=${share.fix.latitude},${share.fix.longitude}` },
              t`Show on the map`,
            ),
          h(
            'button',
            { type: 'button', class: 'button alarm', onclick: () => end(server, share, sheet, load) },
            t`Stop seeing this phone`,
          ),
          h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Close`),
        ),
      );
    },
  });
}

function offerRow(server, share, load) {
  const answer = (path, method, words) => async () => {
    try {
      await server.ask(method, `/shares/${share.id}${path}`);
      snackbar(words);
      load();
    } catch (error) {
      snackbar(error.message);
    }
  };
  return h(
    'div',
    { class: 'row stacked' },
    h('p', { class: 'headline' }, t`${whose(share)} offers to show you ${share.device_name}`),
    h('p', { class: 'subhead' }, [whatIsSeen(share.precision), until(share)].filter(Boolean).join(' · ')),
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        { type: 'button', class: 'button primary', onclick: answer('/accept', 'PUT', t`You can now see this phone`) },
        t`Accept`,
      ),
      h('button', { type: 'button', class: 'button', onclick: answer('', 'DELETE', t`Declined`) }, t`Decline`),
    ),
  );
}

async function end(server, share, sheet, load) {
  try {
    await server.ask('DELETE', `/shares/${share.id}`);
    sheet.close();
    snackbar(t`Ended, for both of you`);
    load();
  } catch (error) {
    snackbar(error.message);
  }
}

const offline = () => h('p', { class: 'note' }, t`Not known without network.`);
const signedOut = () =>
  h(
    'div',
    { class: 'card empty' },
    icon('share', { size: 40 }),
    h('p', { class: 'headline' }, t`Phones are shown from account to account`),
    h('p', { class: 'subhead' }, t`Sign in to show somebody where your phone is, or to see theirs.`),
    h('a', { class: 'button', href: '#/account' }, t`Account`),
  );
