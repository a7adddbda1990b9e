// The numbers people set, in words. What is allowed, and the default, the engine says (`settings`).

/** @type {Record<string, {label: string, unit: string, hint: string}>} by the engine's name; the page's three groups */
export const pages = {
  general: {
    alarm_cycle_s: {
      label: 'Alarm Cycle Time',
      unit: 's',
      hint: 'An alarm nobody answers sounds again after this long.',
    },
    default_sleep_s: { label: 'Default Sleep Time', unit: 's', hint: 'For zones without a sleep time of their own.' },
    default_radius_m: { label: 'Default Radius', unit: 'm', hint: 'For zones of one point without a size.' },
    maximum_speed_m_s: {
      label: 'Maximum Speed',
      unit: 'm/s',
      hint: 'How fast you may be. The guarantee holds up to it.',
    },
    reminder_radius_m: { label: 'Reminder Radius', unit: 'm', hint: 'For new reminders: how close you have to be.' },
  },
  search: {
    standard_threshold_m: {
      label: 'Standard Threshold',
      unit: 'm',
      hint: 'Nearer than this to a zone: every position, as exact as can be. So near, a lost signal is an alarm too.',
    },
    significant_threshold_m: {
      label: 'Significant Threshold',
      unit: 'm',
      hint: 'Nearer than this: news after each significant move. Beyond: regions only.',
    },
    distance_filter_m: { label: 'Distance Filter', unit: 'm', hint: 'Between two positions, near a zone.' },
    close_region_timeout_s: {
      label: 'Close Region Timeout',
      unit: 's',
      hint: 'A region may never be entered: after this long, look anyway.',
    },
    close_region_minimum_distance_m: {
      label: 'Close Region Minimum Distance',
      unit: 'm',
      hint: 'Zones nearer than this always count as close.',
    },
  },
  map: {
    map_selector_range_km: {
      label: 'Map Selector Default Range',
      unit: 'km',
      hint: 'What the map shows at first. Afterwards, what it showed last.',
    },
    zone_map_range_km: {
      label: 'Alert Zone Map Default Range',
      unit: 'km',
      hint: 'What the editor’s map shows for a new zone.',
    },
  },
};

export const speeds = [
  { label: 'Walk', value: 3.5 },
  { label: 'Run', value: 7 },
  { label: 'Cycle', value: 15 },
  { label: 'Car', value: 45 },
  { label: 'Train', value: 90 },
];

/** What is set, or the default. */
export const settingOf = (app, name) => app.settings[name] ?? allowedOf(app, name).default;

/** @returns {{name: string, least: number, most: number, default: number}} */
export const allowedOf = (app, name) => app.ask('settings').settings.find((setting) => setting.name === name);

const number = (value) => value.toLocaleString('en', { maximumFractionDigits: 2 });

/**
 * A number that a person typed; a decimal comma will do.
 * @returns {{value: number} | {problem: string}}
 */
export function readNumber(text, { least, most, unit }) {
  const tidy = text
    .trim()
    .replace(/\s/g, '')
    .replace(/^([^.]*),(\d{1,2})$/, '$1.$2');
  const value = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(tidy) ? Number(tidy) : NaN;
  if (!Number.isFinite(value))
    return {
      problem: `“${text.trim().slice(0, 20)}” is not a number; ${number(least)} to ${number(most)} ${unit} are allowed.`,
    };
  if (value < least || value > most)
    return {
      problem: `${number(value)} ${unit} is out of range; ${number(least)} to ${number(most)} ${unit} are allowed.`,
    };
  return { value };
}

export const range = ({ least, most, default: byDefault }, unit) =>
  `${number(least)} to ${number(most)} ${unit} · default ${number(byDefault)} ${unit}`;

/** What is wrong with the address of map tiles, or nothing. */
export function problemWithTiles(text) {
  if (!text) return undefined;
  let url;
  try {
    url = new URL(text.replaceAll('{', '%7B').replaceAll('}', '%7D'));
  } catch {
    return `“${text.slice(0, 40)}” is no address; https://tiles.example/{z}/{x}/{y}.png would be one.`;
  }
  if (url.protocol !== 'https:' && url.hostname !== 'localhost' && url.hostname !== '127.0.0.1')
    return 'The address has to begin with https://.';
  const missing = ['{z}', '{x}', '{y}'].filter((part) => !text.includes(part));
  return missing.length ? `${missing.join(', ')} is missing: the map puts there which tile it wants.` : undefined;
}

/** What is wrong with the address of a places service, or nothing. */
export function problemWithService(text) {
  if (!text) return undefined;
  let url;
  try {
    url = new URL(text);
  } catch {
    return `“${text.slice(0, 40)}” is no address; https://nominatim.example would be one.`;
  }
  if (url.protocol !== 'https:' && url.hostname !== 'localhost' && url.hostname !== '127.0.0.1')
    return 'The address has to begin with https://.';
  return url.search || url.hash ? 'The address ends before any ? or #.' : undefined;
}
