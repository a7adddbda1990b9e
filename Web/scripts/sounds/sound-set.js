// The built-in sounds: notes of a few sine waves each, rendered on the device, without files to load.
import { t } from '../words/translate.js';

const bell = [
  [1, 1],
  [2, 0.6],
  [2.4, 0.35],
  [3, 0.25],
  [4.5, 0.12],
  [5.33, 0.08],
];
const marimba = [
  [1, 1],
  [4, 0.3],
  [9.2, 0.06],
];
const beacon = [
  [1, 1],
  [3, 0.33],
  [5, 0.2],
];
const horn = [
  [1, 1],
  [2, 0.5],
  [3, 0.4],
  [4, 0.25],
];

/**
 * `notes` are [start in s, frequency in Hz, length in s], repeated every `period` seconds; `partials` are
 * [frequency ratio, share]. A flat note keeps its volume, any other fades.
 */
export const soundSet = [
  {
    name: 'Harbour bells',
    about: t`Two bells, slow`,
    period: 2.4,
    level: 0.5,
    partials: bell,
    notes: [
      [0, 587.33, 2.2],
      [0.45, 440, 1.9],
    ],
  },
  {
    name: 'Marimba',
    about: t`Four rising notes`,
    period: 1.6,
    level: 0.5,
    partials: marimba,
    notes: [
      [0, 523.25, 0.5],
      [0.2, 659.25, 0.5],
      [0.4, 783.99, 0.5],
      [0.6, 1046.5, 0.5],
    ],
  },
  {
    name: 'Sonar',
    about: t`One clear ping`,
    period: 2,
    level: 0.5,
    partials: [
      [1, 1],
      [1.003, 0.5],
    ],
    notes: [[0, 880, 1.4]],
  },
  {
    name: 'Beacon',
    about: t`Three pips, piercing`,
    period: 1,
    level: 0.55,
    flat: true,
    partials: beacon,
    notes: [
      [0, 960, 0.12],
      [0.2, 960, 0.12],
      [0.4, 1280, 0.18],
    ],
  },
  {
    name: 'Klaxon',
    about: t`Two tones, the loudest`,
    period: 0.9,
    level: 0.5,
    flat: true,
    partials: horn,
    notes: [
      [0, 415, 0.4],
      [0.45, 311, 0.4],
    ],
  },
];

/** The sound of zones without a sound of their own, or with one that is not on this device. */
export const defaultSound = 'Harbour bells';

const attack = 0.006;
const release = 0.02;

/**
 * Renders a sound once, or for repeating: then it is two periods long, and the second period, which includes the end of the first
 * one's notes, can be looped without a seam.
 * @returns {Promise<AudioBuffer>}
 */
export function render(sound, { repeating = false, rate = 48_000 } = {}) {
  const end = Math.max(...sound.notes.map(([at, , length]) => at + length)) + release;
  const seconds = repeating ? 2 * sound.period : Math.max(end, sound.period);
  const context = new OfflineAudioContext(1, Math.ceil(seconds * rate), rate);
  for (const turn of repeating ? [0, sound.period] : [0]) {
    for (const note of sound.notes) strike(context, sound, note, turn);
  }
  return context.startRendering();
}

function strike(context, { partials, level, flat }, [at, frequency, length], turn) {
  const begin = turn + at;
  const whole = partials.reduce((sum, [, share]) => sum + share, 0);
  const strength = context.createGain();
  strength.gain.setValueAtTime(0, begin);
  strength.gain.linearRampToValueAtTime(level, begin + attack);
  if (flat) {
    strength.gain.setValueAtTime(level, begin + length - release);
    strength.gain.linearRampToValueAtTime(0, begin + length);
  } else {
    strength.gain.setTargetAtTime(0, begin + attack, length / 5);
    // Five time constants leave 0.7 %; the rest fades without a click.
    strength.gain.setTargetAtTime(0, begin + length - release, release / 5);
  }
  strength.connect(context.destination);
  for (const [ratio, share] of partials) {
    const wave = context.createOscillator();
    const part = context.createGain();
    wave.frequency.value = frequency * ratio;
    part.gain.value = share / whole;
    wave.connect(part).connect(strength);
    wave.start(begin);
    wave.stop(begin + length);
  }
}
