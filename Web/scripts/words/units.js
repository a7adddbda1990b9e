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

/**
 * What stands beside a number that people type, and how many of `unit` one of it is.
 * @param {string} unit in which the number is kept
 * @returns {{unit: string, shown: (kept: number) => number, kept: (shown: number) => number}}
 */
export function fieldUnit(unit) {
  const found = imperial && imperialUnits[unit];
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
