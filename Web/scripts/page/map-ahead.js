// What the map needs is asked for before the page knows more than its address: else each file is found only when the one before
// it has been read.

/** Takes up what the build has listed, where the map is the first screen; beside another one it comes after that. */
export function loadMapAhead() {
  const files = document.getElementById('map-files');
  if (files && /^#\/map\b/.test(location.hash)) document.head.append(files.content);
}
