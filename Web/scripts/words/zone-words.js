// Zones as people speak of them.
import * as words from './words.js';

export const name = (form) => form?.name || 'A zone';

const triggers = { enter: 'enter', inside: 'inside', leave: 'leave', dwell: 'stay' };
export const urgencies = {
  low: '',
  normal: 'normal priority',
  high: 'high priority',
  critical: 'critical',
};
/** Marks beside a name; nothing for low. */
export const marks = { low: '', normal: '!', high: '!!', critical: '!!!' };

export const trigger = (row) => triggers[row.trigger] ?? '';

/** How far it is to the zone's edge. */
export const far = (row) =>
  row.distance_m === undefined
    ? 'No position yet'
    : row.distance_m <= 0
      ? 'You are inside'
      : words.length(row.distance_m);

/** One line below a name in a list. */
export const line = (row) =>
  [
    row.distance_m === undefined ? undefined : row.distance_m <= 0 ? 'inside' : words.length(row.distance_m),
    trigger(row),
    row.alert_m > 0 ? words.length(row.alert_m) : undefined,
  ]
    .filter(Boolean)
    .join(' · ');

/** Category and priority. */
export const about = (form, row) => [form.category, row && urgencies[row.urgency]].filter(Boolean).join(' · ');

export const sleep = (app, form) => words.span(form.sleep_s ?? app.settings.default_sleep_s ?? 10);

const whys = {
  no_locations: 'It has no places',
  too_few_places: 'It has too few places',
  size_out_of_range: 'Its size is not possible',
  id_taken: 'Another zone has its id',
  out_of_range: 'One of its numbers is beyond what is allowed',
  unreadable: 'What is stored of it cannot be read',
};
/** Why a zone never watches. */
export const why = (word) => whys[word] ?? word;

/** What of a zone is not as one begins, of what the editor shows last. */
export const apart = (form) =>
  [
    form.alert_distance_m > 0 && `alerts ${words.length(form.alert_distance_m)} before`,
    form.inset_m && `${form.inset_m > 0 ? 'shrunk' : 'grown'} by ${words.length(Math.abs(form.inset_m))}`,
    form.trigger === 'inside' && 'passing through does not count',
    form.lead_s && `${words.span(form.lead_s)} before you arrive`,
    form.assurance !== 'normal' && form.assurance,
    form.messages?.length && words.count(form.messages.length, 'message'),
    form.schedule && 'at certain hours',
    form.notice && 'a notice',
    form.category,
    form.priority > 0 && `priority ${form.priority}`,
    form.active === false && 'off',
    form.vibrate === false && 'does not vibrate',
  ]
    .filter(Boolean)
    .join(', ');

const shapes = { circle: 'Circle', strip: 'Strip', area: 'Area', path: 'Path', parts: 'Several parts' };
export const shape = (word) => shapes[word] ?? '';

/** 52.50312 N, 13.40125 E: to a metre. */
export function place([latitude, longitude]) {
  const half = (value, plus, minus) => `${Math.abs(value).toFixed(5)} ${value < 0 ? minus : plus}`;
  return `${half(latitude, 'N', 'S')}, ${half(longitude, 'E', 'W')}`;
}
