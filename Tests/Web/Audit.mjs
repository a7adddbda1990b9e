// What holds for every screen: no violation that axe finds, nothing to tap smaller than 44 pixels, nothing wider than the
// page, and no problem said by the browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const axe = readFile(resolve('.build-vendor/test/axe.min.js'), 'utf8');

/** @param {import('./Browser.mjs').Page} page */
export async function audit(page, where) {
  // Node lets the script in: the page's own policy keeps any other out.
  if (!await page.run(() => 'axe' in globalThis)) await page.run(`${await axe}; undefined`);
  const found = await page.run(async () => {
    const { violations } = await globalThis.axe.run({ exclude: [['.maplibregl-map']] }, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  });
  assert.deepEqual(found, [], where);
  const small = await page.run(() => {
    const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    return [...scope.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, [role=checkbox], [role=switch]')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.maplibregl-map, p, .skip') && !each.matches('.skip'))
      // A switch or an input may stand in a row that takes the tap for it.
      .map((each) => ({ each, box: (each.closest('label') ?? each).getBoundingClientRect() }))
      .filter(({ box }) => box.width < 43.5 || box.height < 43.5)
      .map(({ each, box }) => `${Math.round(box.width)}×${Math.round(box.height)} ${each.outerHTML.slice(0, 120)}`);
  });
  assert.deepEqual(small, [], `${where}: too small to tap`);
  const wide = await page.run(() => [...document.querySelectorAll('#outlet, dialog[open]')].filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => `${each.scrollWidth} > ${each.clientWidth}`));
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
