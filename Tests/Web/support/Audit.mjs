// What holds for every screen: no violation that axe finds, nothing to tap smaller than 44 pixels, nothing wider than the
// page, and no problem said by the browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { smallBoxes, violations } from './Story.mjs';

const axe = readFile(resolve('.build-vendor/test/axe.min.js'), 'utf8');

/** @param {import('./Browser.mjs').Page} page */
export async function audit(page, where) {
  const isThere = await page.run(() => 'axe' in globalThis);
  assert.deepEqual(await violations(page, isThere ? 'undefined' : `${await axe}; undefined`), [], where);
  assert.deepEqual(await smallBoxes(page), [], `${where}: too small to tap`);
  const wide = await page.run(() =>
    [...document.querySelectorAll('#outlet, dialog[open], .pane, bottom-sheet')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1)
      .map((each) => `${each.scrollWidth} > ${each.clientWidth}`),
  );
  assert.deepEqual(wide, [], `${where}: wider than there is room`);
  assert.deepEqual(page.problems, [], where);
}

/** The same in light and dark, with a picture of each. */
export async function auditBoth(page, name) {
  for (const dark of [false, true]) {
    await page.look({ dark });
    await audit(page, `${name}, ${dark ? 'dark' : 'light'}`);
    await page.shot(`${name}${dark ? '-dark' : ''}`);
  }
  await page.look({});
}
