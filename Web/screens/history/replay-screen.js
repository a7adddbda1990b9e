// Replays a track in a separate engine and shows the alarms that it would have given.
import { timed } from '../../scripts/device/local-time.js';
import { FileProblem, read, takePending } from '../../scripts/files/files.js';
import { accepted, trackFormats } from '../../scripts/files/formats.js';
import { Journey } from '../../scripts/history/journey.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import * as sounds from '../../scripts/sounds/sounds.js';
import { issue } from '../../scripts/words/issue-words.js';
import { list } from '../../scripts/words/locale.js';
import { plural, t } from '../../scripts/words/translate.js';
import { count } from '../../scripts/words/words.js';
import { JourneyLayers } from '../../map/journey-layers.js';
import { mapOrNone, mapView } from '../../map/map-view.js';
import { progressSheet } from '../../parts/import-sheet.js';
import { journeyView } from '../../parts/journey-view.js';
import { snackbar } from '../../parts/snackbar.js';
import { whySheet } from '../../parts/why-sheet.js';
import '../../parts/sheet.js';

/** The last track, for a person who returns to this screen. */
let last = null;

export function show(app, outlet) {
  const look = styles('journey');
  const page = h('div', { class: 'journey-screen' });
  outlet.append(page);
  let leave = () => {};
  let gone = false;
  let turn = 0;
  const open = async (track) => {
    const mine = ++turn;
    leave();
    leave = () => {};
    if (last !== track) last?.source.end();
    last = track;
    try {
      const replay = await replayed(app, track);
      if (!gone && mine === turn) leave = loaded(app, page, track, replay, { close, open: choose, look });
    } catch (error) {
      if (!gone && mine === turn) {
        snackbar(error.message);
        close();
      }
    }
  };
  const close = () => {
    turn += 1;
    leave();
    leave = () => {};
    last?.source.end();
    last = null;
    page.replaceChildren(empty(app, choose));
  };
  function choose(file) {
    read(app, [file])
      .then((found) => {
        if (found.kind === 'track') return open(found);
        found.source.end();
        throw new FileProblem(t`${file.name} holds zones, no track. Zones are added under Receive.`);
      })
      .catch((error) => snackbar(error.message));
  }
  const arrived = () => {
    const pending = takePending('track');
    if (pending) open(pending);
  };
  addEventListener('hashchange', arrived);
  // The sheet's style has to be loaded before the sheet can be measured.
  look.then(() => {
    if (gone) return;
    const first = takePending('track') ?? last;
    if (first) open(first);
    else close();
  });
  return () => {
    gone = true;
    removeEventListener('hashchange', arrived);
    leave();
  };
}

/** A file input that looks like a button. */
export function fileButton(label, choose, { primary = true, multiple = false, accept = accepted } = {}) {
  const input = h('input', {
    type: 'file',
    accept,
    multiple,
    hidden: true,
    onchange: () => {
      if (input.files.length) choose(multiple ? [...input.files] : input.files[0]);
      input.value = '';
    },
  });
  return h(
    'span',
    { class: 'file-button' },
    input,
    h(
      'button',
      { type: 'button', class: `button${primary ? ' primary' : ''}`, onclick: () => input.click() },
      icon('import', { size: 22 }),
      label,
    ),
  );
}

function empty(app, choose) {
  return h(
    'bottom-sheet',
    { rest: 'half', label: t`Replay` },
    h('h1', { class: 'large-title' }, t`Replay`),
    h(
      'div',
      { class: 'empty' },
      icon('play', { size: 40 }),
      h('p', { class: 'headline' }, t`What would a track have rung?`),
      h(
        'p',
        { class: 'subhead' },
        t`Give a track as ${list(trackFormats, { type: 'disjunction' })}, and see and hear it with
          ${app.zones.size ? count(app.zones.size, 'zone') : t`your zones`}. Nothing is sent anywhere.`,
      ),
      fileButton(t`Choose a track`, choose),
      app.zones.size === 0 &&
        h(
          'p',
          { class: 'footnote' },
          t`There are no zones yet:`,
          ' ',
          h('a', { href: '#/receive' }, t`add some from a file`),
          ' ',
          t`or draw one on the map.`,
        ),
    ),
  );
}

/** Replays the track in a worker, because a long one takes a while and alarms have to continue. */
async function replayed(app, track) {
  const away = progressSheet(
    { title: t`Replaying ${track.name}`, detail: t`Alarms go on meanwhile.`, oncancel: () => track.source.end() },
    (tell) => tell(undefined, count(track.count, 'position')),
  );
  try {
    const replay = await track.source.ask('replay', {
      zones: [...app.zones.values()].map((form) => timed(form, app.now)),
      rows: track.rows,
      settings: app.settings,
    });
    const { rows: closest } = await track.source.ask('closest', { limit: 20 });
    return { ...replay, closest: closest.filter(({ rings }) => rings === 0) };
  } finally {
    away();
  }
}

