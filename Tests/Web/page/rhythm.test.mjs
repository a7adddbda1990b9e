// Rows, cards, headings and forms have the same distances on every screen and in every sheet.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, tablet } from '../support/Browser.mjs';
import { ask, Devices, edit, go, signIn } from '../support/Devices.mjs';
import { screens } from '../support/Screens.mjs';
import { place, zone } from '../support/Story.mjs';

const home = zone();
const long = 'Südkreuz station, the entrance at the far end of the long platform, below the bridge';
const more = ['/log', '/sealed', '/groups', '/reminders/nearby', '/past'];

let devices;
before(async () => {
  devices = await Devices.begin();
  await devices.setUp();
});
after(() => devices?.end());

async function begun(look) {
  const page = await devices.device(look);
  await page.move(place(1000));
  await signIn(page);
  await edit(page, [home, zone({ id: 'a000000000000002', name: long, category: 'Train', east: -900, distance: 400 })]);
  const { token } = await ask(page, 'POST', '/tokens', { name: 'phones' });
  await devices.report(token, place(50_000));
  return page;
}

/** Distances that differ from the usual ones, as text. */
const uneven = (page) =>
  page.run(() => {
    const found = new Set();
    const root = document.querySelector('dialog[open]') ?? document.querySelector('#outlet');
    const seen = (selector) =>
      [...root.querySelectorAll(selector)].filter((each) => each.checkVisibility() && each.offsetHeight);
    const box = (element) => element.getBoundingClientRect();
    const said = (element) => `“${element.innerText.trim().replace(/\s+/g, ' ').slice(0, 30)}”`;
    /** The gap between an element and the nearest of others that end above it. */
    const above = (element, others) => {
      const { top, left, right } = box(element);
      return others
        .filter((other) => other !== element && !other.contains(element) && !element.contains(other))
        .map((other) => [top - box(other).bottom, other])
        .filter(([gap, other]) => gap > -2 && box(other).left < right && left < box(other).right)
        .sort(([a], [b]) => a - b)[0];
    };
    const outer = seen('.card, .note, .segments, .trouble').filter((each) => !each.parentElement.closest('.card'));
    for (const card of outer.filter((each) => each.matches('.card, .note'))) {
      const [gap, other] = above(card, outer) ?? [];
      if (gap < 8) found.add(`${Math.round(gap)} px between ${said(other)} and the card ${said(card)}`);
    }
    for (const row of seen('.row:not(.setting):has(> .grow)')) {
      const lines = [...row.querySelector(':scope > .grow').children].filter((each) => each.offsetHeight);
      if (!lines.length || getComputedStyle(row).flexWrap === 'wrap') continue;
      const [top, bottom] = [box(lines[0]).top - box(row).top, box(row).bottom - box(lines.at(-1)).bottom];
      const height = box(lines.at(-1)).bottom - box(lines[0]).top;
      const isFilledByText = [...row.children].every((each) => each.matches('.grow') || each.offsetHeight <= 48);
      if (height > 36 && isFilledByText && (Math.abs(top - 15) > 1.5 || Math.abs(bottom - 15) > 1.5))
        found.add(`${Math.round(top)} px above and ${Math.round(bottom)} below the text of the row ${said(row)}`);
    }
    const parts = seen('p, h1, h2, .segments, .card, .input, .row');
    for (const label of seen('.field > label, .sheet-actions')) {
      const [gap, other] = above(label, parts) ?? [];
      if (gap < 8) found.add(`${Math.round(gap)} px between ${said(other)} and the label ${said(label)}`);
    }
    for (const select of seen('select')) {
      const { appearance, backgroundPositionX } = getComputedStyle(select);
      if (appearance !== 'none' || !backgroundPositionX.includes('100% - 16px'))
        found.add(`arrow of ${select.name || select.id}`);
    }
    return [...found];
  });

/** Sheets, as the screen and the control that opens them. */
const sheets = [
  ['/people', '[data-key="new-share"]'],
  ['/people', '[data-key="new-companion"]'],
  ['/people', '[data-key="new-deputy"]'],
  ['/account', '[data-key="add-channel"]'],
  ['/account', '#sign-out'],
  ['/account', '.account-ends .danger'],
  ['/security', '[data-key="change-password"]'],
  ['/security', '[data-key="own-mail"]'],
  ['/security', '[data-key="second-factor"]'],
  ['/collections', '[data-key="new-collection"]'],
  ['/groups', '[data-key="new-group"]'],
  ['/zones', '[data-key="publish"]'],
];

for (const [size, look] of [
  ['phone', phone],
  ['tablet', tablet],
])
  test(`rows, cards and labels keep their distances, ${size}`, { skip: inAll }, async () => {
    const page = await begun(look);
    await page.gone('.snackbar');
    const found = {};
    const judge = async (name) => {
      await page.run(async () => {
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      });
      const what = await uneven(page);
      if (what.length) found[name] = what;
      await page.shot(`rhythm-${name.slice(1).replace(/\W+/g, '-')}-${size}`);
    };
    for (const address of [...screens(home), ...more]) {
      await go(page, address);
      await page.until(
        () =>
          !document.querySelector('#outlet').innerText.includes('Asking the server') &&
          !document.querySelector('[aria-busy="true"]'),
      );
      await judge(address);
    }
    for (const [address, opener] of sheets) {
      await go(page, address);
      await page.clickAtOnce(opener);
      await page.see('dialog[open]');
      await judge(`${address} ${opener}`);
      await page.press('Escape');
      await page.gone('dialog[open]');
    }
    assert.deepEqual(found, {});
    await page.context.close();
  });
