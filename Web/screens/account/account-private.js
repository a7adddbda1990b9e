// An explanation of an account's private mode, and its switch.
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { sealedOf } from '../../scripts/server/signed-in.js';
import { plural, t } from '../../scripts/words/translate.js';
import { toggle } from '../../parts/controls.js';
import { section, switchRow } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';

const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

export function privacy(app, server) {
  const place = h('div');
  const draw = () => {
    const control = toggle({
      label: t`Private mode`,
      value: server.account.is_private,
      key: 'private',
      onchange: async (on) => {
        // The switch shows the server's state and changes only after the server has accepted.
        control.value = !on;
        control.disabled = true;
        try {
          await (on ? turnOn(app, server) : set(server, { is_private: false }));
        } catch (error) {
          snackbar(error.message);
        }
        draw();
      },
    });
    fill(
      place,
      h(
        'div',
        { class: 'card' },
        switchRow({
          title: t`Private mode`,
          detail: t`The server never learns a place of yours. This device decides, and your zones, alarms and history
            stay on it.`,
          leading: h('span', { class: 'tile quiet' }, icon('eye-off')),
          control,
        }),
      ),
      server.account.is_private &&
        h(
          'p',
          { class: 'footnote padded' },
          t`Your other devices get no zones from here, and phone apps cannot report. The server still sees when messages pass,
            how large they are and between whom.`,
        ),
    );
  };
  draw();
  return section({ title: t`Privacy` }, place);
}

async function set(server, body) {
  const answer = await server.ask('PUT', '/account/private', body);
  await server.look();
  return answer;
}

/** Turns private mode on; asks first if the server has stored data of the account, which is erased then. */
async function turnOn(app, server) {
  try {
    await set(server, { is_private: true });
  } catch (error) {
    if (error.kind !== 'places-stored') throw error;
    const { stored } = await server.ask('GET', '/account/private');
    if (!(await erases(stored))) return;
    const { erased } = await set(server, { is_private: true, erase: true });
    const count = total(erased);
    snackbar(
      plural(count, { one: t`${count} record erased on the server`, other: t`${count} records erased on the server` }),
    );
  }
  await (await sealedOf(app)).setUp();
}

function erases(stored) {
  return new Promise((done) => {
    let yes = false;
    const sheet = modalSheet(
      { label: t`Private mode`, onclose: () => done(yes) },
      h('h2', { class: 'title-2' }, t`Erase what the server has?`),
      h(
        'p',
        { class: 'body' },
        t`Positions on the server: ${stored.positions}. Zones: ${stored.zones}. Alarms: ${stored.alarms}. Reminders:
          ${stored.reminders}. They are erased for good. Everything on this device stays. Wait with this until all
          your zones are here.`,
      ),
      h(
        'div',
        { class: 'sheet-actions' },
        h(
          'button',
          {
            type: 'button',
            class: 'button alarm',
            id: 'erase-places',
            onclick: () => {
              yes = true;
              sheet.close();
            },
          },
          t`Erase, and be private`,
        ),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Leave it as it is`),
      ),
    );
  });
}
