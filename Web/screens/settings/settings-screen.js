// Settings on three pages (S157-S165), and the data on this device. Every change takes effect at once.
import { segments, toggle } from '../../parts/controls.js';
import { field, row, section, switchRow, topBar } from '../../parts/layout.js';
import { picker } from '../../parts/picker.js';
import { kindOfAddress } from '../../map/archives/chosen-ground.js';
import { tileProblem } from '../../map/tile-check.js';
import { fill, h } from '../../scripts/page/dom.js';
import { painted } from '../../scripts/page/painted.js';
import { styles } from '../../scripts/page/styles.js';
import {
  allowedOf,
  pages,
  problemWithService,
  problemWithTiles,
  readNumber,
  settingOf,
  unitName,
} from '../../scripts/words/setting-words.js';
import { serverOf } from '../../scripts/server/server.js';
import { languages } from '../../scripts/words/language.js';
import { number } from '../../scripts/words/locale.js';
import { fieldUnit } from '../../scripts/words/units.js';
import { t } from '../../scripts/words/translate.js';
import { keptMaps, prepareAddress } from './map-settings.js';
import { dataPage } from './settings-data.js';

await styles('settings');

export function show(app, outlet, { parameters }) {
  const page = { search: searchPage, map: mapPage, data: dataPage }[parameters.page] ?? firstPage;
  const pane = h('div', { class: 'pane settings' });
  const draw = () => fill(pane, page(app, draw));
  draw();
  outlet.append(pane);
}

function firstPage(app, onunits) {
  const { home } = serverOf(app);
  const { alarm_cycle_s, default_sleep_s, default_radius_m, maximum_speed_m_s, reminder_radius_m } = pages.general;
  return [
    topBar({ title: t`Settings`, back: '#/more' }),
    section(
      { title: t`When an alarm rings` },
      h(
        'div',
        { class: 'card' },
        numberRow(app, 'alarm_cycle_s', alarm_cycle_s),
        numberRow(app, 'default_sleep_s', default_sleep_s),
        numberRow(app, 'default_radius_m', default_radius_m),
        switched(app, 'bypass_to_map', t`Bypass to Map`, t`From an alarm, open the map with the zone flashing`),
      ),
    ),
    section(
      { title: t`Further pages` },
      h(
        'div',
        { class: 'card' },
        row({ title: t`Search Parameters`, detail: t`When to look for positions`, href: '#/settings/search' }),
        row({ title: t`Map Parameters`, detail: t`Ranges, base map, places`, href: '#/settings/map' }),
        row({ title: t`Your data`, detail: t`Back up, restore, erase`, href: '#/settings/data' }),
      ),
    ),
    section(
      { title: t`You` },
      h(
        'div',
        { class: 'card' },
        numberRow(app, 'maximum_speed_m_s', maximum_speed_m_s),
        numberRow(app, 'reminder_radius_m', reminder_radius_m),
      ),
    ),
    section(
      { title: t`This screen` },
      h(
        'div',
        { class: 'card' },
        h(
          'div',
          { class: 'row low stacked' },
          h('span', { class: 'headline' }, t`Theme`),
          segments({
            label: t`Theme`,
            options: [
              { value: 'system', label: t`System` },
              { value: 'light', label: t`Light` },
              { value: 'dark', label: t`Dark` },
            ],
            value: app.settings.theme ?? 'system',
            onchange: (theme) => app.changeSettings({ theme }),
          }),
        ),
        languageRow(app),
        h(
          'div',
          { class: 'row low stacked' },
          h('span', { class: 'headline' }, t`Distances`),
          segments({
            label: t`Distances`,
            options: [
              { value: 'region', label: t`By region` },
              { value: 'metric', label: t`Metres` },
              { value: 'imperial', label: t`Feet, miles` },
            ],
            value: app.settings.units ?? 'region',
            onchange: async (units) => {
              await app.changeSettings({ units: units === 'region' ? undefined : units });
              // Updates every number on this screen.
              onunits();
            },
          }),
        ),
        switched(
          app,
          'keep_awake',
          t`Keep screen on`,
          t`While alarms are on. A page gets no positions when the screen is off.`,
          true,
        ),
      ),
    ),
    section(
      { title: t`This device` },
      h(
        'div',
        { class: 'card' },
        row({ title: t`Set up again`, detail: t`Position, notifications, sound`, href: '#/first-run' }),
        row({ title: t`Server`, detail: home && new URL(home).host, href: '#/account' }),
      ),
    ),
  ];
}

/** A new language takes effect at once: the page reloads. */
function languageRow(app) {
  const choice = h(
    'select',
    {
      class: 'input',
      id: 'language',
      onchange: () => app.changeSettings({ language: choice.value || undefined }),
    },
    h('option', { value: '' }, t`As the device`),
    Object.entries(languages).map(([value, name]) => h('option', { value, lang: value }, name)),
  );
  choice.value = app.settings.language ?? '';
  return h(
    'div',
    { class: 'row low stacked' },
    h('label', { class: 'headline', for: 'language' }, t`Language`),
    choice,
  );
}

function searchPage(app) {
  return [
    topBar({ title: t`Search Parameters`, back: '#/settings' }),
    h(
      'p',
      { class: 'subhead lead' },
      t`This page uses every position while it is in view. Our apps ask for as few as the distance to the nearest zone and
        your maximum speed allow.`,
    ),
    h(
      'div',
      { class: 'card' },
      Object.entries(pages.search).map(([name, words]) => numberRow(app, name, words)),
    ),
    h(
      'p',
      { class: 'footnote lead' },
      t`OwnTracks is set up with the last two. After a change, set it up again under Background reporting.`,
    ),
  ];
}

