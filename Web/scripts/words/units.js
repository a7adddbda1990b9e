// In which units lengths and speeds are said and typed: metres and kilometres, or feet and miles. What is kept is metric.

const foot_m = 0.3048;
const mile_km = 1.609344;
/** Where roads are signed in miles and people are measured in feet. */
const imperialRegions = ['US', 'LR', 'MM'];

let imperial = false;
export const isImperial = () => imperial;

/** @param {'metric'|'imperial'} [wish] without one, as is usual where the browser's language is from */
export function useUnits(wish, language = navigator.language) {
  const region = /-([A-Z]{2})\b/.exec(language)?.[1];
  imperial = wish ? wish === 'imperial' : imperialRegions.includes(region);
}

const imperialUnits = {
  m: { unit: 'ft', per: foot_m },
  km: { unit: 'mi', per: mile_km },
  'm/s': { unit: 'mph', per: (mile_km * 1000) / 3600 },
};

/** A number that is kept in units that nobody speaks. */
const metricUnits = { 'm/s': { unit: 'km/h', per: 1 / 3.6 } };

/**
 * What stands beside a number that people type, and how many of `unit` one of it is.
 * @param {string} unit in which the number is kept
 * @returns {{unit: string, shown: (kept: number) => number, kept: (shown: number) => number}}
 */
export function fieldUnit(unit) {
  const found = (imperial ? imperialUnits : metricUnits)[unit];
  if (!found) return { unit, shown: (number) => number, kept: (number) => number };
  const { per } = found;
  return {
    unit: found.unit,
    // Near enough to be what was typed before.
    shown: (number) => Number((number / per).toFixed(number / per < 100 ? 2 : 1)),
    kept: (number) => number * per,
  };
}

export const feet = (metres) => metres / foot_m;
export const miles = (metres) => metres / 1000 / mile_km;

/**
 * The longest round length of at most so many metres: 1, 2 or 5, and noughts, in the person's units.
 * @returns {{count: number, unit: 'm'|'km'|'ft'|'mi', metres: number}}
 */
export function roundLength(most_m) {
  const units = imperial ? { mi: mile_km * 1000, ft: foot_m } : { km: 1000, m: 1 };
  const [unit, unit_m] = Object.entries(units).find(([, each_m]) => most_m >= each_m) ?? Object.entries(units).at(-1);
  const most = most_m / unit_m;
  const ten = 10 ** Math.floor(Math.log10(most));
  const count = Number(([5, 2, 1].find((times) => times * ten <= most) * ten).toPrecision(1));
  return { count, unit, metres: count * unit_m };
}
