// What the engine promises of a zone, in words.
import * as words from './words.js';

const whys = {
  only_while_visible: 'only while this page is in view',
  only_in_use: 'only while in use',
  approximate_only: 'the position is known only roughly',
  no_fix: 'no position yet',
  suspect_position: 'checking an odd position',
  rang_already: 'rang already',
  policy_has_no_bound: 'no bound',
  parked_beside: 'the phone rests too near for the system to notice the way',
};
const silences = {
  inactive: 'off',
  schedule_closed: 'outside its hours',
  disarmed: 'alarms are off',
  acknowledged_for_today: 'quiet for today',
  stopped: 'stopped',
  not_authorized: 'location is not allowed',
  hidden: 'this page is hidden',
  no_area: 'it has no area',
  no_position: 'no position yet',
  position_unavailable: 'no position',
  awaiting_position: 'no position since this page was hidden',
  position_too_old: 'the position is old',
  position_too_coarse: 'the position is too rough',
  clock_set_back: 'the clock was set back',
};

/** In half a line, for a row. */
export function promise({ kind, late_s, why }) {
  if (kind === 'guaranteed') return `Guaranteed: at most ${words.span(late_s)} late`;
  return kind === 'best_effort' ? `Best effort: ${whys[why] ?? why}` : `Not watched: ${silences[why] ?? why}`;
}

/** In a line. */
export function guaranteeWords(guarantee) {
  const { kind, up_to_m_s: speed, late_s } = guarantee;
  if (kind !== 'guaranteed') return { kind, text: promise(guarantee) };
  return { kind, text: `Guaranteed up to ${words.roundSpeed(speed)}: at most ${words.span(late_s)} late` };
}

/** Before a zone is armed: how late it can ring, on foot and at the fastest. */
export function foresightWords({ on_foot_m: onFoot, fastest_m_s: speed, fastest_m: fastest }) {
  const fast = words.roundSpeed(speed);
  if (fastest <= 0) return `Rings before the edge, even at ${fast}.`;
  const far = words.length(fastest);
  if (onFoot <= 0) return `Rings before the edge on foot; at ${fast} up to ${far} after it.`;
  return `Rings within ${words.length(onFoot)} of the edge on foot; at ${fast} up to ${far} after it.`;
}
