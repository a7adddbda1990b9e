// Creates elements without markup in strings: typed text can never become markup.

const svg = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag `svg:circle` for an SVG element
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
/** The children that are set, in one flat list. */
const shown = (children) => children.flat(Infinity).filter(isSet);

function set(element, name, value) {
  if (name.startsWith('on')) listen(element, name.slice(2).toLowerCase(), value);
  else if (name.startsWith('.')) element[name.slice(1)] = value;
  else if (name === 'style')
    for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
  else element.setAttribute(name, value === true ? '' : value);
}

const listeners = Symbol('listeners');
/** Registers one listener per event type, which `update` can replace. */
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
  /** True if an element made from `other` can be changed to this description. */
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

/** A node made by a function from values, made anew only if the values differ: see `made`. */
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

/** The key under which a node holds the description that `update` made it from. */
const description = Symbol('description');

/**
 * Describes an element for `update`, which makes it if it is not there yet, and changes only what differs from the previous
 * description. A screen can describe all of itself at every position, as unchanged parts cause no access to the document.
 * Takes the parameters of `h`, and results of `describe` and `made` as children.
 */
export const describe = (tag, attributes = {}, ...children) => new Description(tag, attributes, shown(children));

/**
 * Describes, for `update` too, the result of `make`, such as a picture. It is made anew only if the values differ from the previous ones.
 * @param {(...values) => Element} make always the same function
 * @param {...*} values that JSON can write
 */
export const made = (make, ...values) => new Making(make, values);

const isDescribed = (child) => child instanceof Description || child instanceof Making;
const nodeOf = (child) =>
  isDescribed(child) ? child.make() : child instanceof Node ? child : document.createTextNode(child);

/** Makes `node` like `wanted`, or replaces it if they are not alike. @returns the node that is there then */
function replaced(node, wanted) {
  if (isAlike(node, wanted)) {
    become(node, wanted);
    return node;
  }
  node.replaceWith(wanted);
  return wanted;
}

/** Changes the nodes of a parent from `before` to `wanted`. @returns the nodes that are there then */
function lay(parent, nodes, before, wanted) {
  const found = wanted.map((child, place) => {
    const node = nodes[place];
    // A node that another part of the page removed is made anew.
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
 * Makes the children of `parent` like `children` and leaves equal ones alone: a button that is being pressed stays the same
 * element during updates. Only for trees made by `h`, `describe` and `made`, without elements that keep values of their
 * own.
 */
export function update(parent, ...children) {
  // Leaves out nodes that another part of the page has put there (`data-apart`).
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

/** Replaces the children of `parent`, and returns the focus to the element with the same `id` or `data-key`. */
export function fill(parent, ...children) {
  const active = parent.contains(document.activeElement) ? document.activeElement : null;
  const name =
    active &&
    (active.id ? `#${CSS.escape(active.id)}` : active.dataset.key && `[data-key="${CSS.escape(active.dataset.key)}"]`);
  parent.replaceChildren(...shown(children).map(nodeOf));
  if (name) parent.querySelector(name)?.focus({ preventScroll: true });
  return parent;
}
