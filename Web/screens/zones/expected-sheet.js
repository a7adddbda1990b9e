// By when phones are expected at a zone: the list, and the form of one of them.
import { toggle } from '../../parts/controls.js';
import { field, row, stopsAtRefused } from '../../parts/layout.js';
import { exactSpan } from '../../parts/picker.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { newID } from '../../scripts/app.js';
import { go } from '../../scripts/page/address.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { bitsOf, conditions, timeZone, title } from './expected-words.js';
import { weekButtons } from './zone-schedule.js';

const fresh = { time: '08:00', weekdays: [1, 2, 3, 4, 5], window_min: 60, is_enabled: true };
/** Common lengths of the time before in which a visit counts, in minutes. */
const windows_min = [0, 15, 30, 45, 60, 90, 120, 180, 240, 360, 720];

const weekdaysOf = (bits) => [1, 2, 3, 4, 5, 6, 7].filter((each) => bits & (1 << (each - 1)));

/** The reason of a refusal, without the place in the request. */
const reason = ({ kind, message }) =>
  kind === 'not-found'
    ? t`The server does not have this zone, phone or entry. It may have been deleted.`
    : message.replace(/^\/[\w/]+: /, '');

const button = (label, onclick, more = {}) => h('button', { type: 'button', class: 'button', onclick, ...more }, label);

/**
 * @param {import('../../scripts/server/expected-arrivals.js').ExpectedArrivals} held
 * @param {string} name of the zone
 */
