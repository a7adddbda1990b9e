// What the page loads first: its language. All else is loaded after that, so that every sentence, also of a table that is
// made once, is in it.
import { loadMapAhead } from './page/map-ahead.js';
import { language, useLanguage } from './words/language.js';

loadMapAhead();
await useLanguage();
document.documentElement.lang = language();
await import('./main.js');
