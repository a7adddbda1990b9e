// The zone editor as people use it.
import { at, drawn, middle, settled, zone } from './Zones.mjs';

export const square = zone(0x51, {
  name: 'Square',
  category: 'Work',
  alert_distance_m: 60,
  places: [at(-100, -100), at(-100, 100), at(100, 100), at(100, -100)],
});

/** The editor of a zone, with its lines drawn, and the whole of its form unless it is not wanted. */
export async function opened(story, form = square, { zones = [form], isWhole = true, ...more } = {}) {
  const kept = { settings: { whole_zone_form: isWhole } };
  const page = await story.open({ zones, kept, at: middle, address: `/zones/${form.id}?from=list`, ...more });
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
/** Saves, and gives what is kept then. */
export const save = async (page, id) => {
  await page.run(() => {
    document.querySelector('bottom-sheet').rest = 'half';
  });
  await page.run(() => document.querySelector('.save').click());
  await page.until(() => !location.hash.startsWith('#/zones/'));
  return kept(page, id);
};
/** Puts a value into a field, as typing and leaving it does. */
export const enter = (page, label, value) =>
  page.run(
    (words, given) => {
      const label = [...document.querySelectorAll('.zone-form label, dialog label')].find(
        (each) => each.textContent === words && each.checkVisibility(),
      );
      if (!label) throw new Error(`no field ${words}`);
      const input = document.getElementById(label.htmlFor);
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
