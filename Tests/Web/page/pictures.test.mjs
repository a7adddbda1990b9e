// Compares the main screens, reduced in size, with the pictures in `pictures`. After an intended change, `make page-pictures`
// takes them again.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, shots, tablet } from '../support/Browser.mjs';
import { ears, Story, walk } from '../support/Story.mjs';
import { at, drawn, middle, settled, town } from '../support/Zones.mjs';

const folder = 'Tests/Web/pictures';
/** Pixels of the picture per CSS pixel: a shift of less than two CSS pixels makes no difference. */
const scale = 1 / 3;
/**
 * The permitted difference of a channel from the best neighbouring pixel, of 255, and the permitted number of worse pixels, per
 * thousand.
 */
const shade = 48;
const share = 12;

let story;
before(async () => {
  story = await Story.begin({ map: true });
});
after(() => story?.end());

/** 9:41 on a Saturday in May, in Berlin. */
const morning = `${ears}
  skip(${Date.UTC(2026, 4, 16, 7, 41)} - Date.now());
  globalThis.Date = class extends Date { constructor(...given) { if (given.length) super(...given); else super(Date.now()); } };`;

/** The number of pixels, per thousand, to which no pixel within one of the same place in the other picture is similar. */
const difference = (page, one, other) =>
  page.run(
    async (pictures, most) => {
      const [a, b] = await Promise.all(
        pictures.map(async (data) => {
          const image = new Image();
          image.src = `data:image/png;base64,${data}`;
          await image.decode();
          const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
          const pen = canvas.getContext('2d');
          pen.drawImage(image, 0, 0);
          return {
            width: canvas.width,
            height: canvas.height,
            data: pen.getImageData(0, 0, canvas.width, canvas.height).data,
          };
        }),
      );
      if (a.width !== b.width || a.height !== b.height) return 1000;
      const far = (from, to) =>
        Math.max(...[0, 1, 2].map((channel) => Math.abs(a.data[from * 4 + channel] - b.data[to * 4 + channel])));
      let off = 0;
      for (let y = 0; y < a.height; y++)
        for (let x = 0; x < a.width; x++) {
          let least = 255;
          for (let up = Math.max(0, y - 1); up <= Math.min(a.height - 1, y + 1) && least > most; up++) {
            for (let left = Math.max(0, x - 1); left <= Math.min(a.width - 1, x + 1) && least > most; left++)
              least = Math.min(least, far(y * a.width + x, up * a.width + left));
          }
          if (least > most) off++;
        }
      return (off * 1000) / (a.width * a.height);
    },
    [one, other].map((bytes) => bytes.toString('base64')),
    shade,
  );

for (const [size, look] of [
  ['phone', phone],
  ['wide', tablet],
]) {
  for (const dark of [false, true]) {
    const name = `the main screens on a ${size === 'phone' ? 'phone' : 'wide screen'}, ${dark ? 'dark' : 'light'}`;
    test(name, { skip: !process.env.RENEW && inAll }, async () => {
      const page = await story.open({
        zones: town,
        at: middle,
        look: { ...look, dark, before: morning },
        address: '/about',
      });
      await page.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
      const differences = [];
      const compare = async (name) => {
        if (size === 'wide' || (await page.run(() => document.querySelector('#stage').dataset.map === 'behind')))
          await settled(page);
        await page.run(() =>
          Promise.all(
            document
              .getAnimations()
              .filter(({ effect }) => effect.getComputedTiming().iterations < Infinity)
              .map(({ finished }) => finished.catch(() => {})),
          ),
        );
        const file = `${name}-${size}${dark ? '-dark' : ''}.png`;
        const [now, kept] = [await page.picture(scale), await readFile(join(folder, file)).catch(() => null)];
        await page.shot(`main-${file.slice(0, -4)}`);
        if (process.env.RENEW) {
          await mkdir(folder, { recursive: true });
          await writeFile(join(folder, file), now);
          return;
        }
        const off = kept ? await difference(page, kept, now) : 1000;
        if (off > share) {
          await mkdir(shots, { recursive: true });
          await writeFile(join(shots, `now-${file}`), now);
          differences.push(`${file}: ${Math.round(off)} of 1000`);
        }
      };
      const go = (address, selector, text) =>
        page
          .run((to) => {
            location.hash = to;
          }, address)
          .then(() => page.see(selector, text));
      await go('/', '#activate');
      await compare('alarm-off');
      await page.click('#activate');
      await page.see('#nearest', 'Tow path');
      await page.see('section[aria-label="Screen"]', 'On.');
      await compare('alarm-on');
      await go('/zones', '.zone-row .subhead', '52 m');
      await compare('zones');
      await go(`/map?zone=${town[0].id}`, '.callout', 'Bakery');
      await drawn(page, 'zone-pin-picked');
      await compare('map');
      await go(`/zones/${town[6].id}`, '.edit-pill');
      await drawn(page, 'draft-border');
      await compare('editor');
      await go('/more', 'h1', 'More');
      await compare('more');
      await go('/settings', '.setting');
      await compare('settings');
      await go('/history', '.journey, .empty');
      await compare('history');
      await go('/', '#nearest');
      const [latitude, longitude] = at(400, -400);
      await walk(page, { latitude, longitude });
      await page.see('#alarm-sheet', 'Bakery Sonne');
      await compare('alarm-sheet');
      assert.deepEqual(
        differences,
        [],
        'pixels that are different; `now-…` in .build-page-shots; `make page-pictures` renews what is kept',
      );
      await story.close(page);
    });
  }
}
