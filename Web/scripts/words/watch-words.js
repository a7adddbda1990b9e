// The engine's answer to whether alarms would ring now (`report.state`), in words. All places that show the state take it from
// here: the first screen, the dimmed screen, the title, the badge on the bar.
import { guaranteeWords } from './promises.js';
import { t } from './translate.js';
import * as words from './words.js';

/** The obstacles to watching: `detail` in a line, `help` as instructions, `mend` the button that solves the problem. */
const obstacles = {
  starting: { title: t`Not watching yet`, detail: t`The alarm engine is loading.` },
  not_recalled: {
    title: t`Not watching yet`,
    detail: t`Your zones are not there yet.`,
    help: t`The storage of this browser does not answer. It is asked again and again. If this lasts, close other tabs of this
      page or restart the browser.`,
    mend: { label: t`Try again`, does: 'recall' },
  },
  no_zones: {
    detail: t`There is no zone to watch.`,
    help: t`An alarm needs a place. Draw a zone on the map, or add a file.`,
    mend: { label: t`New zone`, href: '#/zones/new' },
    more: { label: t`Add a file`, href: '#/receive' },
  },
  no_area: {
    detail: t`No zone has an area.`,
    help: t`The list says at each zone what is wrong.`,
    mend: { label: t`Show the zones`, href: '#/zones' },
  },
  zones_off: {
    detail: t`Every zone is switched off.`,
    help: t`Switch on at least one zone.`,
    mend: { label: t`Show the zones`, href: '#/zones' },
  },
  zones_asleep: {
    title: t`Not watching now`,
    detail: ({ until_ms: until }) =>
      until ? t`Every zone is quiet until ${moment(until)}.` : t`Every zone is outside its hours.`,
    help: t`Zones are watched again when their hours begin. Change the hours of a zone to watch it now.`,
    mend: { label: t`Show the zones`, href: '#/zones' },
  },
  not_authorized: {
    detail: t`Location is not allowed.`,
    help: t`Allow location for this site in the browser’s settings, and location for the browser in the system’s
      settings.`,
    mend: { label: t`Try again`, does: 'seek' },
    more: { label: t`How to allow it`, href: '#/about/permissions' },
  },
  hidden: { detail: t`This page is not in view.`, help: t`A page gets positions only while it is in view.` },
  clock_set_back: {
    detail: t`The clock was set back.`,
    help: t`Check date and time in the system’s settings. Zones are watched again when the clock is right.`,
    mend: { label: t`Try again`, does: 'look' },
  },
  no_position: {
    title: t`Not watching yet`,
    detail: t`Waiting for the first position.`,
    mend: { label: t`Ask again`, does: 'seek' },
  },
  position_unavailable: {
    detail: t`The device finds no position.`,
    help: t`Switch location on in the system’s settings, or move to a place with open sky.`,
    mend: { label: t`Try again`, does: 'seek' },
  },
  awaiting_position: {
    title: t`Not watching yet`,
    detail: t`Waiting for a position: this page was out of view.`,
    mend: { label: t`Ask again`, does: 'seek' },
  },
  position_too_old: {
    detail: ({ age_s: age }) => t`The last position is ${words.span(age)} old.`,
    help: t`Move to a place with open sky, and keep this page visible.`,
    mend: { label: t`Try again`, does: 'seek' },
  },
  position_too_coarse: {
    detail: ({ accuracy_m: accuracy }) => t`The position is known only within ${words.length(accuracy)}.`,
    help: t`Allow the precise location for this browser in the system’s settings, and switch Wi-Fi and satellites on.`,
    mend: { label: t`Try again`, does: 'seek' },
    more: { label: t`How to allow it`, href: '#/about/permissions' },
  },
};

const moment = (at) => (at - Date.now() < 20 * 3_600_000 ? words.clock(at) : `${words.day(at)}, ${words.clock(at)}`);
const said = (text, state) => (typeof text === 'function' ? text(state) : text);

/** The obstacle if the browser gives no positions at all, whatever a person allows (S195); else undefined. */
function withoutPositions(why) {
  // Tests read these words outside a browser.
  if ((why !== 'not_authorized' && why !== 'position_unavailable') || !globalThis.document) return undefined;
  const more = { label: t`Set up background reporting`, href: '#/pairing' };
  if (!isSecureContext)
    return {
      detail: t`Without an encrypted connection the browser gives no positions.`,
      help: t`Open this page by an address that begins with https://. The operator of the server can set one up.`,
      more,
    };
  if (!navigator.geolocation)
    return {
      detail: t`This browser gives no positions.`,
      help: t`Nothing can be watched here. Use another browser.`,
      more,
    };
  return undefined;
}

/** The obstacle, or undefined: `{why, title, detail, help?, mend?, more?}`. Also for a state that rings. */
export function obstacle(state) {
  if (!state.why) return undefined;
  const {
    title = t`Cannot watch`,
    detail = state.why,
    help,
    mend,
    more,
  } = withoutPositions(state.why) ?? obstacles[state.why] ?? {};
  return { why: state.why, title, detail: said(detail, state), help, mend, more };
}

/**
 * The state in words for people.
 * @returns {{kind: 'off'|'watching'|'cannot_watch'|'ringing', title: string, detail: string, promise?: {kind: string, text: string}, obstacle?: object}}
 */
export function watchWords({ report, ringing }) {
  const { state, total, watching } = report;
  const inTheWay = obstacle(state);
  switch (state.kind) {
    case 'ringing':
      return { kind: 'ringing', title: t`Ringing`, detail: ringingWords(ringing?.entries ?? []), obstacle: inTheWay };
    case 'cannot_watch':
      return { kind: 'cannot_watch', title: inTheWay.title, detail: inTheWay.detail, obstacle: inTheWay };
    case 'watching':
      return {
        kind: 'watching',
        title: t`Alarms on`,
        detail: t`Watching ${watching} of ${words.count(total, 'zone')}`,
        promise: ringing?.isHeldBack
          ? { kind: 'held_back', text: t`No sound until you tap this page once` }
          : guaranteeWords(state.guarantee),
      };
    default:
      return {
        kind: 'off',
        title: t`Alarms off`,
        detail: total ? t`${words.count(total, 'zone')}, not watched` : t`No zones yet`,
        // States the most that a page can promise before it is switched on.
        promise: total ? { kind: 'best_effort', text: t`When on, it rings while this page is visible` } : undefined,
      };
  }
}

function ringingWords(entries) {
  const names = entries.map(({ zone, device }) =>
    [...new Set([zone.name || t`A zone`, device].filter(Boolean))].join(', '),
  );
  return names.length > 2 ? t`${names.length} alarms: ${names[0]} and others` : names.join(' · ');
}
