// A place by its name or address: in any field, and in a sheet for the map and for a zone that is being drawn.
import { fill, h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { SearchFailed, searchPlaces } from '../scripts/reminders/places.js';
import { serverOf } from '../scripts/server/server.js';
import * as words from '../scripts/words/words.js';
import { placeInput, row } from './layout.js';
import { modalSheet } from './sheet.js';
import { t } from '../scripts/words/translate.js';

/** Whoever types goes on within that time. */
const pause_ms = 300;

/**
 * Searches for what is typed in a field, and shows what is found. While it is typed the server that the page came from is asked
 * alone; a service that people have named is asked when they say so, by `search`.
 * @param {{app, near: () => [number, number]|undefined, input: HTMLInputElement, results: HTMLElement,
 *   choose: (found: {name: string, place: [number, number]}) => void}} what `near`: places close to it come first
 */
export function searchesPlaces({ app, near, input, results, choose }) {
  let searching;
  let timer;
  const say = (text) => fill(results, h('div', { class: 'card note' }, icon('info'), h('p', { class: 'grow' }, text)));
  const stop = () => {
    clearTimeout(timer);
    searching?.abort();
  };
  const typed = () => {
    stop();
    if (input.value.trim().length < 2) results.replaceChildren();
    else timer = setTimeout(() => search({ isTyping: true }), pause_ms);
  };
  async function search({ isTyping = false } = {}) {
    stop();
    const mine = (searching = new AbortController());
    const { places_service: service } = app.settings;
    const mayAskService = isTyping && service;
    // What was found for fewer letters stays meanwhile.
    if (!isTyping || !results.firstChild) say(t`Searching …`);
    try {
      const { places, attribution, hint } = await searchPlaces(input.value, {
        near: near(),
        isPrivate: serverOf(app).account?.is_private,
        service: isTyping ? undefined : service,
        signal: mine.signal,
      });
      if (!places.length) {
        if (mayAskService) results.replaceChildren();
        else say(hint ?? t`Nothing is called “${input.value.trim()}”.`);
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
      if (mayAskService) results.replaceChildren();
      else say(error.message);
    }
  }
  input.addEventListener('input', typed);
  return { search, stop };
}

/**
 * @param {{app, near?: [number, number]}} where `near`: what is close to it comes first
 * @returns {Promise<{name: string, place: [number, number]}|undefined>} undefined when the sheet was closed
 */
export function findPlace({ app, near }) {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  let found;
  const input = placeInput();
  const results = h('div', { class: 'results', 'aria-live': 'polite' });
  const { search, stop } = searchesPlaces({
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
  return promise;
}
