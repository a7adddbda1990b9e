// The actions for one point of a zone (S71, S72).
import { field } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import * as zoneWords from '../../scripts/words/zone-words.js';

/** @param {{draft, points, index: number, middle: () => [number, number]}} what `middle` returns the center of the map */
export function pointSheet({ draft, points, index, middle }) {
  const place = draft.places[index];
  const action = (label, picture, run, danger = false) =>
    h(
      'button',
      {
        type: 'button',
        class: `row low${danger ? ' danger' : ''}`,
        onclick: () => {
          sheet.close();
          run();
        },
      },
      icon(picture),
      h('span', { class: 'grow headline' }, label),
    );
  const former = draft.previous(index);
  const hasEdge = (after) => after !== undefined && Boolean(draft.drawing.middles?.[after]);
  const put = (there) => {
    draft.setPlaces(draft.places.with(index, there));
    points.selected = index;
    points.focus(index);
  };
  const sheet = modalSheet(
    { label: t`Point ${index + 1}`, onclose: () => points.focus(points.selected ?? index) },
    h(
      'header',
      { class: 'zone-head' },
      h('span', { class: 'point-badge', 'aria-hidden': 'true' }, String(index + 1)),
      h(
        'div',
        { class: 'grow' },
        h('h2', { class: 'title-3' }, t`${zoneWords.name(draft.form)}, point ${index + 1}`),
        h('p', { class: 'subhead number' }, zoneWords.place(place)),
      ),
    ),
    h(
      'div',
      { class: 'card inset-card' },
      action(t`Move to the middle of the map`, 'position', () => put(middle())),
      action(t`Type coordinates`, 'pencil', () => coordinates(place, put)),
      hasEdge(former) && action(t`Insert a point before`, 'plus', () => points.insert(former)),
      hasEdge(index) && action(t`Insert a point after`, 'plus', () => points.insert(index)),
      action(t`Delete`, 'trash', () => points.deletePoint(index), true),
    ),
    h('button', { type: 'button', class: 'button wide', onclick: () => sheet.close() }, t`Cancel`),
  );
  sheet.classList.add('zone-actions');
  return sheet;
}

/** Asks for coordinates as numbers, latitude first. */
export function coordinates(place, done) {
  const number = (label, value, limit) => {
    const input = h('input', {
      class: 'input number',
      type: 'number',
      step: 'any',
      inputmode: 'decimal',
      min: -limit,
      max: limit,
      required: true,
      '.value': value?.toFixed(7) ?? '',
    });
    return { input, limit, element: field({ label, input, unit: '°' }) };
  };
  const parts = [
    number(t`Latitude, north positive`, place?.[0], 90),
    number(t`Longitude, east positive`, place?.[1], 180),
  ];
  const sheet = modalSheet(
    { label: t`Coordinates` },
    h(
      'form',
      {
        method: 'dialog',
        class: 'form-stack',
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          const wrong = parts.filter(({ input, limit, element }) => {
            const bad = !input.value || !(Math.abs(Number(input.value)) <= limit);
            element.say(
              bad ? t`${input.value || t`Nothing`} is no such angle: -${limit} to ${limit} degrees.` : undefined,
            );
            return bad;
          });
          if (wrong.length) return wrong[0].input.focus();
          sheet.close();
          done(parts.map(({ input }) => Number(input.value)));
        },
      },
      h('h2', { class: 'title-3' }, t`Coordinates`),
      parts.map(({ element }) => element),
      h('button', { class: 'button primary wide' }, t`Set`),
    ),
  );
  return sheet;
}
