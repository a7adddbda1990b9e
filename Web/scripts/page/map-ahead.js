// Requests the map's files as soon as the page knows its address: otherwise each file would be found only after the one before it
// is read. Not a module, which would wait for all its imports. `vendor-files.js` takes over the requests begun here.
if (/^#\/map\b/.test(location.hash)) {
  document.head.append(document.getElementById('map-files').content);
  for (const src of ['vendor/maplibre-gl.js', 'vendor/pmtiles.js']) {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => {
      script.dataset.isThere = '';
    };
    // Removed, so that the map requests the file again.
    script.onerror = () => script.remove();
    document.head.append(script);
  }
}
