// All sounds of this device, built-in ones and people's own files: found by exact name, played once or until stopped.
import { painted } from '../page/painted.js';
import { defaultSound, render, soundSet } from './sound-set.js';
import { t } from '../words/translate.js';
import { compareNames } from '../words/locale.js';

/** The length, in s, to which an own sound is cut when it plays. */
export const longest_s = 60;
/** The largest size of an own file. */
export const largest_bytes = 20 * 1024 * 1024;

/** The reason why a file is not accepted as a sound, in words for people. */
export class SoundRefused extends Error {}

let storage;
let standard = defaultSound;
let context;
let current;
let turn = 0;
const rendered = new Map();

/** Sets the storage of own files and descriptions. Without it there are only the built-in sounds. */
export function keepIn(place) {
  storage = place;
}

/** Sets the sound of zones that name none, or one that is not on this device. Without a name, the built-in default. */
export function setStandard(name) {
  standard = name || defaultSound;
}
export const standardSound = () => standard;

/**
 * Enables sound. Must be called during a touch or a key press: browsers are silent until then.
 * Starts to render the named sounds, so that the first ring need not wait.
 */
export function unlock(...names) {
  audio()
    .resume()
    .catch(() => {});
  if (names.length)
    painted().then(() => {
      for (const name of names) buffer(name, true).catch(() => {});
    });
}

/** Prepares the audio output, which takes a moment; silent until `unlock`. */
export function prepare() {
  audio();
}

/** Dispatches `change` when the browser begins or ceases to block all sound. */
export const output = new EventTarget();
const tell = () => output.dispatchEvent(new Event('change'));

/** True if a sound played now is audible. */
export const comesOut = () => context?.state === 'running';
/**
 * True if the browser blocks all sound: before the page is touched, and on some systems after a call. False until that is known,
 * which takes a moment.
 */
export const isHeldBack = () => isSettled && !comesOut();
let isSettled = false;
/** The time, in ms, that a browser may take to start its audio output. */
const beginning_ms = 500;

/** Unlocks sound at each touch and key press while it is blocked. Browsers differ in which of these events they accept. */
export function unlockByTouch() {
  for (const name of ['pointerdown', 'pointerup', 'keydown'])
    addEventListener(name, () => comesOut() || unlock(), { capture: true, passive: true });
}

function audio() {
  if (!context) {
    context = new AudioContext({ latencyHint: 'interactive' });
    context.addEventListener('statechange', tell);
    setTimeout(() => {
      isSettled = true;
      tell();
    }, beginning_ms);
    // On systems with audio session types, an alarm must be audible even if the ringer is off.
    if (navigator.audioSession) navigator.audioSession.type = 'playback';
  }
  return context;
}

/**
 * Plays a sound and stops the previous one.
 * @param {string} name the exact name; empty for the standard sound
 * @param {{loop?: boolean, rising?: boolean}} how `loop`: until `stop()`; `rising`: from soft to full within 20 s
 * @returns {Promise<{name: string, missing?: string, ended: Promise<void>, stop: () => void}>} the sound that plays: if there is
 *   none of that name, the standard sound or else the built-in one, and `missing` is the name that was not found; `stop` ends only
 *   this sound, not a later one
 */
export async function play(name, { loop = false, rising = false } = {}) {
  stop();
  const mine = ++turn;
  let plays;
  let found;
  let missing;
  for (plays of new Set([name || standard, standard, defaultSound])) {
    // A file that cannot be decoded any more counts as missing.
    found = await buffer(plays, loop).catch(() => undefined);
    if (found) break;
    missing ??= plays;
  }
  // Stopped, or replaced by another sound, while this one was prepared.
  if (mine !== turn) return { name: plays, missing, ended: Promise.resolve(), stop: () => {} };
  const ended = start(found, { loop, rising, own: !isOurs(plays) });
  return { name: plays, missing, ended, stop: () => mine === turn && stop() };
}

function start(buffer, { loop, rising, own }) {
  const out = audio();
  out.resume().catch(() => {});
  const source = out.createBufferSource();
  const volume = out.createGain();
  source.buffer = buffer;
  source.connect(volume).connect(out.destination);
  if (rising) {
    volume.gain.setValueAtTime(0.1, out.currentTime);
    volume.gain.exponentialRampToValueAtTime(1, out.currentTime + 20);
  }
  if (loop) {
    source.loop = true;
    source.loopStart = own ? 0 : buffer.duration / 2;
    source.loopEnd = own ? Math.min(buffer.duration, longest_s) : buffer.duration;
    source.start();
  } else {
    source.start(0, 0, longest_s);
  }
  return new Promise((ended) => {
    current = { source, volume };
    source.onended = () => {
      if (current?.source === source) current = undefined;
      ended();
    };
  });
}

