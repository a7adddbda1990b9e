// The sounds of this device; with `?zone=`, the choice of a sound for one zone.
import { toggle } from '../../parts/controls.js';
import { switchRow, topBar } from '../../parts/layout.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { all, setStandard, standardSound } from '../../scripts/sounds/sounds.js';
import { t } from '../../scripts/words/translate.js';
import { soundList } from './sound-list.js';

export function show(app, outlet, { query }) {
  const zone = app.zones.get(query.get('zone'));
  const list = zone
    ? soundList({
        app,
        selected: zone.sound ?? '',
        standard: standardSound(),
        mode: 'select',
        onselect: (sound) => app.putZones({ ...app.zones.get(zone.id), sound }),
      })
    : soundList({
        app,
        selected: standardSound(),
        standard: standardSound(),
        onselect: (name) => {
          setStandard(name);
          app.changeSettings({ standard_sound: name });
        },
      });
  const missing = h('div', {});
  outlet.append(
    h(
      'div',
      { class: 'pane' },
      zone
        ? topBar({ title: t`Sound`, detail: zone.name || t`A zone`, back: `#/zones/${zone.id}` })
        : topBar({
            title: t`Sounds`,
            detail: t`Zones without a sound of their own use the selected one.`,
            back: '#/more',
          }),
      missing,
      list,
      h(
        'div',
        { class: 'card after' },
        switched(app, 'rising_volume', t`Rising volume`, t`From soft to full within 20 seconds`),
        switched(app, 'sound_until_closed', t`Until closed`, t`Without a pause between two rings`),
      ),
    ),
  );
  if (!zone) sayMissing(app, missing);
  return () => list.leave();
}

const switched = (app, name, title, detail) =>
  switchRow({
    title,
    detail,
    control: toggle({
      label: title,
      value: app.settings[name] ?? false,
      onchange: (value) => app.changeSettings({ [name]: value }),
    }),
  });

/** Reports zones whose sound is not on this device (S111). */
async function sayMissing(app, place) {
  const here = new Set((await all()).map(({ name }) => name));
  const lost = new Map();
  for (const { sound, name } of app.zones.values()) {
    if (sound && !here.has(sound)) lost.set(sound, [...(lost.get(sound) ?? []), name || t`a zone`]);
  }
  place.replaceChildren(
    ...[...lost].map(([sound, zones]) =>
      h(
        'div',
        { class: 'card note warn', role: 'status' },
        icon('warning'),
        h(
          'p',
          {},
          h('b', {}, t`“${sound}” is not on this device.`),
          ' ',
          zones.length > 3
            ? t`It is the sound of ${zones.slice(0, 3).join(', ')} and ${zones.length - 3} more; ${standardSound()} plays in its place.`
            : t`It is the sound of ${zones.join(', ')}; ${standardSound()} plays in its place.`,
          ' ',
          t`Add a file of exactly that name, capitals too.`,
        ),
      ),
    ),
  );
}
