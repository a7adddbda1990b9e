// The account's check-in: by when the person wants to be back.
import { snackbar } from '../../parts/snackbar.js';
import { t } from '../words/translate.js';
import * as words from '../words/words.js';

const minute_ms = 60_000;

/** Keeps the check-in as the server has it. Dispatches `change`. */
export class CheckIn extends EventTarget {
  /** The server's answer; nothing while it is not known. */
  value;
  #app;
  #server;

  constructor(app, server, stream) {
    super();
    this.#app = app;
    this.#server = server;
    for (const event of ['check_in', 'open']) stream.addEventListener(event, () => this.look());
  }

  get isOn() {
    return this.value?.state === 'running' || this.value?.state === 'missed';
  }
  get isMissed() {
    return this.value?.state === 'missed';
  }

  /** Asks the server. Without it, the check-in stays as it was. */
  look() {
    if (!this.#app.offersSOS) return this.#take(undefined);
    return this.#server.ask('GET', '/check-in').then(
      (value) => this.#take(value),
      () => {},
    );
  }

  set = async (wanted) => this.#take(await this.#server.ask('PUT', '/check-in', wanted));
  prolong = async (minutes) => this.#take(await this.#server.ask('POST', '/check-in/prolong', { minutes }));
  end = async () => this.#take(await this.#server.ask('DELETE', '/check-in'));

  #take(value) {
    this.value = value;
    this.dispatchEvent(new Event('change'));
    this.#app.dispatchEvent(new Event('account'));
  }
}

let only;
/** @returns {CheckIn} the account's; the first call makes it */
export const checkInOf = (app, server, stream) => (only ??= new CheckIn(app, server, stream));

/** The time of a check-in: the clock, and the day if it is another. */
export function backBy(at, now) {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? words.clock(at) : `${words.day(at)}, ${words.clock(at)}`;
}

/** The time left, or that it is over. */
export function timeLeft({ state, back_by: by }, now) {
  const left = Date.parse(by) - now;
  if (state === 'missed') return t`The time is over, and you have not said that you are back.`;
  return t`${words.span(Math.max(0, Math.ceil(left / minute_ms) * 60))} left`;
}

/** Ends the check-in. @returns {Promise<boolean>} whether it ended */
export async function sayBack(checkIn) {
  const wasMissed = checkIn.isMissed;
  try {
    await checkIn.end();
    snackbar(wasMissed ? t`You are back. Everybody who was told learns it.` : t`You are back.`);
    return true;
  } catch (error) {
    snackbar(t`Not ended: ${error.message}`);
    return false;
  }
}
