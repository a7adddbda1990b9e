// Quantities in words for people, in the units that they use.
import { date, fixed, list, number } from './locale.js';
import { plural, t } from './translate.js';
import { feet, isImperial, miles } from './units.js';

const whole = (value) => number(Math.round(value));

export function length(metres) {
  const size = Math.abs(metres);
  if (isImperial()) {
    if (feet(size) < 999.5) return t`${whole(feet(size))} ft`;
    return miles(size) < 9.95 ? t`${fixed(miles(size), 1)} mi` : t`${whole(miles(size))} mi`;
  }
  if (size < 9.95) return t`${fixed(size, 1)} m`;
  if (size < 999.5) return t`${whole(size)} m`;
  if (size < 9_950) return t`${fixed(size / 1000, 1)} km`;
  return t`${whole(size / 1000)} km`;
}

/** A length without a fraction, for a phone's error or a height. */
export const roughly = (metres) => (isImperial() ? t`${whole(feet(metres))} ft` : t`${whole(metres)} m`);

/** A length in full words, for speech: "50 metres". */
export function inFull(metres) {
  const n = Math.round(isImperial() ? feet(metres) : metres);
  if (isImperial()) return plural(n, { one: t`${n} foot`, other: t`${n} feet` });
  return plural(n, { one: t`${n} metre`, other: t`${n} metres` });
}

/** A length in two parts, for a large number beside a small unit. */
export function split(metres) {
  const size = Math.abs(metres);
  const [small, large] = isImperial() ? [feet(size), miles(size)] : [size, size / 1000];
  if (small < 999.5) {
    const n = Math.round(small);
    const unit = isImperial()
      ? plural(n, { one: t`foot`, other: t`feet` })
      : plural(n, { one: t`metre`, other: t`metres` });
    return { number: String(n), unit };
  }
  return { number: large < 9.95 ? fixed(large, 1) : whole(large), unit: isImperial() ? t`miles` : t`kilometres` };
}

/** The time, in s, from which spans are given in days. */
const days_s = 129_600;

export function span(seconds) {
  if (seconds < 90) return t`${Math.round(seconds)} s`;
  if (seconds < 5_400) return t`${Math.round(seconds / 60)} min`;
  if (seconds < days_s) return t`${number(seconds / 3600, { maximumFractionDigits: 1 })} h`;
  const days = Math.round(seconds / 86_400);
  return plural(days, { one: t`${days} day`, other: t`${days} days` });
}

/** A past time, `seconds` ago. */
export function ago(seconds) {
  if (seconds < days_s) return t`${span(Math.max(0, seconds))} ago`;
  const days = Math.round(seconds / 86_400);
  return plural(days, { one: t`${days} day ago`, other: t`${days} days ago` });
}

const points = [t`N`, t`NE`, t`E`, t`SE`, t`S`, t`SW`, t`W`, t`NW`];
export const compass = (degrees) => points[Math.round(degrees / 45) % 8];

const digits = (value, most) => number(+value.toPrecision(most));
export function area(squareMetres) {
  if (isImperial()) {
    const acres = feet(feet(squareMetres)) / 43_560;
    if (acres < 0.25) return t`${whole(feet(feet(squareMetres)))} ft²`;
    return acres < 640 ? t`${digits(acres, 2)} acres` : t`${digits(acres / 640, 3)} mi²`;
  }
  if (squareMetres < 9_950) return t`${whole(squareMetres)} m²`;
  if (squareMetres < 995_000) return t`${digits(squareMetres / 10_000, 2)} ha`;
  return t`${digits(squareMetres / 1e6, 3)} km²`;
}

export const clock = (milliseconds) => date(milliseconds, { hour: 'numeric', minute: '2-digit' });
export const clockWithSeconds = (milliseconds) =>
  date(milliseconds, { hour: 'numeric', minute: '2-digit', second: '2-digit' });

/** "3.1 MB"; 1 MB is a million bytes. */
export const megabytes = (bytes) =>
  bytes < 1e5 ? t`less than ${fixed(0.1, 1)} MB` : t`${fixed(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`;

export const percent = (share) => t`${Math.round(share * 100)} %`;

/** "80 %, charging" */
export const battery = (share, charging) => (charging ? t`${percent(share)}, charging` : percent(share));

export const day = (milliseconds) => date(milliseconds, { weekday: 'short', day: 'numeric', month: 'short' });

