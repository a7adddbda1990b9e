// Converts a zone of the server's API to the form that the page and its engine use.

const places = (list) => list.map(({ latitude, longitude }) => [latitude, longitude]);

/** Left out: other people's messages name their own contacts. */
export function zoneForm(id, { outline, trigger, schedule, messages: _, notice, pad_rows: __, ...plain }) {
  const form = { id };
  for (const key of taken) if (plain[key] !== undefined && plain[key] !== null) form[key] = plain[key];
  form.outline = outline.kind;
  if (outline.kind === 'area')
    form.parts = outline.parts.map(({ outer, holes = [] }) => [places(outer), ...holes.map(places)]);
  else form.places = places(outline.places);
  form.trigger = trigger.passing_counts === false ? trigger.kind.replace('enter', 'inside') : trigger.kind;
  if (trigger.dwell_s !== undefined) form.dwell_s = trigger.dwell_s;
  if (schedule)
    form.schedule = {
      time_zone: schedule.time_zone,
      windows: schedule.windows.map(({ weekdays, opens_min: opens, closes_min: closes }) => [weekdays, opens, closes]),
      offsets: schedule.offsets.map(({ from, utc_offset_s: seconds }) => [Date.parse(from), seconds]),
    };
  if (notice) form.notice = notice;
  return form;
}

const taken = [
  'name',
  'category',
  'active',
  'vibrate',
  'priority',
  'sleep_s',
  'size_m',
  'inset_m',
  'alert_distance_m',
  'lead_s',
  'floor_m',
  'ceiling_m',
  'sound',
  'edges',
  'assurance',
];
