// A streaming XML reader, for files too large for a tree in memory and for threads without DOMParser. It knows what the formats
// need: elements, attributes, text, CDATA, the five entities and numeric character references. Entities of a document type are
// not expanded; names lose their prefix.
import { t } from '../words/translate.js';

/** Invalid markup; the message says on which line. */
export class XMLProblem extends Error {}

const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text, line) =>
  text.includes('&')
    ? text.replace(/&([^;&<\s]{1,32});|&/g, (whole, name) => {
        if (name === undefined) throw new XMLProblem(t`line ${line}: “&” has to be written “&amp;”`);
        if (Object.hasOwn(named, name)) return named[name];
        const code = /^#(\d+)$/.exec(name)?.[1] ?? Number.parseInt(/^#x([\da-f]+)$/i.exec(name)?.[1], 16);
        if (!(code > 0 && code <= 0x10ffff)) throw new XMLProblem(t`line ${line}: “${whole}” is no character`);
        return String.fromCodePoint(Number(code));
      })
    : text;

const local = (name) => name.slice(name.indexOf(':') + 1);

/** An element with its content. */
export class XMLNode {
  children = [];
  text = '';
  constructor(name, attributes, parent) {
    this.name = name;
    this.attributes = attributes;
    this.parent = parent;
  }

  attribute(name) {
    return this.attributes[name];
  }
  child(name) {
    return this.children.find((node) => node.name === name);
  }
  /** All descendants of a name, in document order. */
  all(name, found = []) {
    for (const node of this.children) {
      if (node.name === name) found.push(node);
      node.all(name, found);
    }
    return found;
  }
  get content() {
    return this.text.trim();
  }
}

export class XMLReader {
  #closed;
  #rest = '';
  #node;
  #line = 1;
  #opened = [];
  /** The outermost element. */
  root;

  /** @param {Record<string, (node: XMLNode) => void>} closed by element name: called when an element ends, which is then dropped */
  constructor(closed = {}) {
    this.#closed = closed;
  }

  feed(text) {
    const all = this.#rest ? this.#rest + text : text;
    let from = 0;
    for (;;) {
      const start = all.indexOf('<', from);
      if (start < 0) break;
      const end = this.#endOf(all, start);
      if (end < 0) {
        this.#take(all, from, start);
        from = start;
        break;
      }
      this.#take(all, from, start);
      this.#markup(all.slice(start, end));
      from = end;
    }
    // The rest waits for the next piece: an entity must not be split.
    this.#rest = all.slice(from);
  }

  finish() {
    if (this.#rest.trim())
      throw new XMLProblem(
        this.#rest.startsWith('<')
          ? t`line ${this.#line}: the markup does not end`
          : t`line ${this.#line}: text after the last element`,
      );
    if (this.#node)
      throw new XMLProblem(t`line ${this.#line}: <${this.#opened.at(-1)}> is not closed; the file may be cut off`);
    if (!this.root) throw new XMLProblem(t`line 1: there is no element`);
  }

  /** The index after the markup that begins at `start`; -1 if it continues in the next piece. */
  #endOf(all, start) {
    const close = (mark, from) => {
      const at = all.indexOf(mark, from);
      return at < 0 ? -1 : at + mark.length;
    };
    if (all.startsWith('<!--', start)) return close('-->', start + 4);
    if (all.startsWith('<![CDATA[', start)) return close(']]>', start + 9);
    if (all.startsWith('<?', start)) return close('?>', start + 2);
    if (all.length < start + 9 && '<![CDATA['.startsWith(all.slice(start))) return -1;
    let quote = '';
    let depth = 0;
    for (let at = start + 1; at < all.length; at++) {
      const letter = all[at];
      if (quote) {
        if (letter === quote) quote = '';
      } else if (letter === '"' || letter === "'") quote = letter;
      else if (letter === '[') depth += 1;
      else if (letter === ']') depth -= 1;
      else if (letter === '>' && depth <= 0) return at + 1;
    }
    return -1;
  }

  #take(all, from, to) {
    if (from === to) return;
    const text = all.slice(from, to);
    if (this.#node) {
      if (this.#node.text || text.trim()) this.#node.text += decoded(text, this.#line);
    } else if (text.replace('\ufeff', '').trim())
      throw new XMLProblem(t`line ${this.#line}: text outside of all elements`);
    this.#count(text);
  }

  #count(text) {
    for (let at = -1; (at = text.indexOf('\n', at + 1)) >= 0;) this.#line += 1;
  }

  #markup(mark) {
    if (mark.startsWith('<![CDATA[')) {
      if (this.#node) this.#node.text += mark.slice(9, -3);
    } else if (mark.startsWith('</')) this.#close(mark.slice(2, -1).trim());
    else if (!mark.startsWith('<!') && !mark.startsWith('<?')) this.#open(mark);
    this.#count(mark);
  }

  #open(mark) {
    const isEmpty = mark.endsWith('/>');
    const inner = mark.slice(1, isEmpty ? -2 : -1);
    const name = /^[^\s/>]+/.exec(inner)?.[0];
    if (!name || !/^[\p{L}_:]/u.test(name))
      throw new XMLProblem(t`line ${this.#line}: “${mark.slice(0, 20)}” is no element`);
    if (!this.#node && this.root) throw new XMLProblem(t`line ${this.#line}: a second outermost element, <${name}>`);
    const attributes = {};
    const left = inner
      .slice(name.length)
      .replace(/\s+([^\s=]+)\s*=\s*("([^"<]*)"|'([^'<]*)')/g, (_, key, __, double, single) => {
        attributes[local(key)] = decoded(double ?? single, this.#line);
        return '';
      });
    if (left.trim())
      throw new XMLProblem(t`line ${this.#line}: “${left.trim().slice(0, 20)}” is no attribute of <${name}>`);
    const node = new XMLNode(local(name), attributes, this.#node);
    if (this.#node) this.#node.children.push(node);
    else this.root = node;
    this.#node = node;
    this.#opened.push(name);
    if (isEmpty) this.#close(name);
  }

  #close(name) {
    const opened = this.#opened.pop();
    if (opened !== name)
      throw new XMLProblem(
        opened
          ? t`line ${this.#line}: </${name}> where </${opened}> was expected`
          : t`line ${this.#line}: </${name}>, but nothing is open`,
      );
    const node = this.#node;
    this.#node = node.parent;
    const handle = Object.hasOwn(this.#closed, node.name) && this.#closed[node.name];
    if (!handle) return;
    handle(node);
    // The handled element is dropped.
    node.parent?.children.pop();
  }
}
