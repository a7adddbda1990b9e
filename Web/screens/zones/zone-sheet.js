// The actions for one zone, from the map (S50) and from the list (S59; there without sending, S61).
import { toggle } from '../../parts/controls.js';
import { row, switchRow, tile } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { tryAlarm } from '../../parts/trial-alarm.js';
import { go } from '../../scripts/page/address.js';
import { categoryLook } from '../../scripts/page/categories.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { obstacle } from '../../scripts/words/watch-words.js';
import * as zoneWords from '../../scripts/words/zone-words.js';

/** Deletes zones at once, and offers Undo. */
export async function deleteZones(app, ...ids) {
  sayDeleted(app, await app.removeZones(...ids));
}

export function sayDeleted(app, removed) {
  const [only] = removed;
  snackbar(removed.length === 1 ? t`${zoneWords.name(only)} deleted` : t`${removed.length} zones deleted`, {
    undo: () => app.putZones(...removed),
  });
}

/** The text beside the switch of a zone, which depends on whether alarms are on and possible. */
function activeWords({ report }) {
  const inTheWay = obstacle(report.state);
  if (inTheWay) return t`Not watched now: ${inTheWay.detail}`;
  return report.armed ? t`Rings while alarms are on` : t`All alarms are off`;
}

export const setActive = (app, id, active) => app.putZones({ ...app.zones.get(id), active });

/**
 * Opens the sheet.
 * @param {{app, id: string, from: 'map'|'list', onshow?: () => void, oncentre?: () => void}} what `from` is the view to which
 *   the editor returns; `onshow` opens the map, `oncentre` moves it
 */
export function zoneSheet({ app, id, from, onshow, oncentre }) {
  const form = app.zoneOf(id);
  if (!form) return undefined;
  const lent = app.shared.get(id);
  const [known] = app.ask('rows', { ids: [id] }).rows;
  const alarm = app.report.alarms.find(({ zone }) => zone.id === id);
  const isRinging = alarm?.zone.state === 'ringing';
  const name = zoneWords.name(form);
  const { picture, colour } = categoryLook(form.category ?? '');
  const away = (run) => () => {
    sheet.close();
    run();
  };
  const action = (label, picture, run, more = {}) =>
    h(
      'button',
      { type: 'button', class: `row low${more.danger ? ' danger' : ''}`, disabled: more.disabled, onclick: away(run) },
      icon(picture),
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline' }, label),
        more.detail && h('span', { class: 'subhead' }, more.detail),
      ),
    );
  const isOn = toggle({
    label: t`Watch ${name}`,
    value: form.active,
    key: 'sheet-active',
    onchange: (active) => setActive(app, id, active),
  });
  const sheet = modalSheet(
    { label: name },
    h(
      'header',
      { class: 'zone-head' },
      tile(picture, colour, { off: !form.active }),
      h(
        'div',
        { class: 'grow' },
        h('h2', { class: 'title-3' }, name),
        h('p', { class: 'subhead' }, zoneWords.about(form, known)),
      ),
    ),
    h('p', { class: 'title-2 number zone-distance' }, known && zoneWords.far(known)),
    h(
      'div',
      { class: 'card inset-card' },
      lent &&
        row({
          title: zoneWords.sharedBy(lent),
          detail: t`${lent.collection}. Only its publisher can change it. You follow it under People, Shared zones.`,
          leading: icon('share'),
          low: true,
        }),
      !lent &&
        switchRow({
          title: t`Active`,
          detail: activeWords(app),
          leading: icon('bell'),
          control: isOn,
        }),
      !lent && action(t`Edit`, 'pencil', () => go(`/zones/${id}?from=${from}`)),
      action(t`Sleep`, 'moon', () => app.answer('sleep', alarm.alarm), {
        disabled: !isRinging,
        detail: isRinging ? t`Quiet for ${zoneWords.sleep(app, form)}` : t`While it rings`,
      }),
      onshow && action(t`Show on the map`, 'map', onshow),
      oncentre && action(t`Centre here`, 'position', oncentre, { detail: t`The whole zone in view` }),
      from === 'map' &&
        !lent &&
        action(t`Send`, 'share', () => go(`/share?zone=${id}`), { detail: t`As a file, by mail or another app` }),
      action(t`Hear how it rings`, 'sound', () => tryAlarm(app, form), {
        detail: t`Its real sound, as a trial`,
      }),
      action(t`Why`, 'info', () => go(`/why/${id}`), { detail: t`Why it rang, or kept silent` }),
      !lent && action(t`Delete`, 'trash', () => deleteZones(app, id), { danger: true }),
    ),
    h('button', { type: 'button', class: 'button wide', onclick: () => sheet.close() }, t`Cancel`),
  );
  sheet.classList.add('zone-actions');
  return sheet;
}
