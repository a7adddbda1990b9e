// The page in other languages, in a real browser: in a made-up one that shows what is not marked and what has no room, in
// German at the smallest phone, and by choice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sentences } from '../../../Scripts/page/catalogue.mjs';
import { phone } from '../support/Browser.mjs';
import { faults, go, screens } from '../support/Screens.mjs';
import { folder, PageServer } from '../support/PageServer.mjs';
import { place, Story, zone } from '../support/Story.mjs';

/** Screens whose sentences are not marked yet. */
const notYet = ['/map', '/why/zone', '/zones', '/zones/zone', '/zones/new', '/messages', '/sounds', '/reminders'];

let story;
before(async () => {
  story = await Story.begin();
  story.server.answers.set('/words/en-XA.json', async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await pseudo()));
  });
});
after(() => story?.end());

const accents = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú', n: 'ñ', c: 'ç' };
/** [Ŕíñgś {0} béfóŕé the édgé ~~~~~~]: as long as German, and seen not to be English. */
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

/** What a person does who chooses a language: the page loads anew in it. */
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
    if (!notYet.includes(name)) found.push(...(await english(page)).map((text) => `unmarked: ${text}`));
    if (found.length) all[name] = found;
    await page.shot(`pseudo${name.replaceAll('/', '-')}`);
  }
  assert.deepEqual(all, {});
  page.problems = page.problems.filter((problem) => !/status of 404/.test(problem));
  await story.close(page);
});

test('in German nothing sticks out and no label is cut at 320 px', async () => {
  const page = await inLanguage('de');
  const all = {};
  for (const screen of screens(home)) {
    await go(page, screen);
    const name = screen.replace(home.id, 'zone');
    const found = [...(await faults(page)), ...(notYet.includes(name) ? [] : await shortened(page))];
    if (found.length) all[name] = found;
    await page.shot(`german${screen.replace(home.id, 'zone').replaceAll('/', '-')}`);
  }
  assert.deepEqual(all, {});
  page.problems = page.problems.filter((problem) => !/status of 404/.test(problem));
  await story.close(page);
});

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
  // From then on it hears of the others.
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

/** Our own words that end in "…" for want of room; what people typed may. */
const shortened = (page) =>
  page.run(() =>
    [...document.querySelectorAll('.headline, .subhead, .footnote, button, label, h1, h2, a, .row span, nav span')]
      .filter((each) => each.checkVisibility() && !each.children.length && !each.closest('.maplibregl-map'))
      .filter((each) => getComputedStyle(each).overflowX !== 'visible' && !/Zöñé/.test(each.textContent))
      .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 3)
      .map((each) => `shortened: ${each.textContent.slice(0, 60)}`),
  );

/** Texts and labels that can be seen or heard and are not of the disguised catalogue. */
const english = (page) =>
  page.run(() => {
    const found = new Set();
    const names =
      /Zöñé|Proximity|OwnTracks|Overland|Traccar|ntfy|Home Assistant|GeoJSON|English|Deutsch|Français|Español|localhost|https?:|Mozilla|UTC|T\d\d:|MapLibre|Harbour bells|Marimba|Sonar|Beacon|Klaxon|AlertZone|page-|\bv?\d+\.\d+\.\d+/;
    const isOurs = (text) => {
      // What is in brackets is ours; what is left must not have two letters in a row.
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
