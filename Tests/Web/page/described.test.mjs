// Described elements: `update` makes the same elements from descriptions as `h` does, and touches nothing else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Story } from '../support/Story.mjs';

let story;
let page;
before(async () => {
  story = await Story.begin();
  page = await story.open({ address: '/about' });
});
after(() => story?.end());

test('after any row of random trees the document is as if the last one had been made by h alone', async () => {
  const seed = Number(process.env.SEED ?? 1);
  const wrong = await page.run(async (seed) => {
    const { describe, h, made, update } = await import('/scripts/page/dom.js');
    let state = seed;
    const random = (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const some = (...values) => values[random(values.length)];
    const badge = (text, size) => h('b', { 'data-size': size }, text);
    /** A random tree as plain data, from which both makers build. */
    const tree = (depth) => {
      const kind = depth === 0 ? random(3) : random(8);
      if (kind === 0) return some(null, false, undefined);
      if (kind === 1) return some('one', 'two', 3, '');
      if (kind === 2) return { badge: [some('x', 'y'), random(3)] };
      return {
        tag: some('p', 'span', 'svg:circle'),
        attributes: {
          class: some('a', 'b', null, undefined),
          hidden: some(true, false),
          'data-key': some(undefined, undefined, 'k', 'l'),
          style: some(undefined, { '--a': String(random(3)) }, { '--a': '1', '--b': '2' }),
        },
        children: Array.from({ length: random(4) }, () => (random(5) ? tree(depth - 1) : [tree(depth - 1)])),
      };
    };
    const build = (what, element, makes) => {
      if (Array.isArray(what)) return what.map((each) => build(each, element, makes));
      if (what?.badge) return makes(badge, ...what.badge);
      if (!what?.tag) return what;
      return element(what.tag, what.attributes, ...what.children.map((child) => build(child, element, makes)));
    };
    // Independent of the order in which attributes and styles were set; an empty style equals none.
    const seen = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.data;
      const written = [...node.attributes].map(({ name, value }) =>
        name === 'style'
          ? [...node.style].sort().map((each) => `${each}:${node.style.getPropertyValue(each)}`)
          : `${name}=${value}`,
      );
      return [`${node.namespaceURI} ${node.localName}`, written.flat().sort(), [...node.childNodes].map(seen)];
    };
    const said = (node) => JSON.stringify(seen(node));
    const found = [];
    for (let round = 0; round < 300; round++) {
      const parent = document.createElement('div');
      for (let step = 0; step < 6; step++) {
        const trees = Array.from({ length: random(4) }, () => tree(3));
        // Some are made at once, not described.
        const isMade = random(5) === 0;
        update(parent, ...build(trees, isMade ? h : describe, isMade ? (make, ...values) => make(...values) : made));
        const wanted = h('div', {}, ...build(trees, h, (make, ...values) => make(...values)));
        if (said(parent) !== said(wanted)) found.push({ round, step, is: said(parent), wanted: said(wanted) });
      }
    }
    return found.slice(0, 2);
  }, seed);
  assert.deepEqual(wrong, []);
});

test('what is described as before is not touched, and a button that is pressed stays the same button', async () => {
  const seen = await page.run(async () => {
    const { describe, h, made, update } = await import('/scripts/page/dom.js');
    const parent = document.createElement('div');
    document.body.append(parent);
    const calls = [];
    const badge = (text) => {
      calls.push(`made ${text}`);
      return h('b', {}, text);
    };
    const show = (distance, name) =>
      update(
        parent,
        describe('button', { id: 'go', onclick: () => calls.push(name) }, made(badge, 'A'), 'Go'),
        describe('p', {}, distance, ' m'),
      );
    show(10, 'first');
    const [button, text] = [parent.firstChild, parent.lastChild.firstChild];
    const changes = new MutationObserver(() => {});
    changes.observe(parent, { subtree: true, childList: true, attributes: true, characterData: true });
    show(10, 'second');
    const untouched = changes.takeRecords().length;
    show(12, 'third');
    const changed = changes.takeRecords().map(({ type, target }) => `${type} ${target.data}`);
    parent.firstChild.click();
    const result = {
      untouched,
      changed,
      calls,
      same: parent.firstChild === button && parent.lastChild.firstChild === text,
    };
    parent.remove();
    return result;
  });
  assert.deepEqual(seen, {
    untouched: 0,
    changed: ['characterData 12'],
    calls: ['made A', 'third'],
    same: true,
  });
});

test('what another part of the page put there stays, and what it took away comes back in its place', async () => {
  const seen = await page.run(async () => {
    const { describe, h, update } = await import('/scripts/page/dom.js');
    const parent = document.createElement('div');
    const show = () =>
      update(parent, describe('ul', {}, describe('li', {}, 'a'), describe('li', {}, 'b'), describe('li', {}, 'c')));
    show();
    parent.firstChild.append(h('li', { 'data-apart': '' }, 'guest'));
    parent.firstChild.children[1].remove();
    show();
    return parent.firstChild.innerText ?? parent.firstChild.textContent;
  });
  assert.equal(seen.replace(/\s/g, ''), 'abcguest');
});
