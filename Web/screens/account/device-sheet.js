// One phone that reports to the server: what it last told, whether it encrypts, and under which names it reports.
import { fill, h, update } from '../../scripts/page/dom.js';
import { ago, percent, trouble } from '../../scripts/words/phone-words.js';
import { roughly } from '../../scripts/words/words.js';
import { toggle } from '../../parts/controls.js';
import { field, row, section, switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';

/** What the server allows, in minutes. */
const silence_min = [1, 43_200];
const schemes = {
  owntracks: 'OwnTracks',
  overland: 'Overland',
  traccar: 'Traccar',
  path: 'OsmAnd, GPSLogger or PhoneTrack',
  own: 'this page or a program',
};
/**
 * @param {{pair: (device: object) => void, remove: (device: object) => void, done: () => void}} what `pair` shows the code anew,
 *   `remove` asks and removes; `done` is told of every change
 * @returns {HTMLDialogElement}
 */
export function deviceSheet(server, device, { pair, remove, done }) {
  const names = h('div', { class: 'card' });
  const told = h('div', { class: 'card' });
  const drawTold = () =>
    fill(
      told,
      facts(device).map(([title, value]) => row({ title, trailing: value })),
    );
  const encrypted = toggle({
    label: 'Encrypt messages',
    value: device.has_passphrase,
    key: 'encrypt',
    onchange: async (wanted) => {
      try {
        device = await saved(server, device, { passphrase: wanted ? freshKey() : null });
        done();
        drawTold();
        sheet.close();
        snackbar(wanted ? 'Scan the new code: it has the key.' : 'Scan the new code, or remove the key in the app.');
        if (wanted) pair(device);
      } catch (error) {
        encrypted.value = device.has_passphrase;
        snackbar(error.message);
      }
    },
  });
  const armed = toggle({
    label: 'Alarms of this phone',
    value: device.is_armed,
    key: 'armed',
    onchange: async (wanted) => {
      try {
        device = await saved(server, device, { is_armed: wanted });
        done();
      } catch (error) {
        armed.value = device.is_armed;
        snackbar(error.message);
      }
    },
  });
  const minutes = h('input', {
    class: 'input number',
    type: 'number',
    inputmode: 'decimal',
    placeholder: 'none',
    '.value': device.report_interval_s === null ? '' : String(device.report_interval_s / 60),
    onchange: async () => {
      const given = minutes.value.trim();
      const [least, most] = silence_min;
      if (minutes.validity.badInput || (given && !(Number(given) >= least && Number(given) <= most))) {
        silence.say(
          `${given || 'That'} is not possible: ${least} to ${most.toLocaleString('en')} minutes, or nothing.`,
        );
        return;
      }
      silence.say();
      try {
        device = await saved(server, device, { report_interval_s: given ? Number(given) * 60 : null });
        done();
      } catch (error) {
        silence.say(error.message);
      }
    },
  });
  const silence = field({
    label: 'Silence that is an alarm',
    input: minutes,
    unit: 'min',
    hint: 'Nothing heard for so long; empty: it need not report.',
  });
  const loadNames = () =>
    server
      .ask('GET', `/devices/${device.id}/identities`)
      .then(({ items }) =>
        fill(
          names,
          items.length
            ? items.map((item) =>
                row({
                  key: item.id,
                  title: item.value,
                  detail:
                    `${schemes[item.scheme] ?? item.scheme} · ` +
                    (item.needs_proof
                      ? 'with a password'
                      : 'without a password: anybody who knows this name can report as this phone'),
                  trailing: item.needs_proof
                    ? removal(item)
                    : h(
                        'button',
                        { type: 'button', class: 'button small', onclick: () => askForPassword(item) },
                        'Ask for a password',
                      ),
                }),
              )
            : h('p', { class: 'footnote padded' }, 'None: it reports by its code alone.'),
        ),
      )
      .catch((error) => fill(names, h('p', { class: 'footnote padded' }, error.message)));
  const removal = (item) =>
    h(
      'button',
      {
        type: 'button',
        class: 'button small',
        'aria-label': `Remove ${item.value}`,
        onclick: () =>
          server
            .ask('DELETE', `/devices/${device.id}/identities/${item.id}`)
            .then(() => {
              done();
              return loadNames();
            })
            .catch((error) => snackbar(error.message)),
      },
      'Remove',
    );
  /** The name is kept, with proof, before it is taken from everybody: a phone without the code is then put off and keeps its reports. */
  const askForPassword = async ({ id, scheme, value }) => {
    try {
      await server.ask('POST', `/devices/${device.id}/identities`, { scheme, value });
      await server.ask('DELETE', `/devices/${device.id}/identities/${id}`);
      done();
      sheet.close();
      pair(device);
    } catch (error) {
      snackbar(error.message);
    }
  };
  drawTold();
  const problem = trouble(device);
  const sheet = modalSheet(
    { label: device.name },
    h('h2', { class: 'title-2' }, device.name),
    problem && h('p', { class: 'problem', role: 'alert' }, problem),
    told,
    h(
      'div',
      { class: 'card' },
      row({
        title: 'History',
        detail: 'Where it was, day by day, and what rang',
        href: `#/history?device=${device.id}`,
        key: 'device-history',
        low: true,
      }),
    ),
    section(
      { title: 'Alarms' },
      h(
        'div',
        { class: 'card' },
        switchRow({ title: 'Alarms of this phone', detail: 'Off: its zones are not watched', control: armed }),
        h('div', { class: 'padded fields' }, silence),
      ),
    ),
    section(
      { title: 'Encryption' },
      h(
        'div',
        { class: 'card' },
        switchRow({
          title: 'Encrypt messages',
          detail: 'OwnTracks only: with a key that only the phone and the server have.',
          control: encrypted,
        }),
      ),
    ),
    section({ title: 'Reports as' }, names),
    h(
      'div',
      { class: 'sheet-actions' },
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, 'Done'),
      h(
        'button',
        {
          type: 'button',
          class: 'button alarm',
          onclick: () => {
            sheet.close();
            remove(device);
          },
        },
        'Remove this phone',
      ),
    ),
  );
  sheet.classList.add('device-sheet');
  loadNames();
  return sheet;
}

