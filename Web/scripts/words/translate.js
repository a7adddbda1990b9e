// The page's sentences in the language of who reads it.

/**
 * A sentence, written in English where it is used: t`Rings ${length(20)} before the edge`.
 * @returns {string}
 */
export const t = (parts, ...values) => parts.reduce((text, part, place) => text + values[place - 1] + part);
