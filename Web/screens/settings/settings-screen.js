// Settings in three pages (S157-S165), and what is kept here. Every change holds at once.
import { segments, toggle } from '../../parts/controls.js';
import { field, row, section, switchRow, topBar } from '../../parts/layout.js';
import { keptStreets } from '../../map/streets/kept-streets.js';
import { tileProblem } from '../../map/tile-check.js';
import { fill, h } from '../../scripts/page/dom.js';
import { painted } from '../../scripts/page/painted.js';
import { styles } from '../../scripts/page/styles.js';
import {
  allowedOf,
  pages,
  problemWithService,
  problemWithTiles,
  range,
  readNumber,
  settingOf,
  speeds,
} from '../../scripts/words/setting-words.js';
import { fieldUnit } from '../../scripts/words/units.js';
import { day, megabytes } from '../../scripts/words/words.js';
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
  const { alarm_cycle_s, default_sleep_s, default_radius_m, maximum_speed_m_s, reminder_radius_m } = pages.general;
  const speed = numberRow(app, 'maximum_speed_m_s', maximum_speed_m_s);
  return [
    topBar({ title: 'Settings', back: '#/more' }),
    section(
      { title: 'When an alarm rings' },
      h(
        'div',
        { class: 'card' },
        numberRow(app, 'alarm_cycle_s', alarm_cycle_s),
        numberRow(app, 'default_sleep_s', default_sleep_s),
        numberRow(app, 'default_radius_m', default_radius_m),
        switched(app, 'bypass_to_map', 'Bypass to Map', 'From an alarm, open the map with the zone flashing'),
      ),
    ),
    section(
      { title: 'Further pages' },
      h(
        'div',
        { class: 'card' },
        row({ title: 'Search Parameters', detail: 'When to look for positions', href: '#/settings/search' }),
        row({ title: 'Map Parameters', detail: 'Ranges, base map, places', href: '#/settings/map' }),
        row({ title: 'Your data', detail: 'Back up, restore, erase', href: '#/settings/data' }),
      ),
    ),
    section(
      { title: 'You' },
      h(
        'div',
        { class: 'card' },
        speed,
        h(
          'div',
          { class: 'row low chips' },
          speeds.map(({ label, value }) =>
            h('button', { type: 'button', class: 'chip', onclick: () => speed.set(value) }, label),
          ),
        ),
        numberRow(app, 'reminder_radius_m', reminder_radius_m),
      ),
    ),
    section(
      { title: 'This screen' },
      h(
        'div',
        { class: 'card' },
        h(
          'div',
          { class: 'row low stacked' },
          h('span', { class: 'headline' }, 'Theme'),
          segments({
            label: 'Theme',
            options: [
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ],
            value: app.settings.theme ?? 'system',
            onchange: (theme) => app.changeSettings({ theme }),
          }),
        ),
        h(
          'div',
          { class: 'row low stacked' },
          h('span', { class: 'headline' }, 'Distances'),
          segments({
            label: 'Distances',
            options: [
              { value: 'region', label: 'By region' },
              { value: 'metric', label: 'Metres' },
              { value: 'imperial', label: 'Feet, miles' },
            ],
            value: app.settings.units ?? 'region',
            onchange: async (units) => {
              await app.changeSettings({ units: units === 'region' ? undefined : units });
              // Every number on this screen.
              onunits();
            },
          }),
        ),
        switched(
          app,
          'keep_awake',
          'Keep screen on',
          'While alarms are on. A page gets no positions when the screen is off.',
          true,
        ),
      ),
    ),
    section(
      { title: 'This device' },
      h(
        'div',
        { class: 'card' },
        row({ title: 'Set up again', detail: 'Position, notifications, sound', href: '#/first-run' }),
        row({ title: 'Server', detail: location.host, href: '#/account' }),
      ),
    ),
  ];
}

function searchPage(app) {
  return [
    topBar({ title: 'Search Parameters', back: '#/settings' }),
    h(
      'p',
      { class: 'subhead lead' },
      'The three tiers: continuous near a zone, significant moves farther off, regions beyond. This page ' +
        'listens to every position as long as it is in view, and sleeps otherwise; the tiers are for phones ' +
        'that report in the background.',
    ),
    h(
      'div',
      { class: 'card' },
      Object.entries(pages.search).map(([name, words]) => numberRow(app, name, words)),
    ),
    h(
      'p',
      { class: 'footnote lead' },
      'Standard Threshold also holds here: within it, a position that stays away raises an alarm of its own.',
    ),
  ];
}

