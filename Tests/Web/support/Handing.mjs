// Files from a person to the page, and from the page to a person.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { patience } from './Browser.mjs';

/** Drops files on the page, as from the desktop. @param {{name: string, text: string}[]} files */
export async function drop(page, ...files) {
  await page.see('[data-attends]');
  await page.run(fall, files);
}
const fall = (given) => {
  const carried = new DataTransfer();
  for (const { name, text } of given) carried.items.add(new File([text], name));
  for (const type of ['dragenter', 'dragover', 'drop'])
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
};

/** Selects files of the disk in a file input, like its dialog. */
export async function choose(page, selector, ...paths) {
  await page.until((one) => document.querySelector(one), selector);
  const {
    result: { objectId },
  } = await page.send('Runtime.evaluate', { expression: `document.querySelector(${JSON.stringify(selector)})` });
  await page.send('DOM.setFileInputFiles', { objectId, files: paths.map((path) => resolve(path)) });
}

/** The file that the page saves while `work` runs: its name and bytes. */
export async function kept(page, work) {
  const folder = await mkdtemp(join(tmpdir(), 'kept-'));
  const { browser } = page.context;
  await browser.send('Browser.setDownloadBehavior', {
    behavior: 'allowAndName',
    downloadPath: folder,
    eventsEnabled: true,
    browserContextId: page.context.id,
  });
  let name;
  const done = new Promise((yes, no) => {
    setTimeout(() => no(new Error(`nothing was given to keep within ${patience} ms`)), patience).unref();
    const stop = browser.listen(undefined, (method, params) => {
      if (method === 'Browser.downloadWillBegin') name = params.suggestedFilename;
      if (method === 'Browser.downloadProgress' && params.state === 'completed') {
        stop();
        yes();
      }
    });
  });
  try {
    await Promise.all([work(), done]);
    const [file] = await readdir(folder);
    return { name, bytes: await readFile(join(folder, file)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** This many circles as Proximity Alarm Data. */
export const manyZones = (count, name = (index) => `Zone ${index}`) =>
  Array.from({ length: count }, (_, index) =>
    [
      'AlertZoneStart,,,',
      `AlertZoneName,${name(index)},,`,
      'AlertZoneCategory,Hazards,,',
      'AlertZoneSize,60.0,,',
      'AlertDistance,20.0',
      `Location,1,${(50 + (index % 100) * 0.01).toFixed(4)},${(10 + Math.floor(index / 100) * 0.01).toFixed(4)}`,
      `AlertZoneID,${(0xb000 + index).toString(16).padStart(16, '0')}`,
      'AlertZoneEnd,,,',
    ].join('\n'),
  ).join('\n');
