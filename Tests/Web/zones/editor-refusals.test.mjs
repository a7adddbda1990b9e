// No input is lost without notice: Save stops at a refused field, and an area is not replaced without a question.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enter, full, kept, save } from '../support/Editor.mjs';
import { Story } from '../support/Story.mjs';
import { at, town } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

const [, market] = town;

async function opened(form) {
  const page = await story.open({
    zones: [form],
    address: `/zones/${form.id}?from=list`,
  });
  await page.see('.zone-form');
  await full(page);
  return page;
}
const isChosen = (page, shape) =>
  page.until((words) => document.querySelector('.segments [aria-checked="true"]')?.innerText.trim() === words, shape);
const isFocused = (words) => document.activeElement?.labels?.[0]?.textContent === words;

for (const [label, wrong, said, right, key, value] of [
  ['Radius', '-5', '-5 is not possible: 0.01 to 10,000,000 m.', '70', 'size_m', 70],
  ['Alert distance', '99999999', '99999999 is not possible: 0 to 10,000,000 m.', '80', 'alert_distance_m', 80],
  ['Grow or shrink', '1e9', 'is not possible', '5', 'inset_m', -5],
  ['Before you arrive', '-5', '-5 is not possible', '30', 'lead_s', 30],
  ['Floor', '600', 'The floor has to be below the ceiling of 400 m.', '300', 'floor_m', 300],
  ['Ceiling', '-20000', '-20000 is not possible: -12,000 to 100,000 m.', '500', 'ceiling_m', 500],
  ['Priority', '5000000000', 'is not possible', '3', 'priority', 3],
  ['Sleep time', '-1', 'is not possible', '60', 'sleep_s', 60],
])
  test(`Save stops at a refused ${label.toLowerCase()}`, async () => {
    const page = await opened({ ...market, ceiling_m: 400 });
    await enter(page, label, wrong);
    await page.see('.problem', said);
    // Another change keeps the typed text.
    await page.type('#zone-name', 'Yard');
    await page.tap('.save');
    assert.ok(await page.until(isFocused, label));
    assert.equal(await page.run(() => document.activeElement.value), wrong);
    assert.deepEqual(await kept(page, market.id), { ...market, ceiling_m: 400 });
    await enter(page, label, right);
    const zone = await save(page, market.id);
    assert.deepEqual([zone[key], zone.name], [value, 'Yard']);
    await story.close(page);
  });

test('a floor is taken once the ceiling that refused it is raised', async () => {
  const page = await opened({ ...market, ceiling_m: 400 });
  await enter(page, 'Floor', '600');
  await page.see('.problem', 'The floor has to be below');
  await enter(page, 'Ceiling', '900');
  await page.gone('.problem');
  const { floor_m: floor, ceiling_m: ceiling } = await save(page, market.id);
  assert.deepEqual([floor, ceiling], [600, 900]);
  await story.close(page);
});

test('a sheet of the editor stays open over what it refuses', async () => {
  const page = await opened(market);
  await page.tap('.form-rows .row', 'Notice');
  await enter(page, 'Title', 'Helmet on');
  await enter(page, 'Link', 'javascript:alert(1)');
  await page.tap('dialog .button', 'Done');
  assert.ok(await page.until(isFocused, 'Link'));
  await enter(page, 'Link', 'https://example.org/');
  await page.tap('dialog .button', 'Done');
  await page.gone('dialog[open]');
  await page.tap('.form-rows .row', 'Hours');
  await page.tap('dialog .row', 'Only at certain hours');
  await page.see('dialog input[aria-label="To"]');
  await page.run(() => {
    const input = document.querySelector('dialog input[aria-label="To"]');
    input.value = '';
    input.dispatchEvent(new Event('change'));
  });
  await page.tap('dialog .button', 'Done');
  assert.ok(await page.until(() => document.activeElement?.ariaLabel === 'To'));
  await story.close(page);
});

test('an area with parts and holes is shown as an area, stays one when tapped, and is not replaced unasked', async () => {
  const ring = (size, east = 0) => [
    at(-size, east - size),
    at(-size, east + size),
    at(size, east + size),
    at(size, east - size),
  ];
  const { places: _, size_m: __, ...rest } = market;
  const area = { ...rest, outline: 'area', parts: [[ring(100), ring(40)], [ring(30, 400)]] };
  const page = await opened(area);
  await isChosen(page, 'Area');
  await page.tap('.segments button', 'Area');
  await page.tap('.segments button', 'Circle');
  await page.see('dialog h2', 'Replace the area?');
  await page.shot('editor-replace-area-phone');
  await page.tap('dialog .button', 'Keep the area');
  await page.gone('dialog[open]');
  await isChosen(page, 'Area');
  await page.tap('.segments button', 'Path');
  await page.see('dialog h2', 'Replace the area?');
  await page.press('Escape');
  await page.gone('dialog[open]');
  await page.type('#zone-name', 'Parts');
  assert.deepEqual((await save(page, area.id)).parts, area.parts);
  await story.close(page);

  const replaced = await opened(area);
  await replaced.tap('.segments button', 'Circle');
  await replaced.tap('dialog .button', 'Replace');
  await replaced.see('label', 'Radius');
  assert.equal((await save(replaced, area.id)).places.length, 1);
  await story.close(replaced);
});
