// The data of a phone that are shown to somebody, and until when, in words.
import { ago } from './phone-words.js';
import { t } from './translate.js';
import * as words from './words.js';

const seen = {
  place: t`where it is`,
  zones: t`only in which zones it is`,
  nothing: t`nothing for now`,
};
export const whatIsSeen = (precision) => seen[precision] ?? precision;

/** @param {Map<string, string>} [zones] names by id; without them the zone that ends the sharing is not mentioned */
export function until({ ends_at: end, ends_in_zone_id: zone }, zones) {
  const arrival = zone && zones && t`until it is in ${zones.get(zone) ?? t`a zone`}`;
  if (!end) return arrival || t`until one of you ends it`;
  const time = Date.parse(end);
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  const when = isToday ? words.clock(time) : `${words.day(time)}, ${words.clock(time)}`;
  return [arrival, t`until ${when}`].filter(Boolean).join(' · ');
}

/** The whereabouts of a phone that somebody shows, as exactly as they show it. */
export function whereabouts({ precision, heard_at: heard, fix, zones }) {
  if (precision === 'nothing') return t`Shows nothing for now`;
  if (!heard) return t`Has not reported yet`;
  const where =
    precision === 'place'
      ? fix
        ? typeof fix.accuracy_m === 'number' && fix.accuracy_m >= 0 && `±${words.roughly(fix.accuracy_m)}`
        : t`Its place is not known`
      : zones === null
        ? t`Its place is not known well enough`
        : zones.length
          ? t`In ${words.listed(zones)}`
          : t`In none of their zones`;
  return [where, t`reported ${ago(heard)}`].filter(Boolean).join(' · ');
}
