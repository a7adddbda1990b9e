// One large button, what is near, and what is promised.
import { h, update } from '../scripts/dom.js';
import { categoryLook, icon } from '../scripts/icons.js';
import * as notifications from '../scripts/notifications.js';
import { painted } from '../scripts/painted.js';
import { ring } from '../scripts/ring.js';
import * as sounds from '../scripts/sounds.js';
import * as words from '../scripts/words.js';
import { guaranteeWords, promise } from '../scripts/promises.js';
import { snackbar } from '../parts/snackbar.js';

/** A position older than that is told with its age, in ms. */
const stale = 60_000;

export class AlarmScreen extends HTMLElement {
  set app(app) { this.#app = app; }
  #app;
  #clock;
  #isNew = false;

  connectedCallback() {
    this.className = 'pane alarm-screen';
    for (const name of ['change', 'settings']) this.#app.addEventListener(name, this.#drawSoon);
    this.#app.storage.kept('first_run', false).then((done) => { this.#isNew = !done; this.#draw(); }, () => {});
    this.#app.wakeLock.addEventListener('change', this.#drawSoon);
    this.#clock = setInterval(this.#draw, 15_000);
    this.#draw();
  }

  disconnectedCallback() {
    for (const name of ['change', 'settings']) this.#app.removeEventListener(name, this.#drawSoon);
    this.#app.wakeLock.removeEventListener('change', this.#drawSoon);
    cancelAnimationFrame(this.#due);
    clearInterval(this.#clock);
  }

  /** One tap changes several things: they are drawn once, in the next frame. */
  #drawSoon = () => { this.#due ||= requestAnimationFrame(this.#draw); };
  #due = 0;

  #draw = () => {
    cancelAnimationFrame(this.#due);
    this.#due = 0;
    const { report } = this.#app;
    update(this, this.#header(report), h('div', { class: 'troubles' }, this.#troubles(report)), this.#hero(report),
      h('div', { class: 'guarantee-line' }, this.#promise(report)), h('div', {}, this.#going(report)), this.#nearby(report), h('div', {}, this.#welcome(report)), this.#awake(report));
  };

  #header({ armed, watching, total, position }) {
    return h('header', {},
      h('div', { class: 'grow' },
        h('h1', { class: 'large-title' }, armed ? 'Alarms on' : 'Alarms off'),
        h('p', { class: 'subhead' }, armed ? `Watching ${watching} of ${words.count(total, 'zone')}` : total ? `${words.count(total, 'zone')}, none watched` : 'No zones yet')),
      h('div', { class: 'tools' }, this.#chip(armed, position),
        h('a', { class: 'round', id: 'information', href: '#/about', 'aria-label': 'Help and about' }, icon('info'))));
  }

  #chip(armed, position) {
    const { positioning, now } = this.#app;
    const age = position && now - position.measured_ms;
    const weak = position && position.accuracy_m > 50;
    const [text, warns] = !armed ? ['Paused', false]
      : positioning === 'denied' ? ['Not allowed', true]
        : !position ? [positioning === 'unavailable' ? 'No position' : 'Searching', true]
          : age > stale ? [`${words.span(age / 1000)} ago`, true]
            : weak ? [`Weak GPS ±${words.length(position.accuracy_m)}`, true] : [position.accuracy_m === undefined ? 'Exact' : `±${Math.max(1, Math.round(position.accuracy_m))} m`, false];
    return h('span', { class: `chip${warns ? ' warn' : ''}`, id: 'position-chip' }, icon(warns ? 'warning' : 'position', { size: 18 }), h('span', { class: 'number' }, text));
  }

  /** What keeps alarms from being heard or seen, with what to do about it (S32). */
  #troubles({ armed, refused_zones: refused }) {
    const told = [];
    if (armed && this.#app.positioning === 'denied') told.push(['This page may not know where you are', 'Allow location for this site in the browser’s settings, and location for the browser in the system’s.', '#/about/permissions']);
    if (armed && notifications.permission() === 'denied') told.push(['Notifications are not allowed', 'Alarms are seen and heard only while this page is in view. The site’s settings change that.', '#/about/permissions']);
    if (refused.length) told.push([`${words.count(refused.length, 'zone')} cannot be watched`, 'What is wrong is said with each in the list.', '#/zones']);
    return told.map(([title, text, address]) => h('a', { class: 'trouble', href: address, 'data-key': title }, icon('warning'), h('span', { class: 'grow' }, h('b', {}, title), h('span', {}, text))));
  }

  #hero({ armed, nearest: [first] }) {
    const away = first && first.distance_m > 0;
    return h('div', { class: 'hero' },
      ring(armed && first ? first.closeness : 0, { radius: 136, width: armed ? 10 : 4, box: 288, colour: armed ? 'var(--primary)' : 'var(--off)' }),
      h('button', { class: 'disc', id: 'activate', 'aria-pressed': String(armed), onclick: () => (armed ? this.#deactivate() : this.#activate()) },
        icon(armed ? 'bell' : 'bell-off', { size: 52 }), h('span', {}, armed ? 'Deactivate' : 'Activate')),
      armed && first && h('a', { class: 'nearest', id: 'nearest', href: `#/map?zone=${first.id}`, 'aria-label': `Nearest zone: ${first.name || 'a zone'}, ${distance(first)}${entry(first)}` },
        away ? arrow(first.bearing_deg, 18) : icon('bell', { size: 18 }), h('b', { class: 'number' }, away ? distance(first) : 'Inside'),
        h('span', {}, `${away ? 'to ' : ''}${first.name || 'a zone'}`), first.entry_s !== undefined && away && h('span', { class: 'number soon' }, entry(first))));
  }

  async #activate() {
    navigator.vibrate?.(10);
    // The tap is what lets sound out, and lets permissions be asked.
    sounds.unlock(...new Set([...this.#app.zones.values()].map(({ sound }) => sound || sounds.standardSound())));
    const asked = notifications.permission() === 'default' ? notifications.ask() : undefined;
    await this.#press(() => this.#app.activate());
    await asked;
    this.#draw();
  }

  /** The button is seen to be pressed, and what it means is done right after. */
  async #press(run) {
    const button = this.querySelector('#activate');
    button?.setAttribute('aria-busy', 'true');
    await painted();
    try { await run(); } finally { button?.removeAttribute('aria-busy'); }
  }

  async #deactivate() {
    navigator.vibrate?.(10);
    await this.#press(() => this.#app.deactivate());
    snackbar('Alarms off', { undo: () => this.#activate() });
  }

  #promise({ armed, nearest: [first] }) {
    if (!armed || !first) return null;
    const { kind, text } = guaranteeWords(first.guarantee);
    return h('p', { class: `guarantee ${kind}`, id: 'guarantee' }, icon(kind === 'guaranteed' ? 'shield' : 'warning', { size: 18 }), h('span', {}, text));
  }

  /** Alarms that ring on though they were closed, and those that are quiet. */
  #going({ alarms }) {
    if (!alarms.length) return null;
    return h('section', { 'aria-label': 'Alarms' }, h('div', { class: 'section-title' }, h('h2', { class: 'title-2' }, 'Alarms')),
      h('ul', { class: 'card' }, alarms.map(({ alarm, zone }) => {
        const { picture, colour } = categoryLook(zone.category);
        const rings = zone.state === 'ringing';
        return h('li', { 'data-key': alarm, style: { '--category': rings ? 'var(--alarm)' : colour } }, h('div', { class: 'row' },
          h('span', { class: 'tile' }, icon(rings ? 'bell' : picture)),
          h('span', { class: 'grow' }, h('span', { class: 'headline' }, zone.name || 'A zone'),
            rings ? h('span', { class: 'tag alarm' }, icon('bell', { size: 14 }), 'rings on')
              : h('span', { class: 'tag sleep' }, icon('moon', { size: 14 }), zone.until_ms ? `until ${words.clock(zone.until_ms)}` : 'until you leave'))),
          rings && h('div', { class: 'row-answers' },
            h('button', { class: 'button sleep', onclick: () => this.#app.ringing.answer('sleep', alarm) }, icon('moon'), 'Sleep'),
            h('button', { class: 'button', onclick: () => this.#app.ringing.answer('inside', alarm) }, 'Until I leave')));
      })));
  }

  #nearby({ armed, nearest, total }) {
    if (!total) {
      return h('div', { class: 'card empty' }, icon('area', { size: 40 }), h('p', { class: 'headline' }, 'No zones yet'),
        h('p', { class: 'subhead' }, 'Draw one on the map, or add a file that somebody sent you.'),
        h('div', { class: 'choices' }, h('a', { class: 'button primary', href: '#/zones/new' }, icon('plus'), 'New zone'), h('a', { class: 'button', href: '#/receive' }, 'Add a file')));
    }
    return h('section', { 'aria-label': 'Nearby' },
      h('div', { class: 'section-title' }, h('h2', { class: 'title-2' }, 'Nearby'), h('a', { class: 'link', href: '#/reminders' }, 'All reminders')),
      nearest.length ? h('ul', { class: 'card' }, nearest.map((zone) => h('li', { 'data-key': zone.id }, this.#row(zone, armed))))
        : h('p', { class: 'subhead' }, armed ? 'Waiting for a position.' : 'Activate to see how far your zones are.'));
  }

  /** What is promised is said once, above; again only of zones of which it is something else. */
  #row(zone, armed) {
    const differs = promise(zone.guarantee) !== promise(this.#app.report.nearest[0].guarantee);
    const { picture, colour } = categoryLook(zone.category);
    return h('a', { class: 'row', href: `#/zones/${zone.id}`, style: { '--category': colour } },
      h('span', { class: 'small-ring' }, ring(armed ? zone.closeness : 0, { radius: 21, width: 4, box: 48, colour }), icon(picture, { size: 22 })),
      h('span', { class: 'grow' },
        h('span', { class: 'headline' }, zone.name || 'A zone'),
        h('span', { class: 'subhead' }, trigger(zone)),
        armed && differs && h('span', { class: 'footnote promise' }, promise(zone.guarantee))),
      h('span', { class: 'trailing' },
        h('span', { class: 'title-3 number' }, distance(zone)),
        h('span', { class: 'footnote toward' }, zone.distance_m > 0 && [arrow(zone.bearing_deg, 14), words.compass(zone.bearing_deg)], zone.entry_s !== undefined && zone.distance_m > 0 && entry(zone))));
  }

  /** Once, until it was done: what this device needs to wake somebody. */
  #welcome({ armed }) {
    if (!this.#isNew || armed) return null;
    return h('a', { class: 'card row welcome', id: 'welcome', href: '#/first-run' }, h('span', { class: 'tile quiet' }, icon('check')),
      h('span', { class: 'grow' }, h('span', { class: 'headline' }, 'Set up this device'), h('span', { class: 'subhead' }, 'Position, notices, a test of sound')), icon('forward', { size: 18 }));
  }

  /** That the screen stays on, what it costs, and what a page cannot do. */
  #awake({ armed }) {
    const { wakeLock, settings } = this.#app;
    if (!armed) return null;
    const { battery } = wakeLock;
    const low = battery && !battery.charging && battery.percent <= 20;
    const cost = battery ? `Battery ${battery.percent} %${battery.charging ? ', charging' : low ? ': low, think of a charger' : ''}` : 'This uses the battery';
    return h('section', { 'aria-label': 'Screen' }, h('div', { class: 'section-title' }, h('h2', { class: 'title-2' }, 'While this page is in view')),
      h('div', { class: 'card' },
        h('label', { class: 'row low' }, h('span', { class: 'grow' }, h('span', { class: 'headline' }, 'Keep the screen on'),
          h('span', { class: `subhead${low ? ' low-battery' : ''}` }, wakeLock.isHeld ? `On. ${cost}` : wakeLock.isWanted ? 'The system does not allow it now' : 'Off: alarms pause when the screen does')),
        h('button', { class: 'switch', role: 'switch', id: 'keep-awake', 'aria-label': 'Keep the screen on', 'aria-checked': String(wakeLock.isWanted), onclick: () => this.#app.changeSettings({ keep_awake: settings.keep_awake === false }) })),
        h('button', { class: 'row low', id: 'dim', onclick: () => this.#app.dim() }, h('span', { class: 'grow' }, h('span', { class: 'headline' }, 'Dim the screen'), h('span', { class: 'subhead' }, 'Black, with the distance; a tap ends it')), icon('moon')),
        h('a', { class: 'row low', href: '#/pairing' }, h('span', { class: 'grow' }, h('span', { class: 'headline' }, 'In the background'), h('span', { class: 'subhead' }, 'A page sleeps when hidden. A phone app need not')), icon('forward', { size: 18 }))));
  }
}

const entry = (zone) => (zone.entry_s === undefined ? '' : `about ${words.span(zone.entry_s)}`);

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
