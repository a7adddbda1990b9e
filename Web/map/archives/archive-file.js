// Recognizes a PMTiles archive without loading any library.

const magic = 'PMTiles';

/** True if a file begins with the signature of a PMTiles archive. */
export const isArchive = async (file) =>
  new TextDecoder('latin1').decode(await file.slice(0, magic.length).arrayBuffer()) === magic;
