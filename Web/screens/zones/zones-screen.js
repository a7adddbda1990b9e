// Via List (S55-S61): all zones in groups. The effect of a tap on a row is selected below (S58, S59).
import { segments } from '../../parts/controls.js';
import { offerDraft } from '../../parts/drafts.js';
import { menu } from '../../parts/layout.js';
import { go } from '../../scripts/page/address.js';
import { fill, h } from '../../scripts/page/dom.js';
import { Drawing } from '../../scripts/page/drawing.js';
import { icon } from '../../scripts/page/icons.js';
import { painted } from '../../scripts/page/painted.js';
import { styles } from '../../scripts/page/styles.js';
import { number } from '../../scripts/words/locale.js';
import { t } from '../../scripts/words/translate.js';
import * as zoneWords from '../../scripts/words/zone-words.js';
import { recentOf } from '../../scripts/storage/recent.js';
import { serverOf } from '../../scripts/server/server.js';
import { snackbar } from '../../parts/snackbar.js';
import { ZoneRow } from './zone-row.js';
import { deleteZones, zoneSheet } from './zone-sheet.js';
import { zonesSwitch } from './zones-switch.js';

await styles('zones');

const orders = () => ({
  category: t`Category, then priority`,
  distance: t`Distance`,
  name: t`Name`,
  priority: t`Priority`,
  recent: t`Recently used`,
});
const groupings = () => [
  { value: 'category', label: t`Category` },
  { value: 'active', label: t`Active` },
  { value: 'priority', label: t`Priority` },
];
const modes = () => [
  { value: 'select', label: t`Select` },
  { value: 'edit', label: t`Edit` },
  { value: 'delete', label: t`Delete` },
];
/** Titles by the engine's names of groups. */
const titles = () => ({
  on: t`On`,
  asleep: t`Sleeping`,
  off: t`Off`,
  critical: t`Critical`,
  high: t`High`,
  normal: t`Normal`,
  low: t`Low`,
  refused: t`Without an area`,
});
/** The last chosen groups and order; stored on the device. */
let look;
/** The most zones that are sorted again when only distances have changed. */
const resorted = 500;

let recent;

export async function prepare(app) {
  recent = await recentOf(app);
  look ??= { group: 'category', order: 'category', ...(await app.storage.kept('zone_list')) };
}

export function show(app, outlet, { query }) {
  return new ZonesScreen(app, outlet, query.get('zone')).leave;
}

