// Style sheets that only some screens need, loaded with them.
import { h } from './dom.js';

const loading = new Map();

/** Settles when the named sheets of `styles/` are loaded, or cannot be loaded: a screen without its style still works. */
export function styles(...names) {
  return Promise.all(
    names.map((name) => {
      if (!loading.has(name)) {
        loading.set(
          name,
          new Promise((done) => {
            document.head.append(
              h('link', { rel: 'stylesheet', href: `styles/${name}.css`, onload: done, onerror: done }),
            );
          }),
        );
      }
      return loading.get(name);
    }),
  );
}
