// Writes the product's sounds as WAV files, for the alarm of the Android application: `node Android/sounds.mjs FOLDER`.
// The page makes them with Web Audio, which is not there when nothing is shown; the notes are the same.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { soundSet } from '../Web/scripts/sounds/sound-set.js';

const rate = 16_000;
const attack_s = 0.006;
const release_s = 0.02;

/** One period, in which what rings on from the period before is heard: it loops without a seam. */
function render({ period, level, flat, partials, notes }) {
  const samples = new Float64Array(Math.round(period * rate));
  const whole = partials.reduce((sum, [, share]) => sum + share, 0);
  for (const [at, frequency, length] of notes) {
    for (let i = 0; i < length * rate; i++) {
      const time = i / rate;
      let wave = 0;
      for (const [ratio, share] of partials) {
        const pitch = frequency * ratio;
        if (pitch < rate / 2) wave += (share / whole) * Math.sin(2 * Math.PI * pitch * time);
      }
      samples[(Math.round(at * rate) + i) % samples.length] += level * strength(time, length, flat) * wave;
    }
  }
  return samples;
}

function strength(time, length, flat) {
  if (time < attack_s) return time / attack_s;
  const end = length - release_s;
  if (flat) return time < end ? 1 : Math.max(0, (length - time) / release_s);
  const decayed = Math.exp((-5 * (Math.min(time, end) - attack_s)) / length);
  return time < end ? decayed : decayed * Math.exp((-5 * (time - end)) / release_s);
}

/** As loud as can be without clipping: a person sets the alarm volume. */
function wav(samples) {
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const bytes = Buffer.alloc(44 + 2 * samples.length);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20); // PCM
  bytes.writeUInt16LE(1, 22); // one channel
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(2 * rate, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(2 * samples.length, 40);
  samples.forEach((sample, i) => bytes.writeInt16LE(Math.round((sample / loudest) * 32_000), 44 + 2 * i));
  return bytes;
}

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node Android/sounds.mjs FOLDER');
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
for (const sound of soundSet) writeFileSync(join(folder, `${sound.name}.wav`), wav(render(sound)));
