// What the map needs is asked for before the page knows more than its address: else each file is found only when the one before
// it has been read. No module, which would wait for all that modules import. `vendor-files.js` takes over what is begun here.
if (/^#\/map\b/.test(location.hash)) {
  document.head.append(document.getElementById('map-files').content);
  for (const src of ['vendor/maplibre-gl.js', 'vendor/pmtiles.js']) {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => {
      script.dataset.isThere = '';
    };
    // Asked for again when the map is.
    script.onerror = () => script.remove();
    document.head.append(script);
  }
}
