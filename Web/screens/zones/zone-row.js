// One zone in the list, with its state and switch. A swipe to the left deletes it, to the right puts it to sleep.
import { toggle } from '../../parts/controls.js';
import { tile } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { swipes } from '../../parts/swipe.js';
import { categoryLook } from '../../scripts/page/categories.js';
import { describe, h, made, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import * as words from '../../scripts/words/words.js';
import * as zoneWords from '../../scripts/words/zone-words.js';
import { deleteZones, setActive } from './zone-sheet.js';

/** True if a zone is not watched because of the device. Reasons that the person has chosen are described elsewhere. */
const isUnwatched = ({ kind, why }) => kind === 'not_watched' && !chosen.has(why);
const chosen = new Set(['disarmed', 'inactive', 'schedule_closed', 'acknowledged_for_today', 'no_area']);

/** Sets a label only if it differs, since even an equal one costs the browser time. */
const label = (element, text) => {
  if (element.getAttribute('aria-label') !== text) element.setAttribute('aria-label', text);
};

export class ZoneRow {
  element;
  #app;
  #id;
  #slide = h('div', { class: 'slide' });
  #tile = h('button', { type: 'button', class: 'tile-button' });
  #open = h('button', { type: 'button', class: 'open' });
  #switch;
  #swipe;

  /** @param {{app, id: string, index: number, count: number, run: (id) => void, actions: (id) => void}} what */
  constructor({ app, id, index, count, run, actions }) {
    this.#app = app;
    this.#id = id;
    this.#tile.addEventListener('click', () => actions(id));
    this.#open.addEventListener('click', () => run(id));
    this.#switch = toggle({
      label: '',
      value: false,
      key: `switch-${id}`,
      onchange: (active) => setActive(app, id, active),
    });
    this.#tile.dataset.key = `tile-${id}`;
    this.#open.dataset.key = `open-${id}`;
    this.#slide.append(this.#tile, this.#open, this.#switch);
    this.element = h(
      'li',
      {
        class: 'zone-row',
        'data-id': id,
        'data-index': index,
        'aria-setsize': count,
        'aria-posinset': index + 1,
        style: { top: `calc(${index} * var(--row))` },
        oncontextmenu: (event) => {
          event.preventDefault();
          if (!this.#swipe.moved) actions(id);
        },
      },
      h(
        'div',
        { class: 'under', 'aria-hidden': 'true' },
        h('span', {}, icon('moon'), t`Sleep`),
        h('span', {}, t`Delete`, icon('trash')),
      ),
      this.#slide,
    );
    this.#swipe = swipes(this.element, this.#slide, {
      left: { name: 'delete', run: () => this.#delete() },
      right: { name: 'sleep', run: () => this.#sleep() },
    });
  }

  fill(form, row) {
    const name = zoneWords.name(form);
    if (row.state === 'refused') {
      update(this.#tile, made(tile, 'warning', 'var(--alarm)', { off: true }));
      update(
        this.#open,
        describe('span', { class: 'headline' }, name),
        describe('span', { class: 'subhead' }, zoneWords.why(row.why)),
      );
      label(this.#tile, t`${name}: actions`);
      this.#switch.hidden = true;
      return;
    }
    const { picture, colour } = categoryLook(row.category);
    if (this.element.classList.contains('off') === row.active) this.element.classList.toggle('off');
    update(this.#tile, made(tile, picture, colour, { off: !row.active }));
    label(this.#tile, t`${name}: actions`);
    const mark = zoneWords.marks[row.urgency];
    update(
      this.#open,
      describe(
        'span',
        { class: 'headline' },
        describe('span', { class: 'name', title: name }, name),
        mark &&
          describe(
            'span',
            { class: 'mark' },
            describe('span', { 'aria-hidden': 'true' }, mark),
            describe('span', { class: 'visually-hidden' }, zoneWords.urgencies[row.urgency]),
          ),
      ),
      describe('span', { class: 'subhead number' }, this.#tag(row), zoneWords.line(row, form)),
    );
    if (this.#switch.value !== row.active) this.#switch.value = row.active;
    this.#switch.hidden = this.#app.shared.has(this.#id);
    label(this.#switch, t`Watch ${name}`);
  }

  #tag(row) {
    if (row.state === 'ringing')
      return describe('span', { class: 'tag alarm' }, made(icon, 'bell', { size: 14 }), t`ringing`);
    if (row.state === 'asleep')
      return describe(
        'span',
        { class: 'tag sleep' },
        made(icon, 'moon', { size: 14 }),
        t`until ${words.clock(row.until_ms)}`,
      );
    if (row.state === 'acknowledged')
      return describe('span', { class: 'tag sleep' }, made(icon, 'moon', { size: 14 }), t`quiet`);
    if (row.active && isUnwatched(row.guarantee))
      return describe('span', { class: 'tag warn' }, made(icon, 'warning', { size: 14 }), t`not watched`);
    if (row.state === 'closed')
      return describe('span', { class: 'tag' }, made(icon, 'clock', { size: 14 }), t`not now`);
    return null;
  }

  #delete() {
    const lent = this.#app.shared.get(this.#id);
    if (lent) snackbar(t`${zoneWords.sharedBy(lent)}: only its publisher can change it.`);
    else deleteZones(this.#app, this.#id);
  }

  #sleep() {
    const alarm = this.#app.report.alarms.find(({ zone }) => zone.id === this.#id && zone.state === 'ringing');
    if (alarm) this.#app.answer('sleep', alarm.alarm);
    else snackbar(t`It is quiet already: a zone can sleep while it rings.`);
  }
}
