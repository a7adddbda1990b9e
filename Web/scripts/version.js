/** The page's version, the same as `ProductVersion`: a browser may keep a page longer than the server that it came from. */
export const version = '0.2.0';
