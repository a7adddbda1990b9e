// A place by its name or address, in a sheet: for the map and for a zone that is being drawn.
import { fill, h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { SearchFailed, searchPlaces } from '../scripts/reminders/places.js';
import { serverOf } from '../scripts/server/server.js';
import * as words from '../scripts/words/words.js';
import { row } from './layout.js';
import { modalSheet } from './sheet.js';
import { t } from '../scripts/words/translate.js';

/**
 * @param {{app, near?: [number, number]}} where `near`: what is close to it comes first
 * @returns {Promise<{name: string, place: [number, number]}|undefined>} undefined when the sheet was closed
 */
export function findPlace({ app, near }) {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  let searching;
  let found;
  const input = h('input', {
    type: 'search',
    class: 'input',
    id: 'find-place',
    placeholder: t`Street, station, shop …`,
    enterkeyhint: 'search',
    autocomplete: 'off',
    maxlength: 200,
    'aria-label': t`Street, station, shop`,
  });
  const results = h('div', { class: 'results', 'aria-live': 'polite' });
  const say = (text) => fill(results, h('div', { class: 'card note' }, icon('info'), h('p', { class: 'grow' }, text)));
  const choose = (place) => {
    found = place;
    sheet.close();
  };
  async function search() {
    searching?.abort();
    const mine = (searching = new AbortController());
    say(t`Searching …`);
    try {
      const { places, attribution, hint } = await searchPlaces(input.value, {
        near,
        isPrivate: serverOf(app).account?.is_private,
        service: app.settings.places_service,
        signal: mine.signal,
      });
      if (!places.length) {
        say(hint ?? t`Nothing is called “${input.value.trim()}”.`);
        return;
      }
      fill(
        results,
        h(
          'div',
          { class: 'card' },
          places.map((place, index) =>
            row({
              title: place.name,
              detail: place.detail,
              trailing: place.distance_m === undefined ? undefined : words.length(place.distance_m),
              key: `place-${index}`,
              onclick: () => choose(place),
            }),
          ),
        ),
        attribution && h('p', { class: 'footnote' }, attribution),
      );
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof SearchFailed)) throw error;
      say(error.message);
    }
  }
  const sheet = modalSheet(
    {
      label: t`Find a place`,
      onclose: () => {
        searching?.abort();
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
  return promise;
}
