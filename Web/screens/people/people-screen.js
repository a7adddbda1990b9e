// Everything between people: pending requests, shared phones, groups, shared zones, deputies, and the phones that report.
// `#/people`.
import { fill, h, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { packsOf } from '../../scripts/packs/followed-packs.js';
import { serverOf } from '../../scripts/server/server.js';
import { reported, trouble } from '../../scripts/words/phone-words.js';
import { until, whatIsSeen, whereabouts } from '../../scripts/words/sharing-words.js';
import { t } from '../../scripts/words/translate.js';
import { offerSheet } from '../../parts/drafts.js';
import { card, row, section, topBar } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { companionsSection } from './companions-section.js';
import { deputiesSection, deputyOffer, othersAlarms } from './deputies-section.js';
import { invitation, membershipsSection } from './memberships-section.js';
import { shareSheet } from './share-sheet.js';

await styles('settings', 'story');

const every_ms = 10_000;

export function show(app, outlet) {
  const server = serverOf(app);
  const place = h('div', { class: 'people' });
  outlet.append(h('div', { class: 'pane' }, topBar({ title: t`People` }), place));
  let gone = false;
  let timer;
  const load = async () => {
    clearTimeout(timer);
    if (gone) return;
    if (server.state !== 'in') {
      fill(place, server.state === 'offline' ? offline() : signedOut(server), card(sharedZones(app)));
      return;
    }
    try {
      const [collections, shares, shared, devices, memberships, deputies, owners, alarms, companions, about] =
        await Promise.all([
          server.list('/collections'),
          ...[
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
        ]);
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
        waitingSection({ server, ...detail, load }),
        inside({ app, server, given: shares.items, received: shared.items, names, zones, load }),
        phonesSection(devices.items),
        membershipsSection({ server, memberships: memberships.items, zones: sharedZones(app, collections), load }),
        companionsSection({
          server,
          companions: companions.items,
          about: about.items,
          received: shared.items,
          names,
          load,
        }),
        deputiesSection({ server, deputies: deputies.items, owners: owners.items, load }),
      );
      offerSheet(`people/${server.account.id}/`);
    } catch (error) {
      if (!gone) fill(place, error.offline ? offline() : h('p', { class: 'note warn' }, error.message));
    }
    // Positions of phones change without an event of this account.
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

const quiet = (name) => h('span', { class: 'tile quiet' }, icon(name));

/** Requests of others to the account; ringing alarms are shown above. */
function waitingSection({ server, memberships, shared, owners, load }) {
  const waiting = [
    ...memberships.filter(({ state }) => state === 'invited').map((each) => invitation(server, each, load)),
    ...shared.filter(({ is_accepted: is }) => !is).map((each) => shareOffer(server, each, load)),
    ...owners.filter(({ is_accepted: is }) => !is).map((each) => deputyOffer(server, each, load)),
  ];
  return waiting.length > 0 && section({ title: t`Waiting for you`, count: waiting.length }, card(waiting));
}

/** The account's own phones and the state of their reports. */
function phonesSection(devices) {
  return section(
    { title: t`Your phones`, count: devices.length || undefined },
    card(
      devices.map((device) =>
        row({
          key: device.id,
          title: device.name || t`A phone`,
          detail: trouble(device) ? h('span', { class: 'problem' }, trouble(device)) : reported(device),
          leading: quiet('phone'),
          href: '#/pairing',
        }),
      ),
      row({
        title: devices.length ? t`Background reporting` : t`No phone reports yet`,
        detail: t`A phone app reports, the server watches`,
        leading: quiet(devices.length ? 'position' : 'plus'),
        href: '#/pairing',
      }),
    ),
  );
}

/** Followed zones of others and published own zones; packs need no account. */
function sharedZones(app, collections = []) {
  const own = collections.filter(({ is_own: is }) => is).length;
  const followed = collections.filter(({ is_followed: is }) => is).length + packsOf(app).packs.length;
  return row({
    title: t`Shared zones`,
    detail:
      [followed > 0 && t`Followed: ${followed}`, own > 0 && t`published: ${own}`].filter(Boolean).join(' · ') ||
      t`Follow those of others, publish yours`,
    leading: quiet('area'),
    href: '#/collections',
  });
}

function inside({ app, server, given, received, names, zones, load }) {
  const edit = (share) => shareSheet({ app, server, share, names, done: load });
  const seen = received.filter(({ is_accepted: is }) => is);
  return [
    section(
      { title: t`Phones shared with you`, count: seen.length || undefined },
      seen.length
        ? card(seen.map((each) => seenRow(server, each, load)))
        : h(
            'p',
            { class: 'footnote padded' },
            t`Nobody shares a phone with you yet. To share one, people need your sign-in name.`,
          ),
    ),
    (given.length > 0 || names.size > 0) &&
      section(
        { title: t`Phones you share`, count: given.length || undefined },
        card(
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
              leading: quiet(share.login ? 'user' : 'share'),
              chevron: true,
              onclick: () => edit(share),
            }),
          ),
          names.size > 0 &&
            row({
              key: 'new-share',
              title: t`Show where a phone is`,
              detail: t`To somebody with an account here, or by a link`,
              leading: quiet('plus'),
              onclick: () => edit(),
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
    leading: quiet('position'),
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

/** An offer to show a phone. */
function shareOffer(server, share, load) {
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
    { class: 'row stacked', 'data-key': share.id },
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
const signedOut = (server) =>
  h(
    'div',
    { class: 'card empty' },
    icon('people', { size: 40 }),
    h('p', { class: 'headline' }, t`Look out for each other`),
    h(
      'p',
      { class: 'subhead' },
      t`See where your people’s phones are, show them yours, and answer each other’s alarms.`,
      ' ',
      server.state === 'none'
        ? t`It needs a server, and this page has none: open the page from a server where you have an account.`
        : t`Sign in to begin. Without an account, ask the operator of the server for a link.`,
    ),
    h('a', { class: 'button primary', href: '#/account' }, server.state === 'none' ? t`About accounts` : t`Sign in`),
  );
