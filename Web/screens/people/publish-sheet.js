// Publishes zones in one step: which zones, to which group, and new members of it. Creates the group and the publication if
// needed; both can be changed later.
import { fill, h } from '../../scripts/page/dom.js';
import { go } from '../../scripts/page/address.js';
import { moveZones } from '../../scripts/server/publishing.js';
import { syncOf } from '../../scripts/server/sync.js';
import { compareNames } from '../../scripts/words/locale.js';
import { t } from '../../scripts/words/translate.js';
import { count, listed } from '../../scripts/words/words.js';
import { toggle } from '../../parts/controls.js';
import { sheetDraft } from '../../parts/drafts.js';
import { field, switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';

const byName = (a, b) => compareNames(a.name, b.name);

/**
 * Opens the sheet.
 * @param {{app, server, found?: string[], done?: () => void}} what `found` are ids of the zones that match a search
 * @throws {ServerProblem} before the sheet is opened
 */
export async function publishSheet({ app, server, found, done }) {
  const known = await published(server);
  new PublishSheet({ app, server, known, found, done });
}

/** The groups and own collections of the account, and the collection of each published zone. */
async function published(server) {
  const [{ items: groups }, collections] = await Promise.all([
    server.ask('GET', '/groups'),
    server.list('/collections'),
  ]);
  const own = collections.filter(({ is_own: isOwn }) => isOwn);
  const zones = await Promise.all(own.map(({ id }) => server.ask('GET', `/collections/${id}/zones`)));
  const places = new Map(own.flatMap((each, at) => zones[at].items.map(({ id }) => [id, each])));
  return { groups: groups.sort(byName), own, places };
}

class PublishSheet {
  #server;
  #app;
  #known;
  #found;
  #zones;
  #picked = new Set();
  #sheet;
  #isNamed = false;
  #which;
  #to;
  #list;
  #group = this.#input('publish-group', 200);
  #logins = this.#input('publish-logins', 1000);
  #name = this.#input('publish-name', 200);
  #grouping = field({ label: t`Name of the group`, input: this.#group });
  #inviting = field({
    label: t`Invite`,
    input: this.#logins,
    hint: t`The names that they sign in with, separated by commas. Each is asked first.`,
  });
  #naming = field({
    label: t`Published as`,
    input: this.#name,
    hint: t`By this name people find and follow the zones.`,
  });
  #note = h('p', { class: 'footnote', 'aria-live': 'polite' });
  #problem = h('p', { class: 'problem', role: 'alert' });
  #button = h(
    'button',
    { type: 'button', class: 'button primary', id: 'publish', onclick: () => this.#publish() },
    t`Publish`,
  );

  constructor({ app, server, known, found, done }) {
    this.#app = app;
    this.#server = server;
    this.#known = known;
    this.#zones = [...app.zones.values()].sort(byName);
    this.#found = found && this.#zones.filter(({ id }) => found.includes(id));
    const [only] = known.groups;
    this.#which = this.#select('publish-zones', this.#choices(), this.#found ? 'found' : 'choose');
    this.#to = this.#select(
      'publish-to',
      [
        ...known.groups.map(({ id, name }) => [id, name]),
        ['new', t`A new group`],
        ['everybody', t`Everybody with an account here`],
        ['nobody', t`Nobody yet`],
      ],
      known.groups.length === 1 ? only.id : 'new',
    );
    this.#name.addEventListener('input', () => {
      this.#isNamed = this.#name.value !== '';
    });
    this.#list = h(
      'div',
      { class: 'card' },
      this.#zones.length === 0 && h('p', { class: 'footnote padded' }, t`There are no zones yet.`),
      this.#zones.map((zone) =>
        switchRow({
          title: zone.name || t`A zone`,
          control: toggle({
            label: zone.name || t`A zone`,
            value: false,
            key: `publish-${zone.id}`,
            onchange: (wanted) => {
              this.#picked[wanted ? 'add' : 'delete'](zone.id);
              this.#show();
            },
          }),
        }),
      ),
    );
    this.#sheet = modalSheet(
      { label: t`Publish zones` },
      h('h2', { class: 'title-2' }, t`Publish zones`),
      h(
        'div',
        { class: 'fields' },
        field({ label: t`Which`, input: this.#which }),
        this.#list,
        field({ label: t`To whom`, input: this.#to }),
        this.#grouping,
        this.#inviting,
        this.#naming,
      ),
      this.#note,
      this.#problem,
      h(
        'div',
        { class: 'sheet-actions' },
        this.#button,
        h('button', { type: 'button', class: 'button', onclick: () => this.#sheet.close('discarded') }, t`Cancel`),
      ),
    );
    this.#done = done;
    this.#show();
    this.#sheet.addEventListener('input', ({ target }) => {
      for (const each of [this.#grouping, this.#inviting, this.#naming]) if (each.contains(target)) each.say();
      this.#show();
    });
    sheetDraft(this.#sheet, `collection/${server.account.id}/new-collection`, () =>
      publishSheet({ app, server, found, done }),
    );
  }
  #done;

  #input(name, most) {
    return h('input', {
      class: 'input',
      name,
      maxlength: most,
      autocomplete: 'off',
      autocapitalize: name === 'publish-logins' ? 'off' : null,
      spellcheck: 'false',
    });
  }

  #select(name, options, value) {
    const element = h(
      'select',
      { class: 'input', name },
      options.map(([key, words]) => h('option', { value: key }, words)),
    );
    element.value = value;
    return element;
  }

  // MARK: What is chosen

  #choices() {
    const categories = new Map();
    for (const { category = '' } of this.#zones) categories.set(category, (categories.get(category) ?? 0) + 1);
    const sorted = [...categories].sort(([a], [b]) => compareNames(a, b));
    return [
      ...(this.#found ? [['found', t`Those found: ${this.#found.length}`]] : []),
      ['choose', t`Chosen below`],
      ...sorted.map(([category, zones]) => [`category ${category}`, `${category || t`No category`}: ${zones}`]),
      ['all', t`All: ${this.#zones.length}`],
    ];
  }

  get #chosen() {
    const which = this.#which.value;
    if (which === 'all') return this.#zones;
    if (which === 'found') return this.#found;
    if (which === 'choose') return this.#zones.filter(({ id }) => this.#picked.has(id));
    return this.#zones.filter(({ category = '' }) => `category ${category}` === which);
  }

  /** The selected existing group, if any. */
  get #there() {
    return this.#known.groups.find(({ id }) => id === this.#to.value);
  }
  get #toGroup() {
    return this.#there?.name ?? (this.#to.value === 'new' ? this.#group.value.trim() : '');
  }
  /** The existing collection with the typed name, if any. */
  get #same() {
    return this.#known.own.find(({ name }) => name === this.#name.value.trim());
  }

  /** A proposed name, used until the person types another. */
  get #proposed() {
    const [first, ...more] = this.#chosen;
    if (this.#which.value.startsWith('category ')) return first?.category || this.#toGroup;
    return first && !more.length ? (first.name ?? '') : this.#toGroup;
  }

  #show() {
    // A draft may refer to a search or a group that no longer exists.
    if (this.#which.selectedIndex < 0) this.#which.value = 'choose';
    if (this.#to.selectedIndex < 0) this.#to.value = 'new';
    this.#list.hidden = this.#which.value !== 'choose';
    this.#grouping.hidden = this.#to.value !== 'new';
    this.#inviting.hidden = this.#to.value !== 'new' && !this.#there;
    if (!this.#isNamed) this.#name.value = this.#proposed;
    const same = this.#same;
    const leaving = new Set(
      this.#chosen.map(({ id }) => this.#known.places.get(id)).filter((each) => each && each !== same),
    );
    fill(
      this.#note,
      [
        same &&
          t`You publish ${same.name} already, with ${count(same.zone_count, 'zone')}. The zones are added to it, and all
            of it goes to those chosen here.`,
        leaving.size > 0 &&
          t`A zone is published in one place: those in ${listed([...leaving].map(({ name }) => name))} move.`,
      ]
        .filter(Boolean)
        .join(' '),
    );
    this.#note.hidden = !this.#note.textContent;
  }

  // MARK: Publishing

  #isComplete() {
    this.#problem.textContent = '';
    if (!this.#chosen.length) {
      this.#problem.textContent = t`Choose the zones that it publishes.`;
      this.#problem.scrollIntoView({ block: 'nearest' });
      return false;
    }
    for (const [asked, input] of [
      [this.#grouping, this.#group],
      [this.#naming, this.#name],
    ])
      if (asked.checkVisibility() && !input.value.trim()) {
        asked.say(t`It needs a name, by which people find it.`);
        input.focus();
        return false;
      }
    return true;
  }

  async #publish() {
    if (!this.#isComplete()) return;
    this.#button.disabled = true;
    try {
      const zones = this.#chosen;
      // Sends all zones to the server first.
      await (await syncOf(this.#app)).now();
      const collection = await this.#collection();
      await moveZones(
        this.#server,
        zones.filter(({ id }) => this.#known.places.get(id)?.id !== collection.id).map(({ id }) => [id, collection.id]),
      );
      const group = await this.#given(collection);
      const invited = group ? await this.#invite(group) : [];
      this.#sheet.close('published');
      snackbar(
        [
          t`${collection.name}: ${count(zones.length, 'zone')} published`,
          // The answer must not reveal which accounts exist.
          invited.length > 0 && t`Invited, if they have accounts: ${listed(invited)}`,
        ]
          .filter(Boolean)
          .join(' · '),
        group && { action: { label: t`Show the group`, run: () => go(`/groups/${group.id}`) } },
      );
      this.#done?.();
    } catch (error) {
      this.#problem.textContent = error.message;
      this.#problem.scrollIntoView({ block: 'nearest' });
      // Steps before the failed one took effect; the next attempt continues from them.
      this.#known = await published(this.#server).catch(() => this.#known);
    } finally {
      this.#button.disabled = false;
    }
  }

  async #collection() {
    const isPublic = this.#to.value === 'everybody';
    const name = this.#name.value.trim();
    const same = this.#same;
    if (!same) return this.#server.ask('POST', '/collections', { name, about: '', is_public: isPublic });
    if (!isPublic || same.is_public) return same;
    return this.#server.change(`/collections/${same.id}`, ({ name, about }) => ({ name, about, is_public: true }));
  }

  async #given(collection) {
    const name = this.#toGroup;
    if (!name) return undefined;
    const group =
      this.#there ??
      this.#known.groups.find((each) => each.name === name) ??
      (await this.#server.ask('POST', '/groups', { name }));
    await this.#server.ask('PUT', `/groups/${group.id}/collections/${collection.id}`);
    return group;
  }

  async #invite({ id }) {
    const logins = this.#logins.value
      .split(/[,;\n]/)
      .map((each) => each.trim())
      .filter(Boolean);
    for (const login of logins)
      try {
        await this.#server.ask('POST', `/groups/${id}/members`, { login });
      } catch (error) {
        // Invited earlier, or a member already.
        if (error.status !== 409) throw error;
      }
    return logins;
  }
}
