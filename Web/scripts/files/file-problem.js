/** What is wrong with a file, in words that say what a person can do about it. */
export class FileProblem extends Error {}
