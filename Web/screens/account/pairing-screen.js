// Sets up a phone for reports in the background. A page cannot report, so an app does, and the server evaluates the reports.
// One QR code for each device.
import { download } from '../../scripts/files/download.js';
import { fill, h, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { qr } from '../../scripts/page/qr.js';
import { styles } from '../../scripts/page/styles.js';
import { serverOf } from '../../scripts/server/server.js';
import { segments } from '../../parts/controls.js';
import { field, row, section, topBar } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { reported, trouble } from '../../scripts/words/phone-words.js';
import { t } from '../../scripts/words/translate.js';
import { deviceSheet, unclaimedPhones } from './device-sheet.js';

const apps = [
  {
    value: 'proximity',
    label: 'Proximity Alarm',
    how: t`In the app of this project (Android): copy this link, and paste it there under More, This phone.`,
  },
  {
    value: 'owntracks',
    label: 'OwnTracks',
    how: t`Install OwnTracks (iPhone, Android), open it once, then scan this with the phone’s camera and allow the
      configuration.`,
  },
  {
    value: 'overland',
    label: 'Overland',
    how: t`Install Overland (iPhone), then scan this with the camera: it opens Overland and sets it up.`,
  },
  {
    value: 'traccar',
    label: 'Traccar',
    how: t`Install Traccar Client (iPhone, Android), choose “Scan QR code” in its settings, and scan this.`,
  },
];

/** `?app=overland` chooses an app; OwnTracks otherwise. */
export function show(app, outlet, { query }) {
  styles('story');
  const pane = h('div', { class: 'pane pairing' });
  outlet.append(pane);
  const server = serverOf(app);
  let shown;
  let stop = () => {};
  const draw = () => {
    const wanted = server.state === 'in' ? 'in' : 'out';
    if (wanted === shown) return;
    shown = wanted;
    stop();
    stop = () => {};
    fill(
      pane,
      topBar({ title: t`Background reporting`, detail: t`A phone app reports, the server watches`, back: '#/people' }),
      why(),
      guide(),
      h(
        'p',
        { class: 'footnote' },
        t`Reminders ring in this page while it is open, and in the app for its own phone. For phones that report to your server, they go to your channels.`,
      ),
      wanted === 'in'
        ? devices(server, apps.find(({ value }) => value === query.get('app')) ?? apps[1], (end) => {
            stop = end;
          })
        : signInFirst(server),
    );
  };
  server.addEventListener('change', draw);
  draw();
  if (server.state === 'unknown') server.look();
  return () => {
    server.removeEventListener('change', draw);
    stop();
  };
}

const why = () =>
  h(
    'p',
    { class: 'subhead' },
    t`No web page gets positions while it is not in view. These apps do, and report to the server you are signed in to;
      it rings by the same rules, and tells you by notification.`,
  );

/** A link to the choice of an app for each phone, in three steps with pictures. */
const guide = () => h('p', {}, h('a', { class: 'link', href: '#/phones' }, t`Which app for which phone`));

const signInFirst = (server) =>
  h(
    'div',
    { class: 'card empty' },
    icon('phone', { size: 40 }),
    h('p', { class: 'headline' }, server.state === 'offline' ? t`The server cannot be reached` : t`Sign in first`),
    h('p', { class: 'subhead' }, t`A phone reports to an account.`),
    h('a', { class: 'button primary', href: '#/account' }, t`Account`),
  );

function devices(server, first, ends) {
  const list = h('div', { class: 'card' });
  const name = h('input', {
    class: 'input',
    name: 'device',
    maxlength: 100,
    placeholder: t`My phone`,
    autocomplete: 'off',
  });
  const naming = field({ label: t`What is the phone called?`, input: name });
  let chosen = first;
  const anew = (device) => pair(server, device, chosen, load);
  const load = async () => {
    try {
      const { items } = await server.ask('GET', '/devices');
      // Rows of the same phones are reused, so that a button that is being pressed is not replaced.
      update(
        list,
        items.length
          ? items.map((device) =>
              row({
                title: device.name || t`A phone`,
                key: device.id,
                leading: h('span', { class: 'tile quiet' }, icon('phone')),
                detail: h(
                  'span',
                  {},
                  reported(device),
                  trouble(device) && h('span', { class: 'problem device-trouble' }, trouble(device)),
                ),
                trailing: h(
                  'span',
                  { class: 'device-actions' },
                  h(
                    'button',
                    {
                      type: 'button',
                      class: 'round bare',
                      'aria-label': t`About ${device.name}`,
                      onclick: () => about(device),
                    },
                    icon('info', { size: 20 }),
                  ),
                  h('button', { type: 'button', class: 'button small', onclick: () => anew(device) }, t`Code`),
                ),
              }),
            )
          : h('p', { class: 'footnote padded' }, t`None yet.`),
      );
    } catch (error) {
      fill(list, h('p', { class: 'footnote padded' }, error.message));
    }
  };
  const about = (device) =>
    deviceSheet(server, device, { pair: anew, remove: (gone) => removing(server, gone, load), done: load });
  const listed = load();
  const how = h('p', { class: 'footnote' }, chosen.how);
  ends(() => {});
  return [
    section(
      { title: t`A new phone` },
      h(
        'form',
        {
          class: 'card padded entrance',
          novalidate: true,
          onsubmit: async (event) => {
            event.preventDefault();
            naming.say('');
            const title = name.value.trim() || t`My phone`;
            try {
              const device = await server.ask('POST', '/devices', { name: title });
              name.value = '';
              await load();
              await pair(server, device, chosen, load);
            } catch (error) {
              naming.say(error.message);
            }
          },
        },
        naming,
        segments({
          label: t`App`,
          options: apps,
          value: chosen.value,
          onchoose: (value) => {
            chosen = apps.find((each) => each.value === value);
            how.textContent = chosen.how;
          },
        }),
        how,
        isLocal(location.hostname) &&
          h(
            'p',
            { class: 'problem' },
            t`This page is open at ${location.host}, which only this computer reaches. Open it by the address that the
              phone can reach, then pair.`,
          ),
        h('button', { type: 'submit', class: 'button primary wide' }, icon('plus', { size: 22 }), t`Show its code`),
      ),
    ),
    section({ title: t`Your phones` }, list),
    unclaimedPhones(server, { pair: anew, done: load, listed }),
  ];
}

export const isLocal = (host) =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');

/** Shows a new token each time: the code is a key and is shown only once. */
async function pair(server, device, { value, label, how }, done) {
  let setup;
  let picture;
  try {
    setup = await server.ask('POST', `/devices/${device.id}/setup/${value}`);
    picture = await qr(setup.link, t`QR code that sets ${label} up`);
  } catch (error) {
    snackbar(error.message);
    return;
  }
  const sheet = modalSheet(
    { label: t`Pair ${device.name}`, onclose: done },
    h('h2', { class: 'title-2' }, `${device.name}: ${label}`),
    picture,
    h('p', { class: 'subhead' }, how),
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'a',
        { class: 'button primary', href: setup.link },
        // On a computer the phone is another device.
        matchMedia('(pointer: coarse)').matches ? t`Open on this phone` : t`Open the set-up link`,
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          onclick: () =>
            navigator.clipboard.writeText(setup.link).then(
              () => snackbar(t`The link is copied`),
              () => snackbar(t`The browser did not let the link be copied.`),
            ),
        },
        t`Copy the link`,
      ),
      setup.file &&
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            onclick: () => download(setup.file, `${device.name}.otrc`, 'application/octet-stream'),
          },
          t`Save as a file`,
        ),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Done`),
    ),
    h(
      'p',
      { class: 'footnote' },
      t`Anybody who has this code can report as this phone. Remove the phone to make the code invalid.`,
    ),
  );
  sheet.classList.add('pair-sheet');
}

function removing(server, device, done) {
  const sheet = modalSheet(
    { label: t`Remove ${device.name}` },
    h('h2', { class: 'title-2' }, t`Remove ${device.name}?`),
    h('p', { class: 'body' }, t`Its positions and alarms on the server go with it, and its code stops working.`),
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button alarm',
          onclick: async () => {
            sheet.close();
            try {
              await server.ask('DELETE', `/devices/${device.id}`);
            } catch (error) {
              snackbar(error.message);
            }
            done();
          },
        },
        t`Remove`,
      ),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Keep`),
    ),
  );
}
