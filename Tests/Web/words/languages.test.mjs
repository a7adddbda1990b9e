// The page in other languages, in a real browser: in an artificial one that reveals unmarked sentences and lack of room, and in
// each real one on the smallest phone, with normal and double text size, and by choice.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sentences } from '../../../Scripts/page/catalogue.mjs';
import { inAll } from '../support/All.mjs';
import { phone } from '../support/Browser.mjs';
import { faults, go, screens } from '../support/Screens.mjs';
import { folder, PageServer } from '../support/PageServer.mjs';
import { place, Story, walk, zone } from '../support/Story.mjs';
import { languages } from '../../../Web/scripts/words/language.js';

let story;
before(async () => {
  story = await Story.begin({ map: true });
  story.server.answers.set('/words/en-XA.json', async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await pseudo()));
  });
  // The first screen has only the words that the build selects for it.
  story.server.answers.set('/words/first/en-XA.json', async (_, response) => {
    const chosen = JSON.parse(await readFile(join(folder, 'words/first/de.json'), 'utf8'));
    const all = Object.entries(await pseudo()).filter(([key]) => Object.hasOwn(chosen, key));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(Object.fromEntries(all)));
  });
});
after(() => story?.end());

const accents = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú', n: 'ñ', c: 'ç' };
/** "[Ŕíñgś {0} béfóŕé the édgé ~~~~~~]": as long as German, and visibly not English. */
const disguised = (text) => {
  const letters = text.replace(/\{\d\}|[aeioucnAEIOU]/g, (found) => accents[found] ?? found);
  return `[${letters}${' ~~~'.repeat(Math.ceil((text.length * 0.4) / 4))}]`;
};
async function pseudo() {
  const all = await sentences();
  return Object.fromEntries([...all.keys()].map((key) => [key, disguised(key.replace(/ \[[^\]]*\]$/, ''))]));
}

const home = zone({ name: 'Zöñé', category: '', distance: 150 });
const small = { width: 320, height: 568, touch: true };

/** Selects a language as a person does, after which the page reloads. */
async function choose(page, language, spoken = language || 'en') {
  const again = page.event('Page.loadEventFired');
  await page.run(async (wanted) => {
    const { app } = await import('/scripts/main.js');
    await app.begun;
    setTimeout(() => app.changeSettings({ language: wanted || undefined }));
  }, language);
  await again;
  await page.until(() => document.documentElement.dataset.ready !== undefined);
  await page.until((wanted) => document.documentElement.lang === wanted, spoken);
}

async function inLanguage(language) {
  const page = await story.open({ zones: [home], at: place(440), look: small });
  await choose(page, language);
  return page;
}

test('every screen is marked, and has room for sentences that are 40 % longer, at 320 px', async () => {
  const page = await inLanguage('en-XA');
  const all = {};
  for (const screen of screens(home)) {
    await go(page, screen);
    const found = await faults(page);
    const name = screen.replace(home.id, 'zone');
    found.push(...(await english(page)).map((text) => `unmarked: ${text}`));
    if (found.length) all[name] = found;
    await page.shot(`pseudo${name.replaceAll('/', '-')}`);
  }
  assert.deepEqual(all, {});
  page.problems = page.problems.filter((problem) => !/status of 404/.test(problem));
  await story.close(page);
});

/** Everything without room on the present screen, with normal and double text size. */
async function withoutRoom(page) {
  const found = [];
  for (const size of ['100%', '200%']) {
    await page.run((to) => {
      document.documentElement.style.fontSize = to;
    }, size);
    found.push(...[...(await faults(page)), ...(await shortened(page))].map((fault) => `${size}: ${fault}`));
  }
  await page.run(() => {
    document.documentElement.style.fontSize = '';
  });
  return found;
}

// Where no font has Japanese letters, their placeholder boxes are measured, which are narrower.
for (const language of Object.keys(languages).filter((each) => each !== 'en'))
  test(
    `${languages[language]}: nothing sticks out and no label is cut at 320 px, also with text twice as large`,
    { skip: inAll },
    async () => {
      const page = await inLanguage(language);
      const all = {};
      const look = async (name) => {
        const found = await withoutRoom(page);
        if (found.length) all[name] = found;
        await page.shot(`${language}-${name.replaceAll('/', '-')}`);
      };
      for (const screen of screens(home)) {
        await go(page, screen);
        await look(screen.replace(home.id, 'zone'));
      }
      await go(page, '/');
      await page.click('#activate');
      await page.see('#nearest');
      await look('on');
      await walk(page, place(150));
      await page.see('#alarm-sheet', home.name);
      await look('ringing');
      assert.deepEqual(all, {});
      page.problems = page.problems.filter((problem) => !/status of 404/.test(problem));
      await story.close(page);
    },
  );

