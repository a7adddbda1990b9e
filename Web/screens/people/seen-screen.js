// A phone that somebody shows by a link, for people without an account: `#/seen/<link>`.
import { mapOrNone, toMap } from '../../map/map-view.js';
import { fill, h } from '../../scripts/page/dom.js';
import { serverOf } from '../../scripts/server/server.js';
import { until, whereabouts } from '../../scripts/words/sharing-words.js';
import { t } from '../../scripts/words/translate.js';

const every_ms = 10_000;
/** The range around the phone at first, in metres. */
const around_m = 600;

export function show(app, outlet, { parameters }) {
  const server = serverOf(app);
  const place = h('div', { class: 'card padded seen-card', role: 'status' }, t`Asking the server…`);
  outlet.append(place);
  let gone = false;
  let timer;
  let marker;
  let view;

  const draw = async (seen) => {
    const { device_name: phone, owner_name: owner, fix } = seen;
    fill(
      place,
      h('h1', { class: 'title-3' }, owner ? t`${phone} of ${owner}` : phone),
      h('p', { class: 'body' }, whereabouts(seen)),
      h('p', { class: 'footnote' }, until(seen)),
    );
    if (!fix) {
      marker?.remove();
      marker = undefined;
      return;
    }
    view ??= await mapOrNone(app);
    if (gone || !view) return;
    const at = [fix.latitude, fix.longitude];
    if (!marker) {
      const dot = h(
        'div',
        { class: 'phone-dot', role: 'img', 'aria-label': phone },
        h('span', { class: 'phone-initial' }, [...phone][0]?.toLocaleUpperCase() ?? ''),
      );
      marker = new view.library.Marker({ element: dot }).setLngLat(toMap(at)).addTo(view.map);
      view.around(at, around_m);
    }
    marker.setLngLat(toMap(at));
  };
  const look = async () => {
    try {
      const seen = await server.ask('GET', `/shared-links/${encodeURIComponent(parameters.link)}`);
      if (!gone) await draw(seen);
    } catch (error) {
      if (gone) return;
      if (!error.offline && error.status && error.status < 500) {
        marker?.remove();
        fill(
          place,
          h('h1', { class: 'title-3' }, t`Nothing is shown here`),
          h('p', { class: 'body' }, t`This link does not work, or has ended. Ask for a new one.`),
        );
        return;
      }
      // The last position stays on the map, with its time.
      if (!marker) fill(place, h('p', { class: 'body' }, error.message));
    }
    if (!gone) timer = setTimeout(look, every_ms);
  };
  look();
  return () => {
    gone = true;
    clearTimeout(timer);
    marker?.remove();
  };
}
