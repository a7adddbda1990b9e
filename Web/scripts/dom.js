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
    if (name.startsWith('on')) element.addEventListener(name.slice(2).toLowerCase(), value);
    else if (name.startsWith('.')) element[name.slice(1)] = value;
    else if (name === 'style') for (const [property, set] of Object.entries(value)) element.style.setProperty(property, set);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Replaces what `parent` holds, and gives the focus back to the element with the same `id` or `data-key`. */
export function fill(parent, ...children) {
  const active = parent.contains(document.activeElement) ? document.activeElement : null;
  const name = active && (active.id ? `#${CSS.escape(active.id)}` : active.dataset.key && `[data-key="${CSS.escape(active.dataset.key)}"]`);
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (name) parent.querySelector(name)?.focus({ preventScroll: true });
  return parent;
}