function mapPage(app) {
  return [
    topBar({ title: t`Map Parameters`, back: '#/settings' }),
    h(
      'div',
      { class: 'card' },
      Object.entries(pages.map).map(([name, words]) => numberRow(app, name, words)),
    ),
    section(
      { title: t`Base map` },
      h(
        'div',
        { class: 'card padded fields' },
        textField(app, 'tile_url', {
          label: t`Map address`,
          type: 'url',
          placeholder: 'https://tiles.example/{z}/{x}/{y}.png',
          check: problemWithTiles,
          prepare: (address) => prepareAddress(app, address),
          attempt: (address) => (kindOfAddress(address) === 'tiles' ? tileProblem(address) : undefined),
          keepWith: { map_base: 'tiles' },
          hint: t`The address of picture tiles, of a MapLibre style or of a PMTiles archive. Empty: the streets of
            this server where it has some, else the map of the world on this device. The provider of the map sees
            where you look. The server of this page has to allow the address.`,
        }),
        textField(app, 'tile_attribution', {
          label: t`Attribution`,
          placeholder: t`© OpenStreetMap contributors`,
          hint: t`Shown on the map, as the licence of the tiles requires.`,
        }),
      ),
    ),
    keptMaps(app),
    section(
      { title: t`Search for places` },
      h(
        'div',
        { class: 'card padded fields' },
        textField(app, 'places_service', {
          label: t`Places service`,
          type: 'url',
          placeholder: 'https://nominatim.example',
          check: problemWithService,
          hint: t`Used when the server knows no such place. It has to work like Nominatim. Your search, and where the
            map is, are sent there.`,
        }),
      ),
    ),
  ];
}

/**
 * One number with its name and unit. A typed number takes effect at once; a number out of range is refused, and the range is
 * shown. Durations and speeds are selected from common values.
 */
function numberRow(app, name, { label, unit: keptIn, hint, choices, say: inWords }) {
  const { unit, shown, kept } = fieldUnit(keptIn);
  const { least, most, default: byDefault } = allowedOf(app, name);
  const allowed = { least: shown(least), most: shown(most), default: byDefault };
  const input = h('input', {
    class: 'input number',
    id: name,
    inputmode: 'decimal',
    autocomplete: 'off',
    enterkeyhint: 'done',
    maxlength: 12,
    'aria-describedby': `${name}-hint ${name}-problem`,
    onchange: () => take(),
    onfocus: () => input.select(),
    onkeydown: (event) => {
      if (event.key === 'Enter') input.blur();
    },
  });
  const problem = h('span', { class: 'problem', id: `${name}-problem`, role: 'alert', hidden: true });
  const back = h(
    'button',
    {
      type: 'button',
      class: 'link',
      'aria-label': t`Default for ${label}`,
      onclick: () => element.set(allowed.default),
    },
    t`Default`,
  );
  const title = h('label', { class: 'grow', for: name }, h('span', { class: 'headline' }, label));
  const said = h('span', { class: 'unit' }, unitName(unit));
  const pick =
    choices &&
    picker({ input, unit: said, label: title, choices, say: inWords, onchoose: (value) => element.set(value) });
  const element = h(
    'div',
    { class: 'row low setting' },
    title,
    pick ?? h('span', { class: 'with-unit' }, input, said),
    h(
      'div',
      { class: 'about' },
      h('div', {}, h('span', { class: 'footnote', id: `${name}-hint` }, hint), problem),
      back,
    ),
  );
  const say = (text) => {
    problem.textContent = text ?? '';
    problem.hidden = !text;
    if (text) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  const draw = () => {
    const value = settingOf(app, name);
    input.value = number(shown(value), { useGrouping: false, maximumFractionDigits: 3 });
    back.hidden = value === allowed.default;
    say(undefined);
    pick?.set(value);
  };
  async function take() {
    const { value, problem: why } = readNumber(input.value, { ...allowed, unit });
    if (why) say(why);
    else await element.set(Math.min(most, Math.max(least, kept(value))));
  }
  element.set = async (value) => {
    input.value = number(shown(value), { useGrouping: false, maximumFractionDigits: 3 });
    await painted();
    await app.changeSettings({ [name]: value });
    draw();
  };
  draw();
  return element;
}

const switched = (app, name, title, detail, otherwise = false) =>
  switchRow({
    title,
    detail,
    control: toggle({
      label: title,
      key: name,
      value: app.settings[name] ?? otherwise,
      onchange: (value) => app.changeSettings({ [name]: value }),
    }),
  });

/**
 * A text setting. `check` refuses a text at once, `prepare` refuses it asynchronously; `attempt` tries the stored text and
 * returns the problem, if any. `keepWith` holds settings to change together with a text that is not empty.
 */
function textField(app, name, what) {
  const { label, hint, type = 'text', placeholder, check = () => undefined, prepare, attempt, keepWith } = what;
  const input = h('input', {
    class: 'input',
    id: name,
    type,
    placeholder,
    value: app.settings[name] ?? '',
    maxlength: 500,
    autocomplete: 'off',
    spellcheck: 'false',
    enterkeyhint: 'done',
    onchange: () => take(input.value.trim()),
  });
  const element = field({ label, input, hint });
  async function take(value) {
    const isStill = () => input.value.trim() === value;
    const problem = check(value) ?? (value ? await prepare?.(value) : undefined);
    if (!isStill()) return;
    element.say(problem);
    if (problem) return;
    app.changeSettings({ [name]: value || undefined, ...(value && keepWith) });
    const why = value ? await attempt?.(value) : undefined;
    if (isStill()) element.say(why);
  }
  return element;
}
