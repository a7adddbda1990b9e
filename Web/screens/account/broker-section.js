// The name under which a phone publishes to the server's MQTT broker, and the state of the server's connection. Not shown
// without a broker.
import { h, update } from '../../scripts/page/dom.js';
import { row } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { t } from '../../scripts/words/translate.js';

/**
 * The section of one phone.
 * @param {{done: () => void}} what `done` is called after the phone was given a name
 * @returns {HTMLElement} hidden until the server has reported a broker
 */
export function brokerSection(server, device, { done }) {
  const element = h('section', { 'aria-label': t`MQTT broker`, hidden: true });
  const load = () =>
    server
      .ask('GET', '/mqtt')
      .then((status) => {
        element.hidden = status.state === 'off';
        update(
          element,
          h('h2', { class: 'title-3' }, t`MQTT broker`),
          h(
            'div',
            { class: 'card' },
            row({
              key: 'broker',
              title: brokerWords(status),
              detail: t`Positions published as ${topic(server.account.login, device.name)} belong to this phone.`,
            }),
            status.unknown.map(stranger),
          ),
        );
      })
      .catch(() => {});
  const stranger = ({ user, device: name }) =>
    row({
      key: `${user}/${name}`,
      title: topic(user, name),
      detail: t`Is published, and belongs to no phone`,
      trailing: h(
        'button',
        {
          type: 'button',
          class: 'button small',
          'aria-label': t`${topic(user, name)} is this phone`,
          onclick: async () => {
            try {
              await server.ask('POST', `/devices/${device.id}/identities`, {
                scheme: 'mqtt',
                value: `${user}/${name}`,
              });
              done();
            } catch (error) {
              snackbar(error.message);
            }
            await load();
          },
        },
        t`Is this phone`,
      ),
    });
  load();
  return element;
}

const topic = (user, device) => `owntracks/${user}/${device}`;

/** The state of the connection between the server and its broker. */
export function brokerWords({ state, reason }) {
  if (state === 'connected') return t`The server is connected to the broker`;
  if (state === 'standby') return t`Another process of the server is connected to the broker`;
  if (state === 'connecting') return t`The server is connecting to the broker`;
  return reason ? t`The server does not reach the broker: ${reason}` : t`The server does not reach the broker`;
}
