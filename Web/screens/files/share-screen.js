// Sends zones (S125, S127-S130): all, or selected ones; one by `#/share?zone=ID`.
import { download } from '../../scripts/files/download.js';
import { canShare, keep, mailAddress, padOf, share } from '../../scripts/files/sharing.js';
import { exported } from '../../scripts/files/zone-export.js';
import { fill, h } from '../../scripts/page/dom.js';
import { categoryLook, icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { serverOf } from '../../scripts/server/server.js';
import { plural, t } from '../../scripts/words/translate.js';
import { count } from '../../scripts/words/words.js';
import { field, menu, section, tile, topBar } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { compareNames } from '../../scripts/words/locale.js';

const mostShown = 300;
const otherFormats = [
  { label: t`GeoJSON, for maps and GIS`, ending: 'geojson', type: 'application/geo+json' },
  {
    label: t`KML, for Google Earth and others`,
    ending: 'kml',
    type: 'application/vnd.google-earth.kml+xml',
  },
];

export function show(app, outlet, { query }) {
  styles('story');
  const server = serverOf(app);
  const pane = h('div', { class: 'pane' });
  outlet.append(pane);
  const zones = [...app.zones.values()].sort((a, b) => compareNames(a.name, b.name));
  const asked = query.get('zone');
  const chosen = new Set(asked && app.zones.has(asked) ? [asked] : zones.map(({ id }) => id));
  if (!zones.length) {
    pane.append(
      topBar({ title: t`Share`, back: '#/more' }),
      h(
        'div',
        { class: 'card empty' },
        icon('share', { size: 40 }),
        h('p', { class: 'headline' }, t`No zones to send`),
        h('p', { class: 'subhead' }, t`Draw one on the map, or add some from a file.`),
        h('a', { class: 'button primary', href: '#/receive' }, t`Receive`),
      ),
    );
    return;
  }

  const actions = h('div', { class: 'share-actions' });
  const all = h('button', {
    type: 'button',
    class: 'link',
    onclick: () => {
      const none = chosen.size === zones.length;
      chosen.clear();
      if (!none) for (const { id } of zones) chosen.add(id);
      boxes.forEach((box, id) => {
        box.checked = chosen.has(id);
      });
      draw();
    },
  });
  const boxes = new Map();
  const rows = zones.slice(0, mostShown).map((zone) => {
    const { picture, colour } = categoryLook(zone.category);
    const box = h('input', {
      type: 'checkbox',
      class: 'check',
      checked: chosen.has(zone.id),
      onchange: () => {
        if (box.checked) chosen.add(zone.id);
        else chosen.delete(zone.id);
        draw();
      },
    });
    boxes.set(zone.id, box);
    return h(
      'label',
      { class: 'row' },
      tile(picture, colour, { off: !zone.active }),
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline name' }, zone.name || t`A zone`),
        zone.category && h('span', { class: 'subhead' }, zone.category),
      ),
      box,
    );
  });

  function draw() {
    all.textContent = chosen.size === zones.length ? t`None` : t`All`;
    const sent = zones.filter(({ id }) => chosen.has(id));
    if (!sent.length) return fill(actions, h('p', { class: 'subhead' }, t`Choose what to send.`));
    const pad = padOf(app, sent);
    const title = sent.length === 1 ? t`Zone: ${sent[0].name || t`without a name`}` : count(sent.length, 'zone');
    const mail = mailAddress(pad, title);
    const sendable = canShare(pad);
    return fill(
      actions,
      sendable &&
        h(
          'button',
          {
            type: 'button',
            class: 'button primary wide',
            id: 'send',
            onclick: () => share(pad, title).catch((error) => snackbar(t`Not sent: ${error.message}`)),
          },
          icon('share', { size: 22 }),
          sent.length === 1 ? t`Send the file` : t`Send ${count(sent.length, 'zone')}`,
        ),
      h(
        'button',
        {
          type: 'button',
          class: `button wide${sendable ? '' : ' primary'}`,
          id: 'save',
          onclick: async () => {
            if (await keep(pad)) snackbar(t`${pad.name} is saved`);
          },
        },
        icon('import', { size: 22 }),
        t`Save as a file`,
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button wide',
          id: 'save-other',
          onclick: (event) =>
            menu({
              label: t`For other programs`,
              at: event.currentTarget,
              items: otherFormats.map(({ label, ending, type }) => ({
                label,
                run: () => saveFor(sent, pad.name.replace(/pad$/, ending), ending, type),
              })),
            }),
        },
        icon('import', { size: 22 }),
        t`Save for other programs`,
      ),
      server.state === 'in' &&
        sent.length === 1 &&
        h(
          'button',
          { type: 'button', class: 'button wide', id: 'send-mail', onclick: () => mailing(server, sent[0]) },
          icon('mail', { size: 22 }),
          t`Have the server mail it`,
        ),
      mail
        ? h('a', { class: 'button wide', id: 'mail', href: mail }, icon('mail', { size: 22 }), t`Write a mail`)
        : h('p', { class: 'footnote' }, t`Too much for the text of a mail: save the file, and attach it.`),
      pad.changed > 0 &&
        h(
          'p',
          { class: 'footnote' },
          plural(pad.changed, {
            one: t`${pad.changed} detail, such as a comma in a name, cannot be written in a .pad file and is changed a
              little.`,
            other: t`${pad.changed} details, such as commas in names, cannot be written in a .pad file and are changed a
              little.`,
          }),
        ),
    );
  }
  draw();
  pane.append(
    topBar({ title: t`Share`, detail: t`As Proximity Alarm Data: a .pad file, for any device`, back: '#/more' }),
    actions,
    section(
      { title: t`Zones`, count: zones.length, trailing: all },
      h('div', { class: 'card' }, rows),
      zones.length > mostShown &&
        h('p', { class: 'footnote' }, t`${zones.length - mostShown} more are not shown; “All” takes them in.`),
    ),
  );
}

