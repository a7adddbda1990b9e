// The imports of the page's scripts: each file exists, and there are no cycles.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';

/** Static imports and exports, which are evaluated before the file itself. */
const ahead = /^(?:import|export)\b[^'"()]*?['"](\.{1,2}\/[^'"]+)['"]/gm;
/** `import('…')` and `new URL('….js', import.meta.url)`, which are loaded on demand. */
const later = /(?:\bimport\(|\bnew URL\()['"](\.{1,2}\/[^'"]+\.js)['"]/g;
const comments = /^\s*(?:\/\/|\/\*|\*).*$/gm;

/** The imported paths of each script, by its path in `Web`. */
async function imports(...statements) {
  const names = (await readdir('Web', { recursive: true })).filter((name) => name.endsWith('.js')).sort();
  const found = new Map();
  for (const name of names) {
    const text = (await readFile(join('Web', name), 'utf8')).replace(comments, '');
    const targets = statements.flatMap((statement) => [...text.matchAll(statement)].map(([, target]) => target));
    found.set(
      name,
      targets.map((target) => join(dirname(name), target)),
    );
  }
  return found;
}

/** The first cycle, as its paths, or null. */
function circle(graph) {
  const done = new Set();
  const way = [];
  const visit = (name) => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return null;
    way.push(name);
    for (const target of graph.get(name) ?? []) {
      const found = visit(target);
      if (found) return found;
    }
    way.pop();
    done.add(name);
    return null;
  };
  for (const name of graph.keys()) {
    const found = visit(name);
    if (found) return found;
  }
  return null;
}

test('every script that is imported is there', async () => {
  const graph = await imports(ahead, later);
  assert.ok(graph.get('scripts/main.js').length > 15, 'the imports are found');
  for (const [name, targets] of graph)
    for (const target of targets) assert.ok(graph.has(target), `${name} imports ${target}, which is not there`);
});

test('no script imports itself, also not through others', async () => {
  assert.equal(circle(await imports(ahead))?.join(' → '), undefined);
});

test('nor when what is loaded later counts: a screen does not know the router that shows it', async () => {
  const graph = await imports(ahead, later);
  assert.ok(graph.get('scripts/page/routes.js').includes('screens/alarm/alarm-screen.js'), 'the screens are found');
  assert.equal(circle(graph)?.join(' → '), undefined);
});

test('a circle is found', () => {
  const graph = new Map([
    ['a', ['b', 'c']],
    ['b', []],
    ['c', ['d']],
    ['d', ['b', 'c']],
  ]);
  assert.deepEqual(circle(graph), ['c', 'd', 'c']);
});
