// Making elements without markup in strings: what people typed can never become markup.

/**
 * @param {string} tag
 * @param {object} [attributes] `on…` are listeners, `class` and `data-…` as in markup, `style` an object of custom
 *   properties; true stands for a bare attribute, false, null and undefined leave it out. `.name` sets a property.
 * @param {...(Node|string|number|null|undefined|false|Array)} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) listen(element, name.slice(2).toLowerCase(), value);
    else if (name.startsWith('.')) element[name.slice(1)] = value;
    else if (name === 'style')
      for (const [property, set] of Object.entries(value)) element.style.setProperty(property, set);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

const listeners = Symbol('listeners');
/** One listener of each kind, which `update` can exchange. */
function listen(element, type, listener) {
  if (!element[listeners]) element[listeners] = new Map();
  if (!element[listeners].has(type))
    element.addEventListener(type, (event) => element[listeners].get(type)?.call(element, event));
  element[listeners].set(type, listener);
}

/**
 * Makes what `parent` holds like `children`, and leaves alone what is like that already: a button that is being pressed
 * stays the same button, whatever is told meanwhile. For trees made by `h` alone, without parts that keep values of their own.
 */
export function update(parent, ...children) {
  const wanted = children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(child)));
  // What another part of the page has put there for a while is none of this one's.
  const there = [...parent.childNodes].filter((child) => child.dataset?.apart === undefined);
  wanted.forEach((child, place) => {
    const old = there[place];
    if (!old) parent.append(child);
    else if (isAlike(old, child)) become(old, child);
    else old.replaceWith(child);
  });
  for (const extra of there.slice(wanted.length)) extra.remove();
  return parent;
}

const isAlike = (a, b) =>
  a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.id === b.id && a.dataset?.key === b.dataset?.key;

function become(old, child) {
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
  parent.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  if (name) parent.querySelector(name)?.focus({ preventScroll: true });
  return parent;
}
