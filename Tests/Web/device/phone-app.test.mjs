// The page within an app: the app's watch decides and rings, the page shows it and forwards the person's actions.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { phone as phoneLook } from '../support/Browser.mjs';
import { newKey, pack, pad } from '../support/Packs.mjs';
import { app } from '../support/PhoneApp.mjs';
import { place, Story, zone } from '../support/Story.mjs';

let story;
before(async () => {
  story = await Story.begin();
});
after(() => story?.end());

/** As WebKit does under `proximity://`. */
const noCaches = `;CacheStorage.prototype.open = async () => { throw new DOMException('The operation is insecure.', 'SecurityError'); };`;

const open = () => story.open({ zones: [zone()], look: { ...phoneLook, before: app + noCaches } });
const asked = (page, name) => page.run((one) => globalThis.app.asked.filter(({ ask }) => ask === one), name);

/** The app's watch receives a position, and reports it. */
const hear = (page, at, more = {}) =>
  page.run(
    async (where, said) => {
      const now = Date.now();
      Object.assign(globalThis.app.said, said);
      if (where) globalThis.app.said.rows.push({ ...where, accuracy: 5, measured: now, received: now });
      await globalThis.proximityPhone.onchange();
    },
    at,
    more,
  );

test('zones and arming go to the app, and its promise is shown', async () => {
  const page = await open();
  await page.until(() => globalThis.app.asked.some(({ ask }) => ask === 'phone_watch'));
  assert.deepEqual(
    (await asked(page, 'phone_watch')).at(-1).zones.map(({ name }) => name),
    ['Market hall'],
  );
  await page.tap('#activate');
  await page.until(() => globalThis.app.said.armed);
  await hear(page, place(1000), {
    state: { kind: 'watching', guarantee: { kind: 'guaranteed', up_to_m_s: 25, late_s: 12, late_m: 300 } },
  });
  await page.see('#guarantee', 'Guaranteed up to 90 km/h');
  await page.gone('[aria-label="Screen"]');
  // A position that is an hour old is no problem: the app's watch requests one when it needs it.
  await page.run(() => globalThis.skip(3_600_000));
  await hear(page);
  await page.see('#guarantee', 'Guaranteed up to 90 km/h');
  await story.close(page);
});

test('a page that lost its storage takes over the zones of the watch, and leaves it armed; one whose zones were deleted does not', async () => {
  const kept = { zones: [zone()], settings: { default_radius_m: 120 } };
  const holding = `${app};
    globalThis.app.kept = ${JSON.stringify(kept)};
    globalThis.app.said.armed = true;`;
  const page = await story.open({ look: { ...phoneLook, before: holding } });
  await page.see('.snackbar', 'Zones came back from the app');
  await page.until(() => globalThis.app.asked.some(({ ask }) => ask === 'phone_watch'));
  const sent = await page.run(() => globalThis.app.asked.filter(({ ask }) => ask !== 'phone_state'));
  assert.deepEqual(
    sent.map(({ ask }) => ask),
    ['phone_kept', 'phone_edition', 'phone_watch'],
  );
  assert.deepEqual(
    sent[2].zones.map(({ name }) => name),
    ['Market hall'],
  );
  assert.equal(sent[2].settings.default_radius_m, 120);
  await page.until(async () => (await import('/scripts/main.js')).app.report.armed);

  // Zones deleted by a person, singly or all at once, do not come back.
  await page.run(async (id) => (await import('/scripts/main.js')).app.removeZones(id), zone().id);
  await page.until(() => globalThis.app.asked.some(({ ask, zones }) => ask === 'phone_watch' && zones.length === 0));
  const none = async () => {
    await page.reload();
    await page.until(() => globalThis.app.asked.some(({ ask }) => ask === 'phone_watch'));
    assert.deepEqual(
      await page.run(() =>
        globalThis.app.asked.flatMap(({ ask, zones }) => (ask === 'phone_kept' ? [ask] : (zones ?? []))),
      ),
      [],
    );
  };
  await none();
  await page.run(async () => {
    const [{ app }, { erase }] = await Promise.all([import('/scripts/main.js'), import('/scripts/files/backup.js')]);
    await erase(app);
  });
  await none();
  await story.close(page);
});

