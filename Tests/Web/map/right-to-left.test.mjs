// Right-to-left names as the map draws them, compared with GNU FriBidi, an independent implementation.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import vm from 'node:vm';

const plugin = await (async () => {
  const text = await readFile(new URL('../../../Web/map/streets/right-to-left.js', import.meta.url), 'utf8');
  let found;
  vm.runInNewContext(text, { self: { registerRTLTextPlugin: (methods) => (found = methods) } });
  return found;
})();
const seen = (name) => plugin.processBidirectionalText(plugin.applyArabicShaping(name), []).join('');

/** FriBidi's output for names, one per line. */
function expected(names) {
  const said = execFileSync('fribidi', ['--nopad', '--nobreak', '--width', '100000'], {
    input: `${names.join('\n')}\n`,
  });
  // It leaves a zero-width character where two letters became one.
  return said.toString().replaceAll('\ufeff', '').split('\n').slice(0, -1);
}

/** SplitMix64: the same names from the same seed. */
function* numbers(seed) {
  for (let state = BigInt(seed); ;) {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    yield Number(BigInt.asUintN(53, mixed ^ (mixed >> 31n)));
  }
}

test('names of streets are shaped and turned', () => {
  const names = [
    'شارع الملك فهد',
    'ميدان التحرير',
    'خیابان ولیعصر',
    'شاہراہ قائدین',
    'רחוב 5 a',
    'רחוב הרצל 12א',
    'שדרות רוטשילד (צפון)',
    'Tel Aviv – תל אביב',
    'شارع 26 يوليو (East)',
    'Route 66',
    '١٢ شارع الجامعة',
    'لا إله',
    'الأهرام',
  ];
  assert.deepEqual(names.map(seen), expected(names));
});

test('any mixture of letters, numbers, brackets and signs stands as FriBidi has it', () => {
  const pieces = [
    ...'ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئةى',
    ...'پچژکگیہھٹڈڑںے',
    ...'אבגדהוםץ',
    ...'abcXYZéß',
    ...'0123456789',
    ...'٠١٢٣٩',
    ...'()[]{}-+.,:/%#°',
    ...'    ',
    'لا',
    'ال',
  ];
  const seeds = process.env.SEED ? [Number(process.env.SEED)] : Array.from({ length: 40 }, (_, seed) => seed);
  for (const seed of seeds) {
    const random = numbers(seed);
    const names = Array.from({ length: 100 }, () => {
      const length = 1 + (random.next().value % 24);
      return (
        Array.from({ length }, () => pieces[random.next().value % pieces.length])
          .join('')
          .trim() || 'a'
      );
    });
    const wanted = expected(names);
    for (const [at, name] of names.entries())
      assert.equal(seen(name), wanted[at], `SEED=${seed}: ${JSON.stringify(name)}`);
  }
});

test('a long name is broken into lines in the order in which it is read', () => {
  const name = 'שדרות דוד בן גוריון';
  assert.deepEqual(
    [...plugin.processBidirectionalText(name, [10])].map((line) => line.trim()),
    [[...'שדרות דוד'].reverse().join(''), [...'בן גוריון'].reverse().join('')],
  );
});

test('what belongs to a letter goes with it', () => {
  const [[text, styles]] = plugin.processStyledBidirectionalText('אב 12', [0, 0, 0, 1, 1], []);
  assert.equal(text, '12 בא');
  assert.deepEqual([...styles], [1, 1, 0, 0, 0]);
});
