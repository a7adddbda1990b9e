// Shapes and orders names in Arabic, Hebrew and other right-to-left scripts for the map's workers, which draw one character
// after the other from left to right. Letters take their joined forms, and characters are put in visual order. Implements the
// Unicode Bidirectional Algorithm (UAX #9) without explicit embeddings, which do not occur in names, and the joining rules of
// the Unicode Standard, chapter 9.2. Loaded by `importScripts`, so this is not a module.
(() => {
  // MARK: Letters that join

  /** The forms of each letter: isolated, final, initial, medial. */
  const forms = new Map();
  /** The forms of each ligature of lam and alef: isolated, final. */
  const ligatures = new Map();
  // The presentation forms of a letter have consecutive codes in this order; the decomposition of a form is its letter.
  for (const [first, last] of [
    [0xfe80, 0xfefc],
    [0xfb50, 0xfbff],
  ]) {
    for (let code = first; code <= last; code++) {
      const form = String.fromCharCode(code);
      const letters = form.normalize('NFKC');
      if (letters === form) continue;
      const kept = letters.length === 1 ? forms : ligatures;
      if (letters.length === 1 || (code >= 0xfef5 && code <= 0xfefc))
        kept.set(letters, [...(kept.get(letters) ?? []), form]);
    }
  }
  const [alone, end, beginning, within] = [0, 1, 2, 3];
  const isMark = (character) => /\p{M}/u.test(character);
  /** Joins the next letter, although there are no characters for those forms. */
  const noonGhunna = '\u06ba';
  /** True if a letter joins the previous one. */
  const joinsBack = (letter) => letter === '\u0640' || (forms.get(letter)?.length ?? 0) >= 2;
  /** True if a letter joins the next one. */
  const joinsOn = (letter) => letter === '\u0640' || letter === noonGhunna || forms.get(letter)?.length === 4;

  function shaped(text) {
    if (!/[\u0600-\u06ff]/.test(text)) return text;
    const letters = [...text.normalize('NFC')];
    const out = [];
    let before;
    for (let at = 0; at < letters.length; at++) {
      const letter = letters[at];
      if (isMark(letter)) {
        out.push(letter);
        continue;
      }
      let next = at + 1;
      while (next < letters.length && isMark(letters[next])) next++;
      const isJoined = before !== undefined && joinsOn(before) && joinsBack(letter);
      const pair = next === at + 1 ? ligatures.get(letter + letters[next]) : undefined;
      if (pair) {
        out.push(pair[isJoined ? end : alone]);
        before = letters[next];
        at = next;
        continue;
      }
      const joinsNext = next < letters.length && joinsOn(letter) && joinsBack(letters[next]);
      const form = isJoined ? (joinsNext ? within : end) : joinsNext ? beginning : alone;
      // Letters that never join stay unchanged.
      out.push((joinsBack(letter) && forms.get(letter)?.[form]) || letter);
      before = letter;
    }
    return out.join('');
  }

  // MARK: The order in which they are seen

  const rightToLeft =
    /[\p{Script=Hebrew}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
  const arabic = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
  const kinds = [
    ['NSM', /[\p{Mn}\p{Me}]/u],
    ['AN', /[\u0600-\u0605\u0660-\u0669\u066b\u066c\u06dd\u08e2]/],
    ['EN', /[0-9\u00b2\u00b3\u00b9\u06f0-\u06f9\u2070\u2074-\u2079\u2080-\u2089]/],
    ['ES', /[+\-\u207a\u207b\u208a\u208b\u2212]/],
    ['ET', /[#%\u00b0\u00b1\u066a\u2030-\u2034\p{Sc}]/u],
    ['CS', /[,./:\u00a0\u060c\u202f\u2044]/],
    ['WS', /[\s\u200b]/],
    ['BN', /\u200c|\u200d|\u2060|\ufeff/],
    ['L', /\u200e/],
    ['R', /\u200f/],
    ['ON', /[\p{P}\p{S}]/u],
    ['R', rightToLeft],
    ['AL', arabic],
  ];
  // Arabic punctuation is itself written from right to left.
  const strongArabic = /[\u0608\u060b\u060d\u061b-\u061f\u066d\u06d4]/;
  const kindOf = (character) =>
    strongArabic.test(character) ? 'AL' : (kinds.find(([, pattern]) => pattern.test(character))?.[0] ?? 'L');

  const mirrors = new Map(
    ['()', '[]', '{}', '<>', '«»', '‹›', '≤≥', '⟨⟩', '「」', '『』', '《》'].flatMap(([a, b]) => [
      [a, b],
      [b, a],
    ]),
  );
  const opening = new Map(['()', '[]', '{}', '⟨⟩', '「」', '『』', '《》'].map(([a, b]) => [a, b]));
  const closing = new Set(opening.values());

  /** The embedding level of each character; odd levels run from right to left. */
  function levelsOf(characters, base) {
    const sides = base % 2 ? 'R' : 'L';
    const original = characters.map(kindOf);
    const types = [...original];
    const each = (change) => types.forEach((type, at) => (types[at] = change(type, at) ?? type));
    const lastOf = (at, wanted) => {
      for (let before = at - 1; before >= 0; before--) if (wanted.includes(types[before])) return types[before];
      return sides;
    };
    // W1: a mark takes the type of the character before it.
    each((type, at) => (type === 'NSM' ? (at ? types[at - 1] : sides) : undefined));
    // W2, W3: European digits after Arabic letters are Arabic numbers; Arabic letters run from right to left.
    each((type, at) => (type === 'EN' && lastOf(at, ['R', 'L', 'AL']) === 'AL' ? 'AN' : undefined));
    each((type) => (type === 'AL' ? 'R' : undefined));
    // W4: a single separator within a number is part of it.
    each((type, at) => {
      const [before, after] = [types[at - 1], types[at + 1]];
      if (before !== after) return undefined;
      if (type === 'ES' || type === 'CS')
        return before === 'EN' ? 'EN' : type === 'CS' && before === 'AN' ? 'AN' : undefined;
      return undefined;
    });
    // W5, W6: terminators beside a number are part of it; other separators are neutral.
    for (let at = 0; at < types.length; at++) {
      if (types[at] !== 'ET' && types[at] !== 'BN') continue;
      let past = at;
      while (types[past] === 'ET' || types[past] === 'BN') past++;
      if (types[at - 1] === 'EN' || types[past] === 'EN')
        for (let inside = at; inside < past; inside++) if (types[inside] === 'ET') types[inside] = 'EN';
      at = past - 1;
    }
    each((type) => (['ES', 'ET', 'CS', 'BN'].includes(type) ? 'ON' : undefined));
    // W7: digits after Latin letters take the direction of these.
    each((type, at) => (type === 'EN' && lastOf(at, ['R', 'L']) === 'L' ? 'L' : undefined));

    // N0: a pair of brackets takes the direction of the text inside it.
    const sideOf = (type) => (type === 'L' ? 'L' : ['R', 'EN', 'AN'].includes(type) ? 'R' : undefined);
    const pairs = [];
    const open = [];
    characters.forEach((character, at) => {
      if (types[at] !== 'ON') return;
      if (opening.has(character)) open.push(at);
      else if (closing.has(character)) {
        const found = open.findLastIndex((from) => opening.get(characters[from]) === character);
        if (found < 0) return;
        pairs.push([open[found], at]);
        open.length = found;
      }
    });
    pairs.sort(([a], [b]) => a - b);
    for (const [from, to] of pairs) {
      const inside = new Set(types.slice(from + 1, to).map(sideOf));
      let side;
      if (inside.has(sides)) side = sides;
      else if (inside.has('L') || inside.has('R')) {
        const other = sides === 'L' ? 'R' : 'L';
        let before = sides;
        for (let at = from - 1; at >= 0; at--)
          if (sideOf(types[at])) {
            before = sideOf(types[at]);
            break;
          }
        side = before === other ? other : sides;
      } else continue;
      for (const at of [from, to]) {
        types[at] = side;
        // Marks on a bracket take its direction.
        for (let mark = at + 1; original[mark] === 'NSM'; mark++) types[mark] = side;
      }
    }
    // N1, N2: neutral characters take the direction that both neighbours have, else that of the line.
    for (let at = 0; at < types.length; at++) {
      if (sideOf(types[at])) continue;
      let past = at;
      while (past < types.length && !sideOf(types[past])) past++;
      const before = at ? sideOf(types[at - 1]) : sides;
      const after = past < types.length ? sideOf(types[past]) : sides;
      types.fill(before === after ? before : sides, at, past);
      at = past - 1;
    }
    // I1, I2.
    const levels = types.map((type) =>
      base % 2 ? (type === 'R' ? base : base + 1) : type === 'R' ? base + 1 : type === 'L' ? base : base + 2,
    );
    return { levels, original };
  }

  /** P2, P3: the first letter with a direction decides that of the paragraph. */
  const baseOf = (characters) => {
    for (const character of characters) {
      const kind = kindOf(character);
      if (kind === 'L') return 0;
      if (kind === 'R' || kind === 'AL') return 1;
    }
    return 0;
  };

  /** The indices of the characters of one line, in visual order from left to right. */
  function order(levels, original, base, from, to) {
    const line = levels.slice(from, to);
    // L1: spaces at the end of a line take the level of the paragraph.
    for (let at = line.length - 1; at >= 0 && ['WS', 'BN'].includes(original[from + at]); at--) line[at] = base;
    let indices = line.map((_, at) => at);
    // L2: reverses each run, from the highest level to the lowest odd one.
    for (let level = Math.max(0, ...line); level >= 1; level--) {
      for (let at = 0; at < indices.length; at++) {
        if (line[at] < level) continue;
        let past = at;
        while (past < line.length && line[past] >= level) past++;
        indices = [...indices.slice(0, at), ...indices.slice(at, past).reverse(), ...indices.slice(past)];
        // The levels move with their characters.
        line.splice(at, past - at, ...line.slice(at, past).reverse());
        at = past;
      }
    }
    return indices.map((at) => at + from);
  }

  const shown = (character, level) => (level % 2 ? (mirrors.get(character) ?? character) : character);
  const isControl = (character) => /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(character);

  /** Each line as its indices into the text's UTF-16 code units, and its visible text. */
  function lines(text, breaks) {
    const characters = [...text];
    const starts = [];
    let unit = 0;
    for (const character of characters) {
      starts.push(unit);
      unit += character.length;
    }
    const base = baseOf(characters);
    const { levels, original } = levelsOf(characters, base);
    const ends = [...new Set([...breaks, text.length])].sort((a, b) => a - b);
    let from = 0;
    return ends.map((end) => {
      let to = from;
      while (to < characters.length && starts[to] < end) to++;
      const indices = order(levels, original, base, from, to).filter((at) => !isControl(characters[at]));
      from = to;
      return indices.map((at) => ({ unit: starts[at], seen: shown(characters[at], levels[at]) }));
    });
  }

  self.registerRTLTextPlugin({
    applyArabicShaping: shaped,
    processBidirectionalText: (text, breaks) =>
      lines(text, breaks).map((line) => line.map(({ seen }) => seen).join('')),
    processStyledBidirectionalText: (text, styles, breaks) =>
      lines(text, breaks).map((line) => [
        line.map(({ seen }) => seen).join(''),
        line.flatMap(({ unit, seen }) => Array.from({ length: seen.length }, () => styles[unit])),
      ]),
  });
})();
