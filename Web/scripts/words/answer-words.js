// The three answers to an alarm, in the same words everywhere: Stop ends it for this visit, Sleep silences it for a time, Close
// removes it from the screen while it continues to sound.
import { t } from './translate.js';
import { clock } from './words.js';

/** The end of the silence after *Stop*: the zone is left, or entered again if the alarm was on leaving. */
function endOf({ zone, device, cause, subject }) {
  if (device && (!zone.id || subject === 'not_arrived')) return 'over';
  return `${device ? 'phone' : 'own'}-${cause === 'left' ? 'back' : 'gone'}`;
}
const onButton = {
  over: t`Quiet until it is over`,
  'own-gone': t`Quiet until I leave`,
  'own-back': t`Quiet until I am back`,
  'phone-gone': t`Quiet until it leaves`,
  'phone-back': t`Quiet until it is back`,
};
const onTag = {
  over: t`until it is over`,
  'own-gone': t`until you leave`,
  'own-back': t`until you are back`,
  'phone-gone': t`until it leaves`,
  'phone-back': t`until it is back`,
};

/** The effect of *Stop* on this alarm, in the words on the button. */
export const stopDoes = (entry) =>
  entry.isPerson ? t`${entry.device} is told that you have seen it` : onButton[endOf(entry)];
/** How long a stopped alarm is quiet. */
export const stoppedUntil = (entry) => onTag[endOf(entry)];

/** The message after an alarm was stopped. */
export function stopped(entry) {
  const name = entry.zone.name || t`The zone`;
  const { device } = entry;
  return {
    over: () => t`${name} is quiet until this is over`,
    'own-gone': () => t`${name} is quiet until you have left`,
    'own-back': () => t`${name} is quiet until you are back`,
    'phone-gone': () => t`${name} is quiet until ${device} has left`,
    'phone-back': () => t`${name} is quiet until ${device} is back`,
  }[endOf(entry)]();
}

const endings = {
  left: t`left`,
  passed_through: t`passed through`,
  deactivated: t`switched off`,
  zone_removed: t`zone removed`,
  zone_edited: t`zone edited`,
  schedule_closed: t`hours over`,
};
/** The reason why an alarm ended by itself; undefined if it needs no words. */
export const endingWords = (why) => endings[why];

const states = {
  ringing: t`Ringing`,
  closed: t`Closed for now, rings again`,
  sleeping: t`Asleep`,
  acknowledged: t`Stopped`,
  acknowledged_for_today: t`Asleep for today`,
  cleared: t`Over`,
  retracted: t`Turned out otherwise`,
};

/** The giver of an answer, from the server's word for it: an account's login, or a link that went out on a channel. */
export const answerer = (by) => (by.startsWith('account ') ? by.slice('account '.length) : t`a link in a message`);

/** The outcome of an alarm of the server: its state, why it ended, who answered it and when. */
export function whatBecame({ state, clearing, answered_at: at, answered_by: by }) {
  const answered = at && clock(Date.parse(at));
  return [
    states[state] ?? state,
    endingWords(clearing),
    answered && (by ? t`answered by ${answerer(by)} at ${answered}` : t`answered at ${answered}`),
  ]
    .filter(Boolean)
    .join(' · ');
}
