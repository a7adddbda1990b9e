// The units in which lengths and speeds are shown and typed: metres and kilometres, or feet and miles. Stored values are metric.

const foot_m = 0.3048;
const mile_km = 1.609344;
/** The regions with miles on road signs and body heights in feet. */
const imperialRegions = ['US', 'LR', 'MM'];

let imperial = false;
export const isImperial = () => imperial;

/** @param {'metric'|'imperial'} [wish] if absent, the usual units of the region in the browser's language */
export function useUnits(wish, language = navigator.language) {
  const region = /-([A-Z]{2})\b/.exec(language)?.[1];
  imperial = wish ? wish === 'imperial' : imperialRegions.includes(region);
}

const imperialUnits = {
  m: { unit: 'ft', per: foot_m },
  km: { unit: 'mi', per: mile_km },
  'm/s': { unit: 'mph', per: (mile_km * 1000) / 3600 },
};

/** Units for numbers that are stored in a unit people do not use. */
const metricUnits = { 'm/s': { unit: 'km/h', per: 1 / 3.6 } };

/**
 * The unit of an input field, with the conversions from and to the stored number.
 * @param {string} unit the unit in which the number is stored
 * @returns {{unit: string, shown: (kept: number) => number, kept: (shown: number) => number}}
 */
export function fieldUnit(unit) {
  const found = (imperial ? imperialUnits : metricUnits)[unit];
  if (!found) return { unit, shown: (number) => number, kept: (number) => number };
  const { per } = found;
  return {
    unit: found.unit,
    // Rounded, so that the typed number is shown again.
    shown: (number) => Number((number / per).toFixed(number / per < 100 ? 2 : 1)),
    kept: (number) => number * per,
  };
}

export const feet = (metres) => metres / foot_m;
export const miles = (metres) => metres / 1000 / mile_km;

/**
 * The longest round length (1, 2 or 5 times a power of ten, in the person's units) of at most `most_m` metres.
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
