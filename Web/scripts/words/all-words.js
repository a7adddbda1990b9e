// Settles when the sentences of all screens are loaded. The build adds an import of this file to each script that has sentences and
// is not part of the first screen, so that its tables are made in the reader's language; the first screen waits only for its own.
import { allWords } from './language.js';

await allWords();