class ZonesScreen {
  #app;
  #outlet;
  #look;
  #mode = 'select';
  #search = '';
  #selected;
  #groups = [];
  #rows = new Map();
  #state = '';
  #list = h('div', { class: 'zone-list' });
  #sort = h('button', { type: 'button', class: 'chip', 'aria-haspopup': 'dialog', onclick: () => this.#chooseOrder() });
  #publishing = h(
    'button',
    {
      type: 'button',
      class: 'round bare',
      'aria-label': t`Publish zones`,
      'aria-haspopup': 'dialog',
      'data-key': 'publish',
      onclick: () => this.#publish().catch((error) => snackbar(error.message)),
    },
    icon('share', { size: 22 }),
  );
  #grouping = segments({
    label: t`Grouped by`,
    options: groupings(),
    value: 'category',
    onchange: (group) => this.#change({ group }),
  });
  #searching;
  #pane;
  #foot;

  constructor(app, outlet, selected) {
    this.#app = app;
    this.#outlet = outlet;
    this.#selected = selected;
    this.#look = { ...look };
    this.#grouping.value = this.#look.group;
    const input = h('input', {
      class: 'input',
      type: 'search',
      id: 'zone-search',
      placeholder: t`Search zones`,
      'aria-label': t`Search zones`,
      autocomplete: 'off',
      oninput: () => {
        this.#search = input.value;
        this.#sorted();
      },
    });
    this.#searching = h('div', { class: 'search', role: 'search' }, icon('search'), input);
    this.#pane = h(
      'div',
      { class: 'pane zones-pane' },
      h(
        'header',
        { class: 'top-bar' },
        h('div', { class: 'grow' }, h('h1', { class: 'large-title' }, t`Zones`)),
        this.#publishing,
        this.#sort,
      ),
      zonesSwitch('/zones'),
      this.#searching,
      this.#grouping,
      this.#list,
    );
    this.#foot = h(
      'div',
      { class: 'list-foot' },
      segments({
        label: t`A tap on a zone`,
        options: modes(),
        value: this.#mode,
        onchoose: (mode) => {
          this.#mode = mode;
        },
      }),
      h('a', { class: 'button primary', href: '#/zones/new?from=list' }, icon('plus', { size: 20 }), t`New zone`),
    );
    outlet.append(this.#pane, this.#foot);
    outlet.addEventListener('scroll', this.#scrolled);
    app.addEventListener('change', this.#changedSoon);
    serverOf(app).addEventListener('change', this.#mayPublish);
    this.#list.addEventListener('pointerdown', this.#press);
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, this.#release);
    this.#sorted();
    offerDraft('zone/', ({ key }) => go(`/zones/${key.slice('zone/'.length)}?from=list`));
    if (selected) {
      this.#lay(1);
      this.#list.querySelector(`[data-id="${CSS.escape(selected)}"] .open`)?.scrollIntoView({ block: 'center' });
    }
  }

  #hasLeft = false;
  leave = () => {
    this.#hasLeft = true;
    this.#drawing.drop();
    this.#app.removeEventListener('change', this.#changedSoon);
    serverOf(this.#app).removeEventListener('change', this.#mayPublish);
    this.#outlet.removeEventListener('scroll', this.#scrolled);
    for (const name of ['pointerup', 'pointercancel']) removeEventListener(name, this.#release);
  };

  #change(changes) {
    look = Object.assign(this.#look, changes);
    this.#app.storage.keep('zone_list', look).catch((error) => snackbar(t`Not kept: ${error.message}`));
    this.#sorted();
  }

  #chooseOrder() {
    menu({
      label: t`Sort by`,
      at: this.#sort,
      items: Object.entries(orders()).map(([order, label]) => ({
        label,
        chosen: order === this.#look.order,
        run: () => this.#change({ order }),
      })),
    });
  }

  // MARK: Publishing

  /** Zones can be published with an account, unless it is private: its zones never leave its devices. */
  #mayPublish = () => {
    const { state, account } = serverOf(this.#app);
    this.#publishing.hidden = state !== 'in' || account.is_private || this.#app.zones.size === 0;
  };

  async #publish() {
    const { publishSheet } = await import('../people/publish-sheet.js');
    const found = this.#search ? this.#groups.filter(({ isLent }) => !isLent).flatMap(({ ids }) => ids) : undefined;
    await publishSheet({ app: this.#app, server: serverOf(this.#app), found: found?.length ? found : undefined });
  }

  // MARK: What is shown

  /** The engine's groups in the selected order. Recent use is known only to this device. */
  #ordered() {
    const { group, order } = this.#look;
    const { groups, total } = this.#app.ask('list', {
      group,
      order: order === 'recent' ? 'name' : order,
      search: this.#search,
    });
    const sorted =
      order === 'recent' ? groups.map(({ ids, ...group }) => ({ ...group, ids: recent.sorted(ids) })) : groups;
    return { groups: this.#apart(sorted), total };
  }

  /** Moves zones of others below the person's own, by collection. */
  #apart(groups) {
    const { shared } = this.#app;
    if (!shared.size) return groups;
    const lent = new Map();
    for (const id of groups.flatMap(({ ids }) => ids)) {
      if (!shared.has(id)) continue;
      const { collection, owner } = shared.get(id);
      const name = owner ? t`${collection}, shared by ${owner}` : collection;
      lent.set(name, [...(lent.get(name) ?? []), id]);
    }
    const own = groups.map(({ ids, ...group }) => ({ ...group, ids: ids.filter((id) => !shared.has(id)) }));
    return [...own.filter(({ ids }) => ids.length), ...[...lent].map(([name, ids]) => ({ name, ids, isLent: true }))];
  }

  /** Reads groups and order from the engine, and draws the list. */
  #sorted() {
    const { groups, total } = this.#ordered();
    this.#groups = groups;
    this.#state = this.#stateNow();
    const order = orders()[this.#look.order];
    this.#sort.replaceChildren(
      icon('down', { size: 18 }),
      h('span', {}, this.#look.order === 'category' ? t`Category` : order),
    );
    this.#sort.setAttribute('aria-label', t`Sorted by: ${order}`);
    const focused = this.#list.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    this.#rows.clear();
    // An empty list cannot be sorted, searched or cleared.
    for (const part of [this.#sort, this.#searching, this.#grouping, this.#foot]) part.hidden = total === 0;
    this.#mayPublish();
    fill(
      this.#list,
      total === 0
        ? this.#nothing()
        : groups.length === 0
          ? this.#notFound()
          : groups.map(({ name, ids, off, isLent }) =>
              h(
                'section',
                { 'aria-label': isLent ? name : this.#title(name, off) },
                h(
                  'div',
                  { class: 'section-title' },
                  h(
                    'h2',
                    { class: 'title-3' },
                    isLent ? name : this.#title(name, off),
                    h('span', { class: 'count number' }, number(ids.length)),
                  ),
                ),
                h('ul', { class: 'card', style: { height: `calc(${ids.length} * var(--row))` } }),
              ),
            ),
    );
    // Visible rows first; the others, for scrolling, in the next frame.
    this.#lay(0);
    painted().then(() => {
      if (!this.#hasLeft) this.#scrolled();
    });
    if (focused) this.#list.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #title(name, isOff) {
    if (this.#look.group !== 'category' || isOff || name === 'refused') return titles()[name] ?? name;
    return name || t`No category`;
  }

  #stateNow() {
    const { alarms, position } = this.#app.report;
    return [this.#app.watched.length, ...alarms.map(({ zone }) => zone.id + zone.state), Boolean(position)].join('|');
  }

  #forms = [];
  #drawing = new Drawing(() => this.#changed());
  /** Combines the changes of one position into one drawing. */
  #changedSoon = () => this.#drawing.ask();
  #changed = () => {
    // Nothing moves while a finger is down.
    if (this.#isPressed) {
      this.#isLate = true;
      return;
    }
    const forms = this.#app.watched;
    const same = forms.length === this.#forms.length && forms.every((form, index) => form === this.#forms[index]);
    this.#forms = forms;
    if (!same || this.#stateNow() !== this.#state || forms.length <= resorted) this.#resort();
    else this.#refreshSeen();
  };

  #isPressed = false;
  #isLate = false;
  #press = () => {
    this.#isPressed = true;
  };
  #release = () => {
    if (!this.#isPressed) return;
    // After the click that follows.
    setTimeout(() => {
      this.#isPressed = false;
      if (this.#isLate) {
        this.#isLate = false;
        this.#changed();
      }
    }, 0);
  };

  /** Keeps the rows if groups and order have not changed. */
  #resort() {
    const { groups } = this.#ordered();
    if (JSON.stringify(groups) === JSON.stringify(this.#groups)) {
      this.#state = this.#stateNow();
      this.#refresh([...this.#rows.keys()]);
    } else this.#sorted();
  }

  /** Updates visible rows only; others are updated when they come into view. */
  #refreshSeen() {
    this.#refresh([...this.#within(0).keys()].filter((id) => this.#rows.has(id)));
  }

  #refresh(ids) {
    for (const row of this.#app.ask('rows', { ids }).rows) this.#rows.get(row.id)?.fill(this.#app.zoneOf(row.id), row);
  }

  #scrolled = () => {
    this.#lay(1);
    this.#late ||= requestAnimationFrame(() => {
      this.#late = 0;
      if (!this.#hasLeft) this.#refreshSeen();
    });
  };
  #late = 0;

  /**
   * The zones whose rows are in view or less than `more` screens away, each with its list, its index there, and the list's
   * length.
   */
  #within(more) {
    const lists = [...this.#list.querySelectorAll('ul')];
    const height = this.#outlet.clientHeight || innerHeight;
    const wanted = new Map();
    lists.forEach((list, group) => {
      const top = list.getBoundingClientRect().top - this.#outlet.getBoundingClientRect().top;
      const { ids } = this.#groups[group];
      const row = list.getBoundingClientRect().height / ids.length;
      const first = Math.max(0, Math.floor((-more * height - top) / row));
      const last = Math.min(ids.length, Math.ceil(((1 + more) * height - top) / row));
      for (let index = first; index < last; index++) wanted.set(ids[index], { list, index, count: ids.length });
    });
    return wanted;
  }

  /** Creates rows in view and `more` screens beyond, and removes all others. */
  #lay(more) {
    const wanted = this.#within(more);
    for (const [id, row] of this.#rows)
      if (!wanted.has(id) && !row.element.contains(document.activeElement)) {
        row.element.remove();
        this.#rows.delete(id);
      }
    const missing = [...wanted.keys()].filter((id) => !this.#rows.has(id));
    if (!missing.length) return;
    for (const row of this.#app.ask('rows', { ids: missing }).rows) {
      const { list, index, count } = wanted.get(row.id);
      const shown = new ZoneRow({
        app: this.#app,
        id: row.id,
        index,
        count,
        run: (id) => this.#tapped(id),
        actions: (id) => this.#actions(id),
      });
      shown.fill(this.#app.zoneOf(row.id), row);
      shown.element.classList.toggle('selected', row.id === this.#selected);
      const after = [...list.children].find((other) => Number(other.dataset.index) > index);
      list.insertBefore(shown.element, after ?? null);
      this.#rows.set(row.id, shown);
    }
  }

  #nothing() {
    return h(
      'div',
      { class: 'card empty' },
      icon('area', { size: 40 }),
      h('p', { class: 'headline' }, this.#app.isKnown ? t`No zones yet` : t`Your zones are not there yet.`),
      h('p', { class: 'subhead' }, t`Draw one on the map, or receive one as a file.`),
      h('a', { class: 'button primary', href: '#/zones/new?from=list' }, t`New zone`),
      h('a', { class: 'button', href: '#/receive' }, t`From a file`),
    );
  }
  #notFound() {
    return h(
      'div',
      { class: 'card empty' },
      icon('search', { size: 40 }),
      h('p', { class: 'headline' }, t`Nothing found`),
      h('p', { class: 'subhead' }, t`No zone has “${this.#search}” in its name, category or messages.`),
    );
  }

  // MARK: What a tap does

  #tapped(id) {
    const lent = this.#mode !== 'select' && this.#app.shared.get(id);
    if (lent) snackbar(t`${zoneWords.sharedBy(lent)}: only its publisher can change it.`);
    else if (this.#mode === 'edit') go(`/zones/${id}?from=list`);
    else if (this.#mode === 'delete') deleteZones(this.#app, id);
    else this.#select(id);
  }

  /** On wide screens the map is beside the list; on phones it is the next screen. */
  #select(id) {
    this.#selected = id;
    for (const [other, row] of this.#rows) row.element.classList.toggle('selected', other === id);
    if (!matchMedia('(min-width: 768px)').matches) return go(`/map?zone=${id}`);
    this.#showOnMap(id);
  }

  async #showOnMap(id) {
    const [{ mapOrNone }, { draw }] = await Promise.all([
      import('../../map/map-view.js'),
      import('../../map/zone-layers.js'),
    ]);
    const view = await mapOrNone(this.#app);
    const form = view && this.#app.zoneOf(id);
    const lines = form && this.#app.ask('draw', { zone: form, tolerance_m: 100, coarse: true });
    if (!lines || lines.problem) return;
    draw(this.#app, view).selected = id;
    view.fit(
      [
        [lines.south, lines.west],
        [lines.north, lines.east],
      ],
      { margin: 80, most: 16 },
    );
  }

  #actions(id) {
    zoneSheet({ app: this.#app, id, from: 'list', onshow: () => this.#select(id) });
  }
}
