// Sounds (S105-S111), in the page, checked sample by sample.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { audit, auditBoth } from '../support/Audit.mjs';
import { Browser, phone, tablet } from '../support/Browser.mjs';
import { choose } from '../support/Handing.mjs';
import { PageServer } from '../support/PageServer.mjs';
import { keptIn, visit, zoneForm } from '../support/Visit.mjs';

let browser, server, folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sounds-'));
  [browser, server] = await Promise.all([Browser.launch(), PageServer.start()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Records the started sounds, in order: length in s, and whether they repeat. */
const ear = `globalThis.heard = [];
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...how) { heard.push({ length_s: this.buffer.duration, loop: this.loop }); return start.apply(this, how); };`;

const at = async (address, { zones = [], look = phone } = {}) => {
  const page = await visit({
    browser,
    origin: server.origin,
    look: { ...look, before: ear },
    address,
    kept: zones.length ? { zones } : {},
  });
  await page.see('.sound');
  return page;
};

/** Half a second of 440 Hz, at 8 kHz and 16 bit. */
function wave() {
  const count = 4000;
  const bytes = Buffer.alloc(44 + count * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + count * 2, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(16000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(count * 2, 40);
  for (let at = 0; at < count; at++)
    bytes.writeInt16LE(Math.round(20000 * Math.sin((2 * Math.PI * 440 * at) / 8000)), 44 + at * 2);
  return bytes;
}

test('each of our sounds is what it is meant to be: strong enough, never clipped, silent at the end, without a seam', async () => {
  const page = await at('/sounds');
  const found = await page.run(async () => {
    const { render, soundSet } = await import('/scripts/sounds/sound-set.js');
    return Promise.all(
      soundSet.map(async (sound) => {
        const once = (await render(sound)).getChannelData(0);
        const twice = (await render(sound, { repeating: true })).getChannelData(0);
        const half = twice.length / 2;
        let jump = 0;
        for (let at = 1; at < once.length; at++) jump = Math.max(jump, Math.abs(once[at] - once[at - 1]));
        return {
          name: sound.name,
          peak: once.reduce((most, x) => Math.max(most, Math.abs(x)), 0),
          rms: Math.sqrt(once.reduce((sum, x) => sum + x * x, 0) / once.length),
          end: Math.abs(once.at(-1)),
          seam: Math.abs(twice[half] - twice.at(-1)),
          jump,
          period: half / 48_000,
        };
      }),
    );
  });
  assert.deepEqual(
    found.map(({ name }) => name),
    ['Harbour bells', 'Marimba', 'Sonar', 'Beacon', 'Klaxon'],
  );
  for (const { name, peak, rms, end, seam } of found) {
    assert.ok(peak > 0.3 && peak <= 0.54, `${name}: peak ${peak}`);
    assert.ok(20 * Math.log10(rms) > -23, `${name}: ${20 * Math.log10(rms)} dB`);
    assert.ok(end < 1e-3 && seam < 1e-3, `${name}: ends at ${end}, seam ${seam}`);
  }
  assert.deepEqual(
    found.map(({ period }) => period),
    [2.4, 1.6, 2, 1, 0.9],
  );
  await page.context.close();
});

test('a tap plays a sound, a description is asked for afterwards, and NO ends the asking for this visit (S105, S106, S107)', async () => {
  const page = await at('/sounds');
  await auditBoth(page, 'sounds-phone');
  await page.tap('button[data-key="play-Klaxon"]');
  await page.see('button[aria-label="Stop Klaxon"]');
  assert.deepEqual(await page.run(() => heard.map(({ loop }) => loop)), [false]);
  await page.see('.question', 'Describe this sound?');
  await audit(page, 'sounds, asking');
  await page.tap('.question button', 'No');
  await page.gone('.question');
  await page.tap('button[data-key="sound-Beacon"]');
  await page.see('button[aria-label="Stop Beacon"]');
  await page.gone('button[aria-label="Stop Beacon"]');
  assert.equal(await page.run(() => document.querySelector('.question')), null);
  await page.run(() => {
    location.hash = '#/more';
  });
  await page.gone('.sound');
  await page.run(() => {
    location.hash = '#/sounds';
  });
  await page.tap('button[data-key="play-Klaxon"]');
  await page.see('.question');
  await page.context.close();
});

test('a description is shown in the list and changes nothing else (S106, S108)', async () => {
  const page = await at('/sounds', { look: tablet });
  await page.click('.segments button', 'Describe');
  await page.click('button[data-key="sound-Sonar"]');
  await page.type('dialog input', 'For the boat');
  await page.press('Enter');
  await page.see('.sound', 'For the boat');
  await page.reload();
  await page.see('.sound', 'For the boat');
  assert.deepEqual(
    await page.run(async () =>
      (await import('/scripts/sounds/sounds.js'))
        .all()
        .then((all) =>
          all.filter(({ description }) => description).map(({ name, description }) => [name, description]),
        ),
    ),
    [['Sonar', 'For the boat']],
  );
  await page.context.close();
});

test('in Select, a tap chooses the zone’s sound (S105, S109, S110)', async () => {
  const page = await at('/sounds?zone=00000000000000a1', { zones: [zoneForm('a1', 'Hall')] });
  assert.deepEqual(
    await page.run(() => [...document.querySelectorAll('.segments [role=radio]')].map((each) => each.textContent)),
    ['Play', 'Select', 'Describe', 'Add own'],
  );
  assert.equal(await page.run(() => document.querySelector('.back').getAttribute('href')), '#/zones/00000000000000a1');
  await page.tap('button[data-key="sound-Marimba"]');
  await page.see('button[data-key="sound-Marimba"][aria-pressed="true"]');
  await page.until(async () =>
    (await (await import('/scripts/storage/storage.js')).Storage.open())
      .get('zones', '00000000000000a1')
      .then(({ sound }) => sound === 'Marimba'),
  );
  await page.tap('button[data-key="standard"]');
  await page.until(async () =>
    (await (await import('/scripts/storage/storage.js')).Storage.open())
      .get('zones', '00000000000000a1')
      .then(({ sound }) => sound === ''),
  );
  await auditBoth(page, 'sound-of-zone-phone');
  await page.context.close();
});

test('when the sounds are opened from the zone editor, the button back is labelled Alert Zone Editor (S110)', async () => {
  const page = await at('/sounds');
  await page.run(() => {
    import('/screens/sounds/sound-list.js')
      .then(({ chooseSound }) => chooseSound({ app: { settings: {} }, selected: '' }))
      .then((name) => {
        globalThis.chosen = name;
      });
  });
  await page.tap('dialog button[data-key="sound-Beacon"]');
  await audit(page, 'sound sheet');
  await page.tap('dialog button', 'Alert Zone Editor');
  assert.equal(await page.until(() => globalThis.chosen), 'Beacon');
  await page.context.close();
});

test('names of sounds are equal only letter for letter, and for a missing sound the standard one plays and the page says so (S111)', async () => {
  const page = await at('/sounds?zone=00000000000000a1', { zones: [zoneForm('a1', 'Airport', { sound: 'marimba' })] });
  await page.see('.note', '“marimba” is not on this device.');
  await page.see('.note', 'There is “Marimba”');
  const played = await page.run(async () => {
    const { play } = await import('/scripts/sounds/sounds.js');
    const { name, missing } = await play('marimba', { loop: true });
    return { name, missing };
  });
  assert.deepEqual(played, { name: 'Harbour bells', missing: 'marimba' });
  await page.run(() => {
    location.hash = '#/sounds';
  });
  await page.see('.note', 'It is the sound of Airport');
  await page.context.close();
});

test('a file of one’s own is kept, played in a loop without a pause, and found again by its exact name', async () => {
  const page = await at('/sounds', { zones: [zoneForm('a1', 'Airport', { sound: 'homer' })] });
  await page.tap('.segments button', 'Add own');
  await auditBoth(page, 'sounds-own-phone');
  await writeFile(join(folder, 'homer.wav'), wave());
  await choose(page, '.sound-list input[type=file]', join(folder, 'homer.wav'));
  await page.see('.sound', 'homer');
  await page.reload();
  await page.see('.sound', 'homer');
  const [own] = await keptIn(page, 'sounds');
  assert.equal(own.name, 'homer');
  assert.ok(Math.abs(own.length_s - 0.5) < 0.01, `${own.length_s} s`);
  const played = await page.run(async () => {
    const { play } = await import('/scripts/sounds/sounds.js');
    const { name, missing } = await play('homer', { loop: true });
    return { name, missing, last: heard.at(-1) };
  });
  assert.equal(played.name, 'homer');
  assert.equal(played.missing, undefined);
  assert.equal(played.last.loop, true);
  await page.tap('.segments button', 'Add own');
  await page.tap('button[aria-label="Delete homer"]');
  await page.gone('button[aria-label="Delete homer"]');
  await page.tap('.snackbar button', 'Undo');
  await page.see('.sound', 'homer');
  await page.context.close();
});

test('what is no sound is refused in words: no audio, a name that is taken, too large', async () => {
  const page = await at('/sounds');
  await page.tap('.segments button', 'Add own');
  for (const [name, bytes, said] of [
    ['letter.wav', Buffer.from('dear sir'), 'This browser cannot play letter.wav'],
    ['cut.wav', wave().subarray(0, 30), 'This browser cannot play cut.wav'],
    ['empty.mp3', Buffer.alloc(0), 'This browser cannot play empty.mp3'],
    ['Sonar.wav', wave(), 'There is a sound called “Sonar” already'],
    ['.wav', wave(), 'The file has no name'],
    ['long.wav', Buffer.alloc(20 * 1024 * 1024 + 1), 'at most 20 MB'],
  ]) {
    await writeFile(join(folder, name), bytes);
    await choose(page, '.sound-list input[type=file]', join(folder, name));
    await page.see('.snackbar', said);
  }
  assert.deepEqual(await keptIn(page, 'sounds'), []);
  assert.deepEqual(page.problems, []);
  await page.context.close();
});

test('stopped before it is ready, a sound stays silent; the last one asked for is the one that plays', async () => {
  const page = await at('/sounds');
  const heard = await page.run(async () => {
    const { play, stop } = await import('/scripts/sounds/sounds.js');
    const first = play('Klaxon', { loop: true });
    stop();
    await first;
    const two = play('Beacon');
    const three = play('Harbour bells');
    await Promise.all([two, three]);
    stop();
    return globalThis.heard.map(({ length_s: length }) => Math.round(length * 10) / 10);
  });
  assert.deepEqual(heard, [2.4]);
  await page.context.close();
});
