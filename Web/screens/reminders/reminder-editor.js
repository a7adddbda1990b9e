// One reminder: its text, and any number of places. The map shows the results of a search; a tap on a pin selects it, and
// selected places are grey (S202-S206).
import { slider, toggle } from '../../parts/controls.js';
import { mayReplaceSaved } from '../../parts/changed-elsewhere.js';
import { Draft, isDrafted } from '../../parts/drafts.js';
import { field, switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { furniture, tool, tools, zoomTools } from '../../map/map-furniture.js';
import { mapView } from '../../map/map-view.js';
import { isOld, ownPosition, placeOf } from '../../scripts/device/own-position.js';
import { go } from '../../scripts/page/address.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { secondLines } from '../../scripts/reminders/place-order.js';
import { SearchFailed, searchPlaces } from '../../scripts/reminders/places.js';
import { serverOf } from '../../scripts/server/server.js';
import { newReminder, reminderOf, saveReminder } from '../../scripts/reminders/reminders.js';
import * as words from '../../scripts/words/words.js';
import { PlacePins } from './place-pins.js';
import { editItems } from './reminder-items.js';
import { t } from '../../scripts/words/translate.js';

await styles('map', 'reminders');

/** The members that a person edits. The engine changes the others when a place is reached. */
const edited = ({ title, items, places, radius_m: radius, repeats } = {}) =>
  title === undefined ? undefined : { title, items, places, radius, repeats };
const key = ({ place }) => place.map((degrees) => degrees.toFixed(6)).join(',');

export function show(app, outlet, { parameters }) {
  const known = reminderOf(app, parameters.id);
  if (!known && parameters.id !== 'new' && !isDrafted(`reminder/${parameters.id}`)) {
    go('/reminders');
    return undefined;
  }
  return new ReminderEditor(app, outlet, parameters.id).leave;
}

/** The range around the own position for the first search of a shop, in metres. */
const around_m = 2_000;

class ReminderEditor {
  #app;
  #draft;
  #id;
  /** The saved reminder, as text. */
  #first;
  /** The edited members as they were saved when editing began; undefined for a new one. */
  #before;
  /** The draft of the unsaved input. */
  #unsaved;
  /** The results of the last search. */
  #found = { places: [], attribution: '' };
  #pins;
  #tools;
  #hasLeft = false;
  #searching;
  #sheet = h('bottom-sheet', { rest: 'half', label: t`Reminder` });
  #results = h('div', { class: 'results', 'aria-live': 'polite' });
  #chosen = h('div', {});
  #items = h('div', {});
  #title;

  /** @param {string} id `new` for a new reminder */
  constructor(app, outlet, id) {
    this.#app = app;
    this.#id = id;
    this.#unsaved = new Draft(`reminder/${id}`);
    const saved = reminderOf(app, id) ?? newReminder(app);
    this.#first = JSON.stringify(saved);
    const { found } = this.#unsaved;
    this.#draft = structuredClone(found?.form ?? saved);
    this.#before = found ? found.before : edited(reminderOf(app, id));
    this.#unsaved.sayContinued();
    const form = this.#form();
    this.#sheet.append(form);
    outlet.append(h('div', { class: 'reminder-editor' }, this.#searchBar(), this.#sheet));
    this.#draw();
    this.#begin();
  }

  leave = () => {
    this.#unsaved.leave(() => go(`/reminders/${this.#id}`));
    this.#searching?.abort();
    this.#hasLeft = true;
    this.#pins?.remove();
    this.#tools?.remove();
  };

  async #begin() {
    try {
      const view = await mapView(this.#app);
      if (this.#hasLeft) return;
      this.#tools = furniture(
        tools(
          tool({ label: t`My position`, picture: 'position', run: () => this.#toOwnPosition() }),
          ...zoomTools(view),
        ),
      );
      this.#pins = new PlacePins(view, {
        onchoose: (place) => this.#choose(place),
        onhold: (place) => this.#addByHand(place),
      });
    } catch {
      // The results of a search that was made meanwhile stay.
      if (!this.#searching) this.#say(t`The map cannot be shown. Search, and choose from the list.`);
      return;
    }
    this.#pins.cover(this.#sheet);
    this.#drawPins();
    if (this.#draft.places.length) {
      this.#pins.fit(this.#draft.places);
      return;
    }
    // The position is requested even if alarms are off. If the person has searched meanwhile, the results stay in view.
    const place = (await ownPosition(this.#app)) ?? placeOf(this.#app);
    if (place && !this.#hasLeft && !this.#found.places.length && !this.#draft.places.length)
      this.#pins.around(place, around_m);
  }

  async #toOwnPosition() {
    const place = await ownPosition(this.#app);
    if (this.#hasLeft) return;
    if (place) this.#pins.around(place, around_m);
    else snackbar(t`Your position is not known: it is not allowed, or there is no reception.`);
  }

  #keep() {
    const isSame = JSON.stringify(this.#draft) === this.#first;
    this.#unsaved.keep(isSame ? undefined : { form: this.#draft, before: this.#before });
  }

  // MARK: Searching

  #searchBar() {
    const input = h('input', {
      type: 'search',
      class: 'input',
      id: 'place-search',
      placeholder: t`Shop or place`,
      enterkeyhint: 'search',
      autocomplete: 'off',
      maxlength: 200,
      'aria-label': t`Shop or place`,
    });
    return h(
      'form',
      {
        class: 'place-search solid',
        role: 'search',
        onsubmit: (event) => {
          event.preventDefault();
          input.blur();
          this.#search(input.value);
        },
      },
      h('a', { class: 'round', href: '#/reminders', 'aria-label': t`Close without saving` }, icon('close')),
      h('span', { class: 'search' }, icon('search'), input),
    );
  }

  async #search(what) {
    this.#searching?.abort();
    const mine = (this.#searching = new AbortController());
    this.#say(t`Searching …`);
    try {
      this.#found = await searchPlaces(what, {
        near: placeOf(this.#app) ?? this.#pins?.center,
        server: serverOf(this.#app),
        service: this.#app.settings.places_service,
        signal: mine.signal,
      });
      if (this.#found.places.length === 0) this.#say(this.#found.hint ?? t`Nothing is called “${what.trim()}”.`);
      else {
        this.#drawResults();
        this.#pins?.fit(this.#found.places);
      }
      this.#drawPins();
      this.#sheet.rest = 'half';
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof SearchFailed)) throw error;
      this.#say(error.message);
    }
  }

  #say(text) {
    fill(this.#results, h('div', { class: 'card note' }, icon('info'), h('p', { class: 'grow' }, text)));
  }

  #drawResults() {
    const { places, attribution } = this.#found;
    const open = places.filter((place) => !this.#isChosen(place));
    const own = isOld(this.#app) ? undefined : placeOf(this.#app);
    const lines = secondLines(places, own);
    fill(
      this.#results,
      h(
        'div',
        { class: 'section-title' },
        h('h2', { class: 'title-3' }, t`Found`, h('span', { class: 'count number' }, ` ${places.length}`)),
        open.length > 1 &&
          h(
            'button',
            {
              type: 'button',
              class: 'link',
              onclick: () => {
                for (const place of open) this.#add(place);
                this.#changed();
              },
            },
            t`Choose all`,
          ),
      ),
      h(
        'ul',
        { class: 'card inner' },
        places.map((place, index) =>
          h(
            'li',
            {},
            h(
              'button',
              {
                type: 'button',
                class: 'row',
                role: 'checkbox',
                'aria-checked': String(this.#isChosen(place)),
                'data-key': `found-${key(place)}`,
                onclick: () => this.#choose(place),
              },
              h(
                'span',
                { class: `pin-sign${this.#isChosen(place) ? ' chosen' : ''}` },
                icon(this.#isChosen(place) ? 'check' : 'pin'),
              ),
              h(
                'span',
                { class: 'grow' },
                h('span', { class: 'headline name' }, place.name),
                h('span', { class: 'subhead' }, lines[index].text),
              ),
              own &&
                !lines[index].isAway &&
                h('span', { class: 'trailing subhead number' }, words.length(place.distance_m)),
            ),
          ),
        ),
      ),
      attribution && h('p', { class: 'footnote' }, attribution),
    );
  }

  // MARK: Choosing

  #isChosen(place) {
    return this.#draft.places.some((each) => key(each) === key(place));
  }
  /** Places of the same name are told apart by their location. */
  #add({ name, place, detail }) {
    const taken = this.#draft.places.some((each) => each.name === name);
    this.#draft.places.push({ name: taken && detail ? `${name}, ${detail}` : name, place });
  }

  #choose(place) {
    if (this.#isChosen(place)) this.#draft.places = this.#draft.places.filter((each) => key(each) !== key(place));
    else this.#add(place);
    if (!this.#title.value && this.#draft.places.length === 1)
      this.#title.value = this.#draft.title = this.#draft.places[0].name;
    this.#changed();
  }

  #changed() {
    this.#keep();
    if (this.#found.places.length) this.#drawResults();
    this.#drawChosen();
    this.#drawPins();
  }

  #addByHand(place) {
    const input = h('input', { class: 'input', maxlength: 100, enterkeyhint: 'done', value: '' });
    const dialog = modalSheet(
      { label: t`A place of your own` },
      h(
        'form',
        {
          class: 'fields',
          onsubmit: (event) => {
            event.preventDefault();
            this.#add({ name: input.value.trim() || t`My place`, place });
            dialog.close();
            this.#changed();
          },
        },
        h('h2', { class: 'title-3' }, t`A place of your own`),
        field({ label: t`Name`, input, hint: place.map((degrees) => degrees.toFixed(5)).join(', ') }),
        h('button', { type: 'submit', class: 'button primary wide' }, t`Add`),
      ),
    );
    input.focus();
  }

  // MARK: Drawing

  #draw() {
    this.#drawItems();
    this.#drawChosen();
  }

  #drawPins() {
    const chosen = this.#draft.places.map((place) => ({ ...place, chosen: true }));
    this.#pins?.show([...chosen, ...this.#found.places.filter((place) => !this.#isChosen(place))]);
  }

  #drawChosen() {
    const { places } = this.#draft;
    fill(
      this.#chosen,
      h(
        'div',
        { class: 'section-title' },
        h(
          'h2',
          { class: 'title-3' },
          t`At any of these places`,
          places.length > 0 && h('span', { class: 'count number' }, ` ${places.length}`),
        ),
      ),
      places.length === 0
        ? h(
            'p',
            { class: 'subhead' },
            t`Search, then tap the pins you want. Or hold the map to choose a place of your own.`,
          )
        : h(
            'ul',
            { class: 'card inner' },
            places.map((place) =>
              h(
                'li',
                { class: 'row low' },
                h(
                  'button',
                  { type: 'button', class: 'grow place-name', onclick: () => this.#pins?.around(place.place, 400) },
                  h('span', { class: 'headline name' }, place.name || t`A place`),
                ),
                h(
                  'button',
                  {
                    type: 'button',
                    class: 'round bare',
                    'data-key': `drop-${key(place)}`,
                    'aria-label': t`Leave out ${place.name || t`the place`}`,
                    onclick: () => this.#choose(place),
                  },
                  icon('close', { size: 20 }),
                ),
              ),
            ),
          ),
    );
  }

  #drawItems() {
    const { items } = this.#draft;
    const left = items.filter(({ done }) => !done).map(({ text }) => text);
    fill(
      this.#items,
      h(
        'button',
        {
          type: 'button',
          class: 'row',
          id: 'items',
          onclick: async () => {
            await editItems(this.#draft.items, (items) => {
              this.#draft.items = items;
              this.#keep();
              this.#drawItems();
            });
          },
        },
        h('span', { class: 'tile quiet' }, icon('list')),
        h(
          'span',
          { class: 'grow' },
          h('span', { class: 'headline' }, t`Items`),
          h(
            'span',
            { class: 'subhead' },
            items.length === 0 ? t`What to buy, or to do` : left.length ? left.join(', ') : t`All done`,
          ),
        ),
        items.length > 0 && h('span', { class: 'count number' }, String(items.length)),
        h('span', { class: 'chevron' }, icon('forward', { size: 18 })),
      ),
    );
  }

  #form() {
    const draft = this.#draft;
    this.#title = h('input', {
      class: 'input',
      value: draft.title,
      maxlength: 200,
      placeholder: t`Shopping`,
      autocomplete: 'off',
      oninput: () => {
        draft.title = this.#title.value;
        this.#keep();
        titleField.say(undefined);
      },
    });
    const titleField = field({ label: t`Name`, input: this.#title });
    const radius = h('output', { class: 'title-3 number' }, words.length(draft.radius_m));
    const allowed = this.#app.ask('settings').settings.find(({ name }) => name === 'reminder_radius_m');
    return h(
      'form',
      {
        class: 'reminder-form',
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          this.#save(titleField);
        },
      },
      h(
        'div',
        { class: 'form-head' },
        h('h1', { class: 'title-2' }, this.#id === 'new' ? t`New reminder` : t`Reminder`),
        h('button', { type: 'submit', class: 'button primary' }, t`Save`),
      ),
      titleField,
      this.#results,
      this.#chosen,
      h(
        'div',
        { class: 'card inner' },
        this.#items,
        h(
          'div',
          { class: 'row low radius' },
          h('span', { class: 'grow' }, h('span', { class: 'headline' }, t`Remind me within`)),
          radius,
        ),
        h(
          'div',
          { class: 'row low slider-row' },
          slider({
            label: t`Remind me within`,
            value: draft.radius_m,
            least: allowed.least,
            most: allowed.most,
            logarithmic: true,
            say: words.length,
            oninput: (value) => {
              draft.radius_m = value;
              this.#keep();
              radius.value = words.length(value);
            },
          }),
        ),
        switchRow({
          title: t`Again next time`,
          detail: t`Once done, it waits again after you have left`,
          control: toggle({
            label: t`Again next time`,
            value: draft.repeats,
            onchange: (repeats) => {
              draft.repeats = repeats;
              this.#keep();
            },
          }),
        }),
      ),
    );
  }

  async #save(titleField) {
    const draft = this.#draft;
    draft.title = this.#title.value.trim() || draft.places[0]?.name || draft.items[0]?.text || '';
    if (!draft.title) {
      titleField.say(t`A name, a place or an item is needed to tell it from others.`);
      this.#sheet.rest = 'full';
      this.#title.focus();
      return;
    }
    // Another tab has its own engine, so the last saved version is read from the shared storage.
    const now = edited(await this.#app.storage.get('reminders', draft.id));
    if (!(await mayReplaceSaved({ name: draft.title, before: this.#before, now, draft: this.#unsaved }))) return;
    saveReminder(this.#app, draft);
    this.#unsaved.end();
    if (draft.places.length === 0) snackbar(t`Saved. It has no place yet, so it is only a list.`);
    go('/reminders');
  }
}