/** Saves zones for other programs. */
async function saveFor(zones, name, format, type) {
  try {
    const { parts, leftOut } = await exported(zones, format);
    if (!(await download(parts, name, type))) return;
    snackbar(
      leftOut ? t`${name} is saved without ${count(leftOut, 'zone')}, which cannot be used` : t`${name} is saved`,
    );
  } catch (error) {
    snackbar(t`${name} is not saved: ${error.message}`);
  }
}

/** Sends the zone as a file by the server's mail (S125-S130). */
function mailing(server, zone) {
  const to = h('input', {
    class: 'input',
    type: 'email',
    name: 'to',
    autocomplete: 'email',
    maxlength: 254,
    required: true,
    oninput: () => address.say(),
  });
  const words = h('textarea', { class: 'input', name: 'message', rows: 3, maxlength: 4000 });
  const address = field({ label: t`To`, input: to, hint: t`One address.` });
  const button = h('button', { class: 'button primary', type: 'submit' }, t`Send`);
  const sheet = modalSheet(
    { label: t`Mail a zone` },
    h('h2', { class: 'title-2' }, t`Mail “${zone.name || t`A zone`}”`),
    h(
      'form',
      {
        class: 'entrance',
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault();
          address.say();
          button.disabled = true;
          try {
            const { outcome, detail } = await server.ask('POST', `/zones/${zone.id}/mail`, {
              to: to.value.trim(),
              ...(words.value.trim() && { message: words.value.trim() }),
            });
            if (outcome === 'delivered') {
              sheet.close();
              snackbar(t`Sent to ${to.value.trim()}`);
            } else address.say(t`Not sent: ${detail || outcome}`);
          } catch (error) {
            address.say(
              error.status === 404
                ? t`The server does not have this zone yet: it is there when the account is up to date.`
                : error.message.replace(/^\/\w+: /, ''),
            );
          } finally {
            button.disabled = false;
          }
        },
      },
      address,
      field({ label: t`Your words`, input: words, hint: t`They stand above the zone. May be empty.` }),
      h(
        'div',
        { class: 'sheet-actions' },
        button,
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`),
      ),
    ),
  );
}
