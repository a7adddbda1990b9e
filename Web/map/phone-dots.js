// Where the account's phones were last. Asked for while the map is looked at, as the live events tell of alarms alone.
import { modalSheet } from '../parts/sheet.js';
import { go } from '../scripts/page/address.js';
import { h } from '../scripts/page/dom.js';
import { serverOf } from '../scripts/server/server.js';
import { reported, trouble } from '../scripts/words/phone-words.js';
import { toMap } from './map-view.js';
import { t } from '../scripts/words/translate.js';

const every_ms = 10_000;
/** A phone that was heard of longer ago may be anywhere. */
const stale_ms = 15 * 60_000;

export function draw(app, view) {
  const server = serverOf(app);
  const dots = new Map();
  let timer;
  let turn = 0;

  const show = (devices) => {
    const placed = devices.filter(({ last_fix: fix }) => fix);
    for (const [id, dot] of dots)
      if (!placed.some((device) => device.id === id)) {
        dot.marker.remove();
        dots.delete(id);
      }
    for (const device of placed) {
      if (!dots.has(device.id)) dots.set(device.id, new Dot(view));
      dots.get(device.id).show(device);
    }
  };
  const look = async () => {
    clearTimeout(timer);
    const mine = ++turn;
    if (server.state !== 'in') {
      if (server.state !== 'offline') show([]);
      return;
    }
    if (!view.rest.isShown) return;
    try {
      const { items } = await server.ask('GET', '/devices');
      if (mine === turn) show(items);
    } catch (error) {
      if (!error.offline) console.error(error);
    }
    if (mine === turn) timer = setTimeout(look, every_ms);
  };
  view.rest.addEventListener('change', look);
  server.addEventListener('change', look);
  look();
}

class Dot {
  #device;
  #initial = h('span', { class: 'phone-initial' });
  #name = h('span', { class: 'phone-name' });
  #element = h(
    'button',
    {
      type: 'button',
      class: 'phone-dot',
      onclick: (event) => {
        event.stopPropagation();
        this.#tell();
      },
    },
    this.#initial,
    this.#name,
  );
  marker;

  constructor(view) {
    this.marker = new view.library.Marker({ element: this.#element });
    this.marker.setLngLat([0, 0]).addTo(view.map);
  }

  show(device) {
    this.#device = device;
    const { name, last_fix: fix } = device;
    this.#initial.textContent = [...name][0]?.toLocaleUpperCase() ?? '';
    this.#name.textContent = name;
    this.#element.setAttribute('aria-label', `${name}: ${reported(device)}`);
    this.#element.classList.toggle('stale', Date.now() - Date.parse(device.last_received_at) > stale_ms);
    this.marker.setLngLat(toMap([fix.latitude, fix.longitude]));
  }

  #tell() {
    const problem = trouble(this.#device);
    const sheet = modalSheet(
      { label: this.#device.name },
      h('h2', { class: 'title-3' }, this.#device.name),
      h('p', { class: 'subhead' }, reported(this.#device)),
      problem && h('p', { class: 'problem' }, problem),
      h(
        'div',
        { class: 'sheet-actions' },
        h(
          'button',
          {
            type: 'button',
            class: 'button primary',
            onclick: () => {
              sheet.close();
              go('/pairing');
            },
          },
          t`All phones`,
        ),
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            onclick: () => {
              sheet.close();
              go(`/history?device=${this.#device.id}`);
            },
          },
          t`History`,
        ),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Close`),
      ),
    );
  }
}
