// Unsaved input, in every editor: it survives Back, a reload and an update of the page, and is available in another tab.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inAll } from '../support/All.mjs';
import { phone, withMap } from '../support/Browser.mjs';
import { chooseOption, Devices, enter, go } from '../support/Devices.mjs';
import { full } from '../support/Editor.mjs';
import { ears } from '../support/Story.mjs';
import { keptIn } from '../support/Visit.mjs';
import { at, middle, zone } from '../support/Zones.mjs';

let devices, page, group;
before(async () => {
  // The service worker stores all files, so that the page loads while the server is away.
  devices = await Devices.begin({ keeps: true });
  await devices.setUp();
  page = await devices.device();
  await page.move(middle);
  await go(page, '/account');
  await enter(page);
  await page.run(() => navigator.serviceWorker.ready.then(() => true));
  group = await page.run(async () => {
    const [{ app }, { serverOf }] = await Promise.all([
      import('/scripts/main.js'),
      import('/scripts/server/server.js'),
    ]);
    return serverOf(app).ask('POST', '/groups', { name: 'Crew' });
  });
});
after(() => devices?.end());

const square = zone(0x51, { name: 'Square', places: [at(-100, -100), at(-100, 100), at(100, 100), at(100, -100)] });
const valueOf = (tab, selector) => tab.run((one) => document.querySelector(one)?.value, selector);
/** True once the server has an object of this kind with this name. */
const isNamed = (tab, kind, wanted) =>
  tab.run(
    async (path, one) => (await (await fetch(`/api/v1/${path}`)).json()).items.some(({ name }) => name === one),
    kind,
    wanted,
  );
const tapRow = (key) => (tab) => tab.tap(`[data-key="${key}"]`);

/**
 * `address` is that of the editor, which `open` opens; `type` makes changes, `isThere` waits for them. `list` is the screen
 * that offers them after a reload, unless the editor has a screen of its own.
 */
const editors = [
  {
    what: 'a zone that is changed',
    prepare: (tab) => tab.run(async (form) => (await import('/scripts/main.js')).app.putZones(form), square),
    address: () => `/zones/${square.id}?from=list`,
    // The name is still being typed, and there was no change event.
    type: (tab) => tab.type('#zone-name', 'Yard'),
    isThere: (tab) => tab.until(() => document.querySelector('#zone-name')?.value === 'Yard'),
    isOwnScreen: true,
    list: '/zones',
    save: (tab) => tab.clickAtOnce('.save'),
    isSaved: async (tab) => (await keptIn(tab, 'zones')).some(({ name }) => name === 'Yard'),
  },
  {
    what: 'a new zone',
    address: () => '/zones/new?from=list',
    type: async (tab) => {
      await full(tab);
      await tab.tap('#zone-points-row');
      await tab.tap('.points-part button', 'Add my position');
      await tab.see('.edit-pill', '1 point');
      await tab.type('#zone-name', 'Mine');
    },
    isThere: async (tab) => {
      await tab.until(() => document.querySelector('#zone-name')?.value === 'Mine');
      await tab.see('.edit-pill', '1 point');
    },
    isOwnScreen: true,
    list: '/zones',
    save: (tab) => tab.clickAtOnce('.save'),
    isSaved: async (tab) => (await keptIn(tab, 'zones')).some(({ name }) => name === 'Mine'),
  },
  {
    what: 'a reminder',
    address: () => '/reminders/new',
    type: async (tab) => {
      await tab.type('.reminder-form input.input', 'Shopping');
      await tab.tap('#items');
      await tab.type('dialog .item-add input', 'Bread, Rolls');
      await tab.press('Enter');
      await tab.see('dialog .item', 'Rolls');
    },
    isThere: async (tab) => {
      await tab.see('#items', 'Bread, Rolls');
      assert.equal(await valueOf(tab, '.reminder-form input.input'), 'Shopping');
    },
    isOwnScreen: true,
    list: '/reminders',
    save: (tab) => tab.tap('.reminder-form button[type=submit]'),
    isSaved: async (tab) =>
      (await keptIn(tab, 'reminders')).some(({ title, items }) => title === 'Shopping' && items.length === 2),
  },
  {
    what: 'a message',
    address: () => '/messages',
    open: (tab) => tab.tap('[aria-label="New message"]'),
    type: async (tab) => {
      await tab.type('dialog [name="to_moniker"]', 'Mum');
      await tab.type('dialog [name="supplement"]', 'Call me.');
    },
    isThere: (tab) => tab.see('dialog .bubble', 'Call me.'),
    list: '/messages',
    save: (tab) => tab.tap('dialog button[type=submit]'),
    isSaved: async (tab) => (await keptIn(tab, 'messages')).some(({ to_moniker: to }) => to === 'Mum'),
  },
  {
    what: 'a channel',
    address: () => '/account',
    open: async (tab) => {
      await tab.tap('[data-key="add-channel"]');
      await tab.tap('dialog.menu-sheet button', 'Add a mail address');
    },
    type: (tab) => tab.type('dialog [name="channel-address"]', 'eva@example.com'),
    isThere: (tab) => tab.until(() => document.querySelector('[name="channel-address"]')?.value === 'eva@example.com'),
    list: '/account',
    save: (tab) => tab.tap('dialog button[type=submit]'),
    isSaved: (tab) => isNamed(tab, 'channels', 'eva@example.com'),
  },
  {
    what: 'a group',
    address: () => '/groups',
    open: tapRow('new-group'),
    type: (tab) => tab.type('[name="asked-name"]', 'Night shift'),
    isThere: (tab) => tab.until(() => document.querySelector('[name="asked-name"]')?.value === 'Night shift'),
    list: '/groups',
    save: (tab) => tab.tap('#name-save'),
    isSaved: (tab) => isNamed(tab, 'groups', 'Night shift'),
  },
  {
    what: 'the name of a group',
    address: () => `/groups/${group.id}`,
    open: tapRow('rename'),
    type: (tab) => tab.type('[name="asked-name"]', 'Day shift'),
    isThere: (tab) => tab.until(() => document.querySelector('[name="asked-name"]')?.value === 'Day shift'),
    list: `/people`,
    save: (tab) => tab.tap('#name-save'),
    isSaved: (tab) => isNamed(tab, 'groups', 'Day shift'),
  },
  {
    what: 'zones to be published',
    prepare: (tab) => tab.run(async (form) => (await import('/scripts/main.js')).app.putZones(form), square),
    address: () => '/collections',
    open: tapRow('new-collection'),
    type: async (tab) => {
      await tab.tap(`[data-key="publish-${square.id}"]`);
      await chooseOption(tab, '[name="publish-to"]', 'Everybody');
      await tab.type('[name="publish-name"]', 'Blasting');
    },
    isThere: async (tab) => {
      await tab.until(() => document.querySelector('[name="publish-name"]')?.value === 'Blasting');
      await tab.until(() => document.querySelector('[name="publish-to"]').value === 'everybody');
      await tab.see(`[data-key="publish-${square.id}"][aria-checked="true"]`);
    },
    list: '/collections',
    save: (tab) => tab.tap('#publish'),
    isSaved: (tab) =>
      tab.run(async () =>
        (await (await fetch('/api/v1/collections')).json()).items.some(
          ({ name, is_public: isPublic }) => name === 'Blasting' && isPublic,
        ),
      ),
  },
];

