// A contact for sealed messages: the alarms they are told of, and the fingerprints of their keys.
import { fill, h } from '../../scripts/page/dom.js';
import { fingerprint } from '../../scripts/sealed/sealed-box.js';
import { fromBase64URL } from '../../scripts/server/base64url.js';
import { t } from '../../scripts/words/translate.js';
import { segments, toggle } from '../../parts/controls.js';
import { row, switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { compareNames } from '../../scripts/words/locale.js';

export function contactSheet({ app, server, sealed, contact }) {
  const name = contact.name || contact.login;
  const zonesPlace = h('div');
  const keysPlace = h('div');
  const save = (how) => sealed.tell(contact, how).catch((error) => snackbar(error.message));
  const drawZones = () => {
    const { which, zones } = sealed.toldOf(contact);
    const all = [...app.zones.values()].sort((a, b) => compareNames(a.name, b.name));
    fill(
      zonesPlace,
      which === 'zones' &&
        h(
          'div',
          { class: 'card' },
          all.map((zone) =>
            switchRow({
              title: zone.name || t`A zone`,
              control: toggle({
                label: zone.name || t`A zone`,
                value: zones.includes(zone.id),
                key: `told-${zone.id}`,
                onchange: (on) => {
                  const now = sealed.toldOf(contact).zones.filter((id) => id !== zone.id);
                  save({ zones: on ? [...now, zone.id] : now });
                },
              }),
            }),
          ),
          !all.length && h('p', { class: 'footnote padded' }, t`There is no zone here yet.`),
        ),
    );
  };
  const drawKeys = () =>
    fill(
      keysPlace,
      h(
        'div',
        { class: 'card' },
        sealed.keysOf(contact).map((key) =>
          row({
            key: key.id,
            title: key.name || t`A browser`,
            detail: h('span', { class: 'number' }, fingerprint(fromBase64URL(key.public_key))),
            trailing: key.trusted
              ? undefined
              : h(
                  'button',
                  {
                    type: 'button',
                    class: 'button small',
                    onclick: async () => {
                      await sealed.trust(contact, key.public_key);
                      drawKeys();
                    },
                  },
                  t`It is the same`,
                ),
          }),
        ),
      ),
    );
  const { which, place } = sealed.toldOf(contact);
  const choice = segments({
    label: t`Which alarms`,
    options: [
      { value: 'none', label: t`None` },
      { value: 'zones', label: t`Chosen zones` },
      { value: 'all', label: t`All` },
    ],
    value: which,
    onchange: async (value) => {
      await save({ which: value });
      drawZones();
    },
  });
  drawZones();
  drawKeys();
  const sheet = modalSheet(
    { label: name },
    h('h2', { class: 'title-2' }, name),
    h('p', { class: 'subhead' }, t`Is notified of these alarms of this device:`),
    choice,
    zonesPlace,
    h(
      'div',
      { class: 'card' },
      switchRow({
        title: t`With the place`,
        detail: t`Where you are and how far from the zone; else only its name and the time`,
        control: toggle({
          label: t`With the place`,
          value: place,
          key: 'told-place',
          onchange: (on) => save({ place: on }),
        }),
      }),
    ),
    h(
      'p',
      { class: 'subhead' },
      t`Their keys. Let them read the numbers to you: if one differs, somebody else reads along.`,
    ),
    keysPlace,
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button alarm',
          onclick: async () => {
            try {
              await server.ask('DELETE', `/sealed-contacts/${contact.id}`);
              sheet.close();
              snackbar(t`Ended, for both of you`);
              await sealed.now();
            } catch (error) {
              snackbar(error.message);
            }
          },
        },
        t`End it`,
      ),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Close`),
    ),
  );
}