export function expectedSheet(held, name) {
  const body = h('div', { class: 'form-stack' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  let isEditing = false;
  /** The reason why the last request was refused. */
  let refusal = '';
  const say = (text) => {
    refusal = text;
    problem.textContent = text || (!isEditing && held.problem) || '';
  };
  const sheet = modalSheet(
    {
      label: t`Expected arrivals`,
      stays: () => isEditing,
      onclose: () => held.removeEventListener('change', changed),
    },
    body,
  );
  /** Draws the list or the form; the focus goes to its title, as what had it is gone. */
  const show = (headline, ...content) => {
    const heading = h('h2', { class: 'title-2', tabindex: -1 }, headline);
    fill(body, heading, content);
    if ([document.body, sheet].includes(document.activeElement)) heading.focus();
  };
  /** @returns {Promise<boolean>} false if it was refused, which is said then */
  const attempt = async (run) => {
    say('');
    try {
      await run();
      return true;
    } catch (error) {
      say(reason(error));
      if (!isEditing) list();
      return false;
    }
  };

  const line = (item) => {
    const said = title(held, item);
    const isOn = toggle({
      label: said,
      value: item.is_enabled,
      key: `expected-on-${item.id}`,
      onchange: (on) => attempt(() => held.edit(item.id, { is_enabled: on })),
    });
    const edit = row({
      title: said,
      detail: conditions(item),
      key: `expected-${item.id}`,
      low: true,
      onclick: () => form(item),
    });
    return h('div', { class: 'expected' }, edit, isOn);
  };

  const list = () => {
    isEditing = false;
    say(refusal);
    const { items, phones } = held;
    const hasNone = Boolean(items) && !phones.length;
    show(
      t`Expected arrivals`,
      h(
        'p',
        { class: 'subhead' },
        t`An alarm rings if a phone is not at ${name} by its time, even if the phone is silent.`,
      ),
      problem.textContent && problem,
      items?.length > 0 && h('div', { class: 'card inset-card' }, items.map(line)),
      hasNone && h('p', { class: 'body' }, t`Your account has no phone yet.`),
      h(
        'div',
        { class: 'sheet-actions' },
        phones.length > 0 &&
          button([icon('plus', { size: 20 }), t`Add`], () => form(), { class: 'button primary', id: 'expected-add' }),
        hasNone &&
          button(
            t`Set up a phone`,
            () => {
              sheet.close();
              go('/pairing');
            },
            { class: 'button primary' },
          ),
        button(t`Done`, () => sheet.close()),
      ),
    );
  };

  /** @param {object} [item] the one that is changed; without it, another is added */
  const form = (item) => {
    isEditing = true;
    say('');
    const { phones } = held;
    const now = { ...fresh, device_id: phones.length === 1 ? phones[0].id : '', time_zone: timeZone(), ...item };
    const phone = h(
      'select',
      { class: 'input', name: 'expected-phone' },
      !now.device_id && h('option', { value: '' }, t`Choose a phone`),
      phones.map(({ id, name }) => h('option', { value: id }, name || t`A phone`)),
    );
    phone.value = now.device_id;
    const time = h('input', { type: 'time', class: 'input number', name: 'expected-time', value: now.time });
    const [who, by] = [field({ label: t`Phone`, input: phone }), field({ label: t`Expected by`, input: time })];
    const zones = [now.time_zone, timeZone()];
    const zone = h(
      'select',
      { class: 'input', name: 'expected-time-zone' },
      zones.map((each) => h('option', { value: each }, each)),
    );
    let bits = bitsOf(now.weekdays);
    const days = h('div', { role: 'group', 'aria-label': t`Days` });
    const drawDays = () =>
      fill(
        days,
        weekButtons({
          bits,
          key: 'expected-day',
          onchange: (next) => {
            bits = next;
            say('');
            drawDays();
          },
        }),
      );
    drawDays();
    const before = h(
      'select',
      { class: 'input', name: 'expected-window' },
      [...new Set([...windows_min, now.window_min])]
        .toSorted((a, b) => a - b)
        .map((of) => h('option', { value: of }, of ? exactSpan(of * 60) : t`not at all`)),
    );
    before.value = now.window_min;
    let sent;
    const save = async () => {
      who.say(!phone.value && t`Choose a phone.`);
      // The field is empty while its time is incomplete.
      by.say(!time.value && t`Choose a time.`);
      say(bits ? '' : t`Choose a day.`);
      if (stopsAtRefused(body) || !bits) return;
      const wanted = {
        device_id: phone.value,
        time: time.value,
        weekdays: weekdaysOf(bits),
        window_min: Number(before.value),
        time_zone: zone.value,
      };
      const text = JSON.stringify(wanted);
      if (sent?.text !== text) sent = { text, key: newID() };
      // Only changes are sent: what another device has changed meanwhile stays.
      const changes = Object.fromEntries(
        Object.entries(wanted).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(now[key])),
      );
      if (await attempt(() => (item ? held.edit(item.id, changes) : held.add(wanted, sent.key)))) list();
    };
    const remove = async () => {
      const { device_id, time, weekdays, window_min, time_zone, is_enabled } = item;
      const gone = { device_id, time, weekdays, window_min, time_zone, is_enabled };
      if (!(await attempt(() => held.remove(item.id)))) return;
      list();
      const key = newID();
      snackbar(t`${title(held, item)} deleted`, { undo: () => held.add(gone, key) });
    };
    show(
      item ? t`Expected arrival` : t`New expected arrival`,
      who,
      by,
      h('div', { class: 'field' }, h('span', { class: 'label', 'aria-hidden': 'true' }, t`Days`), days),
      field({
        label: t`An earlier visit counts for`,
        input: before,
        hint: t`A phone that was there within this time before counts as arrived, even if it has left.`,
      }),
      zones[0] !== zones[1] && field({ label: t`By the clock of`, input: zone }),
      problem,
      h(
        'div',
        { class: 'sheet-actions' },
        button(t`Save`, save, { class: 'button primary', id: 'expected-save' }),
        button(t`Cancel`, () => {
          say('');
          list();
        }),
        item && button(t`Delete`, remove, { class: 'button danger', id: 'expected-delete' }),
      ),
    );
  };

  const changed = () => {
    // Words that a person has typed stay.
    if (!isEditing) list();
  };
  held.addEventListener('change', changed);
  list();
  held.look();
  return sheet;
}
