// The history of this device, day by day: its positions, its alarms, and the reasons for alarms and silence. All of it stays on
// the device. With `device=ID`, the days of a phone that reports to the server.
import { timed } from '../../scripts/device/local-time.js';
import { rows } from '../../scripts/engine/rows.js';
import { download } from '../../scripts/files/download.js';
import { toGPX } from '../../scripts/files/gpx-export.js';
import { dayAfter, dayOf, journalOf, keptDays } from '../../scripts/history/journal.js';
import { Journey } from '../../scripts/history/journey.js';
import { go } from '../../scripts/page/address.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { serverOf } from '../../scripts/server/server.js';
import { journeyView } from '../../parts/journey-view.js';
import { menu } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { whySheet } from '../../parts/why-sheet.js';
import { remoteAlarms } from './remote-alarms.js';
import { remoteAlarmSheet } from './remote-alarm-sheet.js';
import { reportedEvents, reportedFixes } from './reported-day.js';
import { drawn } from './replay-screen.js';
import '../../parts/sheet.js';
import { date } from '../../scripts/words/locale.js';
import { plural, t } from '../../scripts/words/translate.js';

const longest_day = (day) => date(day, { weekday: 'short', day: 'numeric', month: 'long' });

/** The last day that the engine can represent: the end of the year 2099. */
const latest_ms = 4_102_444_800_000 - 1;

export function show(app, outlet, { query }) {
  const look = styles('journey');
  const page = h('div', { class: 'journey-screen' });
  outlet.append(page);
  const journal = journalOf(app);
  const server = serverOf(app);
  let device = query.get('device') ?? undefined;
  let leave = () => {};
  let turn = 0;
  let gone = false;

  /** The account's phones, requested once; none while nobody is signed in. */
  let asking;
  const phones = () => (server.state === 'in' ? (asking ??= phonesOf(server)) : []);

  async function open(day) {
    const mine = ++turn;
    // The page may have been opened at this address, before the session is known.
    if (device && server.state !== 'in') await server.look();
    const kept = device
      ? reportedDay(server, device, day, dayOf(app.now))
      : Promise.all([journal.days(), journal.fixes(day, dayAfter(day)), journal.events(day, dayAfter(day))]);
    // The other phones whose days can be chosen.
    const others = phones();
    const [days, fixes, events] = await kept;
    const devices = await others;
    await look;
    if (mine !== turn || gone) return;
    leave();
    leave = draw({ app, page, journal, look, day, days, fixes, events, open, device, devices });
  }
  const asked = query.get('day');
  const day = asked === null ? app.now : Number(asked);
  const isDay = day > 0 && day <= latest_ms;
  if (!isDay)
    snackbar(t`“${asked.slice(0, 24)}” is not a date: use milliseconds since 1970, up to ${latest_ms}. This is today.`);
  const begin = async () => {
    if (!device && asked === null) device = await movedLast(app, journal, await phones());
    if (!gone) await open(dayOf(isDay ? day : app.now));
  };
  begin().catch((error) => {
    console.error(error);
    snackbar(t`The history cannot be read: ${error.message}`);
  });
  return () => {
    gone = true;
    leave();
  };
}

/** The id of the phone that reported last today, and later than the last position of this device. */
async function movedLast(app, journal, devices) {
  const today = dayOf(app.now);
  const own = devices.length ? await journal.fixes(today, dayAfter(today)) : [];
  const since = own.at(-1)?.measured ?? today;
  const times = devices.map(({ id, last_fix: fix, last_received_at: at }) => ({ id, at: fix ? Date.parse(at) : 0 }));
  return times.filter(({ at }) => at > since).sort((a, b) => b.at - a.at)[0]?.id;
}

/** The journal's data for a phone: the adjacent days, its positions, its events. */
const reportedDay = (server, device, day, today) =>
  Promise.all([
    [dayAfter(day, -1), ...(day < today ? [dayAfter(day)] : [])],
    reportedFixes(server, device, day, dayAfter(day)),
    reportedEvents(server, device, day, dayAfter(day)),
  ]);

const phonesOf = (server) =>
  server.ask('GET', '/devices').then(
    ({ items }) => items,
    () => [],
  );

