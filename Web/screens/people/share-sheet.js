// Shows a phone to a person: to whom, how exactly, until when. Existing shares are changed or ended here.
import { fill, h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';
import { segments } from '../../parts/controls.js';
import { sheetDraft } from '../../parts/drafts.js';
import { field } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { linkSheet } from './link-sheet.js';
import { compareNames } from '../../scripts/words/locale.js';

const hour_ms = 3_600_000;
const spans = [
  { value: '1', label: t`1 hour` },
  { value: '8', label: t`8 hours` },
  { value: '24', label: t`1 day` },
  { value: '168', label: t`1 week` },
];

const choices = (options) => options.map(([key, words]) => h('option', { value: key }, words));

/**
 * Opens the sheet.
 * @param {{app, server, share?: object, names: Map<string, string>, done: () => void}} what `names` of the account's phones;
 *   without `share`, creates a new one
 */
export function shareSheet({ app, server, share, names, done }) {
  const id = (name) => `share-${name}`;
  const select = (name, options, value, onchange) => {
    const element = h(
      'select',
      { class: 'input', name: id(name), onchange: () => onchange?.(element.value) },
      choices(options),
    );
    element.value = value;
    return element;
  };
  let byLink = share ? !share.login : false;
  let precision = share?.precision ?? 'place';
  const phone = select('phone', [...names], share?.device_id ?? [...names.keys()][0]);
  const login = h('input', {
    class: 'input',
    name: id('login'),
    maxlength: 100,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    oninput: () => person.say(),
  });
  const name = h('input', { class: 'input', name: id('name'), maxlength: 200, autocomplete: 'off' });
  const person = field({ label: t`To whom`, input: login, hint: t`Their sign-in name.` });
  const naming = field({ label: t`What for`, input: name, hint: t`For your list.` });
  const kept = share && ['kept', share.ends_at ? t`as it is` : t`until either of you stops it`];
  const times = () => [
    ...(kept ? [kept] : []),
    ...spans.map(({ value, label }) => [value, label]),
    ...(byLink || (kept && !share.ends_at) ? [] : [['', t`until either of you stops it`]]),
  ];
  const ends = select('ends', times(), kept ? 'kept' : '8');
  const end = field({ label: t`For`, input: ends });
  const zones = [...app.zones.values()].sort((a, b) => compareNames(a.name, b.name));
  const arrival = select(
    'arrival',
    [['', t`no`], ...zones.map((zone) => [zone.id, zone.name || t`A zone`])],
    zones.some((zone) => zone.id === share?.ends_in_zone_id) ? share.ends_in_zone_id : '',
  );
  const problem = h('p', { class: 'problem', role: 'alert' });
  const show = () => {
    person.hidden = byLink;
    naming.hidden = !byLink;
    const chosen = ends.value;
    fill(ends, choices(times()));
    ends.value = chosen;
    if (ends.selectedIndex < 0) ends.value = byLink ? '8' : '';
  };

  const save = async () => {
    const body = {
      precision,
      ends_at:
        ends.value === 'kept'
          ? share.ends_at
          : ends.value
            ? new Date(Date.now() + Number(ends.value) * hour_ms).toISOString()
            : null,
      ends_in_zone_id: arrival.value || null,
    };
    problem.textContent = '';
    if (!share && !byLink && !login.value.trim()) {
      person.say(t`Type their sign-in name.`);
      return;
    }
    try {
      if (share) await server.ask('PUT', `/shares/${share.id}`, body);
      else {
        const to = byLink ? { name: name.value.trim() } : { login: login.value.trim() };
        const made = await server.ask('POST', '/shares', { ...body, ...to, device_id: phone.value });
        if (made.link) {
          sheet.close('saved');
          done();
          await linkSheet({
            address: new URL(`#/seen/${made.link}`, server.home).href,
            title: t`The link to ${names.get(phone.value)}`,
            note: t`Anyone who has it can see the phone without an account, until it ends. It is shown only now.`,
          });
          return;
        }
      }
      sheet.close('saved');
      // The answer must not reveal which accounts exist.
      snackbar(share ? t`Saved` : t`Sent to ${login.value.trim()}, if that account exists`);
      done();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const stop = async () => {
    try {
      await server.ask('DELETE', `/shares/${share.id}`);
      sheet.close('ended');
      snackbar(t`Ended: nobody sees it by this any more`);
      done();
    } catch (error) {
      problem.textContent = error.message;
    }
  };

  const title = share ? (share.login ?? (share.name || t`Anyone with the link`)) : t`Show where a phone is`;
  const sheet = modalSheet(
    { label: title },
    h('h2', { class: 'title-2' }, title),
    share && h('p', { class: 'subhead' }, names.get(share.device_id)),
    !share &&
      segments({
        label: t`To whom`,
        options: [
          { value: 'person', label: t`A person` },
          { value: 'link', label: t`By a link` },
        ],
        value: 'person',
        onchoose: (value) => {
          byLink = value === 'link';
          show();
        },
      }),
    h(
      'div',
      { class: 'fields' },
      !share && [person, naming, field({ label: t`Phone`, input: phone })],
      field({
        label: t`What is seen`,
        input: select(
          'precision',
          [
            ['place', t`Where it is`],
            ['zones', t`Only in which of my zones it is`],
            ['nothing', t`Nothing for now`],
          ],
          precision,
          (value) => {
            precision = value;
          },
        ),
      }),
      end,
      field({
        label: t`Ends on arrival`,
        input: arrival,
        hint: t`Sharing stops when the phone arrives in that zone.`,
      }),
    ),
    problem,
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        { type: 'button', class: 'button primary', id: 'share-save', onclick: save },
        share ? t`Save` : t`Share`,
      ),
      share && h('button', { type: 'button', class: 'button alarm', onclick: stop }, t`End it`),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close('discarded') }, t`Cancel`),
    ),
  );
  show();
  sheetDraft(sheet, `people/${server.account.id}/${share?.id ?? 'new-share'}`, () =>
    shareSheet({ app, server, share, names, done }),
  );
  return sheet;
}
