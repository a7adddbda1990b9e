// Where the device is: a dot with a white rim, in a halo as wide as the position may be wrong.

export function draw(app, view) {
  const dot = document.createElement('div');
  dot.className = 'own-position';
  const marker = new view.library.Marker({ element: dot });
  let shown = false;
  view.overlay('position', ({ token }) => ({
    sources: { 'position-halo': { type: 'geojson', data: none } },
    layers: [{ id: 'position-halo', type: 'fill', source: 'position-halo', paint: { 'fill-color': token('--position'), 'fill-opacity': 0.14 } }],
  }));
  // Beside screens that do not move it the map begins where one is, with the nearest zone in it; once it was moved, by
  // whomever, it is left alone.
  let isLed = true;
  view.map.once('movestart', () => { isLed = false; });
  const lead = ({ latitude, longitude }) => {
    if (!isLed || document.getElementById('stage').dataset.map !== 'none') return;
    const [first] = app.report.nearest;
    view.around([latitude, longitude], Math.min(20_000, Math.max(400, 1.3 * Math.abs(first?.distance_m ?? 1_000))));
  };
  const update = () => {
    const { position } = app.report;
    if (!position) { marker.remove(); shown = false; view.setData('position-halo', none); return; }
    marker.setLngLat([position.longitude, position.latitude]);
    lead(position);
    if (!shown) { marker.addTo(view.map); shown = true; }
    view.setData('position-halo', position.accuracy_m ? halo(position) : none);
  };
  app.addEventListener('change', update);
  update();
}

const none = { type: 'FeatureCollection', features: [] };

// A picture, no decision: a ring of 48 points drawn flat.
function halo({ latitude, longitude, accuracy_m: radius }) {
  const up = radius / 111_320;
  const across = up / Math.max(0.01, Math.cos(latitude * Math.PI / 180));
  const ring = Array.from({ length: 49 }, (_, k) => [longitude + across * Math.cos(k * Math.PI / 24), latitude + up * Math.sin(k * Math.PI / 24)]);
  return { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } };
}