const newTab = async () => {
  const tab = await page.context.page({ ...phone, before: ears });
  await tab.move(middle);
  return tab;
};
const kept = (tab) => tab.run(() => Object.keys(localStorage).filter((name) => name.startsWith('draft ')).length);
const keepsNone = (tab) => tab.until(() => !Object.keys(localStorage).some((name) => name.startsWith('draft ')));
/** The page opened at its address, without an entry in the browser's history. */
const anew = async (tab, address) => {
  await tab.open('about:blank', { ready: null });
  await tab.open(`${devices.server.origin}/#${address}`);
};

/** Changes to a newer version of the page. */
const update = async () => {
  await devices.server.renew();
  await page.run(async () => {
    await (await navigator.serviceWorker.getRegistration()).update();
  });
  await page.see('.snackbar', 'A newer version is here');
  const loaded = page.event('Page.loadEventFired');
  await page.tap('.snackbar .button', 'Use it');
  await loaded;
  await page.see('[data-ready]');
};

for (const { what, prepare, address, open, type, isThere, isOwnScreen, list, save, isSaved } of editors) {
  const opened = async (tab) => {
    await anew(tab, address());
    await open?.(tab);
  };
  /** An editor with a screen of its own continues the draft; a sheet is offered. */
  const goesOn = async (tab) => {
    if (!isOwnScreen) await tab.tap('.snackbar .button', 'Continue editing');
    await isThere(tab);
    await tab.see('.snackbar', 'These changes are not saved yet');
  };

  /** All editors share one draft mechanism, so each commit tries an update and a second tab with a screen and a sheet only. */
  const isBrief = inAll && !['a zone that is changed', 'a message'].includes(what);
  const lasts = isBrief ? 'Back and a reload' : 'Back, a reload and an update, is there in another tab';

  test(
    `${what}: what is not saved outlives ${lasts}, and goes with Save`,
    withMap(async () => {
      await prepare?.(page);
      await opened(page);
      await type(page);
      await page.reload();
      await goesOn(page);
      if (!isBrief) {
        await update();
        await goesOn(page);
      }

      // The browser's own Back, which closes a sheet.
      if (isOwnScreen) {
        await anew(page, list);
        await go(page, address());
        await isThere(page);
      }
      await page.back();
      await page.tap('.snackbar .button', 'Continue editing');
      await isThere(page);

      // Another tab, first with this one open, then with it closed.
      if (!isBrief) {
        const other = await newTab();
        await opened(other);
        await isThere(other);
        await isThere(page);
        await page.context.browser.send('Target.closeTarget', { targetId: page.target });
        page = other;
        await page.reload();
        await goesOn(page);
      }

      // A saved draft is gone.
      await save(page);
      const end = Date.now() + 10_000;
      while (!(await isSaved(page))) assert.ok(Date.now() < end, 'it was not saved');
      await page.gone('dialog[open]');
      await keepsNone(page);
      await anew(page, list);
      assert.equal(await kept(page), 0);
    }),
  );
}

