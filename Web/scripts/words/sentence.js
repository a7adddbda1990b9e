// Makes a text a sentence: with a capital letter, and the full stop of the language.
import { t } from './translate.js';

export const ended = (text) => (/[.!?。！？]$/.test(text) ? text : t`${text}.`);
/** @param {string} text such as the engine's or the server's reason */
export const sentence = (text) => ended(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