/** Stops the sound without a click. */
export function stop() {
  turn++;
  if (!current) return;
  const { source, volume } = current;
  current = undefined;
  volume.gain.cancelScheduledValues(0);
  volume.gain.setTargetAtTime(0, context.currentTime, 0.01);
  source.stop(context.currentTime + 0.06);
}

const isOurs = (name) => soundSet.some((sound) => sound.name === name);

/** The audio of a sound; undefined if there is none of that name. */
function buffer(name, repeating) {
  const key = `${repeating}/${name}`;
  if (!rendered.has(key)) {
    const making = make(name, repeating);
    rendered.set(key, making);
    // Failures and absences are not cached: the file may come.
    making.then(
      (made) => {
        if (!made) rendered.delete(key);
      },
      () => rendered.delete(key),
    );
  }
  return rendered.get(key);
}

async function make(name, repeating) {
  const ours = soundSet.find((sound) => sound.name === name);
  if (ours) return render(ours, { repeating });
  const own = await storage?.get('sounds', name);
  return own && audio().decodeAudioData(own.bytes.slice(0));
}

// MARK: The list

/**
 * The list of all sounds: built-in ones first, then people's own by name.
 * @returns {Promise<{name, about, own: boolean, length_s: number, levels: number[], description?: string}[]>} `levels`
 *   are peaks from 0 to 1, evenly spaced over the length
 */
export async function all() {
  const descriptions = (await storage?.kept('sound_descriptions', {})) ?? {};
  const ours = await Promise.all(
    soundSet.map(async ({ name, about }) => {
      const made = await buffer(name, false);
      return { name, about, own: false, length_s: made.duration, levels: levels(made) };
    }),
  );
  const own = ((await storage?.all('sounds')) ?? []).map(({ name, length_s, levels }) => ({
    name,
    own: true,
    length_s,
    levels,
  }));
  own.sort((a, b) => compareNames(a.name, b.name));
  return [...ours, ...own].map((sound) => ({ ...sound, description: descriptions[sound.name] }));
}

/** Sets the description of a sound, which only the list shows. An empty one is removed. */
export async function describe(name, description) {
  const descriptions = { ...(await storage.kept('sound_descriptions', {})) };
  const tidy = description.trim();
  if (tidy) descriptions[name] = tidy;
  else delete descriptions[name];
  await storage.keep('sound_descriptions', descriptions);
}

/**
 * Stores an audio file on this device. The sound is named after the file, without its extension.
 * @param {File} file
 * @returns {Promise<string>} its name
 * @throws {SoundRefused}
 */
export async function add(file) {
  const name = file.name.replace(/\.[^.]*$/, '').trim();
  if (!name) throw new SoundRefused(t`The file has no name: a sound is found by its name.`);
  if (file.size > largest_bytes) {
    throw new SoundRefused(
      t`${file.name} has ${Math.ceil(file.size / 2 ** 20)} MB; at most ${largest_bytes / 2 ** 20} MB can be kept.`,
    );
  }
  if (isOurs(name) || (await storage.get('sounds', name))) {
    throw new SoundRefused(
      t`There is a sound called “${name}” already. Rename the file, or delete the other one first.`,
    );
  }
  const bytes = await file.arrayBuffer();
  let decoded;
  try {
    decoded = await audio().decodeAudioData(bytes.slice(0));
  } catch {
    throw new SoundRefused(t`This browser cannot play ${file.name}. It usually plays MP3, WAV, M4A and Ogg files.`);
  }
  await storage.put('sounds', {
    name,
    bytes,
    type: file.type,
    length_s: Math.min(decoded.duration, longest_s),
    levels: levels(decoded),
  });
  return name;
}

/** @returns {Promise<object>} the removed record, for `restore` */
export async function remove(name) {
  const removed = await storage.get('sounds', name);
  await storage.remove('sounds', name);
  for (const repeating of [true, false]) rendered.delete(`${repeating}/${name}`);
  return removed;
}

export const restore = (removed) => storage.put('sounds', removed);

function levels(buffer, count = 24) {
  const samples = buffer.getChannelData(0);
  const used = Math.min(samples.length, longest_s * buffer.sampleRate);
  const peaks = Array.from({ length: count }, (_, place) => {
    let peak = 0;
    const end = Math.floor(((place + 1) * used) / count);
    for (let at = Math.floor((place * used) / count); at < end; at++) peak = Math.max(peak, Math.abs(samples[at]));
    return peak;
  });
  const highest = Math.max(...peaks, 1e-9);
  return peaks.map((peak) => Math.round((peak / highest) * 100) / 100);
}