function facts({ last_received_at: last, last_fix: fix, status }) {
  return [
    ['Last heard of', last ? ago(last) : 'never'],
    typeof fix?.accuracy_m === 'number' && ['Accuracy', `±${roughly(fix.accuracy_m)}`],
    fix && ['Last position', ago(fix.measured_at)],
    typeof status?.battery === 'number' && ['Battery', percent(status.battery)],
    typeof status?.is_charging === 'boolean' && ['Power', status.is_charging ? 'charging' : 'on battery'],
    status?.motion?.length > 0 && ['Motion', status.motion.join(', ').replaceAll('_', ' ')],
    typeof status?.altitude_m === 'number' && ['Height', roughly(status.altitude_m)],
  ].filter(Boolean);
}

/** 32 characters, as long as OwnTracks' keys are. */
const freshKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** With what has changed; the rest, the key too, stays as it was. */
const saved = (server, { id }, changes) =>
  server.change(`/devices/${id}`, ({ name, tracker_id, is_armed, report_interval_s, settings }) => ({
    ...{ name, tracker_id, is_armed, report_interval_s, settings },
    ...changes,
  }));

/**
 * Phones that report and belong to nobody, for who may claim them; nothing for anybody else.
 * @param {{pair: (device: object) => void, done: () => Promise<void>, listed: Promise<void>}} what `pair` shows the code, `done` is told
 *   of a phone that was claimed, `listed` is kept when what is above them is there: nothing moves away from under a finger then
 */
export function unclaimedPhones(server, { pair, done, listed }) {
  const element = h('section', { 'aria-label': 'Not claimed yet', hidden: true });
  if (!server.account?.is_administrator) return element;
  const load = () =>
    server
      .ask('GET', '/unclaimed-devices')
      .then(({ items }) => {
        element.hidden = items.length === 0;
        update(
          element,
          h('h2', { class: 'title-3' }, 'Not claimed yet'),
          h(
            'div',
            { class: 'card' },
            items.map((device) =>
              row({
                key: device.id,
                title: device.name || 'A phone',
                detail: device.last_received_at ? `Reported ${ago(device.last_received_at)}` : 'Has not reported yet',
                trailing: h('button', { type: 'button', class: 'button small', onclick: () => claim(device) }, 'Claim'),
              }),
            ),
          ),
        );
      })
      .catch(() => {});
  const claim = (device) => {
    const take = async (way) => {
      sheet.close();
      try {
        const claimed = await server.ask('POST', `/unclaimed-devices/${device.id}/claim${way}`);
        await done();
        await load();
        if (!way) pair(claimed);
      } catch (error) {
        snackbar(error.message);
      }
    };
    const sheet = modalSheet(
      { label: `Claim ${device.name}` },
      h('h2', { class: 'title-2' }, `Claim ${device.name}?`),
      h(
        'p',
        { class: 'body' },
        'It gets a code of its own. Until the phone has scanned it, its reports are refused and it keeps them.',
      ),
      h(
        'div',
        { class: 'sheet-actions' },
        h('button', { type: 'button', class: 'button primary', onclick: () => take('') }, 'Claim and show its code'),
        h(
          'button',
          { type: 'button', class: 'button', onclick: () => take('?without_password=true') },
          'Claim without a password',
        ),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, 'Cancel'),
      ),
      h(
        'p',
        { class: 'footnote' },
        'Without a password anybody who knows its name can report as this phone; such reports are told nothing of your account.',
      ),
    );
    sheet.classList.add('device-sheet');
  };
  listed.then(load);
  return element;
}
