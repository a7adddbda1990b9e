// The rule that decided, as a sentence; and what it saw.
import { length } from './words.js';

const verdicts = {
  position_inside: 'The position was inside, and exact enough to rely on.',
  probably_inside: 'The position was coarse, but inside with a probability of 70 % or more.',
  inside_not_excluded: 'A safety zone: the position may have been inside, and that could not be excluded.',
  certainly_inside: 'Even with its possible error the position was inside.',
  two_fixes_agree: 'A second position in a row was inside.',
  passed_through: 'The straight line from the position before led through the zone.',
  dwelled_long_enough: 'The phone stayed inside for as long as the zone asks.',
  went_out: 'The phone was outside after having been inside.',
  still_possible: 'No better position came in time, and being inside was likely enough to ring.',
  rang_anew: 'It was triggered again after its sleep.',
  outside: 'Even with its possible error the position was outside.',
  beside: 'The position was outside, and exact enough to rely on.',
  waits_for_better_fix: 'The position was coarse; a better one was asked for.',
  waits_for_second_fix: 'One position was inside; a second had to agree.',
  perhaps: 'No better position came in time. Being inside was possible, but not likely enough to ring.',
  unlikely: 'No better position came in time, and being inside was too unlikely to mention.',
  grazed_on_the_way: 'The straight line touched the zone, but by less than the positions may be wrong.',
  gap_too_long: 'The straight line led through the zone, but the positions were too far apart in time to be sure.',
  dwelling: 'Inside, but not yet for as long as the zone asks.',
  waits_for_leaving: 'Inside a zone that rings when you leave it.',
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
