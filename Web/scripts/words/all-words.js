// There when the sentences of all screens are. The build has each script import this that has sentences and is not part of the
// first screen, so that its tables of sentences are made in the reader's language; the first screen waits only for its own.
import { allWords } from './language.js';

await allWords();
