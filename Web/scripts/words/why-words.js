// The rule that decided, as a sentence; and what it saw.
import { length } from './words.js';

const verdicts = {
  position_inside: 'The position was inside, and the fix fine enough to believe it.',
  probably_inside: 'The fix was coarse, but inside with a probability of 70 % or more.',
  inside_not_excluded: 'A safety zone: the fix’s error reached into it, and being inside could not be excluded.',
  certainly_inside: 'The whole disc of the fix’s error lay inside.',
  two_fixes_agree: 'A second fix in a row put the phone inside.',
  passed_through: 'The straight way from the fix before led through the zone.',
  dwelled_long_enough: 'The phone stayed inside for as long as the zone asks.',
  went_out: 'The phone was outside after having been inside.',
  still_possible: 'No better fix came in time, and being inside was likely enough to ring.',
  rang_anew: 'It was triggered again after its sleep.',
  outside: 'The whole disc of the fix’s error lay outside.',
  beside: 'The position was outside, and the fix fine enough to say so.',
  waits_for_better_fix: 'The fix was coarse; a better one was asked for.',
  waits_for_second_fix: 'One fix put the phone inside; another had to agree.',
  perhaps: 'No better fix came in time. Being inside was possible, but not likely enough to ring.',
  unlikely: 'No better fix came in time, and being inside was too unlikely to speak of.',
  grazed_on_the_way: 'The straight way touched the zone, but with less room than the fixes’ errors.',
  gap_too_long: 'The straight way led through the zone, but the fixes were too far apart in time to say so.',
  dwelling: 'Inside, but not yet for as long as the zone asks.',
  waits_for_leaving: 'Inside a zone that rings on leaving.',
  leaving_not_sure: 'Beyond the edge, but not yet surely, or not yet for long enough.',
  ringing: 'It was ringing already.',
  asleep: 'The alarm was asleep.',
  acknowledged: 'The alarm had been acknowledged.',
  cleared: 'The zone was left, or entered again after a leave alarm.',
  clock_jumped: 'The clock of this device was set; what was known was moved to the new time.',
  off_duty: 'The zone was not on duty: switched off, outside its hours, or all alarms were off.',
};

export const verdict = (word) => verdicts[word] ?? word;

const waiting = new Set([
  'waits_for_better_fix',
  'waits_for_second_fix',
  'dwelling',
  'waits_for_leaving',
  'leaving_not_sure',
]);
export function outcome({ rings, verdict: word }) {
  if (rings) return 'Rang';
  if (word === 'perhaps') return 'Said perhaps';
  return waiting.has(word) ? 'Waited' : 'Kept silent';
}

const side = (metres, what) =>
  metres <= 0 ? `${length(-metres)} inside ${what}` : `${length(metres)} outside ${what}`;

/** What the rule saw, each as a name and a value. */
export function evidence(record) {
  const rows = [];
  if (record.distance_m !== undefined) rows.push(['Position', side(record.distance_m, 'the edge')]);
  if (record.level_m !== undefined)
    rows.push(['Rings', record.level_m > 0 ? `${length(record.level_m)} before the edge` : 'at the edge']);
  if (record.distance_m !== undefined && record.level_m !== undefined && !record.rings) {
    const missed = Math.min(record.distance_m, record.closest_m ?? Infinity) - record.level_m;
    rows.push(['Nearest miss', missed > 0 ? `by ${length(missed)}` : 'none: it was within']);
  }
  if (record.accuracy_m !== undefined)
    rows.push([
      'Accuracy',
      record.accuracy_m > 0 ? `±${length(record.accuracy_m)}, counted as ${length(record.error_m)}` : 'taken as exact',
    ]);
  if (record.closest_m !== undefined) rows.push(['Closest on the way', side(record.closest_m, 'the edge')]);
  rows.push(['Judged again now', record.agrees ? 'the same verdict' : 'another verdict: the engine has changed since']);
  return rows;
}
