// Numbers as people say them, in the units that they use.
import { feet, isImperial, miles } from './units.js';

const whole = (number) => Math.round(number).toLocaleString('en');

export function length(metres) {
  const size = Math.abs(metres);
  if (isImperial()) {
    if (feet(size) < 999.5) return `${whole(feet(size))} ft`;
    return miles(size) < 9.95 ? `${miles(size).toFixed(1)} mi` : `${whole(miles(size))} mi`;
  }
  if (size < 9.95) return `${size.toFixed(1)} m`;
  if (size < 999.5) return `${Math.round(size)} m`;
  if (size < 9_950) return `${(size / 1000).toFixed(1)} km`;
  return `${whole(size / 1000)} km`;
}

/** Of a phone's error or a height: without a fraction. */
export const roughly = (metres) => (isImperial() ? `${whole(feet(metres))} ft` : `${Math.round(metres)} m`);

/** For who hears it: "50 metres". */
export const inFull = (metres) => (isImperial() ? `${whole(feet(metres))} feet` : `${Math.round(metres)} metres`);

/** The same in two parts, for where the number is large and the unit small. */
export function split(metres) {
  const size = Math.abs(metres);
  const [small, large, one, many, far] = isImperial()
    ? [feet(size), miles(size), 'foot', 'feet', 'miles']
    : [size, size / 1000, 'metre', 'metres', 'kilometres'];
  if (small < 999.5) return { number: String(Math.round(small)), unit: Math.round(small) === 1 ? one : many };
  return { number: large < 9.95 ? large.toFixed(1) : whole(large), unit: far };
}

export function span(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${+(seconds / 3600).toFixed(1)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const points = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
export const compass = (degrees) => points[Math.round(degrees / 45) % 8];

export function area(squareMetres) {
  if (isImperial()) {
    const acres = feet(feet(squareMetres)) / 43_560;
    if (acres < 0.25) return `${whole(feet(feet(squareMetres)))} ft²`;
    return acres < 640 ? `${+acres.toPrecision(2)} acres` : `${+(acres / 640).toPrecision(3)} mi²`;
  }
  if (squareMetres < 9_950) return `${Math.round(squareMetres)} m²`;
  if (squareMetres < 995_000) return `${+(squareMetres / 10_000).toPrecision(2)} ha`;
  return `${+(squareMetres / 1e6).toPrecision(3)} km²`;
}

export const clock = (milliseconds) =>
  new Date(milliseconds).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });

/** "3.1 MB": a million bytes each. */
export const megabytes = (bytes) =>
  bytes < 1e5 ? 'less than 0.1 MB' : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

export const day = (milliseconds) =>
  new Date(milliseconds).toLocaleDateString([], { weekday: 'short', day: 'numeric', month: 'short' });
export const count = (number, one, many = `${one}s`) => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

export const speed = (metresPerSecond) =>
  isImperial()
    ? `${(miles(metresPerSecond) * 3600).toFixed(metresPerSecond < 27 ? 1 : 0)} mph`
    : `${(metresPerSecond * 3.6).toFixed(metresPerSecond < 27 ? 1 : 0)} km/h`;
/** Of a promise: without a fraction. */
export const roundSpeed = (metresPerSecond) =>
  isImperial() ? `${whole(miles(metresPerSecond) * 3600)} mph` : `${Math.round(metresPerSecond * 3.6)} km/h`;

const causes = {
  inside: 'You are inside',
  near: 'You are coming near',
  passed: 'You passed through',
  dwell: 'You have stayed',
  left: 'You have left',
  possible: 'You may be inside',
};
export const cause = (word) => causes[word] ?? word;

const aboutPhones = {
  silence: 'A phone is silent',
  low_battery: 'A phone’s battery is low',
  sos: 'SOS from a phone',
  unreadable: 'A phone cannot be read',
};
/** Of an alarm that the server tells: its zone, or what is the matter with the phone. */
export const alarmTitle = ({ name, subject }) => name || (aboutPhones[subject] ?? 'An alarm');

/** Of somebody who is elsewhere by now. */
const pastCauses = {
  ...causes,
  inside: 'You were inside',
  near: 'You came near',
  dwell: 'You stayed',
  possible: 'You may have been inside',
};
export const pastCause = (word) => pastCauses[word] ?? word;

const phoneCauses = {
  inside: 'is inside',
  near: 'is coming near',
  passed: 'passed through',
  dwell: 'has stayed',
  left: 'has left',
  possible: 'may be inside',
};
/** Why an alarm of one of the account's phones began. */
export function phoneCause({ device, subject, cause: word }) {
  if (subject === 'silence') return `${device} does not report`;
  if (subject === 'low_battery') return `The battery of ${device} is low`;
  if (subject === 'sos') return `${device} sent SOS`;
  if (subject === 'unreadable') return `${device} sends what cannot be read`;
  if (subject === 'missed_signal') return `${device} lost its signal near the zone`;
  return `${device} ${phoneCauses[word] ?? word}`;
}

/** Of a zone that the phone is perhaps in, from 0 to 1. */
export const doubt = (probability) =>
  `Perhaps inside (${Math.round(probability * 100)} %): no position was exact enough to say`;