test('a page whose storage is older than the watch takes over its zones and leaves it armed', async () => {
  const page = await open();
  const editions = async () => (await asked(page, 'phone_edition')).map(({ edition }) => edition);
  await page.tap('#activate');
  await page.until(() => globalThis.app.said.armed && globalThis.app.said.edition === 2);
  assert.deepEqual(await editions(), [1, 2]);

  // A loss of power takes the latest changes of the page, and none of the app's.
  const id = 'a0000000000000ff';
  const held = { zones: [zone({ distance: 70 }), zone({ id, name: 'Cliff', east: 900 })], settings: {} };
  await page.run((kept) => {
    globalThis.sessionStorage.held = JSON.stringify(kept);
  }, held);
  await page.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `globalThis.app.kept = JSON.parse(sessionStorage.held);
      Object.assign(globalThis.app.said, { armed: true, edition: 5 });`,
  });
  await page.run(async () => (await import('/scripts/main.js')).app.storage.keep('armed', false));
  await page.reload();
  await page.see('.snackbar', 'The page had lost its latest changes');
  await page.until(() => globalThis.app.asked.some(({ ask }) => ask === 'phone_watch'));
  assert.deepEqual(
    (await asked(page, 'phone_watch')).at(-1).zones.map(({ name, alert_distance_m: distance }) => [name, distance]),
    [
      ['Market hall', 70],
      ['Cliff', 150],
    ],
  );
  assert.deepEqual(await editions(), [6]);
  assert.deepEqual(await asked(page, 'phone_act'), []);
  await page.until(async () => (await import('/scripts/main.js')).app.report.armed);
  await story.close(page);
});

test('what the page gives to keep is kept by the app, and called saved only if it was', async () => {
  const page = await open();
  const saved = async () =>
    (await page.run(() => globalThis.app.done))
      .filter(([name]) => name === 'save')
      .map(([, name, type]) => [name, type]);
  await page.run(() => {
    location.hash = '#/share';
  });
  await page.tap('#save');
  await page.until(() => globalThis.app.done.some(([name]) => name === 'save'));
  await page.run(() => globalThis.proximityPhone.onsaved(false));
  await page.tap('#save-other');
  await page.tap('dialog.menu-sheet button', 'GeoJSON');
  await page.until(() => globalThis.app.done.filter(([name]) => name === 'save').length === 2);
  assert.equal(await page.run(() => document.querySelector('.snackbar')), null);
  await page.run(() => globalThis.proximityPhone.onsaved(true));
  await page.see('.snackbar', 'Market hall.geojson is saved');
  const [, text] = (await page.run(() => globalThis.app.done)).filter(([name]) => name === 'save');
  assert.equal(JSON.parse(atob(text[3])).features[0].properties.name, 'Market hall');
  await page.run(() => {
    location.hash = '#/settings/data';
  });
  // The rows above are drawn once the browser has counted its storage, and move those below.
  await page.see('.row', 'Space');
  await page.tap('.row', 'Save a backup');
  await page.until(() => globalThis.app.done.filter(([name]) => name === 'save').length === 3);
  const [first, second, third] = await saved();
  assert.deepEqual(first, ['Market hall.pad', 'text/csv']);
  assert.deepEqual(second, ['Market hall.geojson', 'application/geo+json']);
  assert.match(third[0], /^proximity-alarm-.*\.json$/);
  await story.close(page);
});

