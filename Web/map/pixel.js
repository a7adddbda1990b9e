// How large a pixel of the map is.

/** How many metres a CSS pixel is, at a latitude and zoom: the world is 512 pixels wide at zoom 0. */
export const pixel_m = (latitude, zoom) => (40_075_017 / 512 / 2 ** zoom) * Math.cos((latitude * Math.PI) / 180);