function mapPage(app) {
  return [
    topBar({ title: 'Map Parameters', back: '#/settings' }),
    h(
      'div',
      { class: 'card' },
      Object.entries(pages.map).map(([name, words]) => numberRow(app, name, words)),
    ),
    section(
      { title: 'Base map' },
      h(
        'div',
        { class: 'card padded fields' },
        textField(app, 'tile_url', {
          label: 'Tile address',
          type: 'url',
          placeholder: 'https://tiles.example/{z}/{x}/{y}.png',
          check: problemWithTiles,
          attempt: tileProblem,
          hint:
            'Empty: the streets of this server where it has some, else the map of the world that is kept on this ' +
            'device. Whoever serves the tiles sees where you look; the server of this page has to allow their address.',
        }),
        textField(app, 'tile_attribution', {
          label: 'Attribution',
          placeholder: '© OpenStreetMap contributors',
          hint: 'What their licence asks to be shown on the map.',
        }),
      ),
    ),
    keptRegions(),
    section(
      { title: 'Search for places' },
      h(
        'div',
        { class: 'card padded fields' },
        textField(app, 'places_service', {
          label: 'Places service',
          type: 'url',
          placeholder: 'https://nominatim.example',
          check: problemWithService,
          hint: 'Asked when the server knows no such place; it has to speak as Nominatim does. What you search, and where, is sent there.',
        }),
      ),
    ),
  ];
}

/** Streets that are kept on this device; nothing where none are. */
function keptRegions() {
  const place = h('div', { class: 'kept-regions' });
  const draw = async () => {
    const kept = await keptStreets();
    const regions = await kept.regions();
    const rows = regions.map(({ id, name, size, at }) =>
      row({
        title: name,
        detail: `${megabytes(size)}, kept ${day(at)}`,
        trailing: h(
          'button',
          { type: 'button', class: 'button small', 'aria-label': `Delete ${name}`, onclick: () => kept.remove(id) },
          'Delete',
        ),
      }),
    );
    place.replaceChildren(
      ...(rows.length ? [section({ title: 'Streets on this device' }, h('div', { class: 'card' }, rows))] : []),
    );
  };
  keptStreets().then((kept) => {
    const redraw = () => (place.isConnected ? draw() : kept.removeEventListener('change', redraw));
    kept.addEventListener('change', redraw);
  });
  draw();
  return place;
}

/** One number: its name, unit, range and default; what is typed holds at once, and what is not allowed says why. */
function numberRow(app, name, { label, unit: keptIn, hint }) {
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
    { type: 'button', class: 'link', 'aria-label': `Default ${label}`, onclick: () => element.set(allowed.default) },
    'Default',
  );
  const element = h(
    'div',
    { class: 'row low setting' },
    h('label', { class: 'grow', for: name }, h('span', { class: 'headline' }, label)),
    h('span', { class: 'with-unit' }, input, h('span', { class: 'unit' }, unit)),
    h(
      'div',
      { class: 'about' },
      h(
        'div',
        {},
        h(
          'span',
          { class: 'footnote', id: `${name}-hint` },
          hint,
          ' ',
          h('span', { class: 'range' }, range({ ...allowed, default: shown(byDefault) }, unit)),
        ),
        problem,
      ),
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
    input.value = String(shown(value));
    back.hidden = value === allowed.default;
    say(undefined);
  };
  async function take() {
    const { value, problem: why } = readNumber(input.value, { ...allowed, unit });
    if (why) say(why);
    else await element.set(Math.min(most, Math.max(least, kept(value))));
  }
  element.set = async (value) => {
    input.value = String(shown(value));
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

/** `check` refuses a text; `attempt` tries what was kept, and may say why it does not work. */
function textField(app, name, { label, hint, type = 'text', placeholder, check = () => undefined, attempt }) {
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
    onchange: () => {
      const value = input.value.trim();
      const problem = check(value);
      element.say(problem);
      if (problem) return;
      app.changeSettings({ [name]: value || undefined });
      if (value && attempt)
        attempt(value).then((why) => {
          if (input.value.trim() === value) element.say(why);
        });
    },
  });
  const element = field({ label, input, hint });
  return element;
}
