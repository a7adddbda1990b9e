// The size of a circle or a corridor as properties of GeoJSON and KML state it, read as the program reads it
// (Sources/Formats/Zones/StatedSize.swift): `radius` with `radius_units`, `diameter_km`, `radius_ft`, "250 m".

const units = new Map(
  Object.entries({
    ...{ m: 1, mtr: 1, mtrs: 1, meter: 1, meters: 1, metre: 1, metres: 1 },
    ...{ km: 1000, kms: 1000, kilometer: 1000, kilometers: 1000, kilometre: 1000, kilometres: 1000 },
    ...{ ft: 0.3048, foot: 0.3048, feet: 0.3048, yd: 0.9144, yard: 0.9144, yards: 0.9144 },
    ...{ mi: 1609.344, mile: 1609.344, miles: 1609.344 },
    ...{ nmi: 1852, nm: 1852, nauticalmile: 1852, nauticalmiles: 1852 },
  }),
);

/** The length of a unit in metres; an abbreviation may end with a full stop. */
const unit = (text) =>
  units.get(
    text
      .trim()
      .toLowerCase()
      .replace(/\.$/, '')
      .replace(/^nautical mile/, 'nauticalmile'),
  );
const isEmpty = (value) => value === undefined || value === null || value === '' || typeof value === 'boolean';

/** Reads a number or a numeric text, with or without a unit after it. @returns {{number: number, metres?: number}|undefined} */
function number(value) {
  if (typeof value === 'number') return { number: value };
  if (typeof value !== 'string') return undefined;
  const [, digits, rest] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+(?=\s*$))?)\s*([^]*)$/i.exec(value.trim()) ?? [];
  if (digits === undefined || !Number.isFinite(Number(digits))) return undefined;
  if (rest === '') return { number: Number(digits) };
  const metres = unit(rest);
  return metres === undefined ? undefined : { number: Number(digits), metres };
}

/** A property's name in lower case, without word separators. */
const plainly = (key) => key.toLowerCase().replaceAll(/[ _\-.:()[\]/]/g, '');

/** Parses a property's name that begins like that of a size: its first word, and the unit at its end. */
function nameOf(key) {
  const plain = plainly(key);
  const head = ['radius', 'rad', 'diameter', 'buffer', 'size'].find((each) => plain.startsWith(each));
  if (!head || key.length > 60 || /^(radio|radar|radia)/.test(plain)) return undefined;
  let rest = plain.slice(head.length);
  if (/^(units?|uom)$/.test(rest)) return undefined;
  for (const word of ['distance', 'dist', 'value', 'length', 'in'])
    if (rest.startsWith(word) && (rest !== word || word !== 'in')) rest = rest.slice(word.length);
  return { head, isPlain: rest === '', metres: units.get(rest), share: head === 'diameter' ? 0.5 : 1 };
}

/** Finds the property that states the unit of those called `head`. @returns {{metres?: number}|undefined} */
function companion(head, properties) {
  const words = ['unit', 'units', 'uom'];
  for (const [names, isOwn] of [
    [words.map((word) => head + word), true],
    [words, false],
  ])
    for (const [key, value] of Object.entries(properties)) {
      if (!names.includes(plainly(key)) || isEmpty(value)) continue;
      if (typeof value === 'string') return { metres: unit(value) };
      if (isOwn) return {};
    }
  return undefined;
}

function size(value, ofName, beside, share = 1) {
  const found = number(value);
  if (!found || (beside && beside.metres === undefined)) return { why: 'bad_size' };
  const stated = [ofName, beside?.metres, found.metres].filter((metres) => metres !== undefined);
  if (stated.some((metres) => metres !== stated[0])) return { why: 'bad_size' };
  return { size_m: found.number * (stated[0] ?? 1) * share };
}

/**
 * @param {object} properties
 * @param {string[]} names our own names of a size
 * @returns {{size_m?: number, why?: string}} `why`: the reason why a property that seems to be a size is not used
 */
export function statedSize(properties, names) {
  const ours = names.find((name) => !isEmpty(properties[name]));
  if (ours) {
    const isMetres = ours.endsWith('_m');
    return size(properties[ours], isMetres ? 1 : undefined, isMetres ? undefined : companion(ours, properties));
  }
  let isStrange = false;
  for (const [key, value] of Object.entries(properties)) {
    const name = isEmpty(value) ? undefined : nameOf(key);
    if (!name) continue;
    const beside = name.isPlain ? companion(name.head, properties) : undefined;
    const hasUnit = beside !== undefined || number(value)?.metres !== undefined;
    if (name.isPlain && name.head !== 'size' && (hasUnit || ['radius', 'diameter'].includes(name.head)))
      return size(value, undefined, beside, name.share);
    if (name.metres !== undefined) return size(value, name.metres, undefined, name.share);
    isStrange ||= name.head !== 'size';
  }
  return isStrange ? { why: 'unknown_size' } : {};
}
