// Acts when the engine reports that an alarm rings: sound, vibration, notification, alarm sheet.
import { phone } from '../device/phone-app.js';
import * as sounds from '../sounds/sounds.js';
import { t } from '../words/translate.js';
import * as words from '../words/words.js';
import * as notifications from './notifications.js';
import { Voice } from './voice.js';

const defaultCycle_s = 10;
/** The shortest and longest ring, in s. A ring lasts half the cycle: loud enough to annoy, with a pause to think. */
const shortest = 2.5;
const longest = 15;

/** Dispatches `change` when the ringing, playing or muted alarms differ, and `missed` with an event whose alarm is over already. */
export class Ringing extends EventTarget {
  /** The sound that is playing: `{name, missing?}`, or undefined. */
  playing;
  #app;
  /** Sources of alarms that are decided elsewhere: the account's phones, and other people's sealed messages. */
  #others = [];
  #muted = new Set();
  #stop;
  #voice;

  constructor(app) {
    super();
    this.#app = app;
    this.#voice = new Voice(app);
    this.#voice.addEventListener('change', () => {
      if (this.isElsewhere) {
        this.#quiet();
        this.#still();
      }
      this.#tell('change');
    });
    sounds.output.addEventListener('change', () => this.#tell('change'));
    app.addEventListener('events', ({ detail }) => this.#ring(detail));
    app.addEventListener('change', () => this.#settle());
    this.#settle();
  }

  /** The ringing alarms, the most urgent first. Closed ones are among them, as they keep repeating. */
  get alarms() {
    return this.#app.report.alarms.filter(({ zone }) => zone.state === 'ringing');
  }

  /** All ringing alarms, here and elsewhere, as the alarm sheet shows them. Alarms of phones and people have a `device`. */
  get entries() {
    return [...this.alarms, ...this.#others.flatMap((others) => others.ringing)];
  }
  /** The alarms of phones and people that are not over, quiet ones too. */
  get phones() {
    return this.#others.flatMap((others) => others.entries);
  }

  /** Adds a source of alarms. @param {EventTarget} others has `entries`, `ringing`, `has`, `answer`; dispatches `change`, `came`, `rang` */
  attend(others) {
    this.#others.push(others);
    others.addEventListener('change', () => {
      this.#settle();
      this.#app
        .noteOtherPhones(this.#others.reduce((sum, { ringing }) => sum + ringing.length, 0))
        .catch((error) => console.error(error));
    });
    others.addEventListener('came', ({ detail }) => this.#showOf(detail));
    others.addEventListener('rang', ({ detail }) => {
      if (!this.isElsewhere && document.visibilityState === 'visible') this.#sound(detail);
    });
    this.#settle();
  }

  /** True if another tab of this browser, or the app that shows this page, sounds and notifies. */
  get isElsewhere() {
    return Boolean(phone) || !this.#voice.isOurs;
  }

  /** True if the browser blocks this tab's sound until somebody touches the page. */
  get isHeldBack() {
    return !this.isElsewhere && sounds.isHeldBack();
  }
  /** True if a sound is audible now. */
  get isSounding() {
    return Boolean(this.playing) && sounds.comesOut();
  }

  #ring(events) {
    if (this.isElsewhere) return;
    const rung = events.filter(({ event }) => event === 'alarm' || event === 'repeat');
    if (!rung.length) return;
    const ids = new Set(rung.map(({ alarm }) => alarm));
    // An alarm that rings anew is not muted any more.
    for (const { event, alarm } of rung) if (event === 'alarm') this.#muted.delete(alarm);
    // One sound at a time: that of the most urgent alarm.
    const loud = this.alarms.find(({ alarm }) => ids.has(alarm));
    if (loud) this.#sound(loud);
    for (const event of rung) this.#notify(event);
  }

  #notify(event) {
    const alarm = this.alarms.find((each) => each.alarm === event.alarm);
    if (!alarm && event.event === 'alarm') this.#tell('missed', event);
    const isHeard = heardHere();
    if (event.event === 'repeat' && (isHeard || !alarm || alarm.closed)) return;
    notifications
      .show({
        alarm: event.alarm,
        zone: event.zone,
        silent: isHeard,
        title: event.name || t`A zone`,
        body: `${words.cause(event.cause)} · ${words.clock(event.time_ms)}`,
      })
      .catch((error) => console.error(error));
  }

  /** Notifies of a person's alarm: the server's push message cannot say what it is. */
  #showOf(entry) {
    if (this.isElsewhere) return;
    notifications
      .show({
        alarm: entry.alarm,
        isPerson: true,
        silent: heardHere(),
        title: entry.zone.name || t`A zone`,
        body: `${words.phoneCause(entry)} · ${words.clock(entry.began_ms)}`,
      })
      .catch((error) => console.error(error));
  }

  async #sound(alarm) {
    if (alarm.vibrate) {
      this.#vibrates = true;
      navigator.vibrate?.([400, 150, 400, 150, 800]);
    }
    if (this.#muted.has(alarm.alarm)) return;
    clearTimeout(this.#stop);
    const { sound_until_closed: on, rising_volume: rising, alarm_cycle_s: cycle = defaultCycle_s } = this.#app.settings;
    this.playing = await sounds.play(alarm.sound, { loop: true, rising: Boolean(rising) }).catch((error) => {
      console.error(error);
      return undefined;
    });
    if (!this.entries.some((each) => each.alarm === alarm.alarm)) this.#quiet();
    else if (!on || alarm.closed)
      this.#stop = setTimeout(() => this.#quiet(), Math.min(longest, Math.max(shortest, cycle / 2)) * 1000);
    this.#tell('change');
  }

  #quiet() {
    clearTimeout(this.#stop);
    if (!this.playing) return;
    sounds.stop();
    this.playing = undefined;
    this.#tell('change');
  }

  /** Stops the vibration, if there was one: browsers warn if nothing was begun. */
  #still() {
    if (this.#vibrates) navigator.vibrate?.(0);
    this.#vibrates = false;
  }
  #vibrates = false;

  #settle() {
    const { entries } = this;
    if (!entries.length) {
      this.#quiet();
      this.#still();
    }
    const ids = entries
      .map(({ alarm }) => alarm)
      .sort()
      .join();
    if (this.#settled !== ids) {
      this.#settled = ids;
      for (const id of this.#muted) if (!ids.includes(id)) this.#muted.delete(id);
      this.#withdraw();
    }
    this.#tell('change');
  }
  #settled = '';

  #withdraw() {
    notifications
      .keepOnly(this.entries.filter(({ closed }) => !closed).map(({ alarm }) => alarm))
      .catch((error) => console.error(error));
  }

  isMuted(alarm) {
    return this.#muted.has(alarm);
  }

  /** Mutes an alarm in this tab, or unmutes it; it continues to ring in every other way. */
  mute(alarm, is = true) {
    if (is) {
      this.#muted.add(alarm);
      this.#quiet();
    } else this.#muted.delete(alarm);
    this.#tell('change');
  }

  /** @param {'close'|'sleep'|'inside'|'today'} command */
  async answer(command, alarm, more) {
    this.#quiet();
    this.#still();
    const others = this.#others.find((each) => each.has(alarm));
    await (others ? others.answer(command, alarm) : this.#app.answer(command, alarm, more));
    this.#withdraw();
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** True if the page itself is visible and audible: its notifications can then be silent. */
const heardHere = () => document.visibilityState === 'visible' && sounds.comesOut();
