// Local time in the engine's format: changes of the offset to UTC.

/**
 * All offsets between two times, each with its start: `[[from_ms, seconds], …]`.
 * @param {(at: number) => number} offset seconds east of Greenwich at a time; by default those of this device
 */
export function offsets(from, to, offset = (at) => -60 * new Date(at).getTimezoneOffset(), step = 6 * 3_600_000) {
  const found = [[from, offset(from)]];
  for (let at = from; at < to; at += step) {
    const next = Math.min(at + step, to);
    if (offset(next) === found.at(-1)[1]) continue;
    // Clocks change on a full second, and in no country twice in six hours.
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
 * The offsets of a named time zone by this browser's rules, from 2000 to the end of a decade that is more than 20 years ahead: the
 * same as the server computes (Sources/Formats/Text/TimeZoneOffsets+Schedule.swift). Undefined for an unknown name.
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
 * A zone's form for an engine, with its hours by the present rules of their named time zone. Stored offsets may be missing, end too
 * early, or precede a change of the rules; they are used only if this browser does not know the name. Without any offsets the engine
 * refuses the zone, as its hours have no time. Returns the form itself if nothing changes.
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
