// The rule that decided an alarm, as a sentence, and the values that it used.
import { t } from './translate.js';
import { length, roughly } from './words.js';
import { heights } from './zone-words.js';

const verdicts = {
  position_inside: t`The position was inside, and it was exact enough to be sure.`,
  probably_inside: t`The position was inexact, but inside with a probability of 70 % or more.`,
  inside_not_excluded: t`A safety zone: within its error the position could have been inside.`,
  certainly_inside: t`The position was inside by more than its possible error.`,
  two_fixes_agree: t`A second position in a row was inside.`,
  passed_through: t`The straight line from the position before led through the zone.`,
  dwelled_long_enough: t`The phone stayed inside for as long as the zone asks.`,
  went_out: t`The phone was outside after having been inside.`,
  stayed_outside: t`The phone stayed outside for as long as the zone asks.`,
  still_possible: t`No better position came in time, and it was likely enough that you were inside.`,
  rang_anew: t`It was triggered again after its sleep.`,
  outside: t`The position was outside by more than its possible error.`,
  beside: t`The position was outside, and it was exact enough to be sure.`,
  waits_for_better_fix: t`The position was inexact; a better one was asked for.`,
  waits_for_second_fix: t`One position was inside; another one had to agree.`,
  perhaps: t`No better position came in time. It was possible that you were inside, but not likely enough to ring.`,
  unlikely: t`No better position came in time, and it was very unlikely that you were inside.`,
  grazed_on_the_way: t`The straight line between two positions touched the zone, but by less than their possible
    errors.`,
  gap_too_long: t`The straight line between two positions led through the zone, but too much time lay between them to be
    sure.`,
  dwelling: t`Inside, but not yet for as long as the zone asks.`,
  waits_for_leaving: t`Inside a zone that rings on leaving.`,
  leaving_not_sure: t`Outside the edge, but not yet for certain, or not yet for long enough.`,
  waits_outside: t`Outside, but not yet for as long as the zone asks.`,
  came_back: t`The phone was back inside before it had been outside for as long as the zone asks.`,
  ringing: t`It was ringing already.`,
  asleep: t`The alarm was asleep.`,
  acknowledged: t`The alarm had been stopped.`,
  cleared: t`The zone was left, or entered again after a leave alarm.`,
  clock_jumped: t`The clock of this device was changed; everything known was moved to the new time.`,
  over_or_under: t`The phone was surely above the zone’s ceiling or below its floor.`,
  off_duty: t`The zone was not watched: it was switched off, outside its hours, or all alarms were off.`,
};

export const verdict = (word) => verdicts[word] ?? word;

const waiting = new Set([
  'waits_for_better_fix',
  'waits_for_second_fix',
  'dwelling',
  'waits_for_leaving',
  'leaving_not_sure',
  'waits_outside',
]);
export function outcome({ rings, verdict: word }) {
  if (rings) return t`Rang`;
  if (word === 'perhaps') return t`Said “perhaps”`;
  return waiting.has(word) ? t`Waited` : t`Kept silent`;
}

const side = (metres) => (metres <= 0 ? t`${length(-metres)} inside the edge` : t`${length(metres)} outside the edge`);

/** The values that the rule used, each as a name and a value. */
export function evidence(record) {
  const rows = [];
  if (record.distance_m !== undefined) rows.push([t`Position`, side(record.distance_m)]);
  if (record.level_m !== undefined)
    rows.push([t`Rings`, record.level_m > 0 ? t`${length(record.level_m)} before the edge` : t`at the edge`]);
  if (record.distance_m !== undefined && record.level_m !== undefined && !record.rings) {
    const missed = Math.min(record.distance_m, record.closest_m ?? Infinity) - record.level_m;
    rows.push([t`Nearest miss`, missed > 0 ? t`by ${length(missed)}` : t`none: it was within`]);
  }
  if (record.accuracy_m !== undefined)
    rows.push([
      t`Accuracy`,
      record.accuracy_m > 0
        ? t`±${length(record.accuracy_m)}, counted as ${length(record.error_m)}`
        : t`taken as exact`,
    ]);
  if (record.altitude_m !== undefined) {
    rows.push([t`Height`, t`${roughly(record.altitude_m)}, ±${roughly(record.altitude_error_m)} for certain`]);
    rows.push([t`The zone rings`, heights(record)]);
  }
  if (record.closest_m !== undefined) rows.push([t`Closest on the way`, side(record.closest_m)]);
  rows.push([t`Checked again now`, record.agrees ? t`the same result` : t`another result: the app has changed since`]);
  return rows;
}

/** Joins consecutive records with the same words into one: the last of them, with their number and the time of the first. */
export function joined(records) {
  const found = [];
  for (const record of records) {
    const said = { outcome: outcome(record), verdict: verdict(record.verdict) };
    const last = found.at(-1);
    const isSame = last?.outcome === said.outcome && last.verdict === said.verdict;
    const { times, since } = isSame ? last : { times: 0, since: record.decided_ms };
    if (isSame) found.pop();
    found.push({ ...record, ...said, times: times + 1, since });
  }
  return found;
}
