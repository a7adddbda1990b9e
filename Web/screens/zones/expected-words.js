// An expected arrival in words.
import { t } from '../../scripts/words/translate.js';
import { week } from './zone-schedule.js';

/** This device's time zone. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';

/** "Ben by 08:00" */
export function title({ phones }, { device_id: id, time }) {
  const name = phones.find((each) => each.id === id)?.name || t`A phone`;
  return t.meaning('a time')`${name} by ${time}`;
}

/** Weekdays of the server, where 1 is Monday, as bits; Monday is the lowest. */
export const bitsOf = (weekdays) => weekdays.reduce((bits, each) => bits | (1 << (each - 1)), 0);

/** The days, the time zone if it is not this device's, and whether it is off. */
export const conditions = ({ weekdays, time_zone: zone, is_enabled: isOn }) =>
  [week(bitsOf(weekdays)), zone !== timeZone() && zone, !isOn && t`off`].filter(Boolean).join(' · ');
