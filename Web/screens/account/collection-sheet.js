// One collection of the account: its name, its permitted followers, and the account's zones in it.
import { fill, h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';
import { count } from '../../scripts/words/words.js';
import { toggle } from '../../parts/controls.js';
import { sheetDraft } from '../../parts/drafts.js';
import { field, row, section, switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { moveZones } from '../../scripts/server/publishing.js';
import { publishPack } from '../packs/publish-pack.js';
import { compareNames } from '../../scripts/words/locale.js';

/** @param {{app, server, collection: object, done: () => void}} what */
export function collectionSheet({ app, server, collection, done }) {
  const name = h('input', {
    class: 'input',
    name: 'collection-name',
    maxlength: 200,
    autocomplete: 'off',
    '.value': collection.name,
    oninput: () => naming.say(),
  });
  const about = h('input', {
    class: 'input',
    name: 'collection-about',
    maxlength: 4000,
    autocomplete: 'off',
    '.value': collection.about ?? '',
  });
  const naming = field({ label: t`Name`, input: name });
  let isPublic = collection.is_public;
  const open = toggle({
    label: t`Everybody`,
    value: isPublic,
    key: 'collection-public',
    onchange: (wanted) => {
      isPublic = wanted;
      people.hidden = wanted;
    },
  });
  const { people, loaded } = members(server, collection);
  people.hidden = isPublic;
  const zones = [...app.zones.values()].sort((a, b) => compareNames(a.name, b.name));
  const chosen = new Set();
  const toggles = zones.map((zone) =>
    toggle({
      label: zone.name || t`A zone`,
      value: false,
      key: `publish-${zone.id}`,
      onchange: (wanted) => (wanted ? chosen.add(zone.id) : chosen.delete(zone.id)),
    }),
  );
  // All rows are shown from the beginning, so that nothing moves when the server answers.
  const list = h(
    'div',
    { class: 'card', 'aria-busy': 'true' },
    zones.length === 0 && h('p', { class: 'footnote padded' }, t`There are no zones yet.`),
    zones.map((zone, at) => switchRow({ title: zone.name || t`A zone`, control: toggles[at] })),
  );
  for (const each of toggles) each.disabled = true;
  let before = new Set();
  const known = server.ask('GET', `/collections/${collection.id}/zones`).then(({ items }) => {
    before = new Set(items.map(({ id }) => id));
    for (const id of before) chosen.add(id);
    for (const [at, zone] of zones.entries()) {
      toggles[at].value = chosen.has(zone.id);
      toggles[at].disabled = false;
    }
    list.setAttribute('aria-busy', 'false');
  });
  known.catch((error) => fill(list, h('p', { class: 'footnote padded' }, error.message)));

  const save = async () => {
    const body = { name: name.value.trim(), about: about.value.trim(), is_public: isPublic };
    if (!body.name) {
      naming.say(t`It needs a name, by which people find it.`);
      return;
    }
    try {
      await known;
      const { id } = await server.change(`/collections/${collection.id}`, () => body);
      await moveZones(server, [
        ...[...chosen].filter((each) => !before.has(each)).map((zone) => [zone, id]),
        ...[...before].filter((each) => !chosen.has(each)).map((zone) => [zone, null]),
      ]);
      sheet.close('saved');
      snackbar(
        chosen.size ? t`${body.name}: ${count(chosen.size, 'zone')} published` : t`${body.name} publishes no zone now`,
      );
      done();
    } catch (error) {
      naming.say(error.message);
    }
  };
  const end = async () => {
    try {
      await server.ask('DELETE', `/collections/${collection.id}`);
      sheet.close('ended');
      snackbar(t`${collection.name} is no longer published; its zones are still yours`);
      done();
    } catch (error) {
      naming.say(error.message);
    }
  };
  // The list of people moves the buttons below it, and one of them ends the publication.
  const actions = [
    h('button', { type: 'button', class: 'button primary', id: 'collection-save', onclick: save }, t`Save`),
    h('button', { type: 'button', class: 'button alarm', onclick: end }, t`End publication`),
  ];
  for (const each of actions) each.disabled = true;
  Promise.allSettled([known, loaded]).then(() => {
    for (const each of actions) each.disabled = false;
  });
  const title = collection.name;
  const sheet = modalSheet(
    { label: title },
    h('h2', { class: 'title-2' }, title),
    h('div', { class: 'fields' }, naming, field({ label: t`What it is for`, input: about })),
    section(
      { title: t`Who may follow` },
      h(
        'div',
        { class: 'card' },
        switchRow({ title: t`Everybody`, detail: t`Every account of this server`, control: open }),
      ),
    ),
    people,
    publishPack(server, collection),
    section({ title: t`Zones` }, list),
    h(
      'div',
      { class: 'sheet-actions' },
      actions,
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close('discarded') }, t`Cancel`),
    ),
  );
  // The draft needs the zones that are in the collection, which are known by then.
  known.then(
    () =>
      sheetDraft(sheet, `collection/${server.account.id}/${collection.id}`, () =>
        collectionSheet({ app, server, collection, done }),
      ),
    () => {},
  );
  return sheet;
}

/**
 * The accounts that may follow a collection that is not public. They are added and removed at once.
 * @returns {{people: HTMLElement, loaded: Promise<void>}} `loaded` is fulfilled when the list or its error is shown
 */
function members(server, collection) {
  const login = h('input', {
    class: 'input',
    name: 'member',
    maxlength: 100,
    autocomplete: 'off',
    autocapitalize: 'off',
    oninput: () => naming.say(),
  });
  const naming = field({ label: t`Add somebody`, input: login, hint: t`Their sign-in name.` });
  const list = h('div', { class: 'card' });
  const load = () =>
    server.ask('GET', `/collections/${collection.id}/members`).then(
      ({ items }) =>
        fill(
          list,
          items.length === 0 && h('p', { class: 'footnote padded' }, t`Nobody yet.`),
          items.map((member) =>
            row({
              key: member.id,
              title: member.name || member.login,
              detail: [member.name && member.name !== member.login && member.login, !member.is_direct && t`by a group`]
                .filter(Boolean)
                .join(' · '),
              low: true,
              trailing:
                member.is_direct &&
                h(
                  'button',
                  {
                    type: 'button',
                    class: 'button small',
                    'aria-label': t`Remove ${member.login}`,
                    onclick: () =>
                      server
                        .ask('DELETE', `/collections/${collection.id}/members/${member.id}`)
                        .then(load, (error) => naming.say(error.message)),
                  },
                  t`Remove`,
                ),
            }),
          ),
        ),
      (error) => naming.say(error.message),
    );
  const loaded = load();
  const people = section(
    { title: t`Chosen people` },
    list,
    h(
      'form',
      {
        class: 'fields',
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault();
          const wanted = login.value.trim();
          if (!wanted) return;
          try {
            await server.ask('POST', `/collections/${collection.id}/members`, { login: wanted });
            login.value = '';
            // The answer must not reveal which accounts exist.
            snackbar(t`If there is an account ${wanted}, it may follow now`);
            load();
          } catch (error) {
            naming.say(error.message);
          }
        },
      },
      naming,
      h('button', { class: 'button', type: 'submit' }, t`Add`),
    ),
  );
  return { people, loaded };
}
