// All screens of the page, and checks that their content has room.

/** The addresses of all screens. @param {{id: string}} home a stored zone */
export const screens = (home) => [
  '/',
  '/map',
  '/zones',
  `/zones/${home.id}`,
  '/zones/new',
  '/history',
  `/why/${home.id}`,
  '/more',
  '/sounds',
  '/messages',
  '/reminders',
  '/reminders/new',
  '/share',
  '/receive',
  '/replay',
  '/settings',
  '/settings/search',
  '/settings/map',
  '/settings/data',
  '/account',
  '/security',
  '/organisations',
  '/collections',
  '/people',
  '/pairing',
  '/diagnostics',
  '/phone',
  '/phones',
  '/about',
  '/first-run',
];

/** Elements outside the window, and labels that are cut, as text. */
export const faults = (page) =>
  page.run(() => {
    const found = [];
    const said = (element) =>
      `${element.tagName.toLowerCase()}.${element.className} “${(element.innerText ?? '').trim().slice(0, 40)}”`;
    // A line that scrolls horizontally may extend beyond the edge; a whole screen may not.
    const isMovedSideways = (element) => {
      for (let box = element.parentElement; box; box = box.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(box).overflowX) && box.clientHeight < 100) return true;
      return false;
    };
    if (document.documentElement.scrollWidth > innerWidth)
      found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    for (const element of document.querySelectorAll('h1, h2, h3, p, button, a, label, input, .row, .card')) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      // Markers move with the map and may be outside; its controls may not.
      if (element.closest('.visually-hidden, .maplibregl-marker, .maplibregl-control-container')) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (!width) continue;
      if ((left < -1 || right > innerWidth + 1) && !isMovedSideways(element)) found.push(`outside: ${said(element)}`);
      if (!element.matches('button, a, label')) continue;
      for (const part of [element, ...element.querySelectorAll('span, b')]) {
        const { overflowX, textOverflow } = getComputedStyle(part);
        if (
          part.scrollWidth > part.clientWidth + 1 &&
          part.clientWidth &&
          overflowX !== 'visible' &&
          textOverflow !== 'ellipsis' &&
          !part.closest('.visually-hidden')
        )
          found.push(`cut: ${said(part)}`);
      }
    }
    return [...new Set(found)];
  });

/** Controls of the map that extend beyond the window or overlap each other, once they have made room for the screen's sheets. */
export const overlaps = (page) =>
  page.run(async () => {
    const look = () => {
      const found = [];
      const furniture = [
        ...document.querySelectorAll('.day-pill, .no-streets, .maplibregl-ctrl-attrib, .scale-bar, .map-hint'),
      ].filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
      const name = ({ classList }) => classList.item(0);
      for (const [index, one] of furniture.entries()) {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        if (left < -1 || right > innerWidth + 1) found.push(`outside: ${name(one)}`);
        for (const other of furniture.slice(index + 1)) {
          const box = other.getBoundingClientRect();
          if (left < box.right && box.left < right && top < box.bottom && box.top < bottom)
            found.push(`${name(one)} and ${name(other)} lie on each other`);
        }
      }
      return found;
    };
    // At most 200 frames, which take longer on a busy machine.
    let found = look();
    for (let frames = 0; found.length && frames < 200; frames++) {
      await new Promise((next) => {
        requestAnimationFrame(next);
      });
      found = look();
    }
    return found;
  });

/**
 * Words that are broken across lines, with the text around them. Chromium has no hyphenation here: where a phone would put a
 * hyphen, it breaks the word without one. The browser's own description of itself may be broken anywhere.
 */
export const brokenWords = (page) =>
  page.run(() => {
    const found = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const element = text.parentElement;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest('.visually-hidden, .maplibregl-map, .diagnosis .headline, script, style, noscript')) continue;
      for (const { 0: word, index } of text.data.matchAll(/[\p{L}\p{M}\p{N}]{2,}/gu)) {
        const at = (letter) => {
          range.setStart(text, letter);
          range.setEnd(text, letter + 1);
          return [...range.getClientRects()].at(-1);
        };
        const [first, last] = [at(index), at(index + word.length - 1)];
        if (first && last && last.top >= first.bottom - 1)
          found.add(`broken: “${word}” of “${element.innerText.trim().slice(0, 40)}”`);
      }
    }
    return [...found];
  });

/** Goes to an address and waits for its screen. */
export async function go(page, screen) {
  await page.run(
    (to) =>
      new Promise((done) => {
        if (location.hash === to) return done();
        addEventListener('screen', done, { once: true });
        location.hash = to;
        return undefined;
      }),
    `#${screen}`,
  );
  if (screen === '/map') await page.see('.map-tools');
}
