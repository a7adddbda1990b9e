// All sounds of this device, ours and people's own files: found by exact name, played once or until stopped.
import { painted } from '../page/painted.js';
import { defaultSound, render, soundSet } from './sound-set.js';
import { t } from '../words/translate.js';
import { compareNames } from '../words/locale.js';

/** Of an own sound, the first so many seconds are heard. */
export const longest_s = 60;
/** An own file may be so large. */
export const largest_bytes = 20 * 1024 * 1024;

/** Why a file does not become a sound, in words for people. */
export class SoundRefused extends Error {}

let storage;
let standard = defaultSound;
let context;
let current;
let turn = 0;
const rendered = new Map();

/** Own files and descriptions are kept there. Without, there are only the sounds that come with the product. */
export function keepIn(place) {
  storage = place;
}

/** What zones play that name no sound, and those whose sound is not on this device. Without a name, ours again. */
export function setStandard(name) {
  standard = name || defaultSound;
}
export const standardSound = () => standard;

/**
 * Lets sound come out from now on. To be called while a person touches the page: browsers are silent until then.
 * Begins to make the sounds named, so that the first ring need not wait.
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

/** Makes ready what takes a moment, before anybody touches the page; silent until `unlock`. */
export function prepare() {
  audio();
}

/** Tells `change` when the browser begins or ceases to hold all sound back. */
export const output = new EventTarget();
const tell = () => output.dispatchEvent(new Event('change'));

/** Whether a sound that plays now comes out. */
export const comesOut = () => context?.state === 'running';
/**
 * Whether the browser holds all sound back: before the page is touched, and on some systems after a call. False before that is
 * known, which takes a moment.
 */
export const isHeldBack = () => isSettled && !comesOut();
let isSettled = false;
/** So long a browser that lets sound out may take to begin with it, in ms. */
const beginning_ms = 500;

/** From now on each touch and key lets sound out, where it is held back. Which of them a browser counts differs. */
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
    // Where the system asks what a sound is for, an alarm is to be heard though the ringer is off.
    if (navigator.audioSession) navigator.audioSession.type = 'playback';
  }
  return context;
}

/**
 * Plays a sound; what played before stops.
 * @param {string} name as it is written, letter for letter; empty is the standard sound
 * @param {{loop?: boolean, rising?: boolean}} how `loop`: until `stop()`; `rising`: from soft to full within 20 s
 * @returns {Promise<{name: string, missing?: string, ended: Promise<void>, stop: () => void}>} what plays in fact: where
 *   there is no sound of that name, the standard one does, or ours, and `missing` says what there is none of; `stop` ends
 *   this one, and not one that has taken its place
 */
export async function play(name, { loop = false, rising = false } = {}) {
  stop();
  const mine = ++turn;
  let plays;
  let found;
  let missing;
  for (plays of new Set([name || standard, standard, defaultSound])) {
    // A file that decoded once and does not now is as good as gone.
    found = await buffer(plays, loop).catch(() => undefined);
    if (found) break;
    missing ??= plays;
  }
  // Stopped, or another one asked for, while this was made ready.
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

/** Silence, without a click. */
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

/** Nil when there is no sound of that name. */
function buffer(name, repeating) {
  const key = `${repeating}/${name}`;
  if (!rendered.has(key)) {
    const making = make(name, repeating);
    rendered.set(key, making);
    // Neither a failure nor an absence is remembered: the file may come.
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
 * Ours first, then people's own by name.
 * @returns {Promise<{name, about, own: boolean, length_s: number, levels: number[], description?: string}[]>} `levels`
 *   are peaks from 0 to 1, evenly over the length
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

/** Empty takes the description away. It is shown in the list and means nothing else. */
export async function describe(name, description) {
  const descriptions = { ...(await storage.kept('sound_descriptions', {})) };
  const tidy = description.trim();
  if (tidy) descriptions[name] = tidy;
  else delete descriptions[name];
  await storage.keep('sound_descriptions', descriptions);
}

/**
 * Keeps an audio file on this device. It is named as the file is, without what follows the last dot.
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

/** @returns {Promise<object>} what `restore` takes */
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
