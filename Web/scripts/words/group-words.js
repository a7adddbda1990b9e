// The data of a member that the manager of a group sees, in words; the member reads the same.
import { kinds } from './channel-words.js';
import { ago } from './phone-words.js';
import { t } from './translate.js';
import * as words from './words.js';

const when = (time) => `${words.day(Date.parse(time))}, ${words.clock(Date.parse(time))}`;

const phoneLine = ({ name, heard_at: heard, is_silent: silent, is_armed: armed, is_unreadable: unreadable }) =>
  `${name}: ${[
    heard ? t`reported ${ago(heard)}` : t`has never reported`,
    silent && t`silent for longer than it may be`,
    !armed && t`alarms off`,
    unreadable && t`what it sends cannot be read`,
  ]
    .filter(Boolean)
    .join(', ')}`;

function troubleLine({ at, channel_kind: kind, is_over: over }) {
  const channel = kinds[kind] ?? kind ?? t`A channel`;
  return over
    ? t`${channel}: a message of ${when(at)} did not arrive, later ones did`
    : t`${channel}: no message has arrived since ${when(at)}`;
}

/** True if alarms of the group's zones would reach the member. */
export const isWarned = ({ phones, follows, trouble }) =>
  follows.length > 0 &&
  phones.some(
    ({ heard_at: heard, is_silent: silent, is_armed: armed, is_unreadable: unreadable }) =>
      heard && armed && !silent && !unreadable,
  ) &&
  (!trouble || trouble.is_over);

/**
 * The manager's report on a member, line by line.
 * @param {{id: string, name: string}[]} collections of the group
 */
export function reportLines({ phones, follows, trouble, other_groups: others }, collections) {
  const names = new Map(collections.map(({ id, name }) => [id, name]));
  return [
    ...(phones.length ? phones.map(phoneLine) : [t`No phone reports`]),
    ...(follows.length
      ? follows.map(
          ({ collection_id: id, since }) =>
            t`Follows ${names.get(id) ?? t`Shared zones`} since ${words.day(Date.parse(since))}`,
        )
      : [t`Follows none of the group’s zones`]),
    ...(trouble ? [troubleLine(trouble)] : []),
    ...(others.length ? [t`Also in ${words.listed(others)}`] : []),
  ];
}

/** The end of a membership: when, and by whom. */
export const ending = ({ ended_at: at, ended_by: by }) =>
  by === 'member' ? t`Left on ${when(at)}` : t`Ended by the manager on ${when(at)}`;
