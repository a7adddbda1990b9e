// One large button, what is near, and what is promised.
import { fill, h } from '../scripts/dom.js';
import { categoryLook, icon } from '../scripts/icons.js';
import { ring } from '../scripts/ring.js';
import * as words from '../scripts/words.js';

const promises = {
  only_while_visible: 'as long as this page is in view', only_in_use: 'only while in use', approximate_only: 'only roughly: precise location is off',
  no_fix: 'no position yet', suspect_position: 'checking an odd position', rang_already: 'rang already', policy_has_no_bound: 'no bound',
};

export class AlarmScreen extends HTMLElement {
  set app(app) {
    this.#app = app;
    this.className = 'pane';
    app.addEventListener('change', this.#draw);
    this.#draw();
  }
  #app;

  disconnectedCallback() { this.#app.removeEventListener('change', this.#draw); }

  #draw = () => {
    const { report } = this.#app;
    fill(this, this.#header(report), this.#hero(report), this.#nearby(report));
  };

  #header({ armed, watching, total, position }) {
    const weak = armed && position && position.accuracy_m > 50;
    const chip = !armed ? 'Paused'
      : this.#app.positioning === 'denied' ? 'No permission'
        : !position ? 'No position' : weak ? `Weak GPS ±${words.length(position.accuracy_m)}` : `±${words.length(position.accuracy_m ?? 0)}`;
    return h('header', {},
      h('div', {},
        h('h1', { class: 'large-title' }, armed ? 'Alarms on' : 'Alarms off'),
        h('p', { class: 'subhead' }, armed ? `Watching ${watching} of ${words.count(total, 'zone')}` : `${words.count(total, 'zone')}, none watched`)),
      h('span', { class: `chip${armed && (weak || !position) ? ' warn' : ''}` }, icon('position', { size: 18 }), h('span', { class: 'number' }, chip)));
  }

  #hero({ armed, nearest }) {
    const [first] = nearest;
    return h('div', { class: 'hero' },
      ring(armed && first ? first.closeness : 0, { radius: 136, width: armed ? 10 : 4, box: 288, colour: armed ? 'var(--primary)' : 'var(--off)' }),
      h('button', {
        class: 'disc', id: 'activate', 'aria-pressed': String(armed),
        onclick: () => (armed ? this.#app.deactivate() : this.#app.activate()),
      }, icon(armed ? 'bell' : 'bell-off', { size: 52 }), h('span', {}, armed ? 'Deactivate' : 'Activate')),
      armed && first && h('span', { class: 'nearest' },
        arrow(first.bearing_deg, 18), h('b', { class: 'number' }, distance(first)), h('span', {}, `to ${first.name || 'a zone'}`)));
  }

  #nearby({ armed, nearest, total }) {
    if (!total) {
      return h('div', { class: 'card empty' }, icon('area', { size: 40 }), h('p', { class: 'headline' }, 'No zones yet'),
        h('p', { class: 'subhead' }, 'Draw one on the map, or import a .pad file.'), h('a', { class: 'button primary', href: '#/zones/new' }, 'New zone'));
    }
    return h('section', { 'aria-label': 'Nearby' },
      h('div', { class: 'section-title' }, h('h2', { class: 'title-2' }, 'Nearby'), h('a', { class: 'link', href: '#/reminders' }, 'All reminders')),
      h('ul', { class: 'card' }, nearest.map((zone) => h('li', {}, this.#row(zone, armed)))),
      nearest.length === 0 && h('p', { class: 'subhead' }, armed ? 'Waiting for a position.' : 'Activate to see how far your zones are.'));
  }

  #row(zone, armed) {
    const { picture, colour } = categoryLook(zone.category);
    const promise = zone.guarantee.kind === 'guaranteed' ? `at most ${words.span(zone.guarantee.late_s)} late`
      : zone.guarantee.kind === 'best_effort' ? promises[zone.guarantee.why] : 'not watched';
    return h('a', { class: 'row', href: `#/zones/${zone.id}`, 'data-key': zone.id, style: { '--category': colour, 'text-decoration': 'none' } },
      h('span', { class: 'small-ring' }, ring(armed ? zone.closeness : 0, { radius: 21, width: 4, box: 48, colour }), icon(picture, { size: 22 })),
      h('span', { class: 'grow' },
        h('span', { class: 'headline' }, zone.name || 'A zone'),
        h('span', { class: 'subhead' }, [trigger(zone), zone.entry_s && `about ${words.span(zone.entry_s)}`, armed && promise].filter(Boolean).join(' · '))),
      h('span', { class: 'trailing' },
        h('span', { class: 'title-3 number' }, distance(zone)),
        h('span', { class: 'footnote', style: { display: 'flex', 'justify-content': 'flex-end', 'align-items': 'center', gap: '4px' } }, arrow(zone.bearing_deg, 14), words.compass(zone.bearing_deg))));
  }
}

/** How far it is to the zone's edge. */
export const distance = (zone) => (zone.distance_m <= 0 ? 'inside' : words.length(zone.distance_m));

export function trigger(zone) {
  const when = { enter: 'Enter', inside: 'Inside', leave: 'Leave', dwell: 'Stay' }[zone.trigger];
  return zone.alert_m > 0 ? `${when} · alerts at ${words.length(zone.alert_m)}` : when;
}

function arrow(degrees, size) {
  const element = icon('arrow', { size });
  element.style.transform = `rotate(${Math.round(degrees)}deg)`;
  return element;
}

customElements.define('alarm-screen', AlarmScreen);
export const screen = AlarmScreen;