function loaded(app, page, track, replay, { close, open, look }) {
  const journey = new Journey(replay);
  const all = { from_ms: journey.from, to_ms: journey.to };
  const { closest } = replay;
  let heard = app.settings.replay_sound !== false;
  const explain = async (zone, name, span) => {
    view.player.pause();
    const { record } = await track.source.ask('why', { zone, of: 'replay', ...span });
    whySheet({ name, record });
  };
  const hear = h('button', {
    type: 'button',
    class: 'round bare',
    onclick: () => {
      heard = !heard;
      if (!heard) sounds.stop();
      showHeard();
    },
  });
  const showHeard = () => {
    hear.replaceChildren(icon(heard ? 'sound' : 'mute'));
    hear.setAttribute('aria-label', t`Sound of alarms`);
    hear.setAttribute('aria-pressed', String(heard));
  };
  showHeard();
  const left = [
    track.untimed &&
      plural(track.untimed, {
        one: t`${track.untimed} point without a time`,
        other: t`${track.untimed} points without a time`,
      }),
    track.impossible > 0 &&
      plural(track.impossible, {
        one: t`${track.impossible} impossible position (${issue(track.why)})`,
        other: t`${track.impossible} impossible positions (${issue(track.why)})`,
      }),
    track.damaged > 0 &&
      plural(track.damaged, {
        one: t`${track.damaged} part that cannot be read`,
        other: t`${track.damaged} parts that cannot be read`,
      }),
    replay.refused_zones.length &&
      plural(replay.refused_zones.length, {
        one: t`${replay.refused_zones.length} zone without an area`,
        other: t`${replay.refused_zones.length} zones without an area`,
      }),
  ].filter(Boolean);
  const view = journeyView({
    journey,
    events: replay.events,
    silent: closest,
    onwhy: (incident) =>
      explain(
        incident.zone,
        incident.name,
        incident.kind === 'alarm' ? { from_ms: incident.decided, to_ms: incident.decided } : all,
      ),
    onsilent: (zone) => explain(zone.id, zone.name, all),
    onring: (event, rate) => {
      // At higher speeds, repetitions follow too quickly to be told apart.
      if (!heard || (event.event === 'repeat' && rate > 10)) return;
      const zone = app.zones.get(event.zone);
      sounds.play(zone?.sound ?? '').catch((error) => console.error(error));
      if (zone?.vibrate) navigator.vibrate?.(400);
    },
    after: [
      left.length > 0 && h('p', { class: 'footnote' }, t`Left out: ${left.join('; ')}.`),
      track.moved > 0 &&
        h(
          'p',
          { class: 'footnote' },
          plural(track.moved, {
            one: t`${track.moved} time was put right: the receiver had lost 1,024 weeks.`,
            other: t`${track.moved} times were put right: the receiver had lost 1,024 weeks.`,
          }),
        ),
      h('div', { class: 'sheet-actions' }, fileButton(t`Another track`, open, { primary: false })),
    ],
  });
  const pill = h(
    'div',
    { class: 'day-pill solid', role: 'group', 'aria-label': t`Track` },
    h('h1', { class: 'headline' }, track.name),
    hear,
    h(
      'button',
      { type: 'button', class: 'round bare', 'aria-label': t`Close the track`, onclick: close },
      icon('close'),
    ),
  );
  const sheet = h('bottom-sheet', { rest: 'half', label: t`Replay` }, view.element);
  page.replaceChildren(pill, sheet);
  const undraw = drawn(app, sheet, journey, view, look, (badge) => {
    view.player.seek(badge.time);
    explain(badge.incident.zone, badge.incident.name, {
      from_ms: badge.incident.decided,
      to_ms: badge.incident.decided,
    });
  });
  return () => {
    view.stop();
    sounds.stop();
    undraw();
  };
}

/** Draws a journey on the map, and keeps it clear of the sheet. @returns {() => void} removes it */
export function drawn(app, sheet, journey, view, look, chosen) {
  let layers;
  let gone = false;
  const pad = () =>
    innerWidth < 768 ? { top: 90, bottom: Math.min(sheet.offsetHeight, innerHeight * 0.7) } : { top: 80 };
  Promise.all([mapOrNone(app), look])
    .then(([map]) => {
      if (gone || !map) return;
      layers = new JourneyLayers(map, journey);
      layers.mark(view.badges, chosen);
      map.pad(pad());
      layers.show(view.player.time);
      layers.fit();
    })
    .catch((error) => console.error(error));
  const follow = () => layers?.show(view.player.time);
  view.player.addEventListener('time', follow);
  return () => {
    gone = true;
    view.player.removeEventListener('time', follow);
    layers?.remove();
    mapView(app)
      .then((map) => map.pad({}))
      .catch(() => {});
  };
}
