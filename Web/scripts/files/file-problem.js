/** A problem with a file, in words that tell a person how to solve it. */
export class FileProblem extends Error {}