test('the page shows what rings, makes no sound, and answers in both directions', async () => {
  const page = await open();
  await page.tap('#activate');
  await page.until(() => globalThis.app.said.armed);
  await hear(page, place(1000));
  await page.run(() => globalThis.skip(60_000));
  const before = await page.run(() => globalThis.heard.sounds);
  await hear(page, place(0));
  await page.see('#alarm-sheet', 'Market hall');
  assert.equal(await page.run(() => globalThis.heard.sounds), before, 'the app sounds');

  // Put to sleep on the phone's notification.
  await hear(page, undefined, {
    acts: [{ command: 'sleep', zone: 'a000000000000001', at_ms: await page.run(() => Date.now()) }],
  });
  await page.gone('#alarm-sheet');

  // It rings again, and is closed on the page.
  await page.run(() => globalThis.skip(30_000));
  await hear(page, place(5));
  await page.see('#alarm-sheet', 'Market hall');
  await page.until(() => {
    globalThis.seen ??= performance.now();
    return performance.now() - globalThis.seen > 750;
  });
  await page.tap('#alarm-close');
  await page.until(() => globalThis.app.asked.some(({ command }) => command === 'close'));
  const [close] = (await asked(page, 'phone_act')).filter(({ command }) => command === 'close');
  assert.equal(close.zone, 'a000000000000001');
  await story.close(page);
});

test('arming asks for what is missing, one thing after the other, and says what troubles the phone', async () => {
  const page = await open();
  await page.until(() => globalThis.app.asked.some(({ ask }) => ask === 'phone_watch'));
  const done = async () => (await page.run(() => globalThis.app.done)).filter(([name]) => name !== 'sounding');
  assert.deepEqual(await done(), [], 'nobody is asked before arming');
  await page.tap('#activate');
  await page.until(() => globalThis.app.done.filter(([name]) => name === 'request').length >= 3);
  assert.deepEqual(await done(), [
    ['request', 'location'],
    ['request', 'notifications'],
    ['request', 'background'],
  ]);
  await page.tap('.trouble', 'Battery saver is on');
  await page.see('h1', 'This phone');
  await page.see('[data-key="location"] [aria-label="Granted"]');
  await page.tap('[data-key="background"] .button');
  await page.tap('[data-key="SAVER"] .button');
  await page.tap('[data-key="test"]');
  await page.tap('[data-key="journal"]');
  await page.until(() => globalThis.app.done.some(([name]) => name === 'save'));
  assert.deepEqual((await done()).slice(3), [
    ['request', 'background'],
    ['openSettings', 'saver'],
    ['test', 10],
    ['save', 'proximity.journal', 'application/octet-stream', btoa('journal')],
  ]);
  await story.close(page);
});

test('system alarms, battery optimisation and unused apps are asked about, too, where the phone has them', async () => {
  const before = `${app}
    Object.assign(globalThis.app.grants, { alarms: false, battery: false, unused: false });`;
  const page = await story.open({ zones: [zone()], look: { ...phoneLook, before } });
  await page.until(() => globalThis.app.asked.some(({ ask }) => ask === 'phone_watch'));
  await page.tap('#activate');
  await page.until(() => globalThis.app.done.some(([, what]) => what === 'unused'));
  assert.deepEqual(
    (await page.run(() => globalThis.app.done)).filter(([name]) => name === 'request').map(([, what]) => what),
    ['location', 'notifications', 'alarms', 'background', 'battery', 'unused'],
  );
  await page.run(() => {
    location.hash = '#/phone';
  });
  await page.see('[data-key="alarms"] [aria-label="Granted"]');
  await page.see('[data-key="unused"] [aria-label="Granted"]');
  await story.close(page);
});

