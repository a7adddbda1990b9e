// The scale of the map, in the person's units.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { tablet } from '../support/Browser.mjs';
import { Story } from '../support/Story.mjs';
import { onMap, openedMap, settled } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

/** The text of the bar, and the length that it spans by the map's own calculation, in metres. */
const bar = (page) =>
  onMap(page, (view) => {
    const element = document.querySelector('.scale-bar');
    const { width } = element.getBoundingClientRect();
    const { lng, lat } = view.map.getCenter();
    const at = view.map.project([lng, lat]);
    const [from, to] = [at.x - width / 2, at.x + width / 2].map((x) => view.map.unproject([x, at.y]));
    return { text: element.textContent, spans_m: from.distanceTo(to) };
  });

for (const look of [undefined, tablet])
  test(
    `a bar says how far it is on ${look ? 'a tablet' : 'a phone'}, and the units that are chosen hold at once`,
    { skip: look && inAll },
    async () => {
      const page = await openedMap(story, { kept: { settings: { units: 'metric' } }, ...(look && { look }) });
      for (const [zoom, text, metres] of [
        [14, /^(200|500) m$/, 1],
        [9, /^(5|10|20) km$/, 1000],
      ]) {
        await onMap(
          page,
          (view, to) => {
            view.map.jumpTo({ zoom: to });
          },
          zoom,
        );
        const { text: said, spans_m } = await bar(page);
        assert.match(said, text);
        const stated = parseFloat(said) * metres;
        assert.ok(Math.abs(spans_m - stated) < stated * 0.01, `${said} spans ${spans_m} m`);
      }
      await page.run(async () => (await import('/scripts/main.js')).app.changeSettings({ units: 'imperial' }));
      await page.see('.scale-bar', 'mi');
      const { text: said, spans_m } = await bar(page);
      assert.ok(Math.abs(spans_m - parseFloat(said) * 1609.344) < spans_m * 0.01, `${said} spans ${spans_m} m`);
      await onMap(page, (view) => {
        view.map.jumpTo({ zoom: 16 });
      });
      await page.see('.scale-bar', 'ft');
      await settled(page);
      await page.shot(`map-scale-${look ? 'tablet' : 'phone'}`);
      await story.close(page);
    },
  );
