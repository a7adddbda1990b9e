/** Whether the page opens with the map, as its address says. `map-ahead.js` looks at the same. */
export const isMapAddress = () => /^#\/map\b/.test(location.hash);
