// A screen that fails does not affect the next one; an unknown address is reported in words.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { audit } from '../support/Audit.mjs';
import { Story } from '../support/Story.mjs';
import { middle, town } from '../support/Zones.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

/** Replaces a screen's module by another one. */
const broken = (page, kind) =>
  page.run(async (how) => {
    const { routes } = await import('/scripts/page/routes.js');
    const fail = () => {
      throw new Error('broken on purpose');
    };
    routes.find(({ pattern }) => pattern === '/about').load = async () =>
      ({
        entering: { show: fail },
        leaving: { show: () => fail },
        later: {
          show: () => {
            setTimeout(fail);
          },
        },
        waiting: {
          show: () => {
            Promise.reject(new Error('broken on purpose'));
          },
        },
      })[how];
  }, kind);

for (const kind of ['entering', 'later', 'waiting']) {
  test(`a screen that fails (${kind}) says so, and alarms can be deactivated`, async () => {
    const page = await story.open({ zones: town, kept: { armed: true }, at: middle });
    await broken(page, kind);
    await page.run(() => {
      location.hash = '#/about';
    });
    await page.see('#outlet .headline', 'This screen could not be shown');
    await page.see('#outlet .subhead', 'broken on purpose');
    await page.tap('nav.places a', 'Alarm');
    await page.tap('button', 'Deactivate');
    await page.until(async () => !(await import('/scripts/main.js')).app.report.armed);
    await page.context.close();
  });
}

test('a screen that fails while it is left says so, and the next one comes', async () => {
  const page = await story.open({ zones: town, at: middle });
  await broken(page, 'leaving');
  await page.run(() => {
    location.hash = '#/about';
  });
  await page.until(() => document.querySelector('#stage').dataset.screen === '/about');
  await page.tap('nav.places a', 'Zones');
  await page.see('.zones-pane');
  await page.see('.snackbar', 'broken on purpose');
  await page.context.close();
});

test('a day that is none, and a zone that is not there, are said in words', async () => {
  const page = await story.open({ zones: town, at: middle, address: '/history?day=99999999999999999' });
  await page.see('.snackbar', '“99999999999999999” is not a date');
  await page.see('.day-pill h1');
  await page.run(() => {
    location.hash = '#/why/x';
  });
  await page.see('.card .headline', 'This zone is not here');
  await page.see('.card .subhead', '“x” is no zone’s address');
  await page.run(() => {
    location.hash = '#/why/00000000000000ff';
  });
  await page.see('.card .subhead', 'It was deleted, or it is on another device.');
  await audit(page, 'a zone that is not there');
  assert.equal(await page.run(() => document.querySelectorAll('.card a').length), 1);
  await story.close(page);
});
