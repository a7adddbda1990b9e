// The zone editor, used like a person does.
import { at, drawn, middle, settled, zone } from './Zones.mjs';

export const square = zone(0x51, {
  name: 'Square',
  category: 'Work',
  alert_distance_m: 60,
  places: [at(-100, -100), at(-100, 100), at(100, 100), at(100, -100)],
});

/** The editor of a zone, with its lines drawn. */
export async function opened(story, form = square, { zones = [form], ...more } = {}) {
  const page = await story.open({ zones, at: middle, address: `/zones/${form.id}?from=list`, ...more });
  await page.see('.edit-pill');
  await drawn(page, 'draft-border');
  await settled(page);
  return page;
}
export const kept = (page, id) =>
  page.run(
    async (wanted) =>
      (await (await (await import('/scripts/storage/storage.js')).Storage.open()).get('zones', wanted)) ?? null,
    id,
  );
export const points = (page) => page.run(() => document.querySelectorAll('.zone-point').length);
/** Saves, and returns the stored zone. */
export const save = async (page, id) => {
  await page.run(() => {
    document.querySelector('bottom-sheet').rest = 'half';
  });
  await page.clickAtOnce('.save');
  await page.until(() => !location.hash.startsWith('#/zones/'));
  return kept(page, id);
};
/** Enters a value in a field and leaves it; a list of common values offers it, or it is typed as another. */
export const enter = (page, label, value) =>
  page.run(
    (words, given) => {
      const label = [...document.querySelectorAll('.zone-form label, dialog label')].find(
        (each) => each.textContent === words && each.checkVisibility(),
      );
      if (!label) throw new Error(`no field ${words}`);
      let input = document.getElementById(label.htmlFor);
      if (input.localName === 'select' && ![...input.options].some((option) => option.value === given)) {
        input.value = 'other';
        input.dispatchEvent(new Event('change', { bubbles: true }));
        input = document.getElementById(label.htmlFor);
      }
      input.focus();
      input.value = given;
      input.dispatchEvent(new Event('change', { bubbles: true }));
      input.blur();
    },
    label,
    value,
  );
export const full = (page) =>
  page.run(() => {
    document.querySelector('bottom-sheet').rest = 'full';
  });
