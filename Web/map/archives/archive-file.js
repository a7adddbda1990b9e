// Tells a PMTiles archive from other files, with nothing else loaded.

const magic = 'PMTiles';

/** True if a file says of itself that it is one. */
export const isArchive = async (file) =>
  new TextDecoder('latin1').decode(await file.slice(0, magic.length).arrayBuffer()) === magic;
