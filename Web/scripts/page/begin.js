// Loads the page's language first and everything else after it, so that every sentence is translated, including those in tables
// that are built once.
import { language, useLanguage } from '../words/language.js';

/** Waits for no later file: the build bundles this file and its imports into one, which the rest imports. */
async function begin() {
  // Other screens need more words than the first one.
  await useLanguage(undefined, { first: /^(?:#\/?)?$/.test(location.hash) });
  document.documentElement.lang = language();
  await import('../main.js');
}
// Other documents of this site may import this file among the page's scripts.
if (document.getElementById('outlet')) begin();
