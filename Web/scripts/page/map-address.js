/** True if the page opens with the map, by its address. `map-ahead.js` has the same condition. */
export const isMapAddress = () => /^#\/map\b/.test(location.hash);
