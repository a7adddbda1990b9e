// The rule of a channel: which notices it sends, and what that means for the last ten alarms.
import { toggle } from '../../parts/controls.js';
import { sheetDraft } from '../../parts/drafts.js';
import { row, section, switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { fill, h } from '../../scripts/page/dom.js';
import { kinds as channelKinds } from '../../scripts/words/channel-words.js';
import { compareNames } from '../../scripts/words/locale.js';
import { t } from '../../scripts/words/translate.js';
import { clock, count, day } from '../../scripts/words/words.js';
import { scheduleField } from '../zones/zone-schedule.js';

const directions = [
  { key: 'enter', title: t`Entering` },
  { key: 'leave', title: t`Leaving` },
  { key: 'dwell', title: t`Staying` },
];

/** The kinds of notice, in groups that a person decides on together. */
const kinds = [
  { key: 'ring', title: t`Alarms of zones`, words: ['ring'] },
  { key: 'repeat', title: t`Repeats`, detail: t`Off: each alarm is sent once`, words: ['repeat'] },
  { key: 'missed-signal', title: t`Lost signal near a zone`, words: ['missed_signal'] },
  { key: 'silent', title: t`Silent or unreadable phones`, words: ['device_silent', 'device_unreadable'] },
  { key: 'battery', title: t`Low battery`, words: ['battery_low'] },
  { key: 'sos', title: t`SOS and missed check-ins`, words: ['sos', 'check_in_missed'] },
  { key: 'not_arrived', title: t`A phone has not arrived in time`, words: ['not_arrived'] },
  {
    key: 'companions',
    title: t`Phones that meet or part`,
    words: ['companion_near', 'companion_apart', 'companion_lost', 'companion_ended'],
  },
  { key: 'notices', title: t`Notices of zones`, words: ['notice', 'perhaps'] },
  { key: 'reminders', title: t`Reminders`, words: ['reminder', 'check_in_soon'] },
];

const reasons = {
  phone: t`not sent: another phone`,
  kind: t`not sent: another kind of notice`,
  zone: t`not sent: another zone`,
  direction: t`not sent: another movement`,
  hours: t`not sent: outside its hours`,
};

/** True if a rule keeps something back. */
export const isLimited = (rule) => Object.values(rule).some((values) => values.length > 0);

/** The rule in a few words for the list of channels; nothing if it sends everything. */
export function ruleWords({ rule, missing_zone_ids: missing }) {
  if (rule.zone_ids.length && rule.zone_ids.length === missing.length && !rule.categories.length)
    return t`no alarm of a zone: its zones are deleted`;
  return isLimited(rule) && t`some notices only`;
}

/**
 * Switches for the values of one member. With `all`, a first switch stands for every value, also for later ones.
 * @param {{options: {key: string, title: string, detail?: string}[], chosen: Set<string>, name: string, all?: string}} what
 * @returns {{element: HTMLElement, isAll: () => boolean, values: () => string[]}}
 */
function choices({ options, chosen, name, all }) {
  const switches = options.map(({ key, title }) =>
    toggle({ label: title, value: chosen.has(key), key: `rule-${name}-${key}`, onchange: () => {} }),
  );
  const list = options.map(({ title, detail }, at) => switchRow({ title, detail, control: switches[at] }));
  const rest = h('div', {}, list);
  const whole =
    all &&
    toggle({
      label: all,
      value: chosen.size === 0,
      key: `rule-${name}`,
      onchange: (on) => {
        rest.hidden = on;
      },
    });
  rest.hidden = Boolean(whole?.value);
  return {
    element: h('div', { class: 'card' }, whole && switchRow({ title: all, control: whole }), rest),
    isAll: () => (whole ? whole.value : switches.every(({ value }) => value)),
    values: () => options.filter((_, at) => switches[at].value).map(({ key }) => key),
  };
}

/** The zones and the categories of a rule, with the deleted zones as one switch. */
function zoneChoices(app, { rule, missing_zone_ids: missing }) {
  const zones = [...app.zones.values()].sort((a, b) => compareNames(a.name, b.name));
  const categories = new Map(rule.categories.map((name) => [name.trim().toLowerCase(), name]));
  for (const { category } of zones)
    if (category?.trim() && !categories.has(category.trim().toLowerCase()))
      categories.set(category.trim().toLowerCase(), category.trim());
  const here = new Set(zones.map(({ id }) => id));
  const elsewhere = rule.zone_ids.filter((id) => !here.has(id) && !missing.includes(id));
  const options = [
    ...[...categories]
      .sort(([, a], [, b]) => compareNames(a, b))
      .map(([key, title]) => ({
        key: `category ${key}`,
        title,
        detail: t`All zones of this category`,
      })),
    ...zones.map(({ id, name }) => ({ key: `zone ${id}`, title: name || t`A zone` })),
    ...(elsewhere.length
      ? [{ key: 'elsewhere', title: count(elsewhere.length, 'zone'), detail: t`Not on this device` }]
      : []),
    ...(missing.length
      ? [
          {
            key: 'missing',
            title: count(missing.length, 'zone'),
            detail: t`Deleted. They count again if you restore them`,
          },
        ]
      : []),
  ];
  const chosen = new Set([
    ...rule.categories.map((name) => `category ${name.trim().toLowerCase()}`),
    ...rule.zone_ids.filter((id) => here.has(id)).map((id) => `zone ${id}`),
    ...(elsewhere.length ? ['elsewhere'] : []),
    ...(missing.length ? ['missing'] : []),
  ]);
  const what = choices({ options, chosen, name: 'zones', all: t`All zones` });
  return {
    ...what,
    value: () => {
      if (what.isAll()) return { zone_ids: [], categories: [] };
      const values = what.values();
      const of = (kind) => values.filter((key) => key.startsWith(`${kind} `)).map((key) => key.slice(kind.length + 1));
      return {
        zone_ids: [
          ...of('zone'),
          ...(values.includes('elsewhere') ? elsewhere : []),
          ...(values.includes('missing') ? missing : []),
        ],
        categories: of('category').map((key) => categories.get(key)),
      };
    },
  };
}

const toForm = (windows) =>
  windows.length && {
    windows: windows.map(({ weekdays, opens_min: opens, closes_min: closes }) => [
      weekdays.reduce((bits, each) => bits | (1 << (each - 1)), 0),
      opens,
      closes,
    ]),
  };
const fromForm = (schedule) =>
  (schedule?.windows ?? []).map(([bits, opens, closes]) => ({
    weekdays: [1, 2, 3, 4, 5, 6, 7].filter((each) => bits & (1 << (each - 1))),
    opens_min: opens,
    closes_min: closes,
  }));

/** One alarm of the preview: its message, or the reason why it is kept back. */
function previewRow({ alarm_id: id, began_at: began, title, text, sent, kept_back_by: reason }) {
  const at = Date.parse(began);
  const when = `${day(at)}, ${clock(at)}`;
  const words = sent === 'never' ? (reasons[reason] ?? t`not sent`) : text.split('\n')[0];
  return row({
    key: `preview-${id}`,
    title,
    detail: [when, sent === 'if_unanswered' && t`if nobody answers`, words].filter(Boolean).join(' · '),
    low: true,
  });
}

/**
 * Edits the rule of a channel.
 * @param {{app, server, channel: object, phones: {id: string, name: string}[], zone: string|undefined, save: (rule) =>
 *   Promise<object>, done: () => void}} what `zone` is the name of the account's time zone; `save` resolves to the channel
 */
export function ruleSheet({ app, server, channel, phones, zone, save, done }) {
  const { rule } = channel;
  const zones = zoneChoices(app, channel);
  const ways = choices({
    options: directions,
    chosen: new Set(rule.directions.length ? rule.directions : directions.map(({ key }) => key)),
    name: 'direction',
  });
  const kept = choices({
    options: kinds,
    chosen: new Set(
      kinds
        .filter(({ words }) => !rule.kinds.length || words.some((each) => rule.kinds.includes(each)))
        .map(({ key }) => key),
    ),
    name: 'kind',
  });
  const known = new Set(phones.map(({ id }) => id));
  const gone = rule.device_ids.filter((id) => !known.has(id));
  const ofPhones = choices({
    options: [
      ...phones.map(({ id, name }) => ({ key: id, title: name || t`A phone` })),
      ...(gone.length ? [{ key: 'gone', title: t`Removed phones` }] : []),
    ],
    chosen: new Set([...rule.device_ids.filter((id) => known.has(id)), ...(gone.length ? ['gone'] : [])]),
    name: 'phones',
    all: t`All phones`,
  });
  let windows = rule.hours;
  const hours = scheduleField({
    app,
    form: { schedule: toForm(windows) || undefined },
    onchange: (schedule) => {
      windows = fromForm(schedule);
    },
  });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const shown = h('div', { class: 'card', 'aria-busy': 'true' });
  const preview = () =>
    server.ask('GET', `/channels/${channel.id}/preview`).then(
      ({ items }) => {
        fill(
          shown,
          !items.length && h('p', { class: 'footnote padded' }, t`There was no alarm yet.`),
          items.map(previewRow),
        );
        shown.setAttribute('aria-busy', 'false');
      },
      (error) => fill(shown, h('p', { class: 'footnote padded' }, error.message)),
    );
  /** The rule as it is set; a text says what is missing. */
  const asked = () => {
    const places = zones.value();
    if (!zones.isAll() && !places.zone_ids.length && !places.categories.length)
      return t`Choose a zone or a category, or all zones.`;
    if (!ways.values().length) return t`Choose a movement.`;
    if (!kept.values().length) return t`Choose a kind of notice.`;
    if (!ofPhones.isAll() && !ofPhones.values().length) return t`Choose a phone, or all phones.`;
    if (windows.some(({ weekdays }) => !weekdays.length)) return t`Choose a day for the hours.`;
    return {
      ...places,
      directions: ways.isAll() ? [] : ways.values(),
      kinds: kept.isAll() ? [] : kinds.filter(({ key }) => kept.values().includes(key)).flatMap(({ words }) => words),
      device_ids: ofPhones.isAll() ? [] : ofPhones.values().flatMap((key) => (key === 'gone' ? gone : [key])),
      hours: windows,
    };
  };
  let isSaved = false;
  const keep = async () => {
    const wanted = asked();
    problem.textContent = typeof wanted === 'string' ? wanted : '';
    if (typeof wanted === 'string') return;
    try {
      await save(wanted);
      isSaved = true;
      snackbar(t`Saved`);
      await preview();
      done();
    } catch (error) {
      problem.textContent = error.message.replace(/^\/[\w/]+: /, '');
    }
  };
  const name = channel.name || channelKinds[channel.kind];
  const later =
    channel.escalation_step > 0 &&
    t`If nobody answers, it gets alarms of all zones, movements and hours, unless a kind is off.`;
  const sheet = modalSheet(
    { label: t`Notices for ${name}` },
    h('h2', { class: 'title-2' }, t`Notices for ${name}`),
    h('p', { class: 'body' }, t`A notice is sent if everything here allows it. The end of an alarm is always sent.`),
    later && h('p', { class: 'footnote' }, later),
    section(
      { title: t`Zones` },
      zones.element,
      h(
        'p',
        { class: 'footnote' },
        t`Notices about a phone itself, as on its battery, belong to no zone. Choose them under Kinds.`,
      ),
    ),
    section({ title: t`Movement` }, ways.element),
    section({ title: t`Kinds` }, kept.element),
    (phones.length > 1 || rule.device_ids.length > 0) && section({ title: t`Phones` }, ofPhones.element),
    section(
      { title: t`Hours` },
      h('div', { class: 'card' }, hours),
      h('p', { class: 'footnote' }, t`By the clock of ${zone ?? 'UTC'}. SOS is sent at any time.`),
    ),
    problem,
    h(
      'div',
      { class: 'sheet-actions' },
      h('button', { type: 'button', class: 'button primary', id: 'rule-save', onclick: keep }, t`Save`),
      h(
        'button',
        { type: 'button', class: 'button', onclick: () => sheet.close(isSaved ? 'saved' : 'discarded') },
        t`Close`,
      ),
    ),
    section({ title: t`The last ten alarms` }, shown),
  );
  preview();
  sheetDraft(sheet, `rules/${server.account.id}/${channel.id}`, () =>
    ruleSheet({ app, server, channel, phones, zone, save, done }),
  );
  return sheet;
}