test('the language is chosen in the settings, kept, and the browser’s again when the choice is taken back', async () => {
  const page = await story.open({ zones: [home], at: place(440), look: phone, address: '/settings' });
  const pick = async (value, lang, said) => {
    const again = page.event('Page.loadEventFired');
    await page.run(
      (to) =>
        setTimeout(() => {
          const choice = document.getElementById('language');
          choice.value = to;
          choice.dispatchEvent(new Event('change'));
        }),
      value,
    );
    await again;
    await page.until(() => document.documentElement.dataset.ready !== undefined);
    await page.until((wanted) => document.documentElement.lang === wanted, lang);
    await page.see('h1', said);
  };
  await page.see('#language');
  await pick('de', 'de', 'Einstellungen');
  assert.equal(await page.run(() => document.getElementById('language').value), 'de');
  assert.match(await page.run(() => document.title), /^Einstellungen · /);
  await page.reload();
  await page.see('h1', 'Einstellungen');
  await pick('', 'en', 'Settings');
  await story.close(page);
});

test('what is chosen in one tab holds in the other', async () => {
  const page = await story.open({ zones: [home], at: place(440) });
  const other = await page.context.page(phone);
  await other.open(`${story.origin}/#/more`);
  // From then on it receives the messages of other tabs.
  await other.run(async () => {
    await import('/scripts/page/tabs.js');
  });
  const again = other.event('Page.loadEventFired');
  await choose(page, 'de');
  await again;
  await other.see('h1', 'Mehr');
  await story.close(page);
});

test('a page whose catalogue cannot be loaded is English, and works', async () => {
  const page = await story.open({ zones: [home], at: place(440) });
  await choose(page, 'en-XB', 'en');
  await page.see('#activate', 'Activate');
  page.problems = page.problems.filter((problem) => !/404|en-XB/.test(problem));
  await story.close(page);
});

test('without network the page stays German', async () => {
  const server = await PageServer.start(folder, { keeps: true });
  const context = await story.browser.context({ origin: server.origin });
  const page = await context.page(phone);
  await page.open(`${server.origin}/`);
  await page.until(
    async () =>
      Boolean((await navigator.serviceWorker.getRegistration())?.active) && Boolean(navigator.serviceWorker.controller),
  );
  await server.stop();
  await choose(page, 'de');
  await page.see('.place-first');
  await context.close();
});

/** Our own words that are cut with "…" for lack of room; a person's own words may be. */
const shortened = (page) =>
  page.run(() =>
    [...document.querySelectorAll('.headline, .subhead, .footnote, button, label, h1, h2, a, .row span, nav span')]
      .filter(
        (each) => each.checkVisibility() && !each.children.length && !each.closest('.maplibregl-map, .visually-hidden'),
      )
      .filter((each) => getComputedStyle(each).overflowX !== 'visible' && !/Zöñé/.test(each.textContent))
      .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 3)
      .map((each) => `shortened: ${each.textContent.slice(0, 60)}`),
  );

/** Visible or spoken texts that are not from the artificial catalogue. */
const english = (page) =>
  page.run(() => {
    const found = new Set();
    const names =
      /Zöñé|Proximity|OwnTracks|Overland|Traccar|ntfy|Home Assistant|GeoJSON|English|Deutsch|Français|Español|localhost|https?:|Mozilla|UTC|T\d\d:|MapLibre|Harbour bells|Marimba|Sonar|Beacon|Klaxon|AlertZone|page-|\bv?\d+\.\d+\.\d+/;
    const isOurs = (text) => {
      // Our texts are in brackets; the rest must not have two consecutive letters.
      let rest = text;
      for (let before; before !== rest;) {
        before = rest;
        rest = rest.replace(/\[[^[\]]*\]/gs, ' ');
      }
      return !/\p{L}{2}/u.test(rest.replace(names, '').replace(/\b[AP]M\b/g, ''));
    };
    const take = (text) => {
      const tidy = text?.replace(/\s+/g, ' ').trim();
      if (tidy && !names.test(tidy) && !isOurs(tidy)) found.add(tidy.slice(0, 80));
    };
    for (const element of document.querySelectorAll('body, body *')) {
      if (element.closest('script, style, noscript, .maplibregl-map, [lang]:not(html)')) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'])
        take(element.getAttribute(name));
      if (!element.checkVisibility()) continue;
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) take(node.data);
    }
    return [...found];
  });
