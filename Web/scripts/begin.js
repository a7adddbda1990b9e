// What the page loads first: its language. All else is loaded after that, so that every sentence, also of a table that is
// made once, is in it.
import { language, useLanguage } from './words/language.js';

await useLanguage();
document.documentElement.lang = language();
await import('./main.js');
