// Making elements without markup in strings: what people typed can never become markup.

const svg = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag `svg:circle` is one of SVG
 * @param {object} [attributes] `on…` are listeners, `class` and `data-…` as in markup, `style` an object of custom
 *   properties; true stands for a bare attribute, false, null and undefined leave it out. `.name` sets a property.
 * @param {...(Node|Description|Making|string|number|null|undefined|false|Array)} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = tag.startsWith('svg:') ? document.createElementNS(svg, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (isSet(value)) set(element, name, value);
  element.append(...shown(children).map(nodeOf));
  return element;
}

const isSet = (value) => value !== false && value !== null && value !== undefined;
/** The children that stand for something, in one list. */
const shown = (children) => children.flat(Infinity).filter(isSet);

function set(element, name, value) {
  if (name.startsWith('on')) listen(element, name.slice(2).toLowerCase(), value);
  else if (name.startsWith('.')) element[name.slice(1)] = value;
  else if (name === 'style')
    for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
  else element.setAttribute(name, value === true ? '' : value);
}

const listeners = Symbol('listeners');
/** One listener of each kind, which `update` can exchange. */
function listen(element, type, listener) {
  if (!element[listeners]) element[listeners] = new Map();
  if (!element[listeners].has(type))
    element.addEventListener(type, (event) => element[listeners].get(type)?.call(element, event));
  element[listeners].set(type, listener);
}

/** An element that is not made yet: see `describe`. */
class Description {
  constructor(tag, attributes, children) {
    Object.assign(this, { tag, attributes, children });
  }
  /** Whether an element made by the other one can become like this. */
  suits(other) {
    return (
      other instanceof Description &&
      other.tag === this.tag &&
      other.attributes.id === this.attributes.id &&
      other.attributes['data-key'] === this.attributes['data-key']
    );
  }
  make() {
    const element = h(this.tag, this.attributes);
    this.nodes = this.children.map((child) => nodeOf(child));
    element.append(...this.nodes);
    element[description] = this;
    return element;
  }
  change(element, before) {
    const names = new Set([...Object.keys(before.attributes), ...Object.keys(this.attributes)]);
    for (const name of names) this.#set(element, name, before.attributes[name], this.attributes[name]);
    this.nodes = lay(element, before.nodes, before.children, this.children);
    element[description] = this;
    return element;
  }
  #set(element, name, before, now) {
    if (name.startsWith('on')) listen(element, name.slice(2).toLowerCase(), isSet(now) ? now : undefined);
    else if (name === 'style') {
      for (const [property, text] of Object.entries(now || {}))
        if (before?.[property] !== text) element.style.setProperty(property, text);
      for (const property of Object.keys(before || {}))
        if (!Object.hasOwn(now || {}, property)) element.style.removeProperty(property);
    } else if (before === now) return;
    else if (isSet(now)) set(element, name, now);
    else if (isSet(before)) element.removeAttribute(name);
  }
}

/** What a function makes of values, made when it is wanted and has other values than before: see `made`. */
class Making {
  constructor(make, values) {
    this.run = () => make(...values);
    this.maker = make;
    this.values = JSON.stringify(values);
  }
  suits(other) {
    return other instanceof Making && other.maker === this.maker;
  }
  make() {
    const node = this.run();
    node[description] = this;
    return node;
  }
  change(node, before) {
    const now = before.values === this.values ? node : replaced(node, this.run());
    now[description] = this;
    return now;
  }
}

/** Of an element that `update` made, what it was made from. */
const description = Symbol('description');

/**
 * An element for `update`, only described: it is made where it is not there yet, and changed where it is described in another
 * way than before. A screen can describe all of itself at every position, as nothing is asked of the document for what stays.
 * Takes what `h` takes, and what `describe` and `made` give as children.
 */
export const describe = (tag, attributes = {}, ...children) => new Description(tag, attributes, shown(children));

/**
 * For `update` too: what `make` gives for the values, such as a picture. Made anew only when they differ from those before.
 * @param {(...values) => Element} make always the same function
 * @param {...*} values that JSON can write
 */
export const made = (make, ...values) => new Making(make, values);

const isDescribed = (child) => child instanceof Description || child instanceof Making;
const nodeOf = (child) =>
  isDescribed(child) ? child.make() : child instanceof Node ? child : document.createTextNode(child);

/** Makes a node like another that was made for its place; where that cannot be, the other one takes it. @returns which one is there */
function replaced(node, wanted) {
  if (isAlike(node, wanted)) {
    become(node, wanted);
    return node;
  }
  node.replaceWith(wanted);
  return wanted;
}

/** Makes the nodes of a parent, which stand for `before`, like `wanted`. @returns the nodes that are there then */
function lay(parent, nodes, before, wanted) {
  const found = wanted.map((child, place) => {
    const node = nodes[place];
    // What another part of the page took away is made anew.
    if (node?.parentNode !== parent) {
      const next = nodes.slice(place + 1).find((other) => other.parentNode === parent);
      return parent.insertBefore(nodeOf(child), next ?? null);
    }
    const last = before[place];
    if (isDescribed(child)) {
      if (child.suits(last)) return child.change(node, last);
      const fresh = child.make();
      node.replaceWith(fresh);
      return fresh;
    }
    if (!(child instanceof Node) && node.nodeType === Node.TEXT_NODE) {
      if (last !== child) node.data = child;
      return node;
    }
    return replaced(node, nodeOf(child));
  });
  for (const node of nodes.slice(wanted.length)) if (node.parentNode === parent) node.remove();
  return found;
}

/**
 * Makes what `parent` holds like `children`, and leaves alone what is like that already: a button that is being pressed
 * stays the same button, whatever is told meanwhile. For trees made by `h`, `describe` and `made` alone, without parts that keep
 * values of their own.
 */
export function update(parent, ...children) {
  // What another part of the page has put there for a while is none of this one's.
  const there = [...parent.childNodes].filter((child) => child.dataset?.apart === undefined);
  lay(
    parent,
    there,
    there.map((node) => node[description] ?? node),
    shown(children),
  );
  return parent;
}

const isAlike = (a, b) =>
  a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.id === b.id && a.dataset?.key === b.dataset?.key;

function become(old, child) {
  delete old[description];
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== child.data) old.data = child.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!child.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of child.attributes)
    if (name !== 'style' && old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.style.cssText !== child.style.cssText) old.style.cssText = child.style.cssText;
  for (const type of old[listeners]?.keys() ?? []) old[listeners].set(type, undefined);
  for (const [type, listener] of child[listeners] ?? []) listen(old, type, listener);
  update(old, ...child.childNodes);
}

/** Replaces what `parent` holds, and gives the focus back to the element with the same `id` or `data-key`. */
export function fill(parent, ...children) {
  const active = parent.contains(document.activeElement) ? document.activeElement : null;
  const name =
    active &&
    (active.id ? `#${CSS.escape(active.id)}` : active.dataset.key && `[data-key="${CSS.escape(active.dataset.key)}"]`);
  parent.replaceChildren(...shown(children).map(nodeOf));
  if (name) parent.querySelector(name)?.focus({ preventScroll: true });
  return parent;
}
