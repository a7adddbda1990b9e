// What a phone that reports to the server has told, in words.
import { roughly, span } from './words.js';

const unread = {
  no_key:
    'Its messages are encrypted and the server has no key for them: no zone rings. Turn encryption on and scan the new code, or turn it off in the app.',
  wrong_key:
    'Its messages are encrypted with another key than the server has: no zone rings. Scan a new code with the phone.',
};

export const ago = (time) => `${span(Math.max(0, (Date.now() - Date.parse(time)) / 1000))} ago`;
export const percent = (battery) => `${Math.round(battery * 100)} %`;

/** When the phone was heard of, how exactly it knows its place, and how full its battery is. */
export function reported({ last_received_at: last, last_fix: fix, is_armed: armed, has_passphrase: sealed, status }) {
  return [
    last ? `Reported ${ago(last)}` : 'Has not reported yet',
    typeof fix?.accuracy_m === 'number' && fix.accuracy_m >= 0 && `±${roughly(fix.accuracy_m)}`,
    typeof status?.battery === 'number' &&
      `battery ${percent(status.battery)}${status.is_charging ? ', charging' : ''}`,
    sealed && 'encrypted',
    !armed && 'alarms off',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What keeps the phone's zones from ringing; nothing where all is well. */
export const trouble = ({ status }) => unread[status?.unread];
