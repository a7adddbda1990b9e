// Zones that ring flash on the map, once a second: slower than can harm anybody (WCAG 2.2, 2.3.1). Who wants no motion
// sees them filled.
const none = { type: 'FeatureCollection', features: [] };
const half = 500;

export function draw(app, view) {
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let timer;
  let lit = true;
  let shown = '';
  view.overlay('flash', ({ token }) => ({
    sources: { flash: { type: 'geojson', data: none } },
    layers: [
      { id: 'flash', type: 'fill', source: 'flash', paint: { 'fill-color': token('--alarm'), 'fill-opacity': 0.55, 'fill-opacity-transition': { duration: 0 } } },
      { id: 'flash-line', type: 'line', source: 'flash', paint: { 'line-color': token('--alarm'), 'line-width': 4 } },
    ],
  }));
  const blink = () => {
    lit = still.matches || !lit;
    if (view.map.getLayer('flash')) view.map.setPaintProperty('flash', 'fill-opacity', lit ? 0.55 : 0.12);
  };
  const update = () => {
    const ringing = app.report.alarms.filter(({ zone }) => zone.state === 'ringing').map(({ zone }) => zone.id);
    if (ringing.join() === shown) return;
    shown = ringing.join();
    document.getElementById('map').dataset.flashing = ringing.join(' ');
    clearInterval(timer);
    if (ringing.length) timer = setInterval(blink, half);
    view.setData('flash', { type: 'FeatureCollection', features: ringing.map((id) => app.zones.get(id)).filter(Boolean).map((zone) => feature(app, zone)) });
  };
  // An opened address asks for one of them to be shown: `#/map?flash=ID`.
  const look = () => {
    const id = new URLSearchParams(location.hash.split('?')[1]).get('flash');
    const zone = id && app.zones.get(id);
    if (!zone) return;
    const drawn = app.ask('draw', { zone });
    if (drawn.south !== undefined) view.fit([[drawn.south, drawn.west], [drawn.north, drawn.east]], { margin: 80 });
  };
  app.addEventListener('change', update);
  addEventListener('screen', look);
  update();
  look();
}

function feature(app, zone) {
  const { outline = [] } = app.ask('draw', { zone });
  return { type: 'Feature', properties: {}, geometry: { type: 'MultiPolygon', coordinates: outline.map((ring) => [[...ring, ring[0]].map(([latitude, longitude]) => [longitude, latitude])]) } };
}
