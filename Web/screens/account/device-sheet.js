// One phone that reports to the server: its last report, its encryption, and the names under which it reports.
import { fill, h, update } from '../../scripts/page/dom.js';
import { ago, troubleInFull } from '../../scripts/words/phone-words.js';
import { t } from '../../scripts/words/translate.js';
import { percent, roughly } from '../../scripts/words/words.js';
import { toggle } from '../../parts/controls.js';
import { field, row, section, switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { brokerSection } from './broker-section.js';

/** The server's limits, in minutes. */
const silence_min = [1, 43_200];
const schemes = {
  owntracks: 'OwnTracks',
  overland: 'Overland',
  traccar: 'Traccar',
  mqtt: 'MQTT',
  path: t`OsmAnd, GPSLogger or PhoneTrack`,
  own: t`this page or a program`,
};
/**
 * Opens the sheet of a phone.
 * @param {{pair: (device: object) => void, remove: (device: object) => void, done: () => void}} what `pair` shows the code
 *   again, `remove` asks and removes; `done` is called after every change
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
    label: t`Encrypt messages`,
    value: device.has_passphrase,
    key: 'encrypt',
    onchange: async (wanted) => {
      try {
        device = await saved(server, device, { passphrase: wanted ? freshKey() : null });
        done();
        drawTold();
        sheet.close();
        snackbar(wanted ? t`Scan the new code: it has the key.` : t`Scan the new code, or remove the key in the app.`);
        if (wanted) pair(device);
      } catch (error) {
        encrypted.value = device.has_passphrase;
        snackbar(error.message);
      }
    },
  });
  const armed = toggle({
    label: t`Alarms of this phone`,
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
    placeholder: t`none`,
    '.value': device.report_interval_s === null ? '' : String(device.report_interval_s / 60),
    onchange: async () => {
      const given = minutes.value.trim();
      const [least, most] = silence_min;
      if (minutes.validity.badInput || (given && !(Number(given) >= least && Number(given) <= most))) {
        silence.say(t`“${given}” is not possible: ${least} to ${most} minutes, or nothing.`);
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
    label: t`Alarm when it is silent`,
    input: minutes,
    unit: 'min',
    hint: t`When the phone has not reported for this long. Empty: no such alarm.`,
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
                    (item.scheme === 'mqtt'
                      ? t`the broker says who may`
                      : item.needs_proof
                        ? t`with a password`
                        : t`without a password: anybody who knows this name can report as this phone`),
                  trailing: item.needs_proof
                    ? removal(item)
                    : h(
                        'button',
                        { type: 'button', class: 'button small', onclick: () => askForPassword(item) },
                        t`Ask for a password`,
                      ),
                }),
              )
            : h('p', { class: 'footnote padded' }, t`None: it reports by its code alone.`),
        ),
      )
      .catch((error) => fill(names, h('p', { class: 'footnote padded' }, error.message)));
  const removal = (item) =>
    h(
      'button',
      {
        type: 'button',
        class: 'button small',
        'aria-label': t`Remove ${item.value}`,
        onclick: () =>
          server
            .ask('DELETE', `/devices/${device.id}/identities/${item.id}`)
            .then(() => {
              done();
              return loadNames();
            })
            .catch((error) => snackbar(error.message)),
      },
      t`Remove`,
    );
  /**
   * Reserves the name with a password before the open one is removed: until the phone has the code, its reports are refused and
   * it keeps them.
   */
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
  const problem = troubleInFull(device);
  const sheet = modalSheet(
    { label: device.name },
    h('h2', { class: 'title-2' }, device.name),
    problem && h('p', { class: 'problem', role: 'alert' }, problem),
    told,
    h(
      'div',
      { class: 'card' },
      row({
        title: t`History`,
        detail: t`Where it was, day by day, and what rang`,
        href: `#/history?device=${device.id}`,
        key: 'device-history',
        low: true,
      }),
    ),
    section(
      { title: t`Alarms` },
      h(
        'div',
        { class: 'card' },
        switchRow({ title: t`Alarms of this phone`, detail: t`Off: its zones are not watched`, control: armed }),
        h('div', { class: 'padded fields' }, silence),
      ),
    ),
    section(
      { title: t`Encryption` },
      h(
        'div',
        { class: 'card' },
        switchRow({
          title: t`Encrypt messages`,
          detail: t`OwnTracks only: with a key that only the phone and the server have.`,
          control: encrypted,
        }),
      ),
    ),
    section({ title: t`Reports as` }, names),
    brokerSection(server, device, {
      done: () => {
        done();
        loadNames();
      },
    }),
    h(
      'div',
      { class: 'sheet-actions' },
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Done`),
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
        t`Remove this phone`,
      ),
    ),
  );
  sheet.classList.add('device-sheet');
  loadNames();
  return sheet;
}

const motions = {
  stationary: t`standing still`,
  walking: t`walking`,
  running: t`running`,
  cycling: t`cycling`,
  driving: t`driving`,
};

function facts({ last_received_at: last, last_fix: fix, status }) {
  return [
    [t`Last heard of`, last ? ago(last) : t`never`],
    typeof fix?.accuracy_m === 'number' && [t`Accuracy`, `±${roughly(fix.accuracy_m)}`],
    fix && [t`Last position`, ago(fix.measured_at)],
    typeof status?.battery === 'number' && [t`Battery`, percent(status.battery)],
    typeof status?.is_charging === 'boolean' && [t`Power`, status.is_charging ? t`charging` : t`on battery`],
    status?.motion?.length > 0 && [
      t`Motion`,
      status.motion.map((word) => motions[word] ?? word.replaceAll('_', ' ')).join(', '),
    ],
    typeof status?.altitude_m === 'number' && [t`Height`, roughly(status.altitude_m)],
  ].filter(Boolean);
}

/** 32 characters, the length of OwnTracks' keys. */
const freshKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Saves changes of a phone; all other members, including the key, stay unchanged. */
const saved = (server, { id }, changes) =>
  server.change(`/devices/${id}`, ({ name, tracker_id, is_armed, report_interval_s, settings }) => ({
    ...{ name, tracker_id, is_armed, report_interval_s, settings },
    ...changes,
  }));

/**
 * Phones that report and belong to no account. Only administrators see them and may claim them.
 * @param {{pair: (device: object) => void, done: () => Promise<void>, listed: Promise<void>}} what `pair` shows the code,
 *   `done` is called after a claim; `listed` resolves when the list above is drawn, so that nothing moves afterwards
 */
export function unclaimedPhones(server, { pair, done, listed }) {
  const element = h('section', { 'aria-label': t`Not claimed yet`, hidden: true });
  if (!server.account?.is_administrator) return element;
  const load = () =>
    server
      .ask('GET', '/unclaimed-devices')
      .then(({ items }) => {
        element.hidden = items.length === 0;
        update(
          element,
          h('h2', { class: 'title-3' }, t`Not claimed yet`),
          h(
            'div',
            { class: 'card' },
            items.map((device) =>
              row({
                key: device.id,
                title: device.name || t`A phone`,
                detail: device.last_received_at ? t`Reported ${ago(device.last_received_at)}` : t`Has not reported yet`,
                trailing: h(
                  'button',
                  { type: 'button', class: 'button small', onclick: () => claim(device) },
                  t`Claim`,
                ),
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
      { label: t`Claim ${device.name}` },
      h('h2', { class: 'title-2' }, t`Claim ${device.name}?`),
      h(
        'p',
        { class: 'body' },
        t`It gets a code of its own. Until the phone has scanned it, its reports are refused and it keeps them.`,
      ),
      h(
        'div',
        { class: 'sheet-actions' },
        h('button', { type: 'button', class: 'button primary', onclick: () => take('') }, t`Claim and show its code`),
        h(
          'button',
          { type: 'button', class: 'button', onclick: () => take('?without_password=true') },
          t`Claim without a password`,
        ),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`),
      ),
      h(
        'p',
        { class: 'footnote' },
        t`Without a password, anybody who knows its name can report as this phone. They learn nothing of your account.`,
      ),
    );
    sheet.classList.add('device-sheet');
  };
  listed.then(load);
  return element;
}
