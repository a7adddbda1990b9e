// The reports of a phone to the server, in words.
import { t } from './translate.js';
import * as words from './words.js';

const unread = {
  no_key: t`Its messages are encrypted and the server has no key for them: no zone rings. Turn encryption on and scan
    the new code, or turn it off in the app.`,
  wrong_key: t`Its messages are encrypted with another key than the server has: no zone rings. Scan a new code with the
    phone.`,
  malformed: t`Its reports hold no position that can be read: no zone rings. Check the app’s settings, or set it up again.`,
};

export const ago = (time) => words.ago((Date.now() - Date.parse(time)) / 1000);

/** The time of the last report, the accuracy of the position, and the battery's charge. */
export function reported({ last_received_at: last, last_fix: fix, is_armed: armed, has_passphrase: sealed, status }) {
  return [
    last ? t`Reported ${ago(last)}` : t`Has not reported yet`,
    typeof fix?.accuracy_m === 'number' && fix.accuracy_m >= 0 && `±${words.roughly(fix.accuracy_m)}`,
    typeof status?.battery === 'number' && t`battery ${words.battery(status.battery, status.is_charging)}`,
    sealed && t`encrypted`,
    !armed && t`alarms off`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The reason why no zone of the phone rings; undefined if there is none. */
export const trouble = ({ status }) => unread[status?.unread];

/** The same reason, with the error that the server found in the phone's messages. */
export function troubleInFull({ status }) {
  const reason = status?.unread_reason;
  return reason ? `${trouble({ status })} ${t`The server says: ${reason}`}` : trouble({ status });
}
