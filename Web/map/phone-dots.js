// The last positions of the account's phones, and of phones that others show to the account. Polled while the map is visible,
// because live events report alarms only.
import { modalSheet } from '../parts/sheet.js';
import { go } from '../scripts/page/address.js';
import { h } from '../scripts/page/dom.js';
import { serverOf } from '../scripts/server/server.js';
import { reported, trouble } from '../scripts/words/phone-words.js';
import { whereabouts } from '../scripts/words/sharing-words.js';
import { toMap } from './map-view.js';
import { t } from '../scripts/words/translate.js';

const every_ms = 10_000;
/** A phone that has not reported for longer than this may be anywhere. */
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
      const [devices, shared] = await Promise.all([server.ask('GET', '/devices'), server.ask('GET', '/shared')]);
      if (mine === turn) show([...devices.items, ...shared.items.map(asDevice)]);
    } catch (error) {
      if (!error.offline) console.error(error);
    }
    if (mine === turn) timer = setTimeout(look, every_ms);
  };
  view.rest.addEventListener('change', look);
  server.addEventListener('change', look);
  look();
}

/** A phone that somebody shows, in the form of one of the account's own. */
const asDevice = (share) => ({
  id: `shared-${share.id}`,
  name: share.device_name,
  last_fix: share.fix,
  last_received_at: share.heard_at,
  share,
});

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
    const { name, last_fix: fix, share } = device;
    this.#initial.textContent = [...name][0]?.toLocaleUpperCase() ?? '';
    this.#name.textContent = name;
    this.#element.setAttribute('aria-label', `${name}: ${share ? whereabouts(share) : reported(device)}`);
    this.#element.classList.toggle('others', Boolean(share));
    this.#element.classList.toggle('stale', Date.now() - Date.parse(device.last_received_at) > stale_ms);
    this.marker.setLngLat(toMap([fix.latitude, fix.longitude]));
  }

  #tell() {
    const { name, share } = this.#device;
    const problem = !share && trouble(this.#device);
    const way = (words, to, isFirst = false) =>
      h(
        'button',
        {
          type: 'button',
          class: isFirst ? 'button primary' : 'button',
          onclick: () => {
            sheet.close();
            go(to);
          },
        },
        words,
      );
    const sheet = modalSheet(
      { label: name },
      h('h2', { class: 'title-3' }, share ? t`${name} of ${share.owner_name || share.login}` : name),
      h('p', { class: 'subhead' }, share ? whereabouts(share) : reported(this.#device)),
      problem && h('p', { class: 'problem' }, problem),
      h(
        'div',
        { class: 'sheet-actions' },
        share
          ? way(t`People`, '/people', true)
          : [way(t`All phones`, '/pairing', true), way(t`History`, `/history?device=${this.#device.id}`)],
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Close`),
      ),
    );
  }
}
