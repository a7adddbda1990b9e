// Rules for every screen: no violation of axe's rules, no control smaller than 44 pixels, nothing wider than the page, and no
// problem reported by the browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { smallBoxes, violations } from './Story.mjs';

const axe = readFile(resolve('.build-vendor/test/axe.min.js'), 'utf8');

/** @param {import('./Browser.mjs').Page} page */
const found = async (page, how) => {
  const isThere = await page.run(() => 'axe' in globalThis);
  return violations(page, isThere ? 'undefined' : `${await axe}; undefined`, how);
};

/** @param {import('./Browser.mjs').Page} page */
export async function audit(page, where) {
  assert.deepEqual(await found(page), [], where);
  assert.deepEqual(await smallBoxes(page), [], `${where}: too small to tap`);
  const wide = await page.run(() =>
    [...document.querySelectorAll('#outlet, dialog[open], .pane, bottom-sheet')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1)
      .map((each) => `${each.scrollWidth} > ${each.clientWidth}`),
  );
  assert.deepEqual(wide, [], `${where}: wider than there is room`);
  assert.deepEqual(page.problems, [], where);
}

/** The same, with the colours of the dark theme as well, and a picture of each. */
export async function auditBoth(page, name) {
  await page.look({});
  await audit(page, `${name}, light`);
  await page.shot(name);
  await page.look({ dark: true });
  assert.deepEqual(await found(page, { dark: true }), [], `${name}, dark`);
  assert.deepEqual(page.problems, [], `${name}, dark`);
  await page.shot(`${name}-dark`);
  await page.look({});
}