test('the report of the phone is saved as the app gives it, where the app has one', async () => {
  const page = await open();
  await page.run(() => {
    location.hash = '#/phone';
  });
  await page.see('[data-key="journal"]', 'Save the journal');
  assert.equal(await page.run(() => document.querySelector('[data-key="report-of-phone"]')), null);
  await page.run(() => {
    globalThis.proximityPhone.firstRun = async () => '{"report":"proximity first run"}';
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.tap('[data-key="report-of-phone"]');
  await page.until(() => globalThis.app.done.some(([name]) => name === 'save'));
  assert.deepEqual((await page.run(() => globalThis.app.done)).at(-1), [
    'save',
    'proximity-report.json',
    'application/json',
    Buffer.from('{"report":"proximity first run"}').toString('base64'),
  ]);
  await story.close(page);
});

test('seven taps on the version show the cycle of system alarms, where the phone has them', async () => {
  const page = await open();
  await page.run(() => {
    globalThis.cycle = 10;
    globalThis.proximityPhone.systemAlarmCycle = async (seconds) =>
      (globalThis.cycle = seconds === undefined ? globalThis.cycle : Math.min(600, Math.max(10, seconds)));
    location.hash = '#/about';
  });
  for (let tap = 1; tap <= 7; tap++) {
    assert.equal(await page.run(() => document.querySelector('[data-key="system-alarm-cycle"]')), null, `tap ${tap}`);
    await page.tap('#version');
  }
  await page.see('[data-key="system-alarm-cycle"]', 'Seconds between two alarms');
  await page.run(() => {
    const field = document.querySelector('[data-key="system-alarm-cycle"] input');
    field.value = '9000';
    field.dispatchEvent(new Event('change'));
  });
  await page.until(() => document.querySelector('[data-key="system-alarm-cycle"] input').value === '600');
  assert.equal(await page.run(() => globalThis.cycle), 600);
  await story.close(page);
});

test('the advice for the phone’s maker stands beside its battery, with a way to the setting', async () => {
  const before = `${app}
    globalThis.app.grants.maker = { title: 'This phone’s maker', text: 'Xiaomi: switch on Autostart.' };`;
  const page = await story.open({ zones: [zone()], look: { ...phoneLook, before } });
  await page.run(() => {
    location.hash = '#/phone';
  });
  await page.see('[data-key="maker"]', 'Xiaomi: switch on Autostart.');
  await page.tap('[data-key="maker"] .button');
  await page.until(() => globalThis.app.done.some(([name, place]) => name === 'openSettings' && place === 'maker'));

  // A permission that changes while the button is pressed does not take the press away.
  const { x, y } = await page.box('[data-key="maker"] .button');
  const mouse = (type) =>
    page.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 });
  const granted = '[data-key="notifications"] [role="img"]';
  assert.equal(await page.run((selector) => document.querySelector(selector), granted), null);
  await mouse('mousePressed');
  await page.run(() => {
    globalThis.app.grants.notifications = true;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.see(granted);
  await mouse('mouseReleased');
  await page.until(() => globalThis.app.done.filter(([name]) => name === 'openSettings').length === 2);
  await story.close(page);
});

test('the app reports to the server whose link is pasted, and says how that goes', async () => {
  const page = await open();
  await page.until(() => globalThis.app.done.some(([name]) => name === 'sounding'));
  await page.run(() => {
    location.hash = '#/phone';
  });
  await page.see('h1', 'This phone');
  const paste = async (text) => {
    await page.run((link) => {
      document.querySelector('[name="report"]').value = link;
    }, text);
    await page.tap('form .button', 'Report');
  };
  for (const link of ['', 'http://example.org/#report=x', 'https://example.org/', 'nonsense']) {
    await paste(link);
    await page.see('.problem', 'This is not a phone’s link');
    // A permission that changes meanwhile is shown; the link and its refusal stay.
    await page.run(() => {
      globalThis.app.grants.location = !globalThis.app.grants.location;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.until(
      () => globalThis.app.grants.location === Boolean(document.querySelector('[data-key="location"] [role="img"]')),
    );
    await page.see('.problem', 'This is not a phone’s link');
    assert.equal(await page.run(() => document.querySelector('[name="report"]').value), link);
  }
  await paste(' https://example.org/alarm/#report=s3cret ');
  await page.see('[data-key="report"]', 'example.org');
  await page.see('[data-key="report"]', 'The next position goes there.');
  assert.deepEqual(await page.run(() => globalThis.app.done.at(-1)), ['report', 'https://example.org/alarm', 's3cret']);
  await page.run(() => {
    globalThis.app.reports.problem = 'refused';
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.see('[data-key="report"]', 'The server refuses this phone.');
  await page.run(() => {
    globalThis.app.reports.problem = 'keychain';
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.see('[data-key="report"]', 'The phone’s keychain refuses the token.');
  await page.tap('[data-key="report"] .button');
  await page.see('[name="report"]', '');
  assert.deepEqual(await page.run(() => globalThis.app.done.at(-1)), ['report', '', '']);
  // A link that the phone could not store.
  await page.see('.problem', 'The phone’s keychain refuses the token.');
  await story.close(page);
});

test('reminders go to the app with the zones; the app is heard, not the page', async () => {
  const page = await open();
  await page.open(`${story.origin}/icons/icon.svg`, { ready: null });
  await page.run(
    async (url, where) => {
      const { Storage } = await import(url);
      const storage = await Storage.open();
      await storage.put('reminders', {
        id: 'b000000000000001',
        title: 'Shopping',
        items: [
          { text: 'milk', done: false },
          { text: 'bread', done: false },
        ],
        places: [{ name: 'Market hall', place: [where.latitude, where.longitude] }],
        radius_m: 150,
        repeats: false,
        state: 'active',
      });
    },
    `${story.origin}/scripts/storage/storage.js`,
    place(5000),
  );
  await page.open(`${story.origin}/#/`);
  await page.until(() => globalThis.app.asked.some(({ reminders }) => reminders?.length));
  const [sent] = (await asked(page, 'phone_watch')).at(-1).reminders;
  assert.equal(sent.title, 'Shopping');
  assert.deepEqual(
    sent.places.map(({ name }) => name),
    ['Market hall'],
  );
  await page.tap('#activate');
  await page.until(() => globalThis.app.said.armed);
  await hear(page, place(6000));
  await page.run(() => globalThis.skip(60_000));
  const before = await page.run(() => globalThis.heard.sounds);
  await hear(page, place(5000));
  await page.see('body', 'Market hall');
  assert.equal(await page.run(() => globalThis.heard.sounds), before, 'the app sounds');
  await story.close(page);
});

test('positions from before what the app still holds come from its journal, once, into the history', async () => {
  const before = `${app}
    globalThis.app.said.armed = true;
    globalThis.app.said.kept_from_ms = Date.now() - 3_600_000;
    globalThis.app.past = [0, 1, 2].map((index) => {
      const measured = Date.now() - 40_000_000 + index * 60_000;
      return { latitude: 52.5, longitude: 13.4, accuracy: 5, measured, received: measured };
    });`;
  const page = await story.open({ zones: [zone()], kept: { armed: true }, look: { ...phoneLook, before } });
  await page.until(() => globalThis.app.asked.some(({ ask }) => ask === 'phone_past'));
  const [asking, ...more] = await asked(page, 'phone_past');
  assert.equal(more.length, 0);
  assert.equal(asking.after_ms, 0);
  assert.equal(Buffer.from(Object.values(asking.journal)).toString(), 'journal');
  await page.run(() => dispatchEvent(new Event('pagehide')));
  await page.until(async () => {
    const { Storage } = await import('/scripts/storage/storage.js');
    const pieces = await (await Storage.open()).all('fixes');
    return pieces.some(({ measured }) => measured < Date.now() - 30_000_000);
  });
  await story.close(page);
});

test('a file that another application gives is received', async () => {
  const page = await open();
  await page.until(() => globalThis.proximityPhone.onfile);
  await page.run(async () => {
    const zones = {
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', properties: { name: 'Given' }, geometry: { type: 'Point', coordinates: [13.4, 52.5] } },
      ],
    };
    globalThis.app.file = JSON.stringify({
      name: 'zones.geojson',
      type: 'application/geo+json',
      base64: btoa(JSON.stringify(zones)),
    });
    await globalThis.proximityPhone.onfile();
  });
  await page.see('body', 'Given');
  await story.close(page);
});

test('a file that the app holds is read at its address, once; one that is too large is named', async () => {
  const page = await open();
  await page.until(() => globalThis.proximityPhone.onfile);
  await page.run(async () => {
    const zones = {
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', properties: { name: 'Streamed' }, geometry: { type: 'Point', coordinates: [13.4, 52.5] } },
      ],
    };
    globalThis.fetched = [];
    const { fetch } = globalThis;
    globalThis.fetch = (address, ...rest) => {
      if (address !== '/given/1') return fetch(address, ...rest);
      globalThis.fetched.push(address);
      return Promise.resolve(new Response(JSON.stringify(zones)));
    };
    globalThis.app.file = JSON.stringify({ name: 'huge.kml', type: '', isTooLarge: true, most_mb: 50, address: '' });
    await globalThis.proximityPhone.onfile();
  });
  await page.see('body', 'huge.kml has more than 50 MB');
  await page.run(async () => {
    globalThis.app.file = JSON.stringify({ name: 'zones.geojson', type: 'application/geo+json', address: '/given/1' });
    await globalThis.proximityPhone.onfile();
  });
  await page.see('body', 'Streamed');
  assert.deepEqual(await page.run(() => globalThis.fetched), ['/given/1']);
  await story.close(page);
});

test('an app has no service worker: one that keeps the page is removed with its files, and the page is the app’s', async () => {
  // An earlier visit in a browser leaves its service worker behind, as an earlier version of the app did.
  const page = await story.open({ zones: [zone()] });
  await page.until(() => navigator.serviceWorker.controller);
  await page.run(() => caches.open('page-before'));
  const face = await page.context.page({ ...phoneLook, before: app });
  await face.open(`${story.origin}/`, { ready: null });
  const isRetired = async () =>
    !navigator.serviceWorker.controller &&
    !(await navigator.serviceWorker.getRegistrations()).length &&
    !(await caches.keys()).some((name) => name.startsWith('page-'));
  // The page reloads meanwhile.
  for (let isDone = false; !isDone;)
    isDone = await face.until(isRetired).then(
      () => true,
      (error) => {
        if (!error.message.includes('navigated')) throw error;
        return false;
      },
    );
  await face.until(() => globalThis.app.asked.some(({ ask }) => ask === 'phone_watch'));
  assert.equal(await face.run(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  await story.close(page);
});

test('a pack is followed where the app refuses caches', async () => {
  const id = 0x1234n;
  const page = await story.open({ look: { ...phoneLook, before: app + noCaches } });
  const key = newKey();
  const followed = (version, name) =>
    pack(key, { collection: id, version, made: Date.now(), name: 'Danger zones', zones: [pad(7, name)] });
  const watched = (name) =>
    page.until(async (wanted) => {
      const { app: state } = await import('/scripts/main.js');
      return [...state.shared.values()].map(({ form }) => form.name).join() === wanted;
    }, name);
  for (const [version, name] of [
    [1, 'Gorge'],
    [2, 'Quarry'],
  ]) {
    await page.run(
      async (given) => {
        const [{ app: state }, { packsOf }] = await Promise.all([
          import('/scripts/main.js'),
          import('/scripts/packs/followed-packs.js'),
        ]);
        const packs = packsOf(state);
        await packs.follow(await packs.look(Uint8Array.from(given)));
      },
      [...followed(version, name)],
    );
    await watched(name);
  }
  await story.close(page);
});

test('a zone that another application shared is added and armed, as Scripts/android/first-run does it', async () => {
  const page = await story.open({ look: { ...phoneLook, before: app } });
  await page.see('#where', 'Where should it ring?');
  const zones = {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { name: 'First run', radius_m: 100 },
        geometry: { type: 'Point', coordinates: [0.25, 51.5] },
      },
    ],
  };
  await page.run((text) => {
    globalThis.app.file = JSON.stringify({
      name: 'text.txt',
      type: 'text/plain',
      isTooLarge: false,
      base64: btoa(text),
    });
    // The app announces the file before the page listens; the page then asks for it.
    globalThis.proximityPhone.onfile?.();
  }, JSON.stringify(zones));
  await page.see('#add', 'Add 1 zone');
  await page.tap('#add');
  await page.see('.snackbar', '1 zone added');
  await page.tap('#places a[data-place="alarm"]');
  await page.see('#activate', 'Activate');
  await page.tap('#activate');
  await page.until(() => globalThis.app.done.filter(([name]) => name === 'request').length >= 3);
  assert.deepEqual(
    await page.run(() =>
      globalThis.app.done
        .filter(([name]) => name === 'request')
        .slice(0, 3)
        .map(([, what]) => what),
    ),
    ['location', 'notifications', 'background'],
  );
  const [{ name, size_m: size, places, trigger }] = (await asked(page, 'phone_watch')).at(-1).zones;
  assert.deepEqual(
    { name, size, places, trigger },
    { name: 'First run', size: 100, places: [[51.5, 0.25]], trigger: 'enter' },
  );
});