const nouns = {
  zone: (n) => plural(n, { one: t`${n} zone`, other: t`${n} zones` }),
  point: (n) => plural(n, { one: t`${n} point`, other: t`${n} points` }),
  place: (n) => plural(n, { one: t`${n} place`, other: t`${n} places` }),
  position: (n) => plural(n, { one: t`${n} position`, other: t`${n} positions` }),
  message: (n) => plural(n, { one: t`${n} message`, other: t`${n} messages` }),
  reminder: (n) => plural(n, { one: t`${n} reminder`, other: t`${n} reminders` }),
  item: (n) => plural(n, { one: t`${n} item`, other: t`${n} items` }),
  file: (n) => plural(n, { one: t`${n} file`, other: t`${n} files` }),
  time: (n) => plural(n, { one: t`${n} time`, other: t`${n} times` }),
  edit: (n) => plural(n, { one: t`${n} change`, other: t`${n} changes` }),
  sound: (n) => plural(n, { one: t`${n} own sound`, other: t`${n} own sounds` }),
};
/** "A", "A and B", "A, B and C". */
export const listed = (items) => list(items, { type: 'conjunction' });

/** "3 zones", on its own or in a sentence that asks for the nominative. */
export const count = (n, noun, many = `${noun}s`) => nouns[noun]?.(n) ?? `${number(n)} ${n === 1 ? noun : many}`;

export function speed(metresPerSecond) {
  const fraction = metresPerSecond < 27 ? 1 : 0;
  if (isImperial()) return t`${fixed(miles(metresPerSecond) * 3600, fraction)} mph`;
  return t`${fixed(metresPerSecond * 3.6, fraction)} km/h`;
}
/** A speed without a fraction, for promises. */
export const roundSpeed = (metresPerSecond) =>
  isImperial() ? t`${whole(miles(metresPerSecond) * 3600)} mph` : t`${whole(metresPerSecond * 3.6)} km/h`;

const causes = {
  inside: t`You are inside`,
  near: t`You are coming near`,
  passed: t`You passed through`,
  dwell: t`You have stayed`,
  left: t`You have left`,
  possible: t`You may be inside`,
};
export const cause = (word) => causes[word] ?? word;

const aboutPhones = {
  silence: t`A phone is silent`,
  low_battery: t`A phone’s battery is low`,
  sos: t`SOS from a phone`,
  check_in_missed: t`A person is not back`,
  unreadable: t`A phone’s reports cannot be read`,
};
/** The title of an alarm from the server: its zone, or the problem of the phone. */
export const alarmTitle = ({ name, subject }) => name || (aboutPhones[subject] ?? t`An alarm`);

/** The causes in the past tense, for a person who is elsewhere by now. */
const pastCauses = {
  ...causes,
  inside: t`You were inside`,
  near: t`You came near`,
  dwell: t`You stayed`,
  possible: t`You may have been inside`,
};
export const pastCause = (word) => pastCauses[word] ?? word;

const phoneCauses = {
  inside: (device) => t`${device} is inside`,
  near: (device) => t`${device} is coming near`,
  passed: (device) => t`${device} passed through`,
  dwell: (device) => t`${device} has stayed`,
  left: (device) => t`${device} has left`,
  possible: (device) => t`${device} may be inside`,
};
/** The cause of an alarm of one of the account's phones. */
export function phoneCause({ device, subject, cause: word }) {
  if (subject === 'silence') return t`${device} does not report`;
  if (subject === 'low_battery') return t`The battery of ${device} is low`;
  if (subject === 'sos') return t`${device} sent SOS`;
  if (subject === 'check_in_missed') return t`${device} is not back`;
  if (subject === 'not_arrived') return t`${device} has not arrived in time`;
  if (subject === 'unreadable') return t`The reports of ${device} cannot be read`;
  if (subject === 'companion_near') return t`Near ${device}`;
  if (subject === 'companion_apart') return t`Away from ${device}`;
  if (subject === 'companion_lost') return t`One of the two phones has not reported for long`;
  if (subject === 'companion_ended') return t`No longer watched: not shown any more, or refused`;
  if (subject === 'missed_signal') return t`${device} lost its signal near the zone`;
  return phoneCauses[word]?.(device) ?? `${device} ${word}`;
}

/** The sentence for a zone that the phone is perhaps in. @param {number} probability from 0 to 1 */
export const doubt = (probability) => t`Perhaps inside (${percent(probability)}): no position was exact enough to say`;
