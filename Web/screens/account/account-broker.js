// The part of the account that is published on the server's MQTT broker. Not shown if the server has no broker.
import { h, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { toggle } from '../../parts/controls.js';
import { switchRow } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { brokerWords } from './broker-section.js';

/**
 * The section with its switches.
 * @param {{done: () => void}} what `done` is called after a channel was added, changed or removed
 * @returns {HTMLElement} hidden until the server has reported a broker
 */
export function publishing(server, { done }) {
  const element = h('section', { 'aria-label': t`MQTT and Home Assistant`, hidden: true });
  const load = async () => {
    const status = await server.ask('GET', '/mqtt').catch(() => ({ state: 'off' }));
    element.hidden = status.state === 'off' || server.account.is_private;
    if (element.hidden) return;
    const { published, topic } = status;
    update(
      element,
      h('div', { class: 'section-title' }, h('h2', { class: 'title-3' }, t`MQTT and Home Assistant`)),
      h(
        'div',
        { class: 'card' },
        line({
          title: t`Publish my phones and alarms`,
          detail: published
            ? t`Under ${topic}: who may read there sees them.`
            : t`Programs that listen to ${topic} on the broker would see them.`,
          picture: 'share',
          key: 'publish',
          value: Boolean(published),
          change: (on) =>
            on
              ? server.ask('POST', '/channels', { kind: 'mqtt', name: 'MQTT', configuration: {} })
              : server.ask('DELETE', `/channels/${published.channel_id}`),
        }),
        published &&
          [
            ['shares_position', t`Positions too`, t`If off, only the zones that a phone is in.`, 'pin'],
            ['discovery', t`Home Assistant finds them`, t`Each phone appears there with its zones and alarms.`, 'home'],
          ].map(([key, title, detail, picture]) =>
            line({ title, detail, picture, key, value: published[key], change: (on) => put({ [key]: on }) }),
          ),
      ),
      h('p', { class: 'footnote padded' }, brokerWords(status)),
    );
  };
  let changed = Promise.resolve();
  const line = ({ title, detail, picture, key, value, change }) => {
    const control = toggle({
      label: title,
      value,
      key,
      onchange: async (on) => {
        // The switch shows the server's state and changes only after the server has accepted.
        control.value = !on;
        control.disabled = true;
        // One change at a time.
        changed = changed.then(() => change(on)).catch((error) => snackbar(error.message));
        await changed;
        control.disabled = false;
        await load();
        done();
      },
    });
    return switchRow({
      title,
      detail,
      leading: h('span', { class: 'tile quiet' }, icon(picture)),
      control,
    });
  };
  const put = async (changes) => {
    // Reads the present state, because the other switch may have changed it since it was drawn.
    const { published } = await server.ask('GET', '/mqtt');
    if (!published) return;
    const { channel_id: id, shares_position, discovery } = published;
    await server.change(`/channels/${id}`, (now) => ({
      name: now.name,
      is_active: now.is_active,
      rule: now.rule,
      escalation_step: now.escalation_step,
      daily_test: now.daily_test,
      configuration: { shares_position, discovery, ...changes },
    }));
  };
  return Object.assign(element, { ready: load(), reload: load });
}
