// The person's own settings for the base map: an address, and maps stored on this device.
import { archiveAt, kindOfAddress } from '../../map/archives/chosen-ground.js';
import { ArchiveProblem } from '../../map/archives/describe.js';
import { keptArchives } from '../../map/archives/kept-archives.js';
import { readStyle, tryOrigins } from '../../map/archives/style-address.js';
import { chooseArchive, lineOf, removeArchive } from '../../map/archives/take-archive.js';
import { NotReached } from '../../map/reach.js';
import { keptStreets } from '../../map/streets/kept-streets.js';
import { row, section } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';
import { day, megabytes } from '../../scripts/words/words.js';

/**
 * Checks the address of an archive or a style before it is stored. Addresses of tiles are checked later.
 * @param {string} address in a valid form
 * @returns {Promise<string|undefined>} the problem, in words for people; undefined if there is none
 */
export async function prepareAddress(app, address) {
  const kind = kindOfAddress(address);
  if (kind === 'tiles') return undefined;
  try {
    if (kind === 'archive') await archiveAt(address);
    else return await prepareStyle(app, address);
  } catch (error) {
    if (error instanceof NotReached || error instanceof ArchiveProblem) return error.message;
    throw error;
  }
  return undefined;
}

/** Asks before anything is loaded from origins other than the style's own, which the person has typed. */
async function prepareStyle(app, address) {
  let agreed = [new URL(address).origin];
  for (;;) {
    const { style, origins } = await readStyle(address, agreed);
    const more = origins.filter((origin) => !agreed.includes(origin));
    if (!more.length) {
      await tryOrigins(style);
      await app.changeSettings({ style_origins: agreed });
      return undefined;
    }
    if (!(await agrees(more))) return t`Not used: the style also loads from servers that you did not agree to.`;
    agreed = origins;
  }
}

const agrees = (origins) =>
  new Promise((done) => {
    let answer = false;
    const sheet = modalSheet(
      { label: t`Maps from other servers`, onclose: () => done(answer) },
      h(
        'div',
        { class: 'public-map' },
        h('h2', { class: 'title-3' }, t`Maps from other servers`),
        h('p', { class: 'subhead' }, t`This style loads from:`),
        h(
          'ul',
          {},
          origins.map((origin) => h('li', {}, origin)),
        ),
        h(
          'p',
          { class: 'subhead' },
          t`The operators of these servers see which parts of the map you look at, and your internet address. Your zones and positions are not sent.`,
        ),
        h(
          'div',
          { class: 'sheet-actions' },
          h(
            'button',
            {
              type: 'button',
              class: 'button primary',
              onclick: () => {
                answer = true;
                sheet.close();
              },
            },
            t`Use it`,
          ),
          h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Not now`),
        ),
      ),
    );
  });

/** Maps and regions of streets stored on this device, with a button to add a map. */
export function keptMaps(app) {
  const card = h('div', { class: 'card kept-regions' });
  const draw = async () => {
    const [streets, archives] = await Promise.all([keptStreets(), keptArchives()]);
    const [regions, files] = await Promise.all([streets.regions(), archives.all()]);
    card.replaceChildren(
      ...files.map(({ id, name, size, at, description }) =>
        keptRow({
          name,
          detail: `${lineOf(description)} · ${megabytes(size)} · ${t`kept since ${day(at)}`}`,
          remove: () => removeArchive(app, id),
        }),
      ),
      ...regions.map(({ id, name, size, at }) =>
        keptRow({ name, detail: t`${megabytes(size)}, kept since ${day(at)}`, remove: () => streets.remove(id) }),
      ),
      row({
        title: t`Add a map file`,
        detail: t`A PMTiles file of this device: vector tiles or pictures. It stays here and needs no network.`,
        onclick: () => chooseArchive(app),
      }),
    );
  };
  for (const kept of [keptStreets(), keptArchives()])
    kept.then((them) => {
      const redraw = () => (card.isConnected ? draw() : them.removeEventListener('change', redraw));
      them.addEventListener('change', redraw);
    });
  draw();
  return section({ title: t`Maps on this device` }, card);
}

const keptRow = ({ name, detail, remove }) =>
  row({
    title: name,
    detail,
    trailing: h(
      'button',
      { type: 'button', class: 'button small', 'aria-label': t`Delete ${name}`, onclick: remove },
      t`Delete`,
    ),
  });
