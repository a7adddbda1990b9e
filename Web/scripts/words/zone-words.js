// Properties of zones in words for people.
import { fixed } from './locale.js';
import { t } from './translate.js';
import * as words from './words.js';

export const name = (form) => form?.name || t`A zone`;

const triggers = {
  enter: t.meaning('a trigger')`enter`,
  inside: t.meaning('a trigger')`inside`,
  leave: t.meaning('a trigger')`leave`,
  enter_leave: t.meaning('a trigger')`enter and leave`,
  inside_leave: t.meaning('a trigger')`enter and leave`,
  dwell: t.meaning('a trigger')`stay`,
};
export const urgencies = {
  low: '',
  normal: t`normal priority`,
  high: t`high priority`,
  critical: t`critical`,
};
/** Marks beside a name; empty for low. */
export const marks = { low: '', normal: '!', high: '!!', critical: '!!!' };

export const trigger = (row) => triggers[row.trigger] ?? '';

/** The distance to the zone's edge. */
export const far = (row) =>
  row.distance_m === undefined
    ? t`No position yet`
    : row.distance_m <= 0
      ? t`You are inside`
      : words.length(row.distance_m);

/** One line below a name in a list. */
export const line = (row, form) =>
  [
    row.distance_m === undefined ? undefined : row.distance_m <= 0 ? t`inside` : words.length(row.distance_m),
    trigger(row),
    row.alert_m > 0 ? words.length(row.alert_m) : undefined,
    heights(form),
  ]
    .filter(Boolean)
    .join(' · ');

/** Category, priority and heights. */
export const about = (form, row) =>
  [form.category, row && urgencies[row.urgency], heights(form)].filter(Boolean).join(' · ');

/** The owner of a followed zone. */
export const sharedBy = ({ owner }) => (owner ? t`Shared by ${owner}` : t`Shared with you`);

export const sleep = (app, form) => words.span(form.sleep_s ?? app.settings.default_sleep_s ?? 10);

const whys = {
  no_locations: t`It has no places`,
  too_few_places: t`It has too few places`,
  size_out_of_range: t`Its size is not possible`,
  id_taken: t`Another zone has its id`,
  out_of_range: t`One of its numbers is outside the allowed range`,
  unreadable: t`Its stored data cannot be read`,
};
/** The reason why a zone is never watched. */
export const why = (word) => whys[word] ?? word;

/** The heights above sea level between which a zone rings; undefined if it has neither floor nor ceiling. */
export function heights({ floor_m: floor, ceiling_m: ceiling } = {}) {
  const known = (metres) => typeof metres === 'number';
  if (known(floor) && known(ceiling)) return t`from ${words.roughly(floor)} to ${words.roughly(ceiling)} high`;
  if (known(floor)) return t`from ${words.roughly(floor)} up`;
  return known(ceiling) ? t`up to ${words.roughly(ceiling)} high` : undefined;
}

const shapes = { circle: t`Circle`, strip: t`Strip`, area: t`Area`, path: t`Path`, parts: t`Several parts` };
export const shape = (word) => shapes[word] ?? '';

/** A position to a metre: 52.50312 N, 13.40125 E. */
export function place([latitude, longitude]) {
  const half = (value, plus, minus) => `${fixed(Math.abs(value), 5)} ${value < 0 ? minus : plus}`;
  return `${half(latitude, t`N`, t`S`)}, ${half(longitude, t`E`, t`W`)}`;
}
