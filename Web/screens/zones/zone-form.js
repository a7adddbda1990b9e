// All attributes of a zone, with their units and the defaults for empty fields (S62, S63, S77).
import { segments, toggle } from '../../parts/controls.js';
import { exactSpan } from '../../parts/picker.js';
import { field, stopsAtRefused, switchRow } from '../../parts/layout.js';
import { noticePicture } from '../../parts/notice-picture.js';
import { modalSheet } from '../../parts/sheet.js';
import { categoryLook, suggestions } from '../../scripts/page/categories.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { latenessWords, movesAt } from '../../scripts/words/promises.js';
import { fieldUnit } from '../../scripts/words/units.js';
import * as words from '../../scripts/words/words.js';
import * as zoneWords from '../../scripts/words/zone-words.js';
import { choiceLine, distance, numberLine, problemWithAddress, steps } from './zone-fields.js';
import { hours, scheduleField } from './zone-schedule.js';

const shapes = () => [
  { value: 'circle', label: t`Circle`, picture: 'circle' },
  { value: 'area', label: t`Area`, picture: 'area' },
  { value: 'path', label: t`Path`, picture: 'path' },
];
const triggers = () => [
  { value: 'enter', label: t`Entering` },
  { value: 'leave', label: t`Leaving` },
  { value: 'enter_leave', label: t.meaning('entering and leaving')`Both` },
  { value: 'dwell', label: t`Staying` },
];
const assurances = () => [
  { value: 'safety', label: t`Safety` },
  { value: 'normal', label: t`Normal` },
  { value: 'relaxed', label: t`Relaxed` },
];
const assured = () => ({
  safety: t`Rings as soon as being inside cannot be excluded. While the phone rests, it rings only when you are inside.`,
  normal: t`Rings when you are most likely inside; asks for a better position first.`,
  relaxed: t`Rings only when it is certain, or twice the same.`,
});
const standardDwell_s = 300;
/** Common durations, in seconds. */
const dwells_s = [60, 120, 300, 600, 900, 1800, 3600];
const leads_s = [60, 120, 300, 600, 900, 1200, 1800];
const sleeps_s = [10, 60, 300, 600, 900, 1800, 3600];
const priorities = () => [t`Low`, t.meaning('a priority')`Normal`, t`High`, t`Critical`];

/**
 * The form as an element; its `set` shows a changed draft.
 * @param {{app, draft, limits, defaults, expected: Element, onmenu: (at: Element) => void}} what `expected` is the row of expected
 *   arrivals
 */
