/** The page's version: a browser may keep a page longer than the server that it came from. The same as `ProductVersion`. */
export const version = '0.1.0';
