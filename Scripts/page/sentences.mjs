// Finds the texts in a script: those marked with `t`, and all others.

/** @typedef {{kind: 'sentence'|'template'|'string', start: number, end: number, line: number, text: string, meaning?: string, before: string, after: string}} Literal
 *   `text` has {0}, {1}… for values; `before` and `after` are the code around it, on the same line or the next */

const escapes = { n: '\n', t: '\t', r: '\r', b: '\b', 0: '\0' };
const unescaped = (raw) =>
  raw.replace(/\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})|\r?\n|([^]))/gi, (_, braced, four, two, one = '') =>
    braced || four || two ? String.fromCodePoint(Number.parseInt(braced ?? four ?? two, 16)) : (escapes[one] ?? one),
  );

/** The places where a `/` begins a regular expression and not a division. */
const beforeSearch = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|await|yield))$/;

/** @returns {Literal[]} in the order of their beginnings */
export function literals(source) {
  const found = [];
  let place = 0;
  const fail = (at) => {
    throw new Error(`line ${source.slice(0, at).split('\n').length}: a literal without an end`);
  };

  function quoted(quote) {
    const start = place;
    for (place += 1; source[place] !== quote; place += 1) {
      if (place >= source.length || source[place] === '\n') fail(start);
      if (source[place] === '\\') place += 1;
    }
    place += 1;
    found.push({ kind: 'string', start, end: place, text: unescaped(source.slice(start + 1, place - 1)) });
  }

  function template() {
    const start = place;
    const tag = /(?:(?<![\w$.])t|(?<![\w$.])t\.meaning\('([^'\n]*)'\))$/.exec(source.slice(0, start));
    const literal = { kind: tag ? 'sentence' : 'template', start, end: 0, text: '', meaning: tag?.[1] };
    found.push(literal);
    let text = '';
    let values = 0;
    for (place += 1; source[place] !== '`';) {
      if (place >= source.length) fail(start);
      if (source.startsWith('${', place)) {
        text += `{${values++}}`;
        place += 2;
        code('}');
        place += 1;
      } else {
        const size = source[place] === '\\' ? 2 : 1;
        text += source.slice(place, place + size);
        place += size;
      }
    }
    place += 1;
    literal.end = place;
    literal.text = unescaped(text).replace(/\s*\n\s*/g, ' ');
  }

  /** Reads code up to `end`, a bracket that closes an earlier one. */
  function code(end) {
    while (place < source.length) {
      const character = source[place];
      if (character === end) break;
      if (source.startsWith('//', place)) {
        const line = source.indexOf('\n', place);
        place = line < 0 ? source.length : line;
      } else if (source.startsWith('/*', place)) place = source.indexOf('*/', place) + 2;
      else if (character === "'" || character === '"') quoted(character);
      else if (character === '`') template();
      else if (character === '{') {
        place += 1;
        code('}');
        place += 1;
      } else if (character === '/' && beforeSearch.test(source.slice(Math.max(0, place - 200), place).trimEnd()))
        search();
      else place += 1;
    }
  }

  function search() {
    const start = place;
    let inClass = false;
    for (place += 1; inClass || source[place] !== '/'; place += 1) {
      if (place >= source.length || source[place] === '\n') fail(start);
      if (source[place] === '\\') place += 1;
      else if (source[place] === '[') inClass = true;
      else if (source[place] === ']') inClass = false;
    }
    place += 1;
  }

  code('');
  for (const literal of found) {
    literal.line = source.slice(0, literal.start).split('\n').length;
    literal.before = source.slice(Math.max(0, literal.start - 80), literal.start);
    literal.after = source.slice(literal.end, literal.end + 20);
  }
  return found;
}

/** The key of a sentence in a catalogue. */
export const keyOf = ({ text, meaning }) => (meaning ? `${text} [${meaning}]` : text);
