// Finds a place by its name or address: in any field, and in a sheet for the map and for a zone that is being drawn.
import { fill, h, update } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { isOld, placeOf, renewPosition } from '../scripts/device/own-position.js';
import { secondLines } from '../scripts/reminders/place-order.js';
import { findCities, prepareCities } from '../scripts/places/cities.js';
import { SearchFailed, searchPlaces } from '../scripts/reminders/places.js';
import { serverOf } from '../scripts/server/server.js';
import * as words from '../scripts/words/words.js';
import { placeInput, row } from './layout.js';
import { modalSheet } from './sheet.js';
import { t } from '../scripts/words/translate.js';

/** The pause in typing after which suggestions are requested, in ms. */
const pause_ms = 250;

/**
 * Lets a field search for the place that is typed in it, and shows the results. While a person types, only the cities on board
 * and the page's own server are asked; a places service of their own is asked only by `search`.
 * @param {{app, near: () => [number, number]|undefined, input: HTMLInputElement, results: HTMLElement, choose: (found: {name:
 *   string, place: [number, number]}) => void}} what results close to `near` come first while the own position is unknown
 */
export function attachPlaceSearch({ app, near, input, results, choose }) {
  let searching;
  let pause;
  prepareCities();
  const say = (text) => fill(results, h('div', { class: 'card note' }, icon('info'), h('p', { class: 'grow' }, text)));
  const stop = () => {
    clearTimeout(pause);
    searching?.abort();
  };
  async function search({ suggests = false } = {}) {
    stop();
    const mine = (searching = new AbortController());
    if (!suggests) say(t`Searching …`);
    try {
      const found = await searchPlaces(input.value, {
        near: placeOf(app) ?? near(),
        server: serverOf(app),
        service: app.settings.places_service,
        signal: mine.signal,
        suggests,
        alsoFar: true,
        cities: findCities,
        soon: list,
      });
      if (mine.signal.aborted) return;
      const { places, hint, note, isEmpty } = found;
      if (places.length) list(found);
      // A search for the complete text may ask further services.
      else if (suggests && (!isEmpty || app.settings.places_service)) fill(results);
      else say([t`Nothing is called “${input.value.trim()}”.`, note ?? hint].filter(Boolean).join(' '));
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof SearchFailed)) throw error;
      if (!suggests) say(error.message);
    }
  }
  function list({ places, attribution, note }) {
    const own = isOld(app) ? undefined : placeOf(app);
    const lines = secondLines(places, own);
    // A row that is being pressed stays when further places come below it.
    update(
      results,
      h(
        'div',
        { class: 'card' },
        places.map((place, index) =>
          row({
            title: place.name,
            detail: lines[index].text,
            trailing: own && !lines[index].isAway ? words.length(place.distance_m) : undefined,
            key: `place-${index}`,
            onclick: () => choose(place),
          }),
        ),
      ),
      note && h('p', { class: 'footnote' }, note),
      attribution && h('p', { class: 'footnote' }, attribution),
    );
  }
  input.addEventListener('input', () => {
    stop();
    if (input.value.trim().length < 2) fill(results);
    else pause = setTimeout(() => search({ suggests: true }), pause_ms);
  });
  return { search, stop };
}

/**
 * Opens a sheet to find a place.
 * @param {{app, near?: [number, number]}} where results close to `near` come first while the own position is unknown
 * @returns {Promise<{name: string, place: [number, number]}|undefined>} undefined if the sheet was closed
 */
export function findPlace({ app, near }) {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  let found;
  const input = placeInput();
  const results = h('div', { class: 'results', 'aria-live': 'polite' });
  const { search, stop } = attachPlaceSearch({
    app,
    near: () => near,
    input,
    results,
    choose: (place) => {
      found = place;
      sheet.close();
    },
  });
  const sheet = modalSheet(
    {
      label: t`Find a place`,
      onclose: () => {
        stop();
        resolve(found);
      },
    },
    h('h2', { class: 'title-3' }, t`Find a place`),
    h(
      'form',
      {
        class: 'find-place',
        role: 'search',
        onsubmit: (event) => {
          event.preventDefault();
          search();
        },
      },
      h('span', { class: 'search' }, icon('search'), input),
      h('button', { type: 'submit', class: 'button primary' }, t`Search`),
    ),
    results,
  );
  input.focus();
  // If positions are already permitted, results show distances from the present position.
  renewPosition(app).catch((error) => console.error(error));
  return promise;
}
