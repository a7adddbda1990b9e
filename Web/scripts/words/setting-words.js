// Numeric settings in words. The engine supplies the allowed range and the default (`settings`).
import { number as written } from './locale.js';
import { t } from './translate.js';
import { roundSpeed } from './words.js';

/** Ways of moving, each with its highest speed in metres a second. */
const speeds = [
  { label: t`Walk`, value: 3.5 },
  { label: t`Run`, value: 7 },
  { label: t`Cycle`, value: 15 },
  { label: t`Car or train`, value: 45 },
  { label: t`High-speed train`, value: 90 },
];

/**
 * The settings by the engine's names, in the page's three groups.
 * @type {Record<string, {label: string, unit: string, hint: string, choices?: number[], say?: (value: number) => string}>}
 */
export const pages = {
  general: {
    alarm_cycle_s: {
      label: t`Alarm Cycle Time`,
      unit: 's',
      choices: [5, 10, 30, 60, 300],
      hint: t`An alarm that nobody answers sounds again after this time.`,
    },
    default_sleep_s: {
      label: t`Default Sleep Time`,
      unit: 's',
      choices: [10, 60, 300, 600, 1800, 3600],
      hint: t`For zones without a sleep time of their own.`,
    },
    default_radius_m: { label: t`Default Radius`, unit: 'm', hint: t`For zones of one point without a size.` },
    maximum_speed_m_s: {
      label: t`Maximum Speed`,
      unit: 'm/s',
      choices: speeds.map(({ value }) => value),
      say: (value) =>
        [speeds.find((speed) => speed.value === value)?.label, roundSpeed(value)].filter(Boolean).join(' · '),
      hint: t`How fast you move at most. The guarantee holds up to this speed.`,
    },
    reminder_radius_m: {
      label: t`Reminder Radius`,
      unit: 'm',
      hint: t`For new reminders: how close you have to come.`,
    },
  },
  search: {
    danger_margin_m: {
      label: t`Standard Threshold`,
      unit: 'm',
      hint: t`Nearer than this to a zone, a lost signal raises an alarm.`,
    },
    distance_filter_m: {
      label: t`Distance Filter`,
      unit: 'm',
      hint: t`For OwnTracks: the distance between two positions.`,
    },
    close_region_timeout_s: {
      label: t`Close Region Timeout`,
      unit: 's',
      choices: [900, 1800, 3600],
      hint: t`For OwnTracks on Android: the phone reports at least this often, even if it does not move.`,
    },
  },
  map: {
    map_selector_range_km: {
      label: t`Map Selector Default Range`,
      unit: 'km',
      hint: t`The width of the map at first. Later it opens as you left it.`,
    },
    zone_map_range_km: {
      label: t`Alert Zone Map Default Range`,
      unit: 'km',
      hint: t`The width of the map when you draw a new zone.`,
    },
  },
};

/** The value of a setting, or its default. */
export const settingOf = (app, name) => app.settings[name] ?? allowedOf(app, name).default;

/** @returns {{name: string, least: number, most: number, default: number}} */
export const allowedOf = (app, name) => app.ask('settings').settings.find((setting) => setting.name === name);

const number = (value) => written(value, { maximumFractionDigits: 2 });

/** The written forms of the units that `fieldUnit` returns. */
const units = { s: t`s`, min: t`min`, m: t`m`, km: t`km`, 'km/h': t`km/h`, ft: t`ft`, mi: t`mi`, mph: t`mph` };
export const unitName = (unit) => units[unit] ?? unit;

/**
 * Reads a typed number, also with a decimal comma.
 * @returns {{value: number} | {problem: string}}
 */
export function readNumber(text, { least, most, unit }) {
  const allowed = t`${number(least)} to ${number(most)} ${unitName(unit)} are allowed.`;
  // If the comma is the decimal mark, 1.000 means a thousand.
  const isGrouped = written(0.5).includes(',') && /^\s*\d{1,3}(\.\d{3})+(,\d+)?\s*$/.test(text);
  const tidy = (isGrouped ? text.replaceAll('.', '') : text)
    .trim()
    .replace(/\s/g, '')
    .replace(/^([^.]*),(\d{1,2})$/, '$1.$2');
  const value = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(tidy) ? Number(tidy) : NaN;
  if (!text.trim()) return { problem: t`A number is missing; ${allowed}` };
  if (!Number.isFinite(value)) return { problem: t`“${text.trim().slice(0, 20)}” is not a number; ${allowed}` };
  if (value < least || value > most) {
    return { problem: t`${number(value)} ${unitName(unit)} is out of range; ${allowed}` };
  }
  return { value };
}

/** The problem with an address of map tiles; undefined if there is none. */
export function problemWithTiles(text) {
  if (!text) return undefined;
  let url;
  try {
    url = new URL(text.replaceAll('{', '%7B').replaceAll('}', '%7D'));
  } catch {
    return t`“${text.slice(0, 40)}” is not an address; https://tiles.example/{z}/{x}/{y}.png would be one.`;
  }
  if (url.protocol !== 'https:' && url.hostname !== 'localhost' && url.hostname !== '127.0.0.1')
    return t`The address has to begin with https://.`;
  const places = ['{z}', '{x}', '{y}'];
  // Without placeholders it is the address of a style or an archive.
  if (!places.some((part) => text.includes(part))) return undefined;
  if (/\.(pbf|mvt)$/.test(url.pathname))
    return t`These are vector tiles: enter the address of a style that draws them.`;
  const missing = places.filter((part) => !text.includes(part));
  return missing.length ? t`${missing.join(', ')} is missing: the map puts there which tile it wants.` : undefined;
}

/** The problem with the address of a places service; undefined if there is none. */
export function problemWithService(text) {
  if (!text) return undefined;
  let url;
  try {
    url = new URL(text);
  } catch {
    return t`“${text.slice(0, 40)}” is not an address; https://nominatim.example would be one.`;
  }
  if (url.protocol !== 'https:' && url.hostname !== 'localhost' && url.hostname !== '127.0.0.1')
    return t`The address has to begin with https://.`;
  return url.search || url.hash ? t`The address ends before any ? or #.` : undefined;
}
