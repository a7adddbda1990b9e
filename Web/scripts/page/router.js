// Shows the screen of an address. `#/zones/0123?part=sound` shows the zone editor with `{id}` and its query.
import { replace } from './address.js';
import { h } from './dom.js';
import { icon } from './icons.js';
import { painted } from './painted.js';
import { places, routes } from './routes.js';
import { noteScreen, step } from './steps.js';
import { snackbar } from '../../parts/snackbar.js';
import { t } from '../words/translate.js';

const statesKey = 'place_states';

/** The address of the screen for one of the server's links: to set up an account, to set a new password, to sign a phone in. */
export const screenOf = (address) =>
  address.replace(/^#(setup|reset)=([\w-]+)$/, '#/account?$1=$2').replace(/^#phone=([\w-]+)$/, '#/open?code=$1');

/** The route of an address with the parameters and the query, or null. */
export function match(address, table = routes) {
  const [path, query = ''] = screenOf(address)
    .replace(/^#?\/?/, '/')
    .split('?', 2);
  const found = path.split('/').filter(Boolean);
  for (const route of table) {
    const wanted = route.pattern.split('/').filter(Boolean);
    if (wanted.length !== found.length) continue;
    const parameters = {};
    const fits = wanted.every((part, index) => {
      if (!part.startsWith(':')) return part === found[index];
      try {
        parameters[part.slice(1)] = decodeURIComponent(found[index]);
      } catch {
        return false;
      }
      return true;
    });
    if (fits) return { route, parameters, query: new URLSearchParams(query) };
  }
  return null;
}

export class Router {
  #app;
  #outlet;
  #stage;
  #bar;
  #leave;
  #turn = 0;

  constructor(app, { outlet, stage, bar }) {
    this.#app = app;
    this.#outlet = outlet;
    this.#stage = stage;
    this.#bar = bar;
    this.#bar.append(
      ...places.map((place) =>
        h(
          'a',
          { href: place.address, 'data-place': place.name },
          h('span', { class: 'pill' }, icon(place.picture)),
          h('span', {}, place.label),
        ),
      ),
    );
    app.storage.arrived
      .then(() => app.storage.kept(statesKey, {}))
      .then((kept) => {
        this.#states = { ...kept, ...this.#states };
        for (const place of Object.keys(this.#states)) this.#lead(place);
      })
      .catch((error) => console.error(error));
    addEventListener('hashchange', () => this.follow());
    addEventListener('click', (event) => this.#tapped(event));
    for (const name of ['error', 'unhandledrejection'])
      addEventListener(name, ({ error, reason }) => this.#failed(error ?? reason));
  }

  /** Marks a tapped link in the next frame, and enters its screen only after that frame is painted. */
  async #tapped(event) {
    const link = event.target.closest?.('a[href^="#/"]');
    const found = link && !link.target && match(link.hash);
    if (
      !found ||
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    this.#mark(found.route);
    link.dataset.going = '';
    await painted();
    this.#isSeen = true;
    step(link.hash);
    await painted();
    this.#isSeen = false;
    delete link.dataset.going;
  }
  /** The pattern of the state shown last, by place; kept on the device. */
  #states = {};

  #lead(place) {
    const link = this.#bar.querySelector(`[data-place="${place}"]`);
    if (link) link.href = `#${this.#states[place]}`;
  }

  #keepState({ place, pattern }) {
    if (this.#states[place] === pattern) return;
    this.#states[place] = pattern;
    this.#lead(place);
    this.#app.storage.keep(statesKey, this.#states).catch((error) => console.error(error));
  }

  #isSeen = false;
  /** The route of the screen that is shown. */
  #shown;

  /** True if the address is that of the first screen. */
  get isHome() {
    return match(location.hash)?.route.pattern === '/';
  }

  /** True if the address is that of a screen that shows the map on phones too. */
  get wantsMap() {
    return match(location.hash)?.route.map === 'behind';
  }

  /** Shows the screen of the address. A later call supersedes one whose module is still loading. */
  async follow() {
    const turn = ++this.#turn;
    const found = match(location.hash);
    if (!found) return replace('/');
    // The bar shows the new place before the screen is loaded, also after Back or a typed address.
    this.#mark(found.route);
    const seen = this.#isSeen || !this.#stage.dataset.screen ? undefined : painted();
    let module;
    try {
      module = await found.route.load();
      // Every screen but the first asks the engine at once.
      if (found.route.pattern !== '/') await this.#app.begun;
      await module.prepare?.(this.#app);
    } catch (error) {
      module = { show: (_, outlet) => missing(outlet, found.route, error, () => this.follow()) };
    }
    await seen;
    if (turn !== this.#turn) return;
    this.#leaveScreen();
    this.#dress(found.route);
    this.#outlet.replaceChildren();
    this.#outlet.scrollTop = 0;
    this.#shown = found.route;
    try {
      this.#enter(module, found);
    } catch (error) {
      this.#giveUp(error);
    }
    noteScreen();
    dispatchEvent(new CustomEvent('screen', { detail: { route: found.route, parameters: found.parameters } }));
  }

  #enter(module, { parameters, query }) {
    if (module.screen) {
      const element = new module.screen();
      Object.assign(element, { parameters, query, app: this.#app });
      this.#outlet.append(element);
    } else {
      const left = module.show(this.#app, this.#outlet, { parameters, query });
      if (typeof left === 'function') this.#leave = left;
    }
  }

  /** Leaves the screen. An error in its clean-up must not block the next screen, which may hold Deactivate. */
  #leaveScreen() {
    const leave = this.#leave;
    this.#leave = undefined;
    try {
      leave?.();
    } catch (error) {
      console.error(error);
      snackbar(t`“${this.#shown?.title ?? t`Screen`}” was not closed properly: ${error.message}`);
    }
  }

  /** Shows an error page if a screen failed and left the outlet blank. */
  #failed(error) {
    if (error instanceof Error && this.#shown && !this.#outlet.innerText.trim()) this.#giveUp(error);
  }

  #giveUp(error) {
    this.#outlet.replaceChildren();
    missing(this.#outlet, this.#shown, error, () => this.follow());
  }

  /** Marks the place in the bar that the route belongs to. */
  #mark(route) {
    for (const link of this.#bar.children) {
      if (link.dataset.place === route.place) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  }

  #dress(route) {
    const first = !this.#stage.dataset.screen;
    document.title =
      route.place === 'alarm' && route.pattern === '/' ? 'Proximity Alarm' : t`${route.title} · Proximity Alarm`;
    if (route.isState) this.#keepState(route);
    this.#stage.dataset.screen = route.pattern;
    this.#stage.dataset.map = route.map ?? 'none';
    document.body.classList.toggle('without-bar', route.bar === false);
    // A new screen is announced by its title; the first one is the page itself.
    if (!first) this.#outlet.focus({ preventScroll: true });
    this.#outlet.setAttribute('aria-label', route.title);
  }
}

function missing(outlet, route, error, again) {
  console.error(error);
  outlet.append(
    h(
      'div',
      { class: 'pane' },
      h('header', {}, h('h1', { class: 'large-title' }, route.title)),
      h(
        'div',
        { class: 'card empty' },
        icon('warning', { size: 40 }),
        h('p', { class: 'headline' }, t`This screen could not be shown`),
        h(
          'p',
          { class: 'subhead' },
          navigator.onLine
            ? t`Try again in a moment. The reason: ${error.message}`
            : t`There is no network, and it was not kept on this device.`,
        ),
        h('button', { class: 'button primary', onclick: again }, t`Try again`),
      ),
    ),
  );
}