function draw({ app, page, journal, look, day, days, fixes, events, open, device, devices }) {
  const whose = device && (devices.find(({ id }) => id === device)?.name ?? t`A phone`);
  const today = dayOf(app.now);
  const former = days.filter((each) => each < day).pop();
  const next = days.find((each) => each > day) ?? (day < today ? today : undefined);
  const step = (label, picture, to) =>
    h(
      'button',
      {
        type: 'button',
        class: 'round bare',
        'aria-label': label,
        disabled: to === undefined,
        'data-key': label,
        onclick: () => open(to),
      },
      icon(picture, { size: 22 }),
    );
  const more = h(
    'button',
    {
      type: 'button',
      class: 'round bare',
      'aria-label': t`More`,
      onclick: () =>
        menu({
          label: longest_day(day),
          at: more,
          items: [
            fixes.length > 0 && {
              label: t`Save as GPX`,
              picture: 'share',
              run: () =>
                download(
                  toGPX([whose ?? 'Proximity Alarm', isoDay(day)].join(', '), fixes),
                  `proximity-${isoDay(day)}.gpx`,
                  'application/gpx+xml',
                ),
            },
            { label: t`Replay a track`, picture: 'play', run: () => go('/replay') },
            device && { label: t`Stays and trips`, picture: 'list', run: () => go(`/past?device=${device}`) },
            !device &&
              days.length > 0 && {
                label: t`Delete the history`,
                picture: 'trash',
                danger: true,
                run: () => clearing(journal, () => open(today)),
              },
          ].filter(Boolean),
        }),
    },
    icon('more', { size: 22 }),
  );
  const chooseWhose = () =>
    menu({
      label: longest_day(day),
      at: pill.querySelector('.whose'),
      items: [
        { label: t`This device`, chosen: !device, run: () => go(`/history?day=${day}`) },
        ...devices.map(({ id, name }) => ({
          label: name || t`A phone`,
          chosen: id === device,
          run: () => go(`/history?day=${day}&device=${id}`),
        })),
      ],
    });
  const title = [
    longest_day(day),
    (whose || devices.length > 0) && h('span', { class: 'day-of' }, whose ?? t`This device`),
  ];
  const pill = h(
    'div',
    { class: 'day-pill solid', role: 'group', 'aria-label': t`Day` },
    step(t`The day before`, 'back', former),
    h(
      'h1',
      { class: 'headline' },
      devices.length
        ? h(
            'button',
            {
              type: 'button',
              class: 'whose headline',
              'aria-haspopup': 'dialog',
              'data-key': 'whose',
              onclick: chooseWhose,
            },
            title,
          )
        : title,
    ),
    step(t`The day after`, 'forward', next),
    more,
  );
  const remote = remoteAlarms(app, day, dayAfter(day), device);
  if (!fixes.length) {
    page.replaceChildren(
      pill,
      h('bottom-sheet', { rest: 'half', label: t`History` }, nothing(app, day === today, whose), remote.element),
    );
    return remote.stop;
  }

  // Replays the day with the present zones, for the stays and for zones that stayed silent.
  const again = app.ask('replay', {
    zones: app.watched.map((form) => timed(form, app.now)),
    rows: rows(fixes),
    settings: app.settings,
  });
  const journey = new Journey(again);
  const all = { from_ms: journey.from, to_ms: journey.to };
  const rang = new Set(events.filter(({ event }) => event === 'alarm').map(({ zone }) => zone));
  const silent = app.ask('closest', { limit: 20 }).rows.filter(({ id, rings }) => !rang.has(id) && rings === 0);
  const wouldRing = app.ask('closest', { limit: 20 }).rows.filter(({ id, rings }) => !rang.has(id) && rings > 0);
  const why = (incident) => {
    view.player.pause();
    if (device) {
      remoteAlarmSheet(serverOf(app), incident);
      return;
    }
    whySheet({
      name: incident.name,
      record: incident.why,
      note: incident.why ? [t`Noted when it rang.`, story(incident)].filter(Boolean).join(' ') : undefined,
    });
  };
  const judgedAgain = (zone) => {
    view.player.pause();
    whySheet({
      name: zone.name,
      record: app.ask('why', { zone: zone.id, of: 'replay', ...all }).record,
      note: t`Checked again now, over the whole day and with the zones as they are now.`,
    });
  };
  const view = journeyView({
    journey,
    events,
    onwhy: why,
    silent,
    onsilent: judgedAgain,
    after: [
      wouldRing.length > 0 &&
        h(
          'p',
          { class: 'footnote' },
          t`With the zones as they are now, and all alarms on, this day would also have rung:
            ${wouldRing.map(({ name }) => name || t`A zone`).join(', ')}.`,
        ),
      remote.element,
      h('p', { class: 'footnote' }, whose ? t`Kept on the server.` : t`Kept on this device for ${keptDays} days.`),
    ],
  });
  const sheet = h('bottom-sheet', { rest: 'half', label: t`History` }, view.element);
  page.replaceChildren(pill, sheet);
  view.player.seek(journey.to);
  const undraw = drawn(app, sheet, journey, view, look, (badge) => {
    view.player.seek(badge.time);
    why(badge.incident);
  });
  return () => {
    view.stop();
    remote.stop();
    undraw();
  };
}

const story = ({ answers, repeats }) =>
  [
    repeats && plural(repeats, { one: t`It repeated once.`, other: t`It repeated ${repeats} times.` }),
    answers.length === 0 && t`Nobody answered it here.`,
  ]
    .filter(Boolean)
    .join(' ');

function nothing(app, isToday, whose) {
  if (whose)
    return h(
      'div',
      { class: 'empty' },
      icon('clock', { size: 40 }),
      h('p', { class: 'headline' }, t`${whose} reported no position that day`),
      h('p', { class: 'subhead' }, t`Later reports will be shown here.`),
    );
  const { armed } = app.report;
  return h(
    'div',
    { class: 'empty' },
    icon('clock', { size: 40 }),
    h('p', { class: 'headline' }, isToday ? t`Nothing yet today` : t`Nothing was recorded on this day`),
    h(
      'p',
      { class: 'subhead' },
      isToday && !armed
        ? t`Positions are kept while alarms are on and this page is in view.`
        : isToday
          ? t`The day begins with the first position.`
          : t`The page was not in view, or alarms were off.`,
    ),
    h('a', { class: 'button', href: '#/replay' }, icon('play', { size: 22 }), t`Replay a track`),
    serverOf(app).state !== 'in' &&
      h(
        'p',
        { class: 'footnote' },
        t`A page records only while it is in view.`,
        ' ',
        h('a', { href: '#/pairing' }, t`Set up background reporting`),
      ),
  );
}

function clearing(journal, done) {
  const sheet = modalSheet(
    { label: t`Delete the history` },
    h('h2', { class: 'title-2' }, t`Delete the history?`),
    h('p', { class: 'body' }, t`All positions and alarms of all days on this device. This cannot be undone.`),
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button alarm',
          onclick: async () => {
            sheet.close();
            await journal.clear();
            snackbar(t`The history is deleted`);
            done();
          },
        },
        t`Delete`,
      ),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Keep`),
    ),
  );
}

function isoDay(day) {
  const date = new Date(day);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
