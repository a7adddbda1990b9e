// What the page loads first: its language. All else is loaded after that, so that every sentence, also of a table that is
// made once, is in it.
import { language, useLanguage } from '../words/language.js';

/** Nothing waits here for what is loaded later: the build puts this file and what it imports into one, which the rest imports. */
async function begin() {
  // Another screen than the first one needs more.
  await useLanguage(undefined, { first: /^(?:#\/?)?$/.test(location.hash) });
  document.documentElement.lang = language();
  await import('../main.js');
}
// Another document of this site may import some of the page's scripts, and with them this one.
if (document.getElementById('outlet')) begin();