export function zoneForm({ app, draft, limits, defaults, expected, onmenu }) {
  const put = (key) => (value) => draft.change({ [key]: value });
  const setters = [];
  /** Updates the element after each change. */
  const kept = (element, set) => {
    setters.push(set);
    return element;
  };
  const choice = (key, what) => {
    const line = choiceLine({ limits: limits[key], value: draft.form[key], onchange: put(key), ...what });
    return kept(line, (form) => line.set(form[key]));
  };
  const switched = (key, what) => {
    const control = toggle({ label: what.title, value: draft.form[key], onchange: put(key) });
    return kept(switchRow({ ...what, control }), (form) => {
      control.value = form[key];
    });
  };

  const tileBox = h('span', { class: 'tile' });
  const about = h('p', { class: 'subhead' });
  const name = h('input', {
    class: 'input zone-name',
    id: 'zone-name',
    'aria-label': t`Name`,
    autocomplete: 'off',
    maxlength: 200,
    placeholder: t`Name`,
    onchange: () => put('name')(name.value.trim()),
  });
  const head = h(
    'header',
    { class: 'zone-head' },
    tileBox,
    h('div', { class: 'grow' }, name, about),
    h(
      'button',
      {
        type: 'button',
        class: 'round bare',
        'aria-label': t`More`,
        'aria-haspopup': 'dialog',
        onclick: (event) => onmenu(event.currentTarget),
      },
      icon('more'),
    ),
  );
  setters.push((form, drawing) => {
    if (document.activeElement !== name) name.value = form.name ?? '';
    const { picture, colour } = categoryLook(form.category ?? '');
    tileBox.style.setProperty('--category', colour);
    tileBox.replaceChildren(icon(picture));
    about.textContent = [form.category, zoneWords.urgencies[drawing.urgency], !form.active && t`off`]
      .filter(Boolean)
      .join(' · ');
  });

  const group = (title, ...content) =>
    h('section', { class: 'form-part', 'aria-label': title }, h('h2', { class: 'title-3' }, title), content);
  let middleWay;
  const shape = shapePart();
  const trigger = triggerPart();
  const points = pointsPart();
  const form = Object.assign(
    h(
      'div',
      { class: 'zone-form' },
      head,
      h('section', { class: 'form-part', 'aria-label': t`Shape` }, shape.where, points.row, points.list),
      group(t`When`, trigger.when, shape.alert, trigger.time, expected),
      group(t`How it rings`, ringPart()),
      group(t`Only if`, trigger.sure, heightPart(), conditions()),
    ),
    { set },
  );
  form.chooseSound = async () => {
    const { chooseSound } = await import('../sounds/sound-list.js');
    const before = draft.form.sound ?? '';
    const chosen = await chooseSound({ app, selected: before });
    if (chosen !== before) put('sound')(chosen);
  };
  /** Focuses the first refused field. @returns {boolean} true if there is one */
  form.stopsAtRefused = () => stopsAtRefused(form);
  form.showPoints = () => points.show(true);
  /** True if there is a map whose center can be used. */
  Object.defineProperty(form, 'hasMap', {
    get: () => !middleWay.hidden,
    set: (has) => {
      middleWay.hidden = !has;
    },
  });
  return form;
  function set() {
    for (const each of setters) each(draft.form, draft.drawing);
  }

  // MARK: Where

  function shapePart() {
    const kind = segments({
      label: t`Shape`,
      options: shapes(),
      value: 'circle',
      onchange: async (to) => {
        if (await mayReplace(draft.form)) draft.reshape(to);
        else set();
      },
    });
    const size = distance({
      label: t`Radius`,
      value: draft.form.size_m,
      standard: defaults.size_m,
      limits: limits.size_m,
      oninput: (size_m) => draft.preview({ size_m }),
      // A blank field takes the Default Radius (S77).
      onchange: (size_m) => {
        put('size_m')(size_m ?? defaults.size_m);
      },
    });
    const alert = distance({
      label: t`Alert distance`,
      value: draft.form.alert_distance_m,
      zero: t`At the edge`,
      limits: limits.alert_distance_m,
      oninput: (alert_distance_m) => draft.preview({ alert_distance_m }),
      onchange: (of) => put('alert_distance_m')(of ?? 0),
    });
    const grow = steps({
      label: t`Grow or shrink`,
      hint: t`Moves every edge`,
      unit: 'm',
      value: 0,
      limits: [-limits.inset_m[1], -limits.inset_m[0]],
      onchange: (grown) => put('inset_m')(grown === 0 ? 0 : -grown),
    });
    const foreseen = h('p', { class: 'footnote', id: 'zone-lateness' });
    // Proposes an alert distance that is sufficient at any speed, unless the zone has it or it is not permitted.
    const early = h('button', { type: 'button', class: 'button', id: 'zone-early' });
    setters.push((form, drawing) => {
      kind.value = draft.missing
        ? 'area'
        : ({ circle: 'circle', path: 'path' }[drawing.shape] ??
          (form.outline === 'path'
            ? 'path'
            : form.outline === 'area'
              ? 'area'
              : form.places?.length === 1
                ? 'circle'
                : form.places?.length
                  ? 'area'
                  : 'circle'));
      size.hidden = kind.value === 'area' || drawing.shape === 'parts';
      size.querySelector('label').textContent = kind.value === 'circle' ? t`Radius` : t`To each side`;
      size.set(form.size_m);
      alert.set(form.alert_distance_m);
      grow.set(form.inset_m ? -form.inset_m : 0);
      const { lateness_forecast: forecast } = drawing;
      foreseen.hidden = !forecast;
      if (forecast) foreseen.textContent = latenessWords(forecast);
      const { shown, kept } = fieldUnit('m');
      const enough = forecast && kept(Math.ceil(shown(forecast.alert_distance_m) / 50) * 50);
      early.hidden = !forecast || forecast.fastest_m <= 0 || enough > limits.alert_distance_m[1];
      if (early.hidden) return;
      early.textContent = t`Ring ${words.length(enough)} before, in time ${movesAt(forecast.fastest_m_s)}`;
      early.onclick = () => put('alert_distance_m')(enough);
    });
    return { where: [kind, size, grow], alert: [alert, foreseen, early] };
  }

  function heightPart() {
    const floor = numberLine({
      label: t`Floor`,
      unit: 'm',
      blank: t`none`,
      limits: limits.floor_m,
      value: draft.form.floor_m,
      refusal: (of) =>
        of >= draft.form.ceiling_m
          ? t`The floor has to be below the ceiling of ${words.roughly(draft.form.ceiling_m)}.`
          : undefined,
      onchange: put('floor_m'),
    });
    const ceiling = numberLine({
      label: t`Ceiling`,
      unit: 'm',
      blank: t`none`,
      limits: limits.ceiling_m,
      value: draft.form.ceiling_m,
      refusal: (of) =>
        of <= draft.form.floor_m
          ? t`The ceiling has to be above the floor of ${words.roughly(draft.form.floor_m)}.`
          : undefined,
      onchange: put('ceiling_m'),
    });
    setters.push((form) => {
      floor.set(form.floor_m);
      ceiling.set(form.ceiling_m);
    });
    return [
      h('h3', { class: 'headline' }, t`Height`),
      h(
        'p',
        { class: 'footnote' },
        t`Over sea level. Where the phone does not know its height well enough, the place alone decides.`,
      ),
      ceiling,
      floor,
    ];
  }

  // MARK: When

  function triggerPart() {
    const kind = segments({
      label: t`Alert when`,
      options: triggers(),
      value: 'enter',
      onchange: (to) => {
        const stays = to === 'dwell' || (to.endsWith('leave') && draft.form.trigger?.endsWith('leave'));
        const time = stays ? draft.form.dwell_s : undefined;
        draft.change({ trigger: to, dwell_s: to === 'dwell' ? (time ?? standardDwell_s) : time });
      },
    });
    const passing = toggle({
      label: t`Also when passing through`,
      value: true,
      onchange: (counts) => put('trigger')(kind.value.replace('enter', counts ? 'enter' : 'inside')),
    });
    const passingRow = switchRow({
      title: t`Also when passing through`,
      detail: t`Even where no position was inside`,
      leading: icon('path'),
      control: passing,
    });
    const dwell = choiceLine({
      label: t`Time inside`,
      unit: 's',
      choices: dwells_s,
      limits: limits.dwell_s,
      value: draft.form.dwell_s,
      onchange: (of) => put('dwell_s')(of ?? standardDwell_s),
    });
    const outside = choiceLine({
      label: t`Time outside`,
      hint: t`Silent if you are back before it ends.`,
      unit: 's',
      none: t`at once`,
      choices: dwells_s,
      limits: limits.dwell_s,
      value: draft.form.dwell_s,
      onchange: put('dwell_s'),
    });
    const lead = choiceLine({
      label: t`Before you arrive`,
      hint: t`By your speed; the earlier of time and distance counts.`,
      unit: 's',
      none: t`not by time`,
      choices: leads_s,
      limits: limits.lead_s,
      value: draft.form.lead_s,
      onchange: put('lead_s'),
    });
    const sure = segments({
      label: t`How certain`,
      options: assurances(),
      value: 'normal',
      onchange: put('assurance'),
    });
    const said = h('p', { class: 'footnote' });
    setters.push((form) => {
      const trigger = form.trigger ?? 'enter';
      const leaves = trigger.endsWith('leave');
      kind.value = trigger.replace('inside', 'enter');
      passing.value = trigger.startsWith('enter');
      passingRow.hidden = !kind.value.startsWith('enter');
      dwell.hidden = trigger !== 'dwell';
      dwell.set(form.dwell_s);
      outside.hidden = !leaves;
      outside.set(form.dwell_s);
      lead.hidden = leaves;
      lead.set(form.lead_s);
      sure.value = form.assurance ?? 'normal';
      said.textContent = assured()[sure.value];
    });
    return {
      when: [kind, dwell, outside],
      time: [lead, passingRow],
      sure: [h('h3', { class: 'headline' }, t`How certain`), sure, said],
    };
  }

  // MARK: How it rings, and on which conditions

  /** A row that shows a setting and opens it. */
  function line(label, picture, detail, open) {
    const said = h('span', { class: 'subhead' });
    setters.push((form) => {
      said.textContent = detail(form);
    });
    return h(
      'button',
      { type: 'button', class: 'row low', onclick: open },
      icon(picture),
      h('span', { class: 'grow' }, h('span', { class: 'headline' }, label), said),
      h('span', { class: 'chevron' }, icon('forward', { size: 18 })),
    );
  }
  function inSheet(label, ...content) {
    modalSheet(
      { label },
      h(
        'div',
        { class: 'sheet-head' },
        h('h2', { class: 'title-2' }, label),
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            onclick: (event) => {
              const dialog = event.currentTarget.closest('dialog');
              if (!stopsAtRefused(dialog)) dialog.close();
            },
          },
          t`Done`,
        ),
      ),
      content,
    );
  }

  function ringPart() {
    return [
      h(
        'div',
        { class: 'form-rows' },
        line(
          t`Sound`,
          'sound',
          (form) => form.sound || t`The standard sound`,
          () => form.chooseSound(),
        ),
        switched('vibrate', { title: t`Vibrate`, detail: t`If this device can`, leading: icon('phone') }),
        line(
          t`Messages`,
          'message',
          (form) => messagesLine(form),
          async () => {
            const { messageList } = await import('../messages/message-list.js');
            inSheet(t`Messages`, messageList({ app, zone: draft.form, onchange: put('messages') }));
          },
        ),
        line(
          t`Notice`,
          'info',
          (form) => form.notice?.title || t`Nothing to look at on entry`,
          () => inSheet(t`Notice`, noticeField()),
        ),
      ),
      categoryLine(),
      choice('priority', {
        label: t`Priority`,
        step: '1',
        choices: [0, 1, 2, 3],
        say: (of) => priorities()[of] ?? String(of),
        onchange: (of) => put('priority')(Math.round(of ?? 0)),
      }),
      choice('sleep_s', {
        label: t`Sleep time`,
        hint: t`How long it is quiet after Sleep`,
        unit: 's',
        none: t`as in Settings: ${exactSpan(defaults.sleep_s)}`,
        choices: sleeps_s,
      }),
    ];
  }

  function conditions() {
    return h(
      'div',
      { class: 'form-rows' },
      line(
        t`Hours`,
        'clock',
        (form) => hours(form),
        () => inSheet(t`Hours`, scheduleField({ app, form: draft.form, onchange: put('schedule') })),
      ),
      switched('active', { title: t`Active`, detail: t`Rings while alarms are on`, leading: icon('bell') }),
    );
  }

  function messagesLine({ messages = [] }) {
    if (!messages.length) return t`None`;
    return messages.length === 1
      ? t`To ${messages[0].to_moniker || messages[0].contact_number}`
      : words.count(messages.length, 'message');
  }

  /** The notice shown on entry, at most once in a chosen time (S187-S192). */
  function noticeField() {
    const notice = { title: '', text: '', link: '', image: '', cap_s: 0, ...draft.form.notice };
    const tell = () =>
      put('notice')(['title', 'text', 'link', 'image'].some((key) => notice[key]) ? { ...notice } : undefined);
    const line = (key, label, more = {}) => {
      const input = h(more.tag ?? 'input', {
        class: 'input',
        type: more.tag ? null : (more.type ?? 'text'),
        maxlength: 2000,
        '.value': notice[key],
        onchange: () => {
          const given = input.value.trim();
          const problem = more.check?.(given);
          element.say(problem);
          // A refused value is not stored; the previous one stays.
          if (problem) return;
          notice[key] = given;
          tell();
          more.onkept?.(given);
        },
      });
      const element = field({ label, input, hint: more.hint });
      if (notice[key]) element.say(more.check?.(notice[key]));
      return element;
    };
    /** The picture as it will be shown, or the reason why it cannot be. */
    const picture = h('div', { class: 'notice-preview' });
    const see = (address) =>
      fill(
        picture,
        noticePicture(address, () => see(address)),
      );
    see(notice.image);
    const cap = choiceLine({
      label: t`At most once in`,
      unit: 'h',
      value: notice.cap_s ? notice.cap_s / 3600 : undefined,
      none: t`every time`,
      choices: [1, 12, 24, 168],
      say: (of) => (of % 24 === 0 ? words.span(of * 3600) : exactSpan(of * 3600)),
      limits: [0, limits.cap_s[1] / 3600],
      onchange: (of) => {
        notice.cap_s = (of ?? 0) * 3600;
        cap.set(of || undefined);
        tell();
      },
    });
    return h(
      'div',
      { class: 'form-stack' },
      line('title', t`Title`),
      line('text', t`Text`, { tag: 'textarea' }),
      line('link', t`Link`, { type: 'url', hint: 'https://…', check: problemWithAddress }),
      line('image', t`Picture`, {
        type: 'url',
        hint: t`The address of an image, https://…`,
        check: problemWithAddress,
        onkept: see,
      }),
      picture,
      cap,
    );
  }

  function categoryLine() {
    const list = h(
      'datalist',
      { id: 'categories' },
      suggestions([...app.zones.values()].map((zone) => zone.category)).map((each) => h('option', { value: each })),
    );
    const category = h('input', {
      class: 'input',
      id: 'zone-category',
      list: 'categories',
      autocomplete: 'off',
      maxlength: 100,
      placeholder: t`None`,
      onchange: () => put('category')(category.value.trim()),
    });
    setters.push((form) => {
      if (document.activeElement !== category) category.value = form.category ?? '';
    });
    return h(
      'div',
      { class: 'form-line' },
      h('div', { class: 'grow' }, h('label', { class: 'headline', for: 'zone-category' }, t`Category`)),
      category,
      list,
    );
  }

  /** The points as text, one tap away, for a person who cannot see or drag them. */
  function pointsPart() {
    const title = h('span', { class: 'subhead' });
    const chevron = h('span', { class: 'chevron' });
    const show = (shows) => {
      element.hidden = !shows;
      row.setAttribute('aria-expanded', String(shows));
      chevron.replaceChildren(icon(shows ? 'up' : 'down', { size: 18 }));
    };
    const row = h(
      'button',
      {
        type: 'button',
        class: 'row low',
        id: 'zone-points-row',
        'aria-controls': 'zone-points',
        onclick: () => show(element.hidden),
      },
      icon('area'),
      h('span', { class: 'grow' }, h('span', { class: 'headline' }, t`Points`), title),
      chevron,
    );
    const box = h('ol', { class: 'point-list' });
    setters.push((_, drawing) => {
      fill(
        box,
        draft.places.slice(0, 150).map((place, index) =>
          h(
            'li',
            {},
            h(
              'button',
              {
                type: 'button',
                class: 'row low',
                'data-key': `place-${index}`,
                onclick: () => element.dispatchEvent(new CustomEvent('point', { bubbles: true, detail: { index } })),
              },
              h('span', { class: 'point-badge' }, String(index + 1)),
              h('span', { class: 'grow number' }, zoneWords.place(place)),
              h('span', { class: 'chevron' }, icon('forward', { size: 18 })),
            ),
          ),
        ),
      );
      title.textContent = draft.places.length
        ? [drawing.shape === 'parts' && zoneWords.shape('parts'), words.count(draft.places.length, 'point')]
            .filter(Boolean)
            .join(', ')
        : t`No points yet`;
    });
    const way = (how, label, picture) =>
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          onclick: () => element.dispatchEvent(new CustomEvent('add', { bubbles: true, detail: { how } })),
        },
        icon(picture, { size: 20 }),
        label,
      );
    middleWay = way('middle', t`Add a point at the map’s middle`, 'plus');
    const element = h(
      'div',
      { class: 'points-part', id: 'zone-points', hidden: true },
      box,
      middleWay,
      way('own', t`Add my position`, 'position'),
      way('coordinates', t`Add by coordinates`, 'pencil'),
    );
    show(false);
    return { row, list: element, show };
  }
}

/**
 * Asks before a new shape discards the parts and holes of an area.
 * @returns {Promise<boolean>} true if the shape may be changed
 */
function mayReplace({ outline }) {
  if (outline !== 'area') return Promise.resolve(true);
  return new Promise((answer) => {
    const sheet = modalSheet(
      { label: t`Replace the area`, onclose: (said) => answer(said === 'yes') },
      h('h2', { class: 'title-2' }, t`Replace the area?`),
      h('p', { class: 'body' }, t`Its outline goes, with all its parts and holes. The new shape is drawn around it.`),
      h(
        'div',
        { class: 'sheet-actions' },
        h('button', { type: 'button', class: 'button primary', onclick: () => sheet.close('yes') }, t`Replace`),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Keep the area`),
      ),
    );
  });
}
