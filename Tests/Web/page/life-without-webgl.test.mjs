// A browser that cannot draw maps: WebGL is turned off, or the device has none.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditBoth } from '../support/Audit.mjs';
import { tablet } from '../support/Browser.mjs';
import { kept } from '../support/Editor.mjs';
import { Story } from '../support/Story.mjs';
import { middle, town } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin({ more: ['--disable-3d-apis'], map: true });
});
after(() => story?.end());

test('the map screen says in words that there is no map, and all other screens can be reached', async () => {
  const page = await story.open({ zones: town, kept: { armed: true }, at: middle, address: '/map' });
  await page.see('.map-pane .headline', 'No map');
  await page.see('.map-pane .subhead', 'WebGL is switched off');
  assert.doesNotMatch(await page.text('.map-pane'), /[{}"]/, 'no raw JSON');
  await auditBoth(page, 'no-map-phone');
  await page.tap('.zones-switch a', 'List');
  await page.see('.zones-pane');
  await page.tap('nav.places a', 'Alarm');
  await page.tap('button', 'Deactivate');
  await page.until(async () => !(await import('/scripts/main.js')).app.report.armed);
  await story.close(page);
});

test('a zone is made without a map: by the own position, and by coordinates', async () => {
  const page = await story.open({ at: middle, address: '/zones/new?from=list' });
  await page.see('.editor-sheet .note', 'WebGL is switched off');
  await page.tap('.save');
  await page.see('.finding', 'add one under “Points”');
  await page.tap('.points-part .button', 'Add my position');
  await page.see('.point-list .row', '52.52000 N, 13.40500 E');
  await page.tap('.points-part .button', 'Add by coordinates');
  for (const [index, value] of [52.5, 13.4].entries()) {
    await page.run(
      (place, number) => {
        document.querySelectorAll('dialog input')[place].value = number;
      },
      index,
      value,
    );
  }
  await page.tap('dialog .button', 'Set');
  await page.see('.point-list .row', '52.50000 N, 13.40000 E');
  await auditBoth(page, 'editor-no-map-phone');
  await page.tap('.save');
  await page.see('.zone-row', 'Zone 1');
  const id = await page.run(async () => [...(await import('/scripts/main.js')).app.zones.keys()][0]);
  assert.equal((await kept(page, id)).places.length, 2);
  await story.close(page);
});

test('on a wide screen the place of the map says why it is empty', async () => {
  const page = await story.open({ zones: town, at: middle, look: tablet });
  await page.see('.map-absent', 'WebGL is switched off');
  await page.shot('no-map-wide');
  await page.run(() => {
    location.hash = '#/reminders/new';
  });
  await page.see('.results .note', 'Search, and choose from the list');
  await story.close(page);
});

test('“Where I am now” sets the own position without a map', async () => {
  const page = await story.open({ at: middle, address: '/zones/new?at=here' });
  await page.see('.editor-sheet .note', 'WebGL is switched off');
  await page.see('.point-list .row', '52.52000 N, 13.40500 E');
  await page.see('.edit-pill', '1 point');
  await story.close(page);
});

test('a place is found by its name without a map', async () => {
  const answer = { items: [{ name: 'Hauptbahnhof', word: 'station', latitude: 52.6, longitude: 13.5 }] };
  story.server.answers.set('/api/v1/places', (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
  );
  const page = await story.open({ at: middle });
  await page.type('.place-first input', 'haupt');
  await page.tap('.place-first .row', 'Hauptbahnhof');
  await page.see('.point-list .row', '52.60000 N, 13.50000 E');
  await page.until(() => document.querySelector('#zone-name').value === 'Hauptbahnhof');
  await story.close(page);
});
