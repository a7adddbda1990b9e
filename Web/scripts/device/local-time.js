// What the clocks on the wall say here, as the engine wants it: changes of the offset to UTC.

/**
 * Every offset that holds between two times, each from when it does: `[[from_ms, seconds], …]`.
 * @param {(at: number) => number} offset seconds east of Greenwich at a time; of this device unless told
 */
export function offsets(from, to, offset = (at) => -60 * new Date(at).getTimezoneOffset(), step = 6 * 3_600_000) {
  const found = [[from, offset(from)]];
  for (let at = from; at < to; at += step) {
    const next = Math.min(at + step, to);
    if (offset(next) === found.at(-1)[1]) continue;
    // Clocks change on a full second; no country changes them twice in six hours.
    let [before, after] = [at, next];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offset(middle) === found.at(-1)[1]) before = middle;
      else after = middle;
    }
    found.push([after, offset(after)]);
  }
  return found;
}

const tables = new Map();
const week = 7 * 86_400_000;

/**
 * The offsets of a named time zone by the rules of this browser, from 2000 to the end of a decade that is more than 20 years
 * ahead: the same as the server computes (Sources/Formats/Text/TimeZoneOffsets+Schedule.swift). Undefined for an unknown name.
 */
export function offsetsOf(name, now) {
  const through = Date.UTC(10 * Math.floor(new Date(now).getUTCFullYear() / 10) + 30, 0, 1);
  const key = `${name} ${through}`;
  if (!tables.has(key)) tables.set(key, computed(name, through));
  return tables.get(key);
}

function computed(name, through) {
  let format;
  try {
    const parts = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((part) => [part, 'numeric']);
    format = new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', ...Object.fromEntries(parts) });
  } catch {
    return undefined;
  }
  const offset = (at) => {
    const second = Math.floor(at / 1000) * 1000;
    const {
      year,
      month,
      day,
      hour,
      minute,
      second: last,
    } = Object.fromEntries(format.formatToParts(second).map(({ type, value }) => [type, Number(value)]));
    return (Date.UTC(year, month - 1, day, hour, minute, last) - second) / 1000;
  };
  return offsets(Date.UTC(2000, 0, 1), through, offset, week);
}

const timedForms = new WeakMap();

/**
 * A zone's form as an engine takes it: its hours by the present rules of their named time zone. Kept offsets may be missing, end
 * too early, or be from before a change of the rules; under a name that this browser does not know they count. Without any, the
 * engine refuses the zone: its hours have no time. The form itself where that changes nothing.
 */
export function timed(form, now) {
  const { schedule } = form;
  if (!schedule?.time_zone) return form;
  if (!timedForms.has(form)) timedForms.set(form, withRules(form, offsetsOf(schedule.time_zone, now)));
  return timedForms.get(form);
}

function withRules(form, rules) {
  const { schedule } = form;
  if (rules) return { ...form, schedule: { ...schedule, offsets: rules } };
  return schedule.offsets?.length ? form : { ...form, schedule: { ...schedule, windows: schedule.time_zone } };
}