test('two tabs that edit one zone keep a draft each, and Discard shows what is saved', async () => {
  await page.run(async (form) => (await import('/scripts/main.js')).app.putZones(form), square);
  await anew(page, `/zones/${square.id}`);
  const other = await newTab();
  await anew(other, `/zones/${square.id}`);
  await other.see('.edit-pill');
  for (const [tab, name] of [
    [page, 'One'],
    [other, 'Two'],
  ])
    await tab.type('#zone-name', name);
  for (const [tab, name] of [
    [page, 'One'],
    [other, 'Two'],
  ]) {
    await tab.reload();
    await tab.until((wanted) => document.querySelector('#zone-name')?.value === wanted, name);
    await tab.tap('.snackbar .button', 'Discard');
    await tab.until(() => document.querySelector('#zone-name')?.value === 'Square');
  }
  // The tabs may be in two processes, and a change of localStorage reaches the other one later.
  await keepsNone(page);
  await page.context.browser.send('Target.closeTarget', { targetId: other.target });
});

test('Cancel gives the input up; a password and a token are never kept', async () => {
  await anew(page, '/account');
  await page.tap('[data-key="add-channel"]');
  await page.tap('dialog.menu-sheet button', 'Add Gotify');
  await page.type('dialog [name="channel-token"]', 'AbC.123');
  assert.equal(await kept(page), 0);
  await page.type('dialog [name="channel-server"]', 'https://push.example.com');
  const texts = await page.run(() => Object.entries(localStorage).flat().join('\n'));
  assert.ok(texts.includes('push.example.com') && !texts.includes('AbC.123'), texts);
  await page.tap('dialog button', 'Cancel');
  await page.gone('dialog[open]');
  assert.equal(await kept(page), 0);
});

test('Delete all takes drafts with it', async () => {
  await anew(page, '/groups');
  await page.tap('[data-key="new-group"]');
  await page.type('[name="asked-name"]', 'Night shift');
  assert.equal(await kept(page), 1);
  await page.run(async () => {
    const [{ app }, { erase }] = await Promise.all([import('/scripts/main.js'), import('/scripts/files/backup.js')]);
    await erase(app);
  });
  assert.equal(await kept(page), 0);
});

test('of two tabs that save one zone or reminder the later is asked before it replaces the other', async () => {
  const reminder = {
    id: 'e1'.padStart(16, '0'),
    title: 'Shop',
    items: [],
    places: [],
    radius_m: 150,
    repeats: false,
    state: 'active',
  };
  const kinds = [
    {
      store: 'zones',
      id: square.id,
      address: `/zones/${square.id}`,
      name: '#zone-name',
      nameOf: (saved) => saved?.name,
      save: (tab) => tab.clickAtOnce('.save'),
    },
    {
      store: 'reminders',
      id: reminder.id,
      address: `/reminders/${reminder.id}`,
      name: '.reminder-form input.input',
      nameOf: (saved) => saved?.title,
      save: (tab) => tab.tap('.reminder-form button[type=submit]'),
    },
  ];
  await page.run(
    async (form, other) => {
      const { app } = await import('/scripts/main.js');
      const { saveReminder } = await import('/scripts/reminders/reminders.js');
      await app.putZones(form);
      saveReminder(app, other);
    },
    square,
    reminder,
  );
  for (const { store, id, address, name, nameOf, save } of kinds) {
    const saved = async (tab) => nameOf((await keptIn(tab, store)).find((each) => each.id === id));
    const isSaved = async (tab, wanted) => {
      const end = Date.now() + 10_000;
      while ((await saved(tab)) !== wanted) assert.ok(Date.now() < end, `${store}: ${await saved(tab)}`);
    };
    await isSaved(page, nameOf(store === 'zones' ? square : reminder));
    const other = await newTab();
    for (const tab of [page, other]) {
      await anew(tab, address);
      await tab.see(name);
    }
    await page.type(name, 'First');
    await other.type(name, 'Second');
    await save(page);
    await isSaved(page, 'First');
    await save(other);
    await other.see('dialog', 'Changed elsewhere');
    await other.shot(`changed-elsewhere-${store}`);
    assert.equal(await saved(other), 'First');
    await other.tap('dialog button', 'Go on editing');
    await other.gone('dialog[open]');
    await save(other);
    await other.tap('dialog button', 'Save mine');
    await isSaved(other, 'Second');
    await page.context.browser.send('Target.closeTarget', { targetId: other.target });
  }
});
