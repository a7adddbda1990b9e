// The engine's promises for a zone, in words.
import { t } from './translate.js';
import * as words from './words.js';

const whys = {
  only_while_visible: t`rings only while this page is in view`,
  only_in_use: t`rings only while the app is in use`,
  approximate_only: t`the position is known only roughly`,
  no_fix: t`no position yet`,
  suspect_position: t`checking an odd position`,
  rang_already: t`rang already`,
  policy_has_no_bound: t`no bound`,
  parked_beside: t`the phone rests too near for the system to notice the way`,
};
const silences = {
  inactive: t.meaning('a switch')`off`,
  schedule_closed: t`outside its hours`,
  disarmed: t`alarms are off`,
  acknowledged_for_today: t`quiet for today`,
  stopped: t`stopped`,
  not_authorized: t`location is not allowed`,
  hidden: t`this page is hidden`,
  no_area: t`it has no area`,
  no_position: t`no position yet`,
  position_unavailable: t`no position`,
  awaiting_position: t`no position since this page was hidden`,
  position_too_old: t`the position is old`,
  position_too_coarse: t`the position is too rough`,
  clock_set_back: t`the clock was set back`,
};

/** A promise in half a line, for a row. */
export function promise({ kind, late_s, why }) {
  if (kind === 'guaranteed') return t`Guaranteed: at most ${words.span(late_s)} late`;
  return kind === 'best_effort' ? t`Best effort: ${whys[why] ?? why}` : t`Not watched: ${silences[why] ?? why}`;
}

/** A guarantee in a line. */
export function guaranteeWords(guarantee) {
  const { kind, up_to_m_s: speed, late_s } = guarantee;
  if (kind !== 'guaranteed') return { kind, text: promise(guarantee) };
  return { kind, text: t`Guaranteed up to ${words.roundSpeed(speed)}: at most ${words.span(late_s)} late` };
}

/** Ways of moving, each with its highest speed in metres a second. */
const moves = [
  [4, t`on foot`],
  [8, t`running`],
  [16, t`by bicycle`],
  [30, t`by car`],
  [50, t`by train`],
  [100, t`by high-speed train`],
];
export const movesAt = (speed) => moves.find(([most]) => speed <= most)?.[1] ?? t`at ${words.roundSpeed(speed)}`;

/** How far past its edge a zone can ring, on foot and at the highest speed: shown before it is armed. */
export function latenessWords({ on_foot_m: onFoot, fastest_m_s: speed, fastest_m: fastest }) {
  const fast = movesAt(speed);
  if (fastest <= 0) return t`Rings before the edge, even ${fast}.`;
  const far = words.length(fastest);
  if (onFoot <= 0) return t`Rings before the edge on foot, and up to ${far} after it ${fast}.`;
  return t`Rings within ${words.length(onFoot)} of the edge on foot, and up to ${far} after it ${fast}.`;
}
