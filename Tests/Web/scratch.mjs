import { readFile } from 'node:fs/promises';
import { Browser, phone, tablet } from './Browser.mjs';
import { Story, zone, place } from './Story.mjs';
import { drop, manyZones } from './Handing.mjs';
const story = await Story.begin();
const [walk, zones] = await Promise.all([readFile('Scenarios/walk.gpx', 'utf8'), readFile('Scenarios/zones.pad', 'utf8')]);
try {
  for (const [name, look] of [['phone', phone], ['wide', tablet]]) {
    const page = await story.open({ address: '/receive', look });
    await page.shot(`x-receive-${name}`);
    await drop(page, { name: 'zones.pad', text: zones });
    await page.see('#add');
    await page.shot(`x-preview-${name}`);
    await page.click('#add');
    await page.see('.snackbar', 'added');
    await page.run(() => { location.hash = '#/share'; });
    await page.see('#save');
    await page.shot(`x-share-${name}`);
    await page.run(() => { location.hash = '#/replay'; });
    await page.see('.empty');
    await page.shot(`x-replay-empty-${name}`);
    await drop(page, { name: 'walk.gpx', text: walk });
    await page.see('.journey .player');
    await page.run(() => document.querySelector('.scrubber').focus());
    for (let i = 0; i < 5; i++) await page.press('PageUp');
    await page.see('.own-position.replayed');
    await page.run(() => new Promise((done) => setTimeout(done, 4000)));
    await page.shot(`x-replay-${name}`);
    await page.click('.journey > .incidents .row', 'Railway');
    await page.see('dialog.why-sheet');
    await page.shot(`x-why-${name}`);
    await page.look({ dark: true });
    await page.press('Escape');
    await page.run(() => new Promise((done) => setTimeout(done, 3000)));
    await page.shot(`x-replay-${name}-dark`);
    await page.run(() => { location.hash = '#/history'; });
    await page.see('.day-pill');
    await page.shot(`x-history-empty-${name}-dark`);
    await page.look({});
    console.log(name, page.problems);
    await page.context.close();
  }
} finally { await story.end(); }
